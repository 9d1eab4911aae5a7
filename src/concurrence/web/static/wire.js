// The server's names and ours. What HTTP calls an item of a coder's part is a task here: one item, given to one coder.
// What waits in the browser is kept under the server's names, so that a new page reads what an older one left.
// Whatever comes from the server moves the clock on, since a decision made after it must stand behind it.
import { compare, see } from "./clock.js";

export const received = ({ item, ...rest }) => ({ task: item, ...rest });

export const toSend = ({ task, ...rest }) => ({ item: task, ...rest });

export function receivedPart({ items, decisions, ...rest }) {
  see(rest.newest);
  compare(rest.server_time);
  return { ...rest, tasks: items, decisions: decisions.map(received) };
}

// A part of which the decisions alone were asked for again; its items stay, and may have been closed or reopened.
export function renewedPart(part, { closed, ...rest }) {
  const shut = new Set(closed);
  const tasks = part.tasks.map((task) =>
    task.closed === shut.has(task.id) ? task : { ...task, closed: shut.has(task.id) },
  );
  return { ...part, ...receivedPart({ items: tasks, ...rest }) };
}

// What the server has for a coder in the round that the address names, by default the newest.
export async function ask(api, coder, what) {
  const wanted = new URLSearchParams(location.search).get("round");
  const answer = await fetch(`${api}/${what}${wanted ? `?round=${encodeURIComponent(wanted)}` : ""}`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  const given = await answer.json();
  if (given.coder !== coder) throw new Error("Another coder is using this browser now; open your own link again.");
  return given;
}
