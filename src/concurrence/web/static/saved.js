// What the corner of the coder's page says of what waits to be sent. No page, no network.

/**
 * @import { Connection } from "./sender.js"
 * @typedef {object} Unsent
 * @property {boolean} preview whether nothing is recorded at all
 * @property {number} decisions how many wait
 * @property {number} comments how many wait
 * @property {boolean} lasting whether they outlive the tab
 * @property {boolean} sendable whether the server would take any of the decisions
 * @property {Connection} connection
 */

/** @param {Unsent} unsent @returns {[state: "saved" | "waiting" | "away", words: string]} */
export function savedWords({ preview, decisions, comments, lasting, sendable, connection }) {
  const waiting = decisions + comments;
  if (preview) return ["away", "Preview: nothing is recorded"];
  if (!waiting) return ["saved", "All saved"];
  if (!lasting) return ["away", `${waiting} unsent, in this tab only; keep it open`];
  if (connection === "ended") return ["away", `${waiting} kept in this browser; open your link again to send them`];
  if (decisions && !sendable) return ["away", `${waiting} kept in this browser; the part is closed`];
  if (connection === "full")
    return ["away", `${waiting} kept in this browser; the server's disk is full, tell the leader`];
  if (connection === "away") return ["away", `${waiting} kept in this browser; the server cannot be reached`];
  return ["waiting", `${waiting} waiting`];
}
