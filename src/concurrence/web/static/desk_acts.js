// What the pages of the desk share: asking the server, telling what came of it, and copying.

import { allInside, byId } from "./elements.js";

const AWAY = "The server cannot be reached; try again.";

// The answer as JSON; what went wrong is thrown as a sentence.
/** @param {Promise<Response>} asked */
async function answered(asked) {
  let answer;
  try {
    answer = await asked;
  } catch {
    throw new Error(AWAY);
  }
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

/** @param {string} address @param {object} body */
export function post(address, body) {
  return answered(
    fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  );
}

/** @param {string} address @param {File} file @param {Record<string, string>} [parameters] */
export function upload(address, file, parameters = {}) {
  const given = Object.entries({ name: file.name, ...parameters }).filter(([, value]) => value !== "");
  const headers = { "content-type": "application/octet-stream" };
  return answered(fetch(`${address}?${new URLSearchParams(given)}`, { method: "POST", headers, body: file }));
}

const told = () => byId("told");
const problem = () => byId("problem");

/** @param {string} words */
export function say(words) {
  told().textContent = words;
  problem().textContent = "";
}

// Run an act of a button or form, which cannot be sent twice meanwhile; a problem is told in its sentence.
/** @param {HTMLElement | null} button @param {() => Promise<void> | void} work */
export async function acting(button, work) {
  problem().textContent = "";
  const pressed = button instanceof HTMLButtonElement ? button : null;
  if (pressed) pressed.disabled = true;
  try {
    await work();
  } catch (wrong) {
    told().textContent = "";
    problem().textContent = wordsOf(wrong);
    problem().scrollIntoView({ block: "nearest" });
  } finally {
    if (pressed) pressed.disabled = false;
  }
}

/** @param {unknown} problem */
export const wordsOf = (problem) => (problem instanceof Error ? problem.message : String(problem));

// A page of the server, parsed by the browser without running anything, which the content policy allows.
/** @param {string} address @param {object | null} [body] @returns {Promise<Document>} */
export function pageOf(address, body = null) {
  return new Promise((found, failed) => {
    const request = new XMLHttpRequest();
    request.open(body ? "POST" : "GET", address);
    if (body) request.setRequestHeader("content-type", "application/json");
    request.responseType = "document";
    request.onload = () =>
      request.status === 200 && request.response ? found(request.response) : failed(new Error(AWAY));
    request.onerror = () => failed(new Error(AWAY));
    request.send(body ? JSON.stringify(body) : null);
  });
}

// Browsers offer the clipboard only over TLS or on this machine; elsewhere the older way is left.
/** @param {string} text */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("The browser does not let this page copy; select the link and copy it yourself.");
}

// What a control says holds from the beginning: it may have been set before the script was there, or by the browser.
/**
 * @template {HTMLElement} T
 * @param {T} control
 * @param {(control: T) => void} work
 */
export function following(control, work) {
  control.addEventListener("change", () => work(control));
  work(control);
}

/** @param {string} id */
export function number(id) {
  const { value } = byId(id, HTMLInputElement);
  return value ? Number(value) : null;
}

/** @param {ParentNode} root */
export function enable(root) {
  for (const button of allInside(root, "button:disabled", HTMLButtonElement)) button.disabled = false;
  for (const input of allInside(root, "input[type=file]:disabled", HTMLInputElement)) input.disabled = false;
}
