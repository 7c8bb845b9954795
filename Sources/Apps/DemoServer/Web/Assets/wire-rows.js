// The rows of the message view. Each has an `element`, and `at`: the actors in whose columns its parts are.

import { el, symbol, counted, humanSize, sentenceCase, asSentence } from "/dom.js";
import { phraseFor, isObjection } from "/words.js";

const isSeparate = (entry) => (entry.details ?? []).some(([key]) => key === "withheld");

/** Checks that are shown in groups. */
export function isQuietCheck(entry) {
  return entry.decision === "check" && ["passed", "not-reached"].includes(entry.outcome) && !isSeparate(entry);
}

/** A message: an arrow from column to column that opens its bytes. */
export function messageRow(entry, wire) {
  const { from, to, subject, number, readers = {} } = entry;
  const sealedFor = readers.sealedFor ?? null;
  const phrase = phraseFor(entry);
  const way = `${wire.actor(from).title} to ${wire.actor(to).title}`;
  const name = `Message ${number}, ${way}: ${phrase ?? subject}. ${readers.message ?? ""}`;
  const kinds = {
    sealed: sealedFor, "to-key": sealedFor === to, withholding: readers.withheld, "to-self": from === to,
  };
  const classes = ["row", "message", ...Object.keys(kinds).filter((kind) => kinds[kind])].join(" ");
  const element = el("li", { class: classes },
    el("button", {
      type: "button", class: "row-button", "data-message": number, "aria-label": name,
      onclick: () => wire.openMessage(number),
    },
      el("span", { class: "row-time" }, wire.clock(entry.time)),
      el("span", { class: "row-area" },
        el("span", { class: "row-label" },
          sealedFor && symbol("lock"), readers.withheld && symbol("hidden"),
          el("span", { class: "phrase" }, phrase ?? subject),
          phrase && el("span", { class: "subject" }, subject),
          el("span", { class: "subject size" }, humanSize(entry.size))),
        el("span", { class: "arrow" }, sealedFor && el("span", { class: "envelope" }, symbol("lock"))),
        el("span", { class: "dot dot-from" }), el("span", { class: "dot dot-to" }),
        sealedFor && el("span", { class: "dot dot-key" }, symbol("key")))));
  return { element, at: { from, to, ...(sealedFor && { key: sealedFor }) } };
}

/** Consecutive checks of one actor that passed or were not reached: one dim line that can be opened. */
export class CheckGroup {
  constructor(entry, wire) {
    this.by = entry.by;
    this.outcome = entry.outcome;
    this.lines = [];
    this.at = { by: entry.by };
    this.label = el("span", {});
    this.list = el("ul", { class: "check-list" });
    this.element = el("li", { class: `row decision quiet ${entry.outcome}` }, el("span", { class: "row-time" }),
      el("div", { class: "row-area" }, el("span", { class: "dot dot-by" }),
        el("details", { class: "chip" },
          el("summary", {}, entry.outcome === "passed" && symbol("check"), this.label), this.list)));
    this.who = wire.actor(entry.by).title;
    this.add(entry);
  }

  accepts(entry) { return isQuietCheck(entry) && entry.by === this.by && entry.outcome === this.outcome; }

  has(line) { return this.lines.includes(line); }

  add(entry) {
    this.lines.push(entry.line);
    const words = this.outcome === "passed" ? "passed" : "not reached";
    this.label.textContent = ` ${counted(this.lines.length, "check")} ${words}`;
    this.list.append(el("li", {}, `${sentenceCase(entry.message)} `, el("code", { class: "code" }, entry.code)));
  }
}

