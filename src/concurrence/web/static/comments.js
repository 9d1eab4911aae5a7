// Comments on an item, by everyone who has to do with it. What is written waits in an outbox of its own until the
// server has it, as decisions do.
import { element } from "./controls.js";
import { newUuid, Outbox } from "./outbox.js";
import { Sender } from "./sender.js";

const part = (name) => document.getElementById(`page--${name}`);
const wire = ({ uuid, task, text, client_time }) => ({ uuid, item: task, text, client_time });

export class Comments {
  #known = new Map(); // task id -> comments
  #task = null;
  #drawn = null;

  // changed(): another number of comments waits. told(text): something a coder must know.
  constructor({ api, mine, coder, changed, told }) {
    Object.assign(this, { coder, changed, told });
    this.outbox = new Outbox(`concurrence-comments/${mine}/`, {
      heard: () => this.#draw(),
      changed: () => this.#changed(),
    });
    this.sender = new Sender({
      api,
      outbox: this.outbox,
      what: "comments",
      wire,
      sendable: () => true,
      told: () => this.#changed(),
      refused: (reasons) => this.#refused(reasons),
    });
    part("comment-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    part("comment").addEventListener("keydown", (event) => {
      if (event.code !== "Enter" || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      this.#send();
    });
  }

  get size() {
    return this.outbox.size;
  }

  // What the server has; what it acknowledged meanwhile is in it.
  load(comments) {
    this.#known = Map.groupBy ? Map.groupBy(comments, ({ item }) => item) : grouped(comments);
    this.sender.now();
    this.#draw();
  }

  show(task) {
    part("comments").hidden = !task;
    if (this.#task !== task?.id) part("comment").value = "";
    this.#task = task?.id ?? null;
    if (this.#drawn !== this.#task) this.#draw();
  }

  write() {
    if (part("comments").hidden) return;
    part("comment").focus();
  }

  #send() {
    const text = part("comment").value.trim();
    if (!text || this.#task === null) return;
    this.outbox.add({ uuid: newUuid(), task: this.#task, text, client_time: Date.now() });
    part("comment").value = "";
    part("comment").blur();
    this.#draw();
    this.sender.soon();
  }

  #changed() {
    this.#settle();
    this.changed();
  }

  // What was acknowledged is known from now on, whether or not the list is asked for again.
  #settle() {
    const waiting = new Set(this.outbox.events.map(({ uuid }) => uuid));
    for (const event of this.sent ?? []) {
      if (waiting.has(event.uuid)) continue;
      const list = this.#known.get(event.task) ?? [];
      this.#known.set(event.task, [...list, { by: this.coder, role: "", text: event.text, time: event.client_time }]);
    }
    this.sent = this.outbox.events;
    this.#draw();
  }

  async #refused(reasons) {
    this.told(`The comment was not accepted: ${[...reasons.values()][0]}`);
    this.sent = [];
    this.outbox.remove(new Set(reasons.keys()));
    return true;
  }

  #draw() {
    this.#drawn = this.#task;
    const waiting = this.outbox.events.filter(({ task }) => task === this.#task);
    const rows = [
      ...(this.#known.get(this.#task) ?? []).map(({ by, role, text, time }) =>
        row(by, `${role ? `${role}, ` : ""}${new Date(time).toLocaleString()}`, text),
      ),
      ...waiting.map(({ text }) => row(this.coder, "not sent yet", text)),
    ];
    part("comment-list").replaceChildren(...rows);
  }
}

function row(by, when, text) {
  const line = element("li");
  const words = element("span", text, "text");
  words.dir = "auto";
  line.append(element("bdi", by), element("span", ` (${when})`, "role"), words);
  return line;
}

function grouped(comments) {
  const found = new Map();
  for (const comment of comments) found.set(comment.item, [...(found.get(comment.item) ?? []), comment]);
  return found;
}
