// Writing the manual: preview, pictures, a new version.
import { acting, enable, pageOf, post, say, upload } from "./desk_acts.js";
import { byId, inside, targetOf, valueIn } from "./elements.js";

const main = inside(document, "main[data-campaign]");
const api = `/api/campaigns/${main.dataset.campaign}/desk`;
const text = byId("text", HTMLTextAreaElement);
const saved = text.defaultValue; // also if something was typed before this script was there

async function preview() {
  const page = await pageOf(`${location.pathname}/preview`, { text: text.value });
  byId("manual-shown").replaceChildren(...document.adoptNode(inside(page, "#manual-preview")).childNodes);
  say("The preview is up to date.");
}

async function save() {
  const note = valueIn(document, "#note")?.trim() || null;
  const { version } = await post(`${api}/manual`, { text: text.value, note });
  removeEventListener("beforeunload", warn);
  say(`Version ${version} is saved; coders see it when they open or reload their page.`);
  location.replace(location.pathname);
}

/** @param {string} name @param {string} title */
function insert(name, title) {
  const words = title.replace(/\.[^.]*$/, "").replace(/[[\]\\]/g, "");
  text.setRangeText(`![${words}](/pictures/${name})`, text.selectionStart, text.selectionEnd, "end");
  text.focus();
}

/** @param {File} file */
async function addPicture(file) {
  const { name, title } = await upload(`${api}/pictures`, file);
  insert(name, title);
  say("The picture was inserted where the cursor was. Say what it shows between the square brackets.");
}

main.addEventListener("click", (event) => {
  const target = targetOf(event);
  const { act, name = "", title = "" } = target?.dataset ?? {};
  if (act === "preview") acting(target, preview);
  if (act === "insert") insert(name, title);
});

byId("manual", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  acting(event.submitter, save);
});

const picture = byId("picture", HTMLInputElement);
picture.addEventListener("change", () => {
  const file = picture.files?.[0];
  picture.value = "";
  if (file) acting(null, () => addPicture(file));
});

/** @param {BeforeUnloadEvent} event */
function warn(event) {
  if (text.value !== saved) event.preventDefault();
}

addEventListener("beforeunload", warn);
enable(main);
