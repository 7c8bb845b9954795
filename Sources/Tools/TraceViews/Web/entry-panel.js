// The panel beside the timeline: one line of the journal, with the message that it is about.

import { el, symbol, counted, humanSize, sentenceCase, asSentence } from "/dom.js";
import { BytesView } from "/bytes-view.js";
import { codeView } from "/code-view.js";
import { familiesView, outcomes } from "/check-families.js";
import { selectorView, walletView, customView, promptView } from "/phone-views.js";
import { readersView } from "/readers-view.js";
import { seenBy } from "/seen-by.js";
import { speech } from "/speech.js";
import { evidenceView, DRAWINGS } from "/wire-rows.js";

const GESTURES = ["face-id", "touch-id", "passcode"];

export class EntryPanel {
  /** `timeline` has the selection; `run` has the entries, and `content(index)`. */
  constructor(container, run, timeline) {
    Object.assign(this, { container, run, timeline });
    this.byNumber = new Map(run.entries.filter(({ kind }) => kind === "message").map((one) => [one.number, one]));
    this.readBy = Map.groupBy(run.entries.filter(({ reads, kind }) => reads && kind === "check"), ({ reads }) => reads);
  }

  show(row) {
    const [entry] = row.entries;
    const parts = row.kind === "setup" ? this.setupParts(row.entries)
      : entry.kind === "message" ? this.messageParts(entry)
      : entry.kind === "selection" ? this.selectionParts(entry)
      : row.kind === "checks" ? this.checksParts(row.entries) : this.decisionParts(entry);
    this.container.replaceChildren(...parts.filter(Boolean));
    this.container.dataset.kind = row.kind;
    this.container.scrollTop = 0;
  }

  /** Moves the focus into the panel: to the structure of a message, or to the panel itself. */
  focus() {
    const { container } = this;
    (container.querySelector(".field-list") ?? container).focus({ preventScroll: true });
    container.scrollIntoView({ block: "nearest" });
  }

  title(id) { return this.timeline.actor(id).title; }

  head(title, ...facts) {
    return el("div", { class: "detail-head" }, el("h2", {}, title), el("p", { class: "panel-facts" }, ...facts));
  }

  facts(entry) {
    const clock = this.timeline.clock(entry.time);
    return `${clock ? `${clock} · ` : ""}line ${entry.line}`;
  }

  lineButton(line, words) {
    return el("button", {
      type: "button", class: "text-button", onclick: () => this.timeline.selectLine(line),
    }, words);
  }

  messageButton(number) { return this.lineButton(this.byNumber.get(number).line, `message ${number}`); }

  setupParts(entries) {
    return [this.head("Before the first step",
      `${counted(entries.filter(({ kind }) => kind === "message").length, "message")}: certificates, documents, `
      + "registrations. Press Enter to unfold them.")];
  }

  messageParts(entry) {
    const { from, to, operation, answers, type, size, number } = entry;
    return [
      this.head(sentenceCase(entry.phrase), `Message ${number} · ${this.title(from)} → ${this.title(to)} · `,
        el("code", { class: "code" }, operation), ` · ${type} · ${humanSize(size)} · ${this.facts(entry)}`,
        answers && " · answers ", answers && this.messageButton(answers)),
      readersView(entry, entry.readers, this.timeline.lanes), this.checksOf(number), ...this.contentParts(entry),
    ];
  }

  /** The checks that read a message. */
  checksOf(number) {
    const checks = this.readBy.get(number) ?? [];
    if (checks.length === 0) return null;
    const isFailed = checks.some(({ outcome }) => outcome === "failed");
    return el("details", { class: `checks-read${isFailed ? " failed" : ""}`, open: isFailed && checks.length < 4 },
      el("summary", {}, symbol(isFailed ? "cross" : "check"),
        ` ${counted(checks.length, "check")} read it: ${outcomes(checks)}`),
      this.checkTable(checks));
  }

  checkTable(checks) {
    return el("div", { class: "check-table" }, familiesView(checks, ({ outcome, line, code, phrase }) =>
      el("li", { class: `check ${outcome}` },
        symbol(outcome === "passed" ? "check" : outcome === "not-reached" ? "next" : "alert"),
        this.lineButton(line, code), el("span", {}, sentenceCase(phrase)))));
  }

  /** The screen that a message shows, if it shows one, and its bytes as each party sees them, `reader` first. */
  contentParts(entry, reader) {
    const content = this.run.content(entry.content);
    const screen = this.screenOf(entry, content);
    if (!screen) {
      return seenBy(entry.views, content, {
        actor: (id) => this.timeline.actor(id), content: (view) => this.run.content(view.content),
        draw: (one) => new BytesView(one).element, reader,
        open: (number) => this.timeline.selectLine(this.byNumber.get(number).line),
      });
    }
    return [el("div", { class: "with-screen" },
      el("figure", { class: "screen", tabindex: "0", "aria-label": "What the person saw" },
        el("div", { class: "phone phone-still" }, el("div", { class: "phone-glass" }, screen))),
      new BytesView(content).element)];
  }

