// Drawn charts become charts that answer to the mouse. Without this script the drawings stay.
for (const figure of document.querySelectorAll("figure:has(script)")) {
  const specification = JSON.parse(figure.querySelector("script").textContent);
  const options = { actions: false, renderer: "svg", logLevel: 0 };
  vegaEmbed(figure.querySelector(".chart"), specification, options)
    .then((made) => made.view.container().firstElementChild.setAttribute("aria-hidden", "true"))
    .catch(() => {});
}

// Tables can be taken along: to a spreadsheet by copying, or as a file.
const lines = (table, mark, write) =>
  `${[...table.rows].map((row) => [...row.cells].map((cell) => write(cell.textContent)).join(mark)).join("\n")}\n`;
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function button(words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.addEventListener("click", () => act(made));
  return made;
}

async function copy(table, pressed) {
  const text = lines(table, "\t", (cell) => cell.replaceAll(/\s+/g, " "));
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection().selectAllChildren(table); // a page from a file may not write to the clipboard; the old way may
    document.execCommand("copy");
    getSelection().removeAllRanges();
  }
  pressed.textContent = "copied";
  setTimeout(() => (pressed.textContent = "copy"), 1500);
}

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
  const tools = document.createElement("div");
  tools.className = "tools";
  const name = folded.querySelector("summary").firstChild.textContent;
  tools.append(
    button("copy", (pressed) => copy(table, pressed)),
    button("download", () => download(table, name)),
  );
  folded.append(tools);
}

// What is wider than its place can be scrolled by keys as well.
const wide = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const place of document.querySelectorAll(".table, .chart, math")) wide.observe(place);

// On paper nothing is folded.
const shut = [];
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details:not([open])")) shut.push(folded);
  for (const folded of shut) folded.open = true;
});
addEventListener("afterprint", () => {
  for (const folded of shut.splice(0)) folded.open = false;
});
