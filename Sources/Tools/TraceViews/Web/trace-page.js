// The page of one run: the timeline, the selected line beside it, the failure above, and the search.

import { el, symbol, counted } from "/dom.js";
import { EntryPanel } from "/entry-panel.js";
import { MessageContent } from "/message-content.js";
import { Search } from "/search.js";
import { Timeline } from "/timeline.js";

const by = (id) => document.getElementById(id);

/** The run, with the contents of messages read when they are needed. */
const run = JSON.parse(by("run").textContent);
run.content = (index) => new MessageContent(JSON.parse(by(`content:${index}`).textContent));
/** The lines of a content in lower case, without its bytes: they are the last member. */
run.contentText = (index) => {
  const text = by(`content:${index}`).textContent;
  return text.slice(0, text.lastIndexOf(",\"s\":[")).toLowerCase();
};
run.titleOf = (id) => run.actors.find((actor) => actor.id === id)?.title ?? id;

let panel = null;
const timeline = new Timeline(by("timeline"), run, (row) => panel?.show(row));
panel = new EntryPanel(by("detail"), run, timeline);

drawHead();
drawFailure();

by("find-back").append(symbol("back"));
by("find-next").append(symbol("next"));
by("find").addEventListener("submit", (event) => event.preventDefault());
const [kind, text, count, back, next] = ["kind", "text", "count", "back", "next"].map((name) => by(`find-${name}`));
new Search({ kind, text, count, back, next },
  run, { found: (lines) => timeline.highlight(lines), go: (line) => timeline.selectLine(line) });

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === "/") {
    event.preventDefault();
    by("find-text").focus();
  }
  if (event.key === "f" && run.first) {
    timeline.selectLine(run.first);
    timeline.list.focus();
  }
});

if (run.first) timeline.selectLine(run.first);
else timeline.select(timeline.rows.findIndex(({ kind }) => kind === "step"));
timeline.list.focus({ preventScroll: true });

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
