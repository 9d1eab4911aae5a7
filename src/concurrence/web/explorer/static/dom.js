// Elements without HTML text: nothing that comes from a corpus is ever read as markup.

/**
 * @typedef {Node | string | number | false | null | undefined | Child[]} Child
 *
 * @typedef {object} Handlers
 * @property {((event: MouseEvent) => void) | null} [onclick]
 * @property {(event: SubmitEvent) => void} [onsubmit]
 * @property {(event: Event) => void} [onchange]
 * @property {(event: PointerEvent) => void} [onpointerenter]
 * @property {(event: PointerEvent) => void} [onpointerleave]
 *
 * @typedef {{ [name: string]: any } & Handlers} Attributes
 */

export const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} T
 * @param {T} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...flat(children));
  return node;
}

// What is to be drawn, in one row; what is null or false is not.
/** @param {Child[]} children @returns {(Node | string)[]} */
export const flat = (children) =>
  children.flatMap((child) => {
    if (Array.isArray(child)) return flat(child);
    if (child === null || child === undefined || child === false) return [];
    return [typeof child === "number" ? String(child) : child];
  });

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export const el = (tag, attributes, ...children) => dress(document.createElement(tag), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export const svg = (tag, attributes, ...children) => dress(document.createElementNS(SVG, tag), attributes, children);

/**
 * A list to choose from.
 * @param {Attributes} attributes
 * @param {[value: string | number, text: string][]} options
 * @param {string | number} chosen
 * @param {(value: string) => void} [choose]
 */
export function select(attributes, options, chosen, choose) {
  const node = el(
    "select",
    attributes,
    options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
  );
  if (choose) node.addEventListener("change", () => choose(node.value));
  return node;
}

/** @param {string} id */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`This page has no #${id}.`);
  return node;
}

// Draw something anew, and keep the focus on what has the same id.
/** @param {HTMLElement} node @param {() => void} draw */
export function keepFocus(node, draw) {
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  const caret = focused instanceof HTMLInputElement ? focused.selectionStart : null;
  draw();
  const again = focused?.id ? document.getElementById(focused.id) : null;
  if (!again || again === document.activeElement) return;
  again.focus({ preventScroll: true });
  if (again instanceof HTMLInputElement && again.type === "search") again.setSelectionRange(caret, caret);
}

// Replace what an element holds.
/** @param {HTMLElement} node @param {...Child} children */
export function fill(node, ...children) {
  keepFocus(node, () => node.replaceChildren(...flat(children)));
}

/** @param {string} text */
export const say = (text) => {
  byId("status").textContent = text;
};

/** @param {unknown} problem */
export const problemLine = (problem) =>
  el("p", { class: "problem", role: "alert" }, problem instanceof Error ? problem.message : String(problem));

// A chart as wide as its frame, drawn again where the frame gets another width.
/** @param {HTMLElement} frame @param {(width: number) => SVGElement} make */
export function keepDrawn(frame, make) {
  const show = () => fill(frame, make(frame.clientWidth));
  show();
  new ResizeObserver(() => {
    const drawn = frame.firstElementChild?.clientWidth ?? 0;
    if (frame.isConnected && Math.abs(frame.clientWidth - drawn) > 2) show();
  }).observe(frame);
}

// A bar as wide as its share of the largest.
/** @param {number} share */
export function bar(share) {
  const made = el("span", { class: "bar", "aria-hidden": "true" });
  made.style.inlineSize = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return made;
}

/** @param {string} text @param {...Child} tools */
export const heading = (text, ...tools) =>
  el("div", { class: "heading" }, el("h2", {}, text), el("span", { class: "tools" }, tools));
