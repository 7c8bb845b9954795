// The page of one run: the timeline, the selected line beside it, the failure above, and the search.

import { el, symbol, counted } from "/dom.js";
import { EntryPanel } from "/entry-panel.js";
import { MessageContent } from "/message-content.js";
import { journalTable, printWith } from "/print.js";
import { Search } from "/search.js";
import { Timeline } from "/timeline.js";

const by = (id) => document.getElementById(id);

/** The pause before the address names the selected line, in milliseconds: a browser limits how often it changes. */
const PAUSE = 300;

const run = JSON.parse(by("run").textContent);
/** The lines of each block of contents. A line is the JSON of a content, which is parsed when it is shown. */
const blocks = new Map();
run.content = (index) => new MessageContent(JSON.parse(contentJSON(index)));
/** The lines of a content in lower case, without its bytes: they are the last member. */
run.contentText = (index) => {
  const text = contentJSON(index);
  return text.slice(0, text.lastIndexOf(",\"s\":[")).toLowerCase();
};
run.titleOf = (id) => run.actors.find((actor) => actor.id === id)?.title ?? id;

let panel = null;
let timer = 0;
const timeline = new Timeline(by("timeline"), run, {
  chosen: (row) => { panel?.show(row); nameSoon(row); }, opened: () => panel.focus(),
});
panel = new EntryPanel(by("detail"), run, timeline);

drawHead();
drawFailure();

by("find-back").append(symbol("back"));
by("find-next").append(symbol("next"));
by("find-alone").append(symbol("filter"));
by("find").addEventListener("submit", (event) => event.preventDefault());
const [kind, text, count, back, next, alone] = ["kind", "text", "count", "back", "next", "alone"]
  .map((name) => by(`find-${name}`));
new Search({ kind, text, count, back, next, alone }, run, {
  found: (lines, isAlone) => timeline.highlight(lines, isAlone), go: (line) => timeline.selectLine(line),
  left: () => timeline.list.focus(),
});

printWith(() => ({
  before: [
    el("h1", {}, run.title), el("p", {}, [run.outcome, run.path].filter(Boolean).join(" · ")),
    run.headline && el("pre", {}, run.text ?? run.headline),
  ],
  after: [journalTable(run.entries.slice(timeline.setupEnd), {
    titleOf: run.titleOf, clock: (time) => timeline.clock(time),
  })],
}));

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === "/") {
    event.preventDefault();
    by("find-text").focus();
  }
  if (event.key === "Escape") timeline.list.focus();
  if (event.key === "f" && run.first) {
    timeline.selectLine(run.first);
    timeline.list.focus();
  }
});
addEventListener("hashchange", () => { if (lineOfAddress()) timeline.selectLine(lineOfAddress()); });

const opening = lineOfAddress() ?? run.opening ?? run.first;
if (opening) timeline.selectLine(opening);
else timeline.select(timeline.rows.findIndex(({ kind }) => kind === "step"));
clearTimeout(timer);
timeline.list.focus({ preventScroll: true });

function contentJSON(index) {
  const block = Math.floor(index / run.contentsInBlock);
  if (!blocks.has(block)) blocks.set(block, by(`contents:${block}`).textContent.split("\n"));
  return blocks.get(block)[index % run.contentsInBlock];
}

/** The line that the address names, as `#message-44` or `#line-123`; undefined without one. */
function lineOfAddress() {
  const [, name, number] = /^#(message|line)-(\d+)$/.exec(location.hash) ?? [];
  return run.entries.find((entry) => (name === "message" ? entry.number : entry.line) === Number(number))?.line;
}

/** Names the selected line in the address, so that the address can be copied. */
function nameSoon({ kind, entries: [entry] }) {
  clearTimeout(timer);
  const name = kind === "message" ? `#message-${entry.number}` : kind === "setup" ? "" : `#line-${entry.line}`;
  timer = setTimeout(() => history.replaceState(null, "", name || location.pathname + location.search), PAUSE);
}

function drawHead() {
  const messages = run.entries.filter(({ kind }) => kind === "message").length;
  by("run-title").textContent = run.title;
  by("run-facts").replaceChildren(
    run.outcome && el("span", { class: `outcome-word ${run.outcome.replace(/ .*/, "")}` }, run.outcome),
    [run.path, counted(messages, "message"), counted(run.entries.length, "line")].filter(Boolean).join(" · "));
}

function drawFailure() {
  if (!run.headline) return;
  const box = by("failure");
  const show = el("button", {
    type: "button", class: "quiet", onclick: () => { timeline.selectLine(run.first); timeline.list.focus(); },
  }, "Show", el("kbd", {}, "f"));
  box.replaceChildren(
    el("details", {}, el("summary", {},
      symbol("alert"), el("span", { class: "failure-words" }, run.headline),
      run.code && el("code", { class: "code" }, run.code)),
    el("pre", { tabindex: "0" }, run.text ?? run.headline)), run.first && show);
  box.hidden = false;
}
