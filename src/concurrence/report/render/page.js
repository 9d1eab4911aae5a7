// Drawn charts become charts that answer to the mouse. Without this script the drawings stay.
/** @typedef {{ view: { container(): Element | null } }} Drawn */
/** @type {(place: Element | null, specification: object, options: object) => Promise<Drawn>} */
const embed = /** @type {any} */ (globalThis).vegaEmbed; // stands before this script where there are charts
for (const figure of document.querySelectorAll("figure:has(script)")) {
  const specification = JSON.parse(figure.querySelector("script")?.textContent ?? "");
  const options = { actions: false, renderer: "svg", logLevel: 0 };
  embed(figure.querySelector(".chart"), specification, options)
    .then(({ view }) => view.container()?.firstElementChild?.setAttribute("aria-hidden", "true"))
    .catch(() => {});
}

// Tables can be taken along: to a spreadsheet by copying, or as a file.
/** @param {HTMLTableElement} table @param {string} mark @param {(cell: string) => string} write */
const lines = (table, mark, write) =>
  `${[...table.rows].map((row) => [...row.cells].map((cell) => write(cell.textContent)).join(mark)).join("\n")}\n`;
/** @param {string} text */
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** @param {string} words @param {(pressed: HTMLButtonElement) => void} act */
function button(words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.addEventListener("click", () => act(made));
  return made;
}

/** @param {HTMLTableElement} table @param {HTMLButtonElement} pressed */
async function copy(table, pressed) {
  const text = lines(table, "\t", (cell) => cell.replaceAll(/\s+/g, " "));
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection()?.selectAllChildren(table); // a page from a file may not write to the clipboard; the old way may
    document.execCommand("copy");
    getSelection()?.removeAllRanges();
  }
  pressed.textContent = "copied";
  setTimeout(() => {
    pressed.textContent = "copy";
  }, 1500);
}

/** @param {HTMLTableElement} table @param {string} name */
function download(table, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", lines(table, ",", quoted)], { type: "text/csv" }));
  link.download = `${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 40)}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

for (const folded of document.querySelectorAll("details")) {
  const table = folded.querySelector("table");
  if (!table) continue;
  const tools = document.createElement("div");
  tools.className = "tools";
  const name = folded.querySelector("summary")?.firstChild?.textContent ?? "";
  tools.append(
    button("copy", (pressed) => copy(table, pressed)),
    button("download", () => download(table, name)),
  );
  folded.append(tools);
}

// What is wider than its place can be scrolled by keys as well.
const wide = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
for (const place of document.querySelectorAll(".table, .chart, math")) wide.observe(place);

// On paper nothing is folded.
/** @type {HTMLDetailsElement[]} */
const shut = [];
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) if (!folded.open) shut.push(folded);
  for (const folded of shut) folded.open = true;
});
addEventListener("afterprint", () => {
  for (const folded of shut.splice(0)) folded.open = false;
});
