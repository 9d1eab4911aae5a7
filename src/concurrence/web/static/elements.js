// Elements that a page must have. One that is missing, or of another kind, is a mistake in its template.

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind = /** @type {any} */ (HTMLElement)) {
  return checked(document.getElementById(id), kind, `#${id}`);
}

/**
 * Inside an element or the document, the first that fits a selector.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
export function inside(root, selector, kind = /** @type {any} */ (HTMLElement)) {
  return checked(root.querySelector(selector), kind, selector);
}

/**
 * Inside an element or the document, all that fit a selector.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T[]}
 */
export function allInside(root, selector, kind = /** @type {any} */ (HTMLElement)) {
  return [...root.querySelectorAll(selector)].map((node) => checked(node, kind, selector));
}

/**
 * The element that an event is for; the document itself and text have none.
 * @param {Event} event
 * @returns {HTMLElement | null}
 */
export const targetOf = ({ target }) => (target instanceof HTMLElement ? target : null);

/**
 * Of the pages where people judge, whose ids are told apart from the headings of the manual.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} name
 * @param {new () => T} [kind]
 * @returns {T}
 */
export const part = (name, kind) => byId(`page--${name}`, kind);

/**
 * @template {HTMLElement} T
 * @param {Element | null} node
 * @param {new () => T} kind
 * @param {string} name
 * @returns {T}
 */
function checked(node, kind, name) {
  if (node instanceof kind) return node;
  throw new Error(`This page has no ${kind.name} ${name}.`);
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */

/** @param {unknown} node @returns {node is Control} */
export const isControl = (node) =>
  node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement;

/**
 * What a control says; nothing where the page has no such control.
 * @param {ParentNode} root
 * @param {string} selector
 */
export function valueIn(root, selector) {
  const control = root.querySelector(selector);
  return isControl(control) ? control.value : null;
}
