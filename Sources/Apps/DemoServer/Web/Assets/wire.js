// The message view: a column for each actor, messages as arrows between them, decisions in the columns of their actors.

import { el, counted } from "/dom.js";
import { Lanes } from "/lanes.js";
import { messageRow, decisionRow, CheckGroup, isQuietCheck } from "/wire-rows.js";
import { durationText, noteHelp } from "/words.js";

/** With fewer parties than this in a run, the core's columns are shown as well. */
const FEW = 3;
const NEAR_END = 90;

export class Wire {
  constructor(container, { openMessage }) {
    this.openMessage = openMessage;
    this.setupRows = el("ol", { class: "rows" });
    this.setupLabel = el("span", {}, "");
    this.setup = el("details", { class: "setup", hidden: true, ontoggle: () => this.layOut() },
      el("summary", {}, this.setupLabel), this.setupRows);
    this.rows = el("ol", { class: "rows", "aria-label": "Messages and decisions, in order" });
    this.hint = el("p", { class: "wire-hint" }, "A site or an app asks a person for an ID. Every message on the way "
      + "appears here, with who can read it, and who notices if something is wrong. Press one to read its bytes.");
    this.scroller = el("div",
      { class: "wire-scroll", tabindex: "0", role: "region", "aria-label": "The wire: messages and decisions" },
      el("div", { class: "wire-lines" }, this.setup, this.rows, this.hint));
    this.lanes = new Lanes(this.scroller);
    this.scroller.prepend(this.lanes.heads);
    this.scroller.addEventListener("keydown", (event) => this.onKey(event));
    // A change of the height keeps the newest line in sight. A scroll before that is not the person's.
    let height = 0;
    new ResizeObserver(() => {
      height = this.scroller.clientHeight;
      if (this.staysAtEnd) this.scroller.scrollTop = this.scroller.scrollHeight;
    }).observe(this.scroller);
    this.scroller.addEventListener("scroll", () => {
      if (this.scroller.clientHeight === height) this.staysAtEnd = this.isNearEnd();
    }, { passive: true });
    container.replaceChildren(this.scroller);
  }

  /** Clears the view for another run. `core` has the actors whose columns are there before any takes part. */
  begin({ actors, core }) {
    this.lanes.begin(actors);
    this.core = core;
    this.active = new Set();
    this.all = [];
    this.byNumber = new Map();
    this.placed = [];
    this.checks = null;
    this.setupEnd = null;
    this.start = null;
    this.shown = 0;
    this.added = 0;
    this.setup.open = false;
    this.setup.hidden = true;
    this.hint.hidden = false;
    this.setupRows.replaceChildren();
    this.rows.replaceChildren();
    this.layOut();
  }

  /**
   * Takes further lines of the journal, without showing them. `setupEnd` is the last line of the set-up; without it the
   * set-up ends with the first step.
   */
  load(entries, setupEnd = null) {
    const first = entries.findIndex(({ kind }) => kind === "step");
    this.setupEnd ??= setupEnd ?? (first < 0 ? null : entries[first].line - 1);
    for (const entry of entries) {
      noteHelp(entry, this.all.at(-1));
      this.all.push(entry);
      if (entry.kind === "message") this.byNumber.set(entry.number, entry);
      if (this.isSetup(entry)) continue;
      this.start ??= entry.time;
      // A server that can open a message may never get it.
      for (const id of [entry.from, entry.to, entry.by, entry.readers?.sealedFor]) if (id) this.active.add(id);
      this.lanes.noteSeal(entry);
    }
    this.layOut();
  }

  /** Opens or closes the set-up. Its columns are there at once. */
  openSetup(isOpen) {
    this.setup.open = isOpen;
    this.layOut();
  }

  isSetup({ line }) { return this.setupEnd === null || line <= this.setupEnd; }

  actor(id) { return this.lanes.actor(id); }

  /** The lines that are shown, without those of the set-up. */
  get shownEntries() { return this.all.filter((entry) => entry.line <= this.shown && !this.isSetup(entry)); }

  /** The numbers of the messages, in order. */
  get messages() { return [...this.byNumber.keys()]; }

  /** Shows the lines of the journal up to one, and hides those after it. */
  showTo(line) {
    const stays = this.isNearEnd() || line < this.shown;
    const added = [];
    while (this.added < this.all.length && this.all[this.added].line <= line) added.push(this.all[this.added++]);
    for (const entry of added) this.append(entry);
    this.shown = line;
    for (const row of this.placed) row.element.hidden = row.line > line;
    this.countSetup();
    this.hint.hidden = this.placed.some((row) => !row.isSetup && row.line <= line);
    this.staysAtEnd = stays;
    if (stays) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  append(entry) {
    const isSetup = this.isSetup(entry);
    if (this.checks?.accepts(entry) && this.checks.isSetup === isSetup) return this.checks.add(entry);
    const row = this.rowFor(entry);
    row.line = entry.line;
    row.isSetup = isSetup;
    row.element.dataset.line = entry.line;
    this.placed.push(row);
    this.lanes.place(row.element, row.at);
    (isSetup ? this.setupRows : this.rows).append(row.element);
  }

  rowFor(entry) {
    this.checks = null;
    if (entry.kind === "message") return messageRow(entry, this);
    if (!isQuietCheck(entry)) return decisionRow(entry, this);
    this.checks = new CheckGroup(entry, this);
    return this.checks;
  }

  countSetup() {
    const count = this.all.filter((entry) => entry.kind === "message" && this.isSetup(entry)).length;
    this.setup.hidden = count === 0;
    this.setupLabel.textContent =
      `Before the first step: ${counted(count, "message")}. Certificates, documents, registrations.`;
  }

  namedActors() {
    const named = new Set(this.active ?? []);
    for (const entry of this.setup.open ? this.all : []) {
      for (const id of [entry.from, entry.to, entry.by]) if (id) named.add(id);
    }
    if (named.size < FEW) for (const id of this.core ?? []) named.add(id);
    return named;
  }

  layOut() {
    if (!this.lanes.show(this.namedActors())) return;
    for (const row of this.placed) this.lanes.place(row.element, row.at);
  }

  /** The arrow keys move from row to row. */
  onKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !this.scroller.contains(document.activeElement)) return;
    const stops = [...this.scroller.querySelectorAll(".row-button, summary")].filter((one) => one.checkVisibility());
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (!next || document.activeElement === this.scroller) return;
    event.preventDefault();
    next.focus();
  }

  isNearEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR_END;
  }

  /** Scrolls to a line of the journal and highlights it for a moment. */
  showLine(line) {
    const row = this.scroller.querySelector(`[data-line="${line}"]`)
      ?? this.placed.find((one) => one.has?.(line))?.element;
    if (!row || row.hidden) return;
    const details = row.closest("details");
    if (details) details.open = true;
    row.scrollIntoView({ block: "center" });
    row.classList.add("lit");
    (row.querySelector("button, summary") ?? row).focus({ preventScroll: true });
    setTimeout(() => row.classList.remove("lit"), 1600);
  }

  rowOfMessage(number) {
    return this.scroller.querySelector(`[data-message="${number}"]`);
  }

  markOpen(number) {
    for (const row of this.scroller.querySelectorAll(".row.open")) row.classList.remove("open");
    if (number !== null) this.rowOfMessage(number)?.closest(".row").classList.add("open");
  }

  entryOfMessage(number) { return this.byNumber.get(number); }

  /** The seconds since the first step, or nothing during the set-up. */
  clock(time) {
    return this.start === null || time < this.start ? "" : durationText(time - this.start);
  }
}