/** Every other decision: a step starts a chapter, failures and faults are prominent, and the rest are chips. */
export function decisionRow(entry, wire) {
  const at = { by: entry.by };
  if (entry.decision === "step") return { element: stepRow(entry, wire), at };
  const { tone, drawing, title } = manner(entry, wire);
  const details = entry.details ?? [];
  const isLoud = ["bad", "fault", "good", "calm"].includes(tone);
  const words = el("span", { class: "decision-text" },
    title && el("strong", {}, `${title} `), asSentence(entry.message));
  const head = [drawing && symbol(drawing), words];
  const code = el("code", { class: "code" }, entry.code);
  const chip = isLoud
    ? el("div", { class: "chip loud" },
      el("p", { class: "decision-head" }, head), el("p", {}, code), detailsView(details))
    : el("details", { class: "chip" }, el("summary", {}, head), el("p", {}, code), detailsView(details));
  const element = el("li", { class: `row decision ${tone}`, tabindex: isLoud ? "-1" : null },
    el("span", { class: "row-time" }, isLoud ? wire.clock(entry.time) : ""),
    el("div", { class: "row-area" }, el("span", { class: "dot dot-by" }), chip));
  return { element, at };
}

function stepRow(entry, wire) {
  const person = wire.actor(entry.by).title;
  return el("li", { class: "row step" }, el("span", { class: "row-time" }, wire.clock(entry.time)),
    el("h3", {}, symbol(/^the page/.test(entry.message) ? "page" : "person"),
      ` ${sentenceCase(entry.message.replace(/^the person/, person))}`));
}

/** The look of a decision, and the words before its message. */
function manner(entry, wire) {
  const who = wire.actor(entry.by).title;
  const { decision, outcome } = entry;
  if (decision === "fault") return { tone: "fault", drawing: "alert", title: "Broken on purpose." };
  if (isObjection(entry)) return { tone: "bad", drawing: "cross", title: `${who} noticed.` };
  if (outcome === "failed") return { tone: "calm", drawing: "cross", title: null };
  if (decision === "verdict" && outcome === "verified") return { tone: "good", drawing: "check", title: "Verified." };
  if (decision === "verdict") return { tone: "bad", drawing: "cross", title: "Refused." };
  if (decision === "exception") return { tone: "calm", drawing: "cross", title: "The call ends without an answer." };
  if (outcome === "deviates") return { tone: "warn", drawing: "alert", title: "Accepted with a deviation." };
  if (outcome === "hidden") {
    return { tone: "warn", drawing: "hidden", title: `${detail(entry, "app") ?? "An app"} is hidden.` };
  }
  if (decision === "withheld") return { tone: "withheld", drawing: "hidden", title: "Kept back." };
  if (detail(entry, "withheld")) {
    return { tone: "withheld", drawing: "sandbox", title: `Kept back: ${detail(entry, "withheld")}.` };
  }
  return { tone: "note", drawing: ["offered", "passed", "answered"].includes(outcome) ? "check" : null, title: null };
}

const detail = (entry, key) => (entry.details ?? []).find(([name]) => name === key)?.[1];

/** Evidence, with expected and found values side by side. */
function detailsView(details) {
  if (details.length === 0) return null;
  const rest = [];
  const pairs = [];
  for (const [key, value] of details) {
    const thing = /^expected\b ?(.*)$/.exec(key)?.[1];
    const isOther = (other) => (thing ? other.endsWith(` ${thing}`) : other === "found");
    const found = thing === undefined ? null : details.find(([other]) => other !== key && isOther(other));
    if (found) pairs.push([key, value, ...found]);
    else if (!details.some(([other]) => /^expected\b/.test(other) && isPartner(other, key))) rest.push([key, value]);
  }
  return el("div", { class: "evidence" },
    ...pairs.map(([expectedKey, expected, foundKey, found]) => el("dl", { class: "pair" },
      el("div", { class: "expected" }, el("dt", {}, sentenceCase(expectedKey)), el("dd", { class: "code" }, expected)),
      el("div", { class: "found" }, el("dt", {}, sentenceCase(foundKey)), el("dd", { class: "code" }, found)))),
    rest.length > 0 && el("dl", { class: "facts" }, ...rest.map(([key, value]) =>
      el("div", {}, el("dt", {}, sentenceCase(key)), el("dd", { class: "code" }, String(value))))));
}

function isPartner(expectedKey, key) {
  const thing = expectedKey.replace(/^expected ?/, "");
  return thing ? key !== expectedKey && key.endsWith(` ${thing}`) : key === "found";
}
