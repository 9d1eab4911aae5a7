// Elements without HTML text: nothing that comes from a corpus is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const el = (tag, attributes, ...children) => dress(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => dress(document.createElementNS(SVG, tag), attributes, children);

// Draw something anew, and keep the focus on what has the same id.
export function keepFocus(node, draw) {
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  const { id, selectionStart } = focused ?? {};
  draw();
  const again = id ? document.getElementById(id) : null;
  if (!again || again === document.activeElement) return;
  again.focus({ preventScroll: true });
  if (again.type === "search" && selectionStart !== null) again.setSelectionRange(selectionStart, selectionStart);
}

// Replace what an element holds.
export function fill(node, ...children) {
  keepFocus(node, () => node.replaceChildren(...children.flat(Infinity).filter(Boolean)));
}

export const say = (text) => {
  document.getElementById("status").textContent = text;
};

// A bar as wide as its share of the largest.
export function bar(share) {
  const made = el("span", { class: "bar", "aria-hidden": "true" });
  made.style.inlineSize = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return made;
}
