import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { COMMANDS, Keys, readSettings, writeSettings } from "../../src/concurrence/web/static/keys.js";
import { useStorage } from "./support/browser.js";
import { question } from "./support/campaign.js";

const PLACE = "concurrence-keys/7/anna";
const QUESTIONS = [question("idiom"), question("kind")];
const [FIRST, SECOND] = QUESTIONS;
const LETTERS = [
  question("q", {
    choices: ["y", "z", "q", "a", "w", "m"].map((id) => ({ id, text: id, code: `Key${id.toUpperCase()}` })),
  }),
];
const [YES] = FIRST.choices;
const UNDO = COMMANDS[0];
/** @type {ReturnType<typeof useStorage>} */
let storage;

beforeEach(() => {
  storage = useStorage();
});

const open = () => new Keys(PLACE, QUESTIONS);
// A key as a US keyboard has it.
/** @param {string} code @param {object} [more] */
const press = (code, more) => ({
  code,
  key: code.replace(/^(Key|Digit|Numpad)/, "").toLowerCase(),
  shiftKey: false,
  ...more,
});

/** @param {Record<string, string>} layout */
async function knowing(layout) {
  const keyboard = { getLayoutMap: async () => new Map(Object.entries(layout)) };
  Object.defineProperty(globalThis, "navigator", { value: { keyboard }, configurable: true });
  const keys = new Keys(PLACE, LETTERS);
  await keys.learnLayout();
  return keys;
}

test("a key gives the choice of the question that is asked, on the number pad as well", () => {
  const keys = open();
  assert.equal(keys.choice(press("Digit2"), FIRST)?.id, "no");
  assert.equal(keys.choice(press("Numpad1"), FIRST)?.id, "yes");
  assert.equal(keys.choice(press("KeyA"), FIRST), null);
  assert.equal(keys.choice(press("Digit1"), null), null);
});

test("each command has its key, some have a second one, and Shift belongs to the choices", () => {
  const keys = open();
  assert.equal(keys.command(press("Backspace")), "undo");
  assert.equal(keys.command(press("BracketLeft")), "back");
  assert.equal(keys.command(press("Backspace", { shiftKey: true })), null);
  assert.equal(keys.command(press("KeyA")), null);
  assert.equal(keys.command(press("Minus", { key: "?", shiftKey: true })), "keys");
});

test("no two commands have the same key", () => {
  const codes = COMMANDS.flatMap(({ code, also }) => (also ? [code, also] : [code]));
  assert.equal(new Set(codes).size, codes.length);
});

test("a changed key is kept in the browser, for its own question alone", () => {
  assert.equal(open().change(YES, FIRST, press("KeyJ")), null);
  const again = open();
  assert.equal(again.choice(press("KeyJ"), FIRST)?.id, "yes");
  assert.equal(again.choice(press("Digit1"), FIRST), null);
  assert.equal(again.choice(press("Digit1"), SECOND)?.id, "yes");
  again.reset();
  assert.equal(open().choice(press("Digit1"), FIRST)?.id, "yes");
});

test("a first key that is given to a command wins over a second one", () => {
  const keys = open();
  keys.change(UNDO, null, press("BracketLeft"));
  assert.equal(keys.command(press("BracketLeft")), "undo");
});

test("a key that is taken is refused with the one that has it", () => {
  const keys = open();
  assert.equal(keys.change(YES, FIRST, press("Digit2")), "This key is already used for: NO.");
  assert.match(String(keys.change(YES, FIRST, press("Backspace"))), /^This key is already used for: Undo/);
  assert.equal(keys.change(UNDO, null, press("Digit1")), "This key is already used for: YES.");
  assert.equal(keys.change(YES, FIRST, press("Digit1")), null);
});

test("keys that belong to the browser are refused", () => {
  for (const code of ["Tab", "Escape", "ShiftLeft", "F5", "MetaRight", ""]) {
    assert.equal(open().change(YES, FIRST, press(code)), "The browser uses this key; choose another.");
  }
});

test("a key is called by what is written on it", () => {
  const keys = open();
  /** @param {string} code */
  const label = (code) => keys.label({ id: "x", text: "", code });
  assert.deepEqual(["KeyJ", "Digit3", "Numpad7", "Space", "Backspace"].map(label), ["J", "3", "NUM 7", "Space", "⌫"]);
  const note = COMMANDS.find(({ id }) => id === "note") ?? UNDO;
  assert.equal(keys.label(note, null, true), "'");
  assert.equal(keys.label(UNDO, null, true), "⌫");
});

test("where the browser tells the layout, a key is called as on that keyboard", async () => {
  const keys = await knowing({ KeyY: "z", KeyZ: "y", Semicolon: "ö" });
  assert.equal(keys.label({ id: "x", text: "", code: "KeyY" }), "Y");
  assert.equal(keys.label({ id: "x", text: "", code: "Semicolon" }), "Ö");
  assert.equal(keys.label(UNDO), "⌫");
});

