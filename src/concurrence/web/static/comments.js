// Comments on an item, by everyone who has to do with it. What is written waits in an outbox of its own until the
// server has it, as decisions do.
import { element } from "./controls.js";
import { part } from "./elements.js";
import { newUuid, Outbox } from "./outbox.js";
import { Sender } from "./sender.js";

/**
 * @import { Connection } from "./sender.js"
 * @import { Comment, CommentEvent, Task } from "./api.js"
 * @typedef {Omit<Comment, "item">} Known
 * @typedef {object} Wiring
 * @property {string} api
 * @property {string} mine what tells this coder's outbox from others in the same browser
 * @property {string} coder
 * @property {() => void} changed another number of comments waits
 * @property {(state: Connection) => void} told whether the server can be reached
 * @property {(text: string) => void} notice something a coder must know
 */

/** @param {CommentEvent} event */
const wire = ({ uuid, task, text, client_time }) => ({ uuid, item: task, text, client_time });

export class Comments {
  /** @type {Map<number, Known[]>} */ #known = new Map(); // by task
  /** @type {number | null} */ #task = null;
  /** @type {number | null} */ #drawn = null;
  /** @type {CommentEvent[]} */ #sent = []; // what waited when it was last looked at
  /** @type {Set<string>} */ #earlier; // UUIDs of what an earlier visit left

  /** @param {Wiring} wiring */
  constructor({ api, mine, coder, changed, told, notice }) {
    this.coder = coder;
    this.changed = changed;
    this.notice = notice;
    this.field = part("comment", HTMLInputElement);
    /** @type {Outbox<CommentEvent>} */
    this.outbox = new Outbox(`concurrence-comments/${mine}/`, {
      heard: () => this.#draw(),
      changed: () => this.#changed(),
    });
    this.#sent = this.outbox.events;
    this.#earlier = new Set(this.#sent.map(({ uuid }) => uuid));
    this.sender = new Sender({
      api,
      outbox: this.outbox,
      what: "comments",
      wire,
      sendable: () => true,
      told,
      refused: (reasons) => this.#refused(reasons),
    });
    part("comment-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.field.addEventListener("keydown", (event) => {
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
  /** @param {Comment[]} comments */
  load(comments) {
    this.#known = grouped(comments);
    this.sender.now();
    this.#draw();
  }

  /** @param {Task | null} task */
  show(task) {
    part("comments").hidden = !task;
    if (this.#task !== (task?.id ?? null)) this.field.value = "";
    this.#task = task?.id ?? null;
    if (this.#drawn !== this.#task) this.#draw();
  }

  write() {
    if (part("comments").hidden) return;
    this.field.focus();
  }

  #send() {
    const text = this.field.value.trim();
    if (!text || this.#task === null) return;
    this.outbox.add({ uuid: newUuid(), task: this.#task, text, client_time: Date.now() });
    this.field.value = "";
    this.field.blur();
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
    for (const event of this.#sent) {
      if (waiting.has(event.uuid)) continue;
      const comments = this.#known.get(event.task) ?? [];
      this.#known.set(event.task, withSent(comments, event, this.coder, this.#earlier.has(event.uuid)));
    }
    this.#sent = this.outbox.events;
    this.#draw();
  }

  /** @param {Map<string, string | null>} reasons */
  async #refused(reasons) {
    this.notice(`The comment was not accepted: ${[...reasons.values()][0]}`);
    this.#sent = [];
    this.outbox.remove(new Set(reasons.keys()));
    return true;
  }

  #draw() {
    this.#drawn = this.#task;
    const known = this.#task === null ? [] : (this.#known.get(this.#task) ?? []);
    const waiting = this.outbox.events.filter(({ task }) => task === this.#task);
    const rows = [
      ...known.map(({ by, role, text, time }) =>
        row(by, `${role ? `${role}, ` : ""}${new Date(time).toLocaleString()}`, text),
      ),
      ...waiting.map(({ text }) => row(this.coder, "not sent yet", text)),
    ];
    part("comment-list").replaceChildren(...rows);
  }
}

// The comments on a task with one that was acknowledged. One that an earlier visit left may have reached the server
// then, with the answer lost on its way; it is among them already.
/** @param {Known[]} comments @param {CommentEvent} event @param {string} coder @param {boolean} earlier */
export function withSent(comments, { text, client_time }, coder, earlier) {
  if (earlier && comments.some((comment) => comment.by === coder && comment.text === text)) return comments;
  return [...comments, { by: coder, role: "", text, time: client_time }];
}

/** @param {string} by @param {string} when @param {string} text */
function row(by, when, text) {
  const line = element("li");
  const words = element("span", text, "text");
  words.dir = "auto";
  line.append(element("bdi", by), element("span", ` (${when})`, "role"), words);
  return line;
}

/** @param {Comment[]} comments */
function grouped(comments) {
  /** @type {Map<number, Comment[]>} */
  const byTask = new Map();
  for (const comment of comments) byTask.set(comment.item, [...(byTask.get(comment.item) ?? []), comment]);
  return byTask;
}