  /** The drawing of a screen. Its buttons do nothing: the person has already acted. */
  screenOf(entry, content) {
    const kinds = ["show selector", "show view", "show prompt", "show QR code"];
    if (!kinds.includes(entry.operation) || !entry.to.startsWith("person:")) return null;
    const screen = JSON.parse(content.text());
    screen.buttons ??= [...(screen.agreeing ?? []), ...(screen.declining ?? [])];
    const { order, certifiedBy } = content.asker ?? {};
    if (order) screen.elements = order.map((index) => screen.elements[index]);
    const nothing = () => {};
    const language = screen.local?.language ?? "en";
    const labelOf = (type) => screen.local?.texts[type] ?? this.run.labels[type] ?? type;
    const say = speech({ language, words: this.run.words?.[language] });
    const drawn = {
      "show selector": () => selectorView({
        ...screen, offered: screen.offered.map((offer) => ({ ...offer, documents: offer.documents.map(labelOf) })),
      }, { pick: nothing, cancel: nothing }, content.words ?? undefined, say),
      "show view": () => {
        const hasGesture = screen.buttons.some((name) => GESTURES.includes(name));
        const hasOwnLook = screen.title || screen.lines?.length > 0 || !hasGesture;
        const view = hasOwnLook ? customView : walletView;
        return view({
          ...screen, cards: screen.documents, labels: this.run.labels, certifiedBy,
          origin: screen.requestingApp ?? screen.origin,
        }, { press: nothing, choose: nothing }, say);
      },
      "show prompt": () => promptView(screen, nothing, say),
      "show QR code": () => codeView({
        ...screen, title: content.words, svg: content.drawing, isInPerson: entry.from.startsWith("mdoc:"),
      }, nothing, "h3", say),
    }[entry.operation]();
    if (screen.local) drawn.lang = language;
    drawn.inert = true;
    return drawn;
  }

  decisionParts(entry) {
    const { tone, title, phrase, code, evidence, reads } = entry;
    const drawing = DRAWINGS[tone];
    return [
      this.head(title ?? sentenceCase(phrase), `${this.title(entry.by)} · `,
        code && el("code", { class: "code" }, code), `${code ? " · " : ""}${this.facts(entry)}`),
      el("div", { class: `finding ${tone}` },
        title && el("p", {}, drawing && symbol(drawing), ` ${asSentence(phrase)}`), evidenceView(evidence)),
      ...this.readParts(reads, entry.by),
    ];
  }

  checksParts(checks) {
    const [{ by, outcome, reads }] = checks;
    return [
      this.head(`${counted(checks.length, "check")} ${outcome === "passed" ? "passed" : "not reached"}`,
        `${this.title(by)} · ${this.facts(checks[0])}`),
      this.checkTable(checks), ...this.readParts(reads, by),
    ];
  }

  /** The message that a check of a party read. */
  readParts(reads, by) {
    const entry = this.byNumber.get(reads);
    if (!entry) return [];
    return [
      el("p", { class: "read-note" }, "It read ", this.messageButton(reads),
        `, ${this.title(entry.from)} → ${this.title(entry.to)}: ${entry.phrase}.`),
      ...this.contentParts(entry, by),
    ];
  }

  /** The selector's table: every app, the documents that it offers, or the condition that hides it. */
  selectionParts(entry) {
    const { entries } = this.run;
    const ofThis = ({ kind, by }) => kind === "selection" && by === entry.by;
    let start = entries.indexOf(entry);
    while (fact(entries[start], "app") && ofThis(entries[start - 1] ?? {})) start -= 1;
    let end = start + 1;
    while (end < entries.length && ofThis(entries[end]) && fact(entries[end], "app")) end += 1;
    const asked = fact(entries[start], "app") ? null : entries[start];
    const apps = entries.slice(asked ? start + 1 : start, end);
    return [
      this.head("The selection of apps", `${this.title(entry.by)} · ${this.facts(entry)}`),
      asked && el("div", { class: "finding" }, el("p", {}, asSentence(asked.phrase)), evidenceView(asked.evidence)),
      el("table", { class: "selection" },
        el("thead", {}, el("tr", {}, ...["App", "Result", "Reason"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...apps.map((one) => this.selectionRow(one, one === entry)))),
      ...this.readParts(entry.reads, entry.by),
    ];
  }

  selectionRow(entry, isChosen) {
    const isHidden = entry.tone === "warning";
    const documents = entry.evidence.filter(({ field }) => field === "registration").map(({ found }) => found);
    const remedy = fact(entry, "it would appear");
    return el("tr", { class: isChosen ? "chosen" : null },
      el("th", { scope: "row" }, fact(entry, "app")), el("td", {}, isHidden ? "hidden" : "offered"),
      el("td", {}, isHidden ? asSentence(entry.phrase) : documents.join("; "),
        isHidden && el("code", { class: "code" }, ` ${entry.code}`),
        remedy && el("p", { class: "remedy" }, `It would appear: ${asSentence(remedy)}`)));
  }
}

const fact = (entry, name) => entry.evidence.find(({ field }) => field === name)?.found;
