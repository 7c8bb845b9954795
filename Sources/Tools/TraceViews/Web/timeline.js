// The journal as rows of one line: a column for each actor, messages as arrows, decisions in their actors' columns.

import { el } from "/dom.js";
import { Lanes } from "/lanes.js";
import { WindowList, indexAfterKey } from "/window-list.js";
import { TimelineRows, kindOf } from "/timeline-rows.js";
import { isQuietCheck } from "/wire-rows.js";
import { durationText, noteHelp } from "/words.js";

export class Timeline {
  /** `chosen(row)` is called with each selected row, and `opened(row)` when Enter opens it. */
  constructor(scroller, run, { chosen, opened }) {
    Object.assign(this, { run, chosen, opened });
    this.selected = -1;
    /** The lines that a search found, and if the others are hidden. */
    this.hits = new Set();
    this.isFiltered = false;
    this.lanes = new Lanes(scroller);
    this.lanes.begin(run.actors);
    this.list = el("div", {
      class: "rows", role: "listbox", tabindex: "0", "aria-label": "Messages and decisions, in order",
    });
    scroller.append(this.lanes.heads, el("div", { class: "wire-lines" }, this.list));
    this.drawing = new TimelineRows(this);
    this.window = new WindowList({
      scroller, list: this.list, rows: this.drawing, inset: () => this.lanes.heads.offsetHeight,
    });
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (row) this.select(Number(row.dataset.index), { isPressed: true });
    });
    const firstStep = run.entries.findIndex(({ kind }) => kind === "step");
    this.setupEnd = firstStep < 0 ? 0 : firstStep;
    this.start = run.entries[this.setupEnd]?.time;
    run.entries.forEach((entry, index) => noteHelp(entry, run.entries[index - 1]));
    for (const entry of run.entries.slice(this.setupEnd)) this.lanes.noteSeal(entry);
    this.isUnfolded = this.setupEnd === run.entries.length;
    this.layOut();
  }

  /** Makes the rows: those of the found lines, or all, with those before the first step if they are unfolded. */
  layOut() {
    const { entries } = this.run;
    const selected = this.rows?.[this.selected];
    const [setup, rest] = [entries.slice(0, this.setupEnd), entries.slice(this.setupEnd)];
    this.rows = [];
    if (this.isFiltered) {
      this.addRows(entries.filter(({ line }) => this.hits.has(line)));
    } else {
      if (setup.length > 0) this.rows.push({ kind: "setup", entries: setup });
      if (this.isUnfolded) this.addRows(setup);
      this.addRows(rest);
    }
    this.rowOfLine = new Map();
    this.rows.forEach((row, index) => {
      if (row.kind !== "setup") for (const { line } of row.entries) this.rowOfLine.set(line, index);
    });
    const named = new Set();
    for (const { from, to, by } of this.isUnfolded || this.isFiltered ? entries : rest) {
      for (const id of [from, to, by]) if (id) named.add(id);
    }
    this.lanes.show(named);
    this.selected = selected?.kind === "setup" ? this.rows.findIndex(({ kind }) => kind === "setup")
      : this.rowOfLine.get(selected?.entries[0].line) ?? -1;
    this.window.reset(this.rows.length, (index) => this.drawing.height(index));
  }

  addRows(entries) {
    for (const entry of entries) {
      const last = this.rows.at(-1);
      const first = last?.entries[0];
      const isSame = last?.kind === "checks" && isQuietCheck(entry) && first.by === entry.by
        && first.outcome === entry.outcome && first.reads === entry.reads;
      if (isSame) last.entries.push(entry);
      else this.rows.push({ kind: kindOf(entry), entries: [entry] });
    }
  }

  actor(id) { return this.lanes.actor(id); }

  /** The seconds since the first step, or nothing before it. */
  clock(time) { return time < this.start ? "" : durationText(time - this.start); }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const row = this.rows[this.selected];
      if (row && row.kind !== "setup") this.opened(row);
      else this.select(Math.max(0, this.selected), { isPressed: true });
      return;
    }
    const next = indexAfterKey(event.key, this.selected, this.rows.length);
    if (next === null) return;
    event.preventDefault();
    this.select(next);
  }

  /** Selects a row. Pressing the row of the set-up unfolds it. */
  select(index, { isPressed = false, isCentered = false } = {}) {
    const row = this.rows[index];
    if (!row) return;
    if (row.kind === "setup" && isPressed) this.unfold(!this.isUnfolded);
    const before = this.selected;
    this.selected = index;
    this.mark(before);
    this.window.reveal(index, isCentered);
    this.mark(index);
    this.list.setAttribute("aria-activedescendant", `row-${index}`);
    this.chosen(row);
  }

  /** Selects the row of a line of the journal. */
  selectLine(line, options = { isCentered: true }) {
    if (this.isFiltered && !this.hits.has(line)) {
      this.hits.add(line);
      this.layOut();
    } else if (!this.rowOfLine.has(line)) {
      this.unfold(true);
    }
    this.select(this.rowOfLine.get(line) ?? -1, options);
  }

  unfold(isUnfolded) {
    this.isUnfolded = isUnfolded;
    this.layOut();
  }

  mark(index) {
    const element = this.window.element(index);
    element?.classList.toggle("open", index === this.selected);
    element?.setAttribute("aria-selected", String(index === this.selected));
  }

  /** Highlights the rows that contain these lines, or shows only these. */
  highlight(lines, isAlone = false) {
    const isOther = isAlone || this.isFiltered;
    this.hits = new Set(lines);
    this.isFiltered = isAlone;
    if (!isOther) return this.window.redraw();
    this.layOut();
    if (this.selected >= 0) this.window.reveal(this.selected, true);
  }
}

