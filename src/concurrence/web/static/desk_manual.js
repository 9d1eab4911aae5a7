// Writing the manual: preview, pictures, a new version.
import { acting, enable, pageOf, post, say, upload } from "./desk_acts.js";

const main = document.querySelector("main[data-campaign]");
const api = `/api/campaigns/${main.dataset.campaign}/desk`;
const text = document.getElementById("text");
const saved = text.defaultValue; // also if something was typed before this script was there

async function preview() {
  const page = await pageOf(`${location.pathname}/preview`, { text: text.value });
  const shown = document.getElementById("manual-shown");
  shown.replaceChildren(...document.adoptNode(page.getElementById("manual-preview")).childNodes);
  say("The preview is up to date.");
}

async function save() {
  const note = document.getElementById("note").value.trim();
  const { version } = await post(`${api}/manual`, { text: text.value, note: note || null });
  removeEventListener("beforeunload", warn);
  say(`Version ${version} is saved; coders see it when they open or reload their page.`);
  location.replace(location.pathname);
}

function insert(name, title) {
  const words = title.replace(/\.[^.]*$/, "").replace(/[[\]\\]/g, "");
  text.setRangeText(`![${words}](/pictures/${name})`, text.selectionStart, text.selectionEnd, "end");
  text.focus();
}

async function addPicture(file) {
  const { name, title } = await upload(`${api}/pictures`, file);
  insert(name, title);
  say("The picture was inserted where the cursor was. Say what it shows between the square brackets.");
}

main.addEventListener("click", ({ target }) => {
  if (target.dataset.act === "preview") acting(target, preview);
  if (target.dataset.act === "insert") insert(target.dataset.name, target.dataset.title);
});

document.getElementById("manual").addEventListener("submit", (event) => {
  event.preventDefault();
  acting(event.submitter, save);
});

document.getElementById("picture").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (file) acting(null, () => addPicture(file));
});

function warn(event) {
  if (text.value !== saved) event.preventDefault();
}

addEventListener("beforeunload", warn);
enable(main);
