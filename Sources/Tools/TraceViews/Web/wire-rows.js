// The rows of the message view. Each has an `element`, and `at`: the actors in whose columns its parts are.

import { familiesView } from "/check-families.js";
import { el, symbol, counted, humanSize, sentenceCase, asSentence, textPart } from "/dom.js";
import { codeLabel } from "/explain.js";
import { HELP } from "/words.js";

/** Checks that are shown in groups. */
export const isQuietCheck = ({ tone }) => tone === "quiet";

/** A message: an arrow from column to column that opens its bytes. */
export function messageRow(entry, wire) {
  const row = makeMessage(entry);
  const { classes, name, at } = fillMessage(row, entry, wire);
  const element = el("li", { class: classes },
    el("button", {
      type: "button", class: "row-button", "data-message": entry.number, "aria-label": name,
      onclick: () => wire.openMessage(entry.number),
    }, ...row.parts));
  return { element, at };
}

/** The form of a message's row. A row can show every message of its form. */
export const messageForm = ({ readers: { seal, sealedFor, withheld } }) =>
  `message${seal ? " sealed" : ""}${sealedFor ? " keyed" : ""}${withheld ? " withholding" : ""}`;

/** The parts of a row for messages of the same form, without texts. */
export function makeMessage({ readers: { seal, sealedFor, withheld } }) {
  const [time, phrase, operation, size] = ["row-time", "phrase", "subject", "subject size"].map(textPart);
  return {
    time, phrase, operation, size,
    parts: [
      time.element,
      el("span", { class: "row-area" },
        el("span", { class: "row-label" },
          seal && symbol("lock"), withheld && symbol("hidden"),
          phrase.element, el("span", { class: "subject-room" }, operation.element), size.element),
        el("span", { class: "arrow" }, seal && el("span", { class: "envelope" }, symbol("lock"))),
        el("span", { class: "dot dot-from" }), el("span", { class: "dot dot-to" }),
        sealedFor && el("span", { class: "dot dot-key" }, symbol("key"))),
    ],
  };
}

/** Writes a message into the parts of a row. Returns the classes, the name and the columns of the row. */
export function fillMessage({ time, phrase, operation, size }, entry, wire) {
  const { from, to, readers } = entry;
  const sealedFor = readers.sealedFor ?? null;
  time.write(wire.clock(entry.time));
  phrase.write(entry.phrase);
  operation.write(entry.isHelp ? `${entry.operation}, with presentment’s help` : entry.operation);
  size.write(humanSize(entry.size));
  const kinds = {
    sealed: readers.seal, "to-key": sealedFor === to, withholding: readers.withheld, "to-self": from === to,
  };
  const way = `${wire.actor(from).title} to ${wire.actor(to).title}`;
  return {
    classes: ["row", "message", ...Object.keys(kinds).filter((kind) => kinds[kind])].join(" "),
    name: `Message ${entry.number}, ${way}: ${entry.phrase}. ${readers.message}${entry.isHelp ? ` ${HELP}` : ""}`,
    at: { from, to, ...(sealedFor && { key: sealedFor }) },
  };
}

/** Consecutive checks of one actor that passed or were not reached: one dim line that can be opened. */
export class CheckGroup {
  constructor(entry, wire) {
    this.by = entry.by;
    this.outcome = entry.outcome;
    this.checks = [];
    this.at = { by: entry.by };
    this.label = el("span", {});
    this.list = el("div", { class: "check-list" });
    this.details = el("details", { class: "chip", ontoggle: () => this.drawList() },
      el("summary", {}, entry.outcome === "passed" && symbol("check"), this.label), this.list);
    this.element = el("li", { class: `row decision quiet ${entry.outcome}` }, el("span", { class: "row-time" }),
      el("div", { class: "row-area" }, el("span", { class: "dot dot-by" }), this.details));
    this.who = wire.actor(entry.by).title;
    this.add(entry);
  }

  accepts(entry) { return isQuietCheck(entry) && entry.by === this.by && entry.outcome === this.outcome; }

  has(line) { return this.checks.some((check) => check.line === line); }

  add(entry) {
    this.checks.push(entry);
    const words = this.outcome === "passed" ? "passed" : "not reached";
    this.label.textContent = ` ${counted(this.checks.length, "check")} ${words}`;
    this.drawList();
  }

  /** Draws the list when it is unfolded, the checks of a family folded into one line. */
  drawList() {
    if (!this.details.open) return;
    this.list.replaceChildren(familiesView(this.checks, ({ phrase, code }) =>
      el("li", {}, `${sentenceCase(phrase)} `, codeLabel(code))));
  }
}

/** Every other decision: a step starts a chapter, failures and faults are prominent, and the rest are chips. */
export function decisionRow(entry, wire) {
  const at = { by: entry.by };
  if (entry.kind === "step") return { element: stepRow(entry, wire), at };
  const { tone, title, evidence, isProminent: isLoud } = entry;
  const drawing = DRAWINGS[tone] ?? null;
  const words = el("span", { class: "decision-text" },
    title && el("strong", {}, `${title} `), asSentence(entry.phrase));
  const head = [drawing && symbol(drawing), words];
  const code = codeLabel(entry.code);
  const chip = isLoud
    ? el("div", { class: "chip loud" },
      el("p", { class: "decision-head" }, head), entry.isHelp && el("p", { class: "help-note" }, HELP),
      el("p", {}, code), evidenceView(evidence))
    : el("details", { class: "chip" }, el("summary", {}, head), el("p", {}, code), evidenceView(evidence));
  const element = el("li", { class: `row decision ${tone}`, tabindex: isLoud ? "-1" : null },
    el("span", { class: "row-time" }, isLoud ? wire.clock(entry.time) : ""),
    el("div", { class: "row-area" }, el("span", { class: "dot dot-by" }), chip));
  return { element, at };
}

function stepRow(entry, wire) {
  const person = wire.actor(entry.by).title;
  const isOfPage = /^the (page|frame)/.test(entry.phrase);
  const isOfPerson = /^the person /.test(entry.phrase) || entry.phrase.startsWith(`${person} `);
  const drawing = isOfPerson ? "person" : isOfPage ? "page" : "app";
  return el("li", { class: "row step" }, el("span", { class: "row-time" }, wire.clock(entry.time)),
    el("h3", {}, symbol(drawing), ` ${sentenceCase(entry.phrase.replace(/^the person/, person))}`));
}

/** The drawing of each tone. */
export const DRAWINGS = {
  fault: "alert", bad: "cross", calm: "cross", good: "check", warning: "alert", withheld: "hidden",
};

/** Evidence, with expected and found values side by side. */
export function evidenceView(evidence) {
  if (evidence.length === 0) return null;
  const pairs = evidence.filter(({ expected, found }) => expected !== undefined && found !== undefined);
  const rest = evidence.filter((one) => !pairs.includes(one));
  return el("div", { class: "evidence" },
    ...pairs.map(({ field, expected, found }) => el("dl", { class: "pair" },
      el("div", { class: "expected" }, el("dt", {}, `Expected ${field}`), el("dd", { class: "code" }, expected)),
      el("div", { class: "found" }, el("dt", {}, `Found ${field}`), el("dd", { class: "code" }, found)))),
    rest.length > 0 && el("dl", { class: "facts" }, ...rest.map(({ field, expected, found }) =>
      el("div", {}, el("dt", {}, found === undefined ? `Expected ${field}` : sentenceCase(field)),
        el("dd", { class: "code" }, found ?? expected)))));
}
