// What the pages of the desk share: asking the server, telling what came of it, and copying.

const AWAY = "The server cannot be reached; try again.";

// The answer as JSON; what went wrong is thrown as a sentence.
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

export function post(address, body) {
  return answered(
    fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  );
}

export function upload(address, file, parameters = {}) {
  const given = Object.entries({ name: file.name, ...parameters }).filter(
    ([, value]) => value !== "" && value !== null,
  );
  const headers = { "content-type": "application/octet-stream" };
  return answered(fetch(`${address}?${new URLSearchParams(given)}`, { method: "POST", headers, body: file }));
}

const told = () => document.getElementById("told");
const problem = () => document.getElementById("problem");

export function say(words) {
  told().textContent = words;
  problem().textContent = "";
}

// Run an act of a button or form, which cannot be sent twice meanwhile; a problem is told in its sentence.
export async function acting(button, work) {
  problem().textContent = "";
  if (button) button.disabled = true;
  try {
    await work();
  } catch (wrong) {
    told().textContent = "";
    problem().textContent = wrong.message;
    problem().scrollIntoView({ block: "nearest" });
  } finally {
    if (button) button.disabled = false;
  }
}

// A page of the server, parsed by the browser without running anything, which the content policy allows.
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
export function following(control, work) {
  control.addEventListener("change", () => work(control));
  work(control);
}

export function number(id) {
  const given = document.getElementById(id)?.value;
  return given ? Number(given) : null;
}

export function enable(root = document) {
  for (const control of root.querySelectorAll("button:disabled, input[type=file]:disabled")) control.disabled = false;
}