// By keyboard: the place that is pressed, what the browser says of it, and the choice on which that letter stands.
/** @type {Record<string, [string, string, string | undefined][]>} */
const KEYBOARDS = {
  QWERTZ: [
    ["KeyY", "z", "z"],
    ["KeyZ", "Y", "y"],
    ["KeyQ", "q", "q"],
  ],
  AZERTY: [
    ["KeyQ", "a", "a"],
    ["KeyA", "q", "q"],
    ["KeyZ", "w", "w"],
    ["Semicolon", "m", "m"],
    ["KeyM", ",", undefined],
  ],
  Dvorak: [
    ["Comma", "w", "w"],
    ["KeyW", ",", undefined],
    ["KeyX", "q", "q"],
    ["KeyQ", "'", undefined],
  ],
  Cyrillic: [
    ["KeyY", "н", undefined],
    ["KeyQ", "й", undefined],
    ["KeyY", "y", "y"],
  ],
  "an input method": [
    ["KeyY", "Process", undefined],
    ["KeyZ", "Unidentified", undefined],
    ["KeyQ", "Dead", undefined],
  ],
};

for (const [name, presses] of Object.entries(KEYBOARDS)) {
  test(`with ${name}, a letter is the key on which it is printed, also where the browser does not tell`, () => {
    const keys = new Keys(PLACE, LETTERS);
    for (const [code, key, id] of presses) {
      assert.equal(keys.choice({ code, key, shiftKey: false }, LETTERS[0])?.id, id, `${code} ${key}`);
    }
  });
}

test("a comma on another place is the command, and the letter on the place of the comma is none", () => {
  const keys = open();
  assert.equal(keys.command({ code: "KeyW", key: ",", shiftKey: false }), "unsure");
  assert.equal(keys.command({ code: "Comma", key: "w", shiftKey: false }), null);
});

test("digits are those of the key, also where they need Shift", () => {
  const keys = open();
  assert.equal(keys.choice({ code: "Digit1", key: "&", shiftKey: false }, FIRST)?.id, "yes");
  assert.equal(keys.choice({ code: "Digit1", key: "1", shiftKey: true }, FIRST)?.id, "yes");
  assert.equal(keys.choice({ code: "Digit2", key: "@", shiftKey: true }, FIRST)?.id, "no");
});

test("a letter of another alphabet decides nothing before the page has shown it", () => {
  const keys = new Keys(PLACE, LETTERS);
  const [y] = LETTERS[0].choices;
  const pressed = { code: "KeyY", key: "н", shiftKey: false };
  assert.equal(keys.label(y, LETTERS[0]), "Y");
  assert.match(String(keys.unclear(pressed)), /^Your keyboard has Н on this key/);
  assert.equal(keys.label(y, LETTERS[0]), "Н");
  assert.equal(keys.unclear(pressed), null);
  assert.equal(keys.choice(pressed, LETTERS[0])?.id, "y");
  assert.equal(keys.unclear({ code: "KeyG", key: "п", shiftKey: false }), null); // no choice stands there
});

test("where the browser tells a layout of another alphabet, its letters are shown and hold", async () => {
  const keys = await knowing({ KeyY: "н", KeyQ: "й" });
  assert.equal(keys.label(LETTERS[0].choices[0], LETTERS[0]), "Н");
  assert.equal(keys.choice({ code: "KeyY", key: "н", shiftKey: false }, LETTERS[0])?.id, "y");
});

test("a key that an input method takes is known by the layout, or not at all", async () => {
  const taken = { code: "KeyY", key: "Process", shiftKey: false };
  assert.match(String(new Keys(PLACE, LETTERS).unclear(taken)), /^An input method takes your keys/);
  const keys = await knowing({ KeyY: "z", KeyZ: "y" });
  assert.equal(keys.unclear(taken), null);
  assert.equal(keys.choice(taken, LETTERS[0])?.id, "z");
});

test("a key of another alphabet can be given to a choice, and is called by its letter", () => {
  const keys = new Keys(PLACE, LETTERS);
  const [y] = LETTERS[0].choices;
  const pressed = { code: "KeyL", key: "д", shiftKey: false };
  assert.equal(keys.change(y, LETTERS[0], pressed), null);
  const again = new Keys(PLACE, LETTERS);
  assert.equal(again.label(y, LETTERS[0]), "Д");
  assert.equal(again.choice(pressed, LETTERS[0])?.id, "y");
  assert.match(String(keys.change(y, LETTERS[0], { ...pressed, key: "Process" })), /^An input method/);
});

test("settings that cannot be read are as if there were none, and those that cannot be written are lost", () => {
  storage.setItem(PLACE, "{");
  assert.deepEqual(readSettings(PLACE), {});
  storage.setItem(PLACE, "null");
  assert.deepEqual(readSettings(PLACE), {});
  storage.fillUp();
  writeSettings(PLACE, { manual: true });
  assert.deepEqual(readSettings(PLACE), {});
});
