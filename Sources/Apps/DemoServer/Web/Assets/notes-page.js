// The window of a presenter's notes. It follows the stage that opened it, and moves it.

import { el } from "/dom.js";
import { isBlankKey, isForPage, moveOf } from "/clicker.js";
import { notesView } from "/notes.js";

const by = (id) => document.getElementById(id);
/** The time in milliseconds after which a stage that does not answer is not there. */
const PATIENCE = 2500;
const KEY = "notes since";

const channel = new BroadcastChannel(`presentment notes ${new URLSearchParams(location.search).get("stage")}`);
let since = Number(sessionStorage.getItem(KEY)) || restart();
let isFollowing = false;

channel.addEventListener("message", ({ data }) => { if (data.steps) show(data); });
const send = (message) => channel.postMessage(message);
send({ ask: true });
setTimeout(() => {
  if (isFollowing) return;
  by("notes").replaceChildren(el("p", {}, "No stage is open for these notes. Open them with View, Notes window."));
}, PATIENCE);

for (const move of ["back", "next"]) by(`notes-${move}`).addEventListener("click", () => send({ move }));
by("notes-blank").addEventListener("click", () => send({ blank: true }));
by("notes-restart").addEventListener("click", () => { since = restart(); showTime(); });
addEventListener("keydown", (event) => {
  if (!isForPage(event)) return;
  const move = moveOf(event);
  if (!move && !isBlankKey(event)) return;
  event.preventDefault();
  send(move ? { move } : { blank: true });
});
setInterval(showTime, 250);
showTime();

function show(moment) {
  isFollowing = true;
  const { title, position, steps, isBlack } = moment;
  document.title = `${title} · notes`;
  by("notes-title").textContent = title;
  by("notes-count").textContent = `${position} of ${steps.length}`;
  by("notes-blank").setAttribute("aria-pressed", String(isBlack));
  by("notes-black").hidden = !isBlack;
  by("notes-back").disabled = position === 0;
  by("notes-next").disabled = position >= steps.length;
  by("notes").replaceChildren(...notesView(moment));
}

function restart() {
  sessionStorage.setItem(KEY, Date.now());
  return Date.now();
}

function showTime() {
  const seconds = Math.floor((Date.now() - since) / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (by("notes-time").textContent !== text) by("notes-time").textContent = text;
}
