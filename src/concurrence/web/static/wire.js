// The server's names and ours. What HTTP calls an item of a coder's part is a task here: one item, given to one coder.
// What waits in the browser is kept under the server's names, so that a new page reads what an older one left.

export const received = ({ item, ...rest }) => ({ task: item, ...rest });

export const toSend = ({ task, ...rest }) => ({ item: task, ...rest });

export const receivedPart = ({ items, decisions, ...rest }) => ({ ...rest, tasks: items, decisions: decisions.map(received) });
