import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Outbox } from "../../src/concurrence/web/static/outbox.js";
import { Sender } from "../../src/concurrence/web/static/sender.js";
import { useStorage } from "./support/browser.js";
import { event } from "./support/campaign.js";

/** @import { DecisionEvent } from "../../src/concurrence/web/static/api.js" */

const API = "/api/campaigns/7";
const browser = /** @type {any} */ (globalThis);
const { fetch } = browser;

beforeEach(() => {
  useStorage();
  browser.document = { addEventListener() {}, visibilityState: "visible" };
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  mock.timers.enable({ apis: ["setTimeout"] });
});

afterEach(() => {
  mock.timers.reset();
  browser.fetch = fetch;
});

/** @param {string[]} uuids @param {string} [status] */
const receipts = (uuids, status = "stored") =>
  Response.json({ receipts: uuids.map((uuid) => ({ uuid, status, reason: "No." })), newest: 5 });

// A sender with some decisions that wait, and a server that answers.
/** @param {string[]} uuids @param {(uuids: string[]) => Response} answer */
function sending(uuids, answer) {
  /** @type {string[][]} */
  const batches = [];
  /** @type {string[]} */
  const states = [];
  /** @type {Map<string, string | null>[]} */
  const refusals = [];
  /** @type {Outbox<DecisionEvent>} */
  const outbox = new Outbox("concurrence/7/anna/", { heard() {}, changed() {} });
  for (const uuid of uuids) outbox.add(event(0, 1, "idiom", "yes", { uuid }));
  browser.fetch = async (/** @type {string} */ url, /** @type {{ body: string }} */ { body }) => {
    assert.equal(url, `${API}/events`);
    const events = /** @type {{ uuid: string, item: number }[]} */ (JSON.parse(body).events);
    assert.ok(events.every(({ item }) => item === 1));
    batches.push(events.map(({ uuid }) => uuid));
    return answer(batches[batches.length - 1]);
  };
  const sender = new Sender({
    api: API,
    outbox,
    sendable: () => true,
    told: (state) => states.push(state),
    refused: async (reasons) => {
      refusals.push(reasons);
      outbox.remove(new Set(reasons.keys()));
      return true;
    },
  });
  return { outbox, sender, batches, states, refusals };
}

// Until nothing is under way any more; a timer that waits does not count.
const settled = () => new Promise((done) => setImmediate(() => setImmediate(() => setImmediate(done))));

test("what waits is sent in its order, and taken out when it is acknowledged", async () => {
  const { outbox, sender, batches, states } = sending(["a", "b"], (uuids) => receipts(uuids));
  sender.now();
  assert.ok(sender.busy);
  await settled();
  assert.deepEqual([batches, states, outbox.size, sender.busy], [[["a", "b"]], ["sent"], 0, false]);
});

test("what the server has already is done as well", async () => {
  const { outbox, sender } = sending(["a"], (uuids) => receipts(uuids, "known"));
  sender.now();
  await settled();
  assert.equal(outbox.size, 0);
});

test("several decisions in a short time are one batch", async () => {
  const { sender, batches } = sending(["a", "b"], (uuids) => receipts(uuids));
  for (let k = 0; k < 3; k += 1) sender.soon();
  await settled();
  assert.deepEqual(batches, []);
  mock.timers.tick(120);
  await settled();
  assert.deepEqual(batches, [["a", "b"]]);
});

test("a server that is away is asked again, later each time", async () => {
  const { outbox, sender, batches, states } = sending(["a"], () => {
    throw new TypeError("Failed to fetch");
  });
  sender.now();
  await settled();
  assert.deepEqual([batches.length, states], [1, ["away"]]);
  mock.timers.tick(749); // three quarters of a second at least
  await settled();
  assert.equal(batches.length, 1);
  mock.timers.tick(502); // and five quarters at most
  await settled();
  assert.equal(batches.length, 2);
  mock.timers.tick(1499);
  await settled();
  assert.deepEqual([batches.length, outbox.size], [2, 1]);
});

test("a server that says when to come back is not asked before", async () => {
  const busy = new Response("{}", { status: 503, headers: { "retry-after": "30" } });
  const { sender, batches, states } = sending(["a"], () => busy.clone());
  sender.now();
  await settled();
  mock.timers.tick(29_999);
  await settled();
  assert.deepEqual([batches.length, states], [1, ["away"]]);
  mock.timers.tick(1);
  await settled();
  assert.equal(batches.length, 2);
});

test("a session that has ended is told", async () => {
  const { outbox, sender, states } = sending(["a"], () => new Response("{}", { status: 401 }));
  sender.now();
  await settled();
  assert.deepEqual([states, outbox.size], [["ended"], 1]);
});

test("an answer that is not the server's acknowledges nothing", async () => {
  for (const answer of [new Response("<html>"), Response.json({ receipts: [] })]) {
    const { outbox, sender, states } = sending(["a"], () => answer);
    sender.now();
    await settled();
    assert.deepEqual([states, outbox.size], [["away"], 1]);
    useStorage();
  }
});

test("what is refused is settled, and the rest is acknowledged", async () => {
  const { outbox, sender, refusals } = sending(["a", "b"], () =>
    Response.json({
      receipts: [
        { uuid: "a", status: "refused", reason: "No." },
        { uuid: "b", status: "stored", reason: null },
      ],
    }),
  );
  sender.now();
  await settled();
  assert.deepEqual(refusals, [new Map([["a", "No."]])]);
  assert.equal(outbox.size, 0);
});

test("a batch that cannot be read is sent in halves, until one decision alone is set aside", async () => {
  const bad = (/** @type {string[]} */ uuids) =>
    uuids.includes("c") ? new Response("{}", { status: 422 }) : receipts(uuids);
  const { outbox, sender, batches, refusals } = sending(["a", "b", "c", "d"], bad);
  sender.now();
  await settled();
  await settled();
  assert.deepEqual(batches, [["a", "b", "c", "d"], ["a", "b"], ["c", "d"], ["c"], ["d"]]);
  assert.deepEqual(refusals, [new Map([["c", "The server could not read it."]])]);
  assert.equal(outbox.size, 0);
});
