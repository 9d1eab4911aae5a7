// What the scripts use of a browser, as far as no page is needed: a storage, and what other tabs do to it.

export class FakeStorage {
  #full = false;

  /** @param {Record<string, string>} entries */
  constructor(entries = {}) {
    Object.assign(this, entries);
  }

  fillUp() {
    this.#full = true;
  }

  /** @param {string} key @returns {string | null} */
  getItem(key) {
    return Object.hasOwn(this, key) ? /** @type {any} */ (this)[key] : null;
  }

  /** @param {string} key @param {string} value */
  setItem(key, value) {
    if (this.#full) throw new Error("The quota is exceeded.");
    /** @type {any} */ (this)[key] = value;
  }

  /** @param {string} key */
  removeItem(key) {
    delete (/** @type {any} */ (this)[key]);
  }
}

/** @type {((event: { key: string | null, newValue: string | null }) => void)[]} */
let listeners = [];

/** @param {Record<string, string>} [entries] */
export function useStorage(entries) {
  listeners = [];
  const storage = new FakeStorage(entries);
  const browser = /** @type {any} */ (globalThis);
  browser.localStorage = storage;
  browser.addEventListener = (/** @type {string} */ name, /** @type {any} */ listener) => {
    if (name === "storage") listeners.push(listener);
  };
  return storage;
}

// Another tab has written something, or taken it away.
/** @param {string | null} key @param {string | null} newValue */
export function fromAnotherTab(key, newValue) {
  for (const listener of listeners) listener({ key, newValue });
}
