// The message view: a column for each actor, messages as arrows between them, decisions in the columns of their actors.

import { el, symbol, counted } from "/dom.js";
import { messageRow, decisionRow, CheckGroup, isQuietCheck } from "/wire-rows.js";

/** Actors that always have a column. Other actors get theirs when they first take part. */
const CORE = new Set(["person", "page", "server", "browser", "os", "sandbox"]);
const NEAR_END = 90;
const SEAL_PARTS = {
  sealed: { drawing: "lock", words: "sealed the answer" },
  carried: { drawing: "lock", words: "carries the answer sealed" },
  opens: { drawing: "key", words: "can open the answer" },
};

export class Wire {
  constructor(container, { openMessage }) {
    this.openMessage = openMessage;
    this.heads = el("ol", { class: "lane-heads", "aria-label": "Actors" });
    this.setupRows = el("ol", { class: "rows" });
    this.setupLabel = el("span", {}, "");
    this.setup = el("details", { class: "setup", ontoggle: () => this.layOut() },
      el("summary", {}, this.setupLabel), this.setupRows);
    this.rows = el("ol", { class: "rows", "aria-label": "Messages and decisions, in order" });
    this.hint = el("p", { class: "wire-hint" },
      "Every message appears here. Press one to read its bytes.");
    this.scroller = el("div",
      { class: "wire-scroll", tabindex: "0", role: "region", "aria-label": "The wire: messages and decisions" },
      this.heads, el("div", { class: "wire-lines" }, this.setup, this.rows, this.hint));
    this.scroller.addEventListener("keydown", (event) => this.onKey(event));
    container.replaceChildren(this.scroller);
  }

  /** Clears the view for a new world. */
  begin(world) {
    this.actors = world.actors;
    this.device = world.device;
    this.active = new Set();
    this.roles = new Map();
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
    this.lanes = [];
    this.layOut();
  }

  /** Sets the current website, so that its columns are shown from the start. */
  watch(site) {
    this.site = site;
    this.layOut();
  }

  actor(id) {
    return this.actors.find((actor) => actor.id === id) ?? { id, role: "app", title: id.replace(/^[^:]*:/, "") };
  }

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
      this.noteSeal(entry);
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
    this.place(row);
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

  laneActors() {
    const named = new Set([...(this.active ?? [])]);
    for (const entry of this.setup.open ? this.entries.values() : []) {
      for (const id of [entry.from, entry.to, entry.by]) if (id) named.add(id);
    }
    const isCore = ({ id, role }) => CORE.has(role)
      && (role !== "page" && role !== "server" || id.includes(`:${this.site}`));
    const known = this.actors.filter((actor) => named.has(actor.id) || isCore(actor));
    const isStranger = (id) => !this.actors.some((actor) => actor.id === id);
    const strangers = [...named].filter(isStranger).map((id) => this.actor(id));
    return [...known, ...strangers];
  }

  layOut() {
    const actors = this.laneActors();
    const ids = actors.map(({ id }) => id);
    if (ids.join() === this.lanes.join()) return;
    this.lanes = ids;
    this.scroller.style.setProperty("--lanes", ids.length);
    this.scroller.classList.toggle("crowded", ids.length > 9);
    this.drawHeads();
    for (const row of this.placed) this.place(row);
  }

  drawHeads() {
    this.heads.replaceChildren(...this.lanes.map((id) => this.actor(id)).map((actor) => {
      const part = SEAL_PARTS[this.roles.get(actor.id)];
      return el("li", { title: actor.id }, symbol(actor.role),
        el("span", { class: "lane-name", "data-short": actor.shortTitle ?? actor.title }, el("span", {}, actor.title)),
        part && el("span", { class: "lane-part", title: part.words },
          symbol(part.drawing), el("span", { class: "visually-hidden" }, `: ${part.words}`)));
    }));
  }

  /** Stores for each column the actor's part in the sealed answer. */
  noteSeal({ from, to, readers }) {
    const opener = readers?.sealedFor;
    if (!opener) return;
    const before = this.roles.size;
    if (before === 0) this.roles.set(from, "sealed");
    this.roles.set(opener, "opens");
    for (const id of [from, to]) if (!this.roles.has(id)) this.roles.set(id, "carried");
    if (this.roles.size !== before) this.drawHeads();
  }

  /** Places a row's parts in the columns of its actors. */
  place(row) {
    for (const [name, id] of Object.entries(row.at)) {
      row.element.style.setProperty(`--${name}`, Math.max(0, this.lanes.indexOf(id)));
    }
    // The party that can open a sealed message has a key in its column, but the arrow does not end there.
    const { key, ...ends } = row.at;
    const indexes = Object.values(ends).map((id) => this.lanes.indexOf(id)).filter((index) => index >= 0);
    const middle = (Math.min(...indexes) + Math.max(...indexes)) / 2;
    const [from, to] = [row.at.from, row.at.to].map((id) => this.lanes.indexOf(id));
    row.element.classList.toggle("rightward", row.at.from !== undefined && from < to);
    row.element.classList.toggle("from-right", middle > (this.lanes.length - 1) / 2);
    row.element.style.setProperty("--low", Math.min(...indexes));
    row.element.style.setProperty("--high", Math.max(...indexes));
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
