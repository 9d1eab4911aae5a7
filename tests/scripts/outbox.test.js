import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid, Outbox } from "../../src/concurrence/web/static/outbox.js";
import { fromAnotherTab, useStorage } from "./support/browser.js";
import { event } from "./support/campaign.js";

/** @import { DecisionEvent } from "../../src/concurrence/web/static/api.js" */

const BOX = "concurrence/7/anna/";

function open() {
  /** @type {DecisionEvent[]} */
  const heard = [];
  let changes = 0;
  /** @type {Outbox<DecisionEvent>} */
  const outbox = new Outbox(BOX, {
    heard: (one) => heard.push(one),
    changed: () => {
      changes += 1;
    },
  });
  return { outbox, heard, changes: () => changes };
}

/** @param {string} uuid @param {object} [more] */
const written = (uuid, more) =>
  JSON.stringify({ item: 3, uuid, client_time: 5, question: "q", answer: "yes", ...more });

/** @param {{ events: DecisionEvent[] }} outbox */
const uuids = ({ events }) => events.map(({ uuid }) => uuid);

test("a decision is in the storage before anything else happens, under the server's names", () => {
  const storage = useStorage();
  const { outbox, changes } = open();
  outbox.add(event(0, 3, "idiom", "yes", { uuid: "one" }));
  const [[key, text]] = Object.entries(storage);
  assert.match(key, /^concurrence\/7\/anna\/\d{16}\/one$/);
  const { item, task, counter } = JSON.parse(text);
  assert.deepEqual([item, task], [3, undefined]);
  assert.equal(key, `${BOX}${String(counter).padStart(16, "0")}/one`);
  assert.deepEqual([outbox.size, changes(), outbox.lasting], [1, 1, true]);
});

test("counters grow, and events come in their order", () => {
  useStorage();
  const { outbox } = open();
  for (const uuid of ["z", "a", "m"]) outbox.add(event(0, 1, "idiom", "yes", { uuid }));
  assert.deepEqual(uuids(outbox), ["z", "a", "m"]);
  const counters = outbox.events.map(({ counter }) => Number(counter));
  assert.ok(counters[0] < counters[1] && counters[1] < counters[2]);
});

test("what an earlier visit left is there again, and what is not ours is left alone", () => {
  const storage = useStorage({
    [`${BOX}0000000000000009/two`]: written("two", { counter: 9 }),
    [`${BOX}0000000000000008/one`]: written("one", { counter: 8 }),
    [`${BOX}broken`]: "{",
    [`${BOX}strange`]: '{"item": 1}',
    "concurrence/7/anna-maria/0000000000000001/x": written("x", { counter: 1 }),
  });
  const { outbox } = open();
  assert.deepEqual(uuids(outbox), ["one", "two"]);
  assert.equal(outbox.events[0].task, 3);
  assert.equal(Object.keys(storage).length, 5);
});

test("what an older page left without a counter gets one, in its order, before anything new", () => {
  const storage = useStorage({
    [`${BOX}0000000000000002/b`]: written("b"),
    [`${BOX}0000000000000001/a`]: written("a"),
  });
  const { outbox } = open();
  outbox.add(event(0, 3, "idiom", "no", { uuid: "c" }));
  const counters = new Map(outbox.events.map(({ uuid, counter }) => [uuid, Number(counter)]));
  assert.ok(Number(counters.get("a")) < Number(counters.get("b")));
  assert.ok(Number(counters.get("b")) < Number(counters.get("c")));
  assert.equal(JSON.parse(storage.getItem(`${BOX}0000000000000001/a`) ?? "").counter, counters.get("a"));
});

test("a batch is the oldest that may be sent", () => {
  useStorage();
  const { outbox } = open();
  for (const [uuid, task] of /** @type {const} */ ([
    ["a", 1],
    ["b", 2],
    ["c", 1],
    ["d", 1],
  ])) {
    outbox.add(event(0, task, "idiom", "yes", { uuid }));
  }
  const isOpen = (/** @type {DecisionEvent} */ { task }) => task === 1;
  assert.deepEqual(
    outbox.batch(2, isOpen).map(({ uuid }) => uuid),
    ["a", "c"],
  );
  assert.ok(outbox.any(isOpen));
  assert.ok(!outbox.any(({ task }) => task === 5));
});

test("what is acknowledged is taken out of the storage as well", () => {
  const storage = useStorage();
  const { outbox } = open();
  for (const uuid of ["a", "b"]) outbox.add(event(0, 1, "idiom", "yes", { uuid }));
  outbox.remove(new Set(["a", "unknown"]));
  assert.deepEqual(uuids(outbox), ["b"]);
  assert.deepEqual(
    Object.keys(storage).map((key) => key.split("/").at(-1)),
    ["b"],
  );
});

test("a decision of another tab is heard once, and its acknowledgement takes it away", () => {
  useStorage();
  const { outbox, heard } = open();
  const key = `${BOX}0000000000000012/other`;
  fromAnotherTab(key, written("other", { counter: 12 }));
  fromAnotherTab(key, written("other", { counter: 12 }));
  fromAnotherTab("concurrence-page/7/anna", "{}");
  fromAnotherTab(`${BOX}broken`, "{");
  assert.deepEqual(
    heard.map(({ uuid, task }) => [uuid, task]),
    [["other", 3]],
  );
  fromAnotherTab(key, null);
  assert.equal(outbox.size, 0);
});

test("a decision made after another tab's stands behind it", () => {
  useStorage();
  const { outbox } = open();
  const ahead = Date.now() + 1_000_000;
  fromAnotherTab(`${BOX}${String(ahead).padStart(16, "0")}/other`, written("other", { counter: ahead }));
  outbox.add(event(0, 3, "idiom", "no", { uuid: "mine" }));
  assert.deepEqual(uuids(outbox), ["other", "mine"]);
});

test("a storage that was emptied gets what waits once more", () => {
  const storage = useStorage();
  const { outbox } = open();
  outbox.add(event(0, 1, "idiom", "yes", { uuid: "a" }));
  const [key] = Object.keys(storage);
  storage.removeItem(key);
  fromAnotherTab(null, null);
  assert.notEqual(storage.getItem(key), null);
});

test("where the storage is full, what waits lives in this tab, and the page can tell", () => {
  const storage = useStorage();
  const { outbox } = open();
  storage.fillUp();
  outbox.add(event(0, 1, "idiom", "yes", { uuid: "a" }));
  assert.deepEqual([outbox.size, outbox.lasting], [1, false]);
});

test("a UUID is one of version 4", () => {
  const some = Array.from({ length: 50 }, newUuid);
  for (const uuid of some) assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(some).size, 50);
});
