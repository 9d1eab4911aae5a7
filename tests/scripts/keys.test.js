import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { COMMANDS, Keys, readSettings, writeSettings } from "../../src/concurrence/web/static/keys.js";
import { useStorage } from "./support/browser.js";
import { question } from "./support/campaign.js";

const PLACE = "concurrence-keys/7/anna";
const QUESTIONS = [question("idiom"), question("kind")];
const [FIRST, SECOND] = QUESTIONS;
const [YES] = FIRST.choices;
const UNDO = COMMANDS[0];
/** @type {ReturnType<typeof useStorage>} */
let storage;

beforeEach(() => {
  storage = useStorage();
});

const open = () => new Keys(PLACE, QUESTIONS);
/** @param {string} code @param {object} [more] */
const press = (code, more) => ({ code, key: "", shiftKey: false, ...more });

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
  assert.equal(open().change(YES, FIRST, "KeyJ"), null);
  const again = open();
  assert.equal(again.choice(press("KeyJ"), FIRST)?.id, "yes");
  assert.equal(again.choice(press("Digit1"), FIRST), null);
  assert.equal(again.choice(press("Digit1"), SECOND)?.id, "yes");
  again.reset();
  assert.equal(open().choice(press("Digit1"), FIRST)?.id, "yes");
});

test("a first key that is given to a command wins over a second one", () => {
  const keys = open();
  keys.change(UNDO, null, "BracketLeft");
  assert.equal(keys.command(press("BracketLeft")), "undo");
});

test("a key that is taken is refused with the one that has it", () => {
  const keys = open();
  assert.equal(keys.change(YES, FIRST, "Digit2"), "This key is already used for: NO.");
  assert.match(String(keys.change(YES, FIRST, "Backspace")), /^This key is already used for: Undo/);
  assert.equal(keys.change(UNDO, null, "Digit1"), "This key is already used for: YES.");
  assert.equal(keys.change(YES, FIRST, "Digit1"), null);
});

test("keys that belong to the browser are refused", () => {
  for (const code of ["Tab", "Escape", "ShiftLeft", "F5", "MetaRight", ""]) {
    assert.equal(open().change(YES, FIRST, code), "The browser uses this key; choose another.");
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
  const keyboard = {
    getLayoutMap: async () =>
      new Map([
        ["KeyY", "z"],
        ["Semicolon", "ö"],
      ]),
  };
  Object.defineProperty(globalThis, "navigator", { value: { keyboard }, configurable: true });
  const keys = open();
  await keys.learnLayout();
  assert.equal(keys.label({ id: "x", text: "", code: "KeyY" }), "Z");
  assert.equal(keys.label({ id: "x", text: "", code: "Semicolon" }), "Ö");
  assert.equal(keys.label(UNDO), "⌫");
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
