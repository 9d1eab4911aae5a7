// Questions to the server; an answer is kept for a while, since the same view asks again as it is drawn anew.

const MOST = 60;
const known = new Map();

export const query = (parameters) =>
  new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== "" && value !== null && value !== undefined),
  ).toString();

export const place = (path, parameters) => `/api/${path}?${query(parameters)}`;

export async function ask(path, parameters = {}) {
  const url = place(path, parameters);
  if (!known.has(url)) {
    known.set(url, answer(url));
    known.get(url).catch(() => known.delete(url));
    if (known.size > MOST) known.delete(known.keys().next().value);
  }
  return known.get(url);
}

async function answer(url) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error("The explorer does not answer; is concur explore still running?");
  }
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body;
}
