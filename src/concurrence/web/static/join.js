// The token is behind the '#', where no server log sees it. It is sent once and taken out of the address.
import { byId } from "./elements.js";

const message = byId("message");
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

async function join() {
  if (!token) {
    message.textContent = "This address has no invitation in it; open the complete link you were given.";
    return;
  }
  const answer = await fetch("/api/sessions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const body = await answer.json();
  if (answer.ok) location.replace(body.page);
  else message.textContent = answer.status === 422 ? "This link is incomplete; copy it again." : body.error;
}

join().catch(() => {
  message.textContent = "The server cannot be reached; try again later.";
});
