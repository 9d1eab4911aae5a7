// Buttons that the types of questions have in common.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string} [text]
 * @param {string} [className]
 */
export function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

// Whether a text needs a line of its own where two answers would stand beside each other on a phone.
/** @param {string} text */
const needsRoom = (text) => text.length > 18 || text.split(/\s/).some((word) => word.length > 11);

// A button with its key; after a click or touch, the space bar must not press it again.
/** @param {string} key @param {string} text @param {(shifted: boolean) => void} act @param {string} [className] */
export function keyButton(key, text, act, className = "") {
  const button = element("button", "", className);
  button.type = "button";
  if (key) button.append(element("kbd", key));
  if (needsRoom(text)) button.classList.add("wide");
  const words = element("bdi", text);
  button.append(words);
  button.addEventListener("click", (event) => {
    if (event.detail > 0) button.blur();
    act(event.shiftKey);
  });
  return button;
}

/** @param {(shifted: boolean) => void} act */
export function doneButton(act) {
  return keyButton("Enter", "Done", act, "done");
}

/** @param {HTMLElement} button @param {boolean | null} pressed */
export function setPressed(button, pressed) {
  if (pressed === null) button.removeAttribute("aria-pressed");
  else button.setAttribute("aria-pressed", String(pressed));
}
