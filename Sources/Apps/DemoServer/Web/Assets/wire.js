// The message view: a column for each actor, messages as arrows between them, decisions in the columns of their actors.

import { el, counted } from "/dom.js";
import { Lanes } from "/lanes.js";
import { messageRow, decisionRow, CheckGroup, isQuietCheck } from "/wire-rows.js";

/** Actors that always have a column. Other actors get theirs when they first take part. */
const CORE = new Set(["person", "page", "server", "browser", "os", "sandbox"]);
const NEAR_END = 90;

export class Wire {
  constructor(container, { openMessage }) {
    this.openMessage = openMessage;
    this.setupRows = el("ol", { class: "rows" });
    this.setupLabel = el("span", {}, "");
    this.setup = el("details", { class: "setup", hidden: true, ontoggle: () => this.layOut() },
      el("summary", {}, this.setupLabel), this.setupRows);
    this.rows = el("ol", { class: "rows", "aria-label": "Messages and decisions, in order" });
    this.hint = el("p", { class: "wire-hint" },
      "Every message appears here. Press one to read its bytes.");
    this.scroller = el("div",
      { class: "wire-scroll", tabindex: "0", role: "region", "aria-label": "The wire: messages and decisions" },
      el("div", { class: "wire-lines" }, this.setup, this.rows, this.hint));
    this.lanes = new Lanes(this.scroller);
    this.scroller.prepend(this.lanes.heads);
    this.scroller.addEventListener("keydown", (event) => this.onKey(event));
    container.replaceChildren(this.scroller);
  }

  /** Clears the view for a new world. */
  begin(world) {
    this.lanes.begin(world.actors);
    this.device = world.device;
    this.active = new Set();
    this.inSetup = true;
    this.placed = [];
    this.entries = new Map();
    this.messages = [];
    this.checks = null;
    this.start = null;
    this.setupCount = 0;
    this.site = world.websites[0]?.name;
    this.setup.open = false;
    this.setup.hidden = true;
    this.hint.hidden = false;
    this.setupRows.replaceChildren();
    this.rows.replaceChildren();
    this.layOut();
  }

  /** Sets the current website, so that its columns are shown from the start. */
  watch(site) {
    this.site = site;
    this.layOut();
  }

  actor(id) { return this.lanes.actor(id); }

  add(entry) {
    if (this.inSetup && entry.kind === "step") {
      this.inSetup = false;
      this.checks = null;
      this.start = entry.time;
      this.hint.hidden = true;
    }
    this.entries.set(entry.line, entry);
    if (entry.kind === "message") this.messages.push(entry.number);
    if (!this.inSetup) {
      this.activate(entry);
      this.lanes.noteSeal(entry);
    }
    this.append(entry);
    if (this.inSetup) this.countSetup(entry);
  }

  append(entry) {
    if (this.checks?.accepts(entry)) return this.checks.add(entry);
    const stays = this.isNearEnd();
    const row = this.rowFor(entry);
    row.element.dataset.line = entry.line;
    this.placed.push(row);
    this.lanes.place(row.element, row.at);
    (this.inSetup ? this.setupRows : this.rows).append(row.element);
    if (stays && !this.inSetup) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  rowFor(entry) {
    this.checks = null;
    if (entry.kind === "message") return messageRow(entry, this);
    if (!isQuietCheck(entry)) return decisionRow(entry, this);
    this.checks = new CheckGroup(entry, this);
    return this.checks;
  }

  countSetup(entry) {
    if (entry.kind === "message") this.setupCount += 1;
    this.setup.hidden = false;
    const count = counted(this.setupCount, "message");
    this.setupLabel.textContent = `Before the first step: ${count}. Certificates, documents, registrations.`;
  }

  activate(entry) {
    const before = this.active.size;
    for (const id of [entry.from, entry.to, entry.by]) if (id) this.active.add(id);
    if (this.active.size !== before) this.layOut();
  }

  namedActors() {
    const named = new Set([...(this.active ?? [])]);
    for (const entry of this.setup.open ? this.entries.values() : []) {
      for (const id of [entry.from, entry.to, entry.by]) if (id) named.add(id);
    }
    const isCore = ({ id, role }) => CORE.has(role)
      && (role !== "page" && role !== "server" || id.includes(`:${this.site}`));
    for (const actor of this.lanes.actors) if (isCore(actor)) named.add(actor.id);
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
    if (!row) return;
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

  entryOfMessage(number) {
    return [...this.entries.values()].find((entry) => entry.number === number);
  }

  /** The seconds since the first step, or nothing during the set-up. */
  clock(time) {
    return this.start === null ? "" : `${((time - this.start) / 1000).toFixed(2)} s`;
  }
}
