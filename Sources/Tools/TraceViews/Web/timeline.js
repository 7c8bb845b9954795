// The journal as rows of one line: a column for each actor, messages as arrows, decisions in their actors' columns.

import { el, symbol, counted, sentenceCase } from "/dom.js";
import { Lanes } from "/lanes.js";
import { WindowList, indexAfterKey } from "/window-list.js";
import { messageParts, isQuietCheck, DRAWINGS } from "/wire-rows.js";

const HEIGHTS = { setup: 32, step: 40, message: 38, checks: 24, decision: 25, prominent: 32 };

export class Timeline {
  /** `chosen(row)` is called with each selected row. */
  constructor(scroller, run, chosen) {
    this.run = run;
    this.chosen = chosen;
    this.selected = -1;
    this.hits = new Set();
    this.lanes = new Lanes(scroller);
    this.lanes.begin(run.actors);
    this.list = el("div", {
      class: "rows", role: "listbox", tabindex: "0", "aria-label": "Messages and decisions, in order",
    });
    scroller.append(this.lanes.heads, el("div", { class: "wire-lines" }, this.list));
    this.window = new WindowList({
      scroller, list: this.list, draw: (index) => this.draw(index), inset: () => this.lanes.heads.offsetHeight,
    });
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (row) this.select(Number(row.dataset.index), { isPressed: true });
    });
    const firstStep = run.entries.findIndex(({ kind }) => kind === "step");
    this.setupEnd = firstStep < 0 ? 0 : firstStep;
    this.start = run.entries[this.setupEnd]?.time;
    for (const entry of run.entries.slice(this.setupEnd)) this.lanes.noteSeal(entry);
    this.isUnfolded = this.setupEnd === run.entries.length;
    this.layOut();
  }

  /** Makes the rows, with those before the first step if they are unfolded. */
  layOut() {
    const { entries } = this.run;
    this.rows = [];
    if (this.setupEnd > 0) {
      this.rows.push({ kind: "setup", entries: entries.slice(0, this.setupEnd) });
      if (this.isUnfolded) this.addRows(entries.slice(0, this.setupEnd));
    }
    this.addRows(entries.slice(this.setupEnd));
    this.rowOfLine = new Map();
    this.rows.forEach((row, index) => {
      if (row.kind !== "setup") for (const { line } of row.entries) this.rowOfLine.set(line, index);
    });
    const named = new Set();
    for (const { from, to, by } of this.isUnfolded ? entries : entries.slice(this.setupEnd)) {
      for (const id of [from, to, by]) if (id) named.add(id);
    }
    this.lanes.show(named);
    this.window.reset(this.rows.length, (index) => this.height(index));
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

  height(index) {
    const { kind, entries } = this.rows[index];
    return HEIGHTS[kind === "decision" && isStriking(entries[0]) ? "prominent" : kind];
  }

  actor(id) { return this.lanes.actor(id); }

  /** The seconds since the first step, or nothing before it. */
  clock(time) { return time < this.start ? "" : `${((time - this.start) / 1000).toFixed(2)} s`; }

  draw(index) {
    const row = this.rows[index];
    const { classes, label, parts, at } = this.partsOf(row);
    const isSelected = index === this.selected;
    const element = el("div", {
      class: `${classes}${isSelected ? " open" : ""}${this.hits.has(index) ? " hit" : ""}`, role: "option",
      id: `row-${index}`, "data-index": index, "data-line": row.entries[0].line, "aria-label": label,
      "aria-selected": String(isSelected), "aria-posinset": index + 1, "aria-setsize": this.rows.length,
    }, ...parts);
    if (at) this.lanes.place(element, at);
    return element;
  }

  partsOf(row) {
    const entry = row.entries[0];
    switch (row.kind) {
      case "setup": return this.setupParts(row.entries);
      case "message": {
        const { classes, name, parts, at } = messageParts(entry, this);
        return { classes, label: name, parts, at };
      }
      case "step": {
        const words = sentenceCase(entry.phrase);
        return {
          classes: "row step", label: `Step: ${words}`,
          parts: [el("span", { class: "row-time" }, this.clock(entry.time)),
            el("span", { class: "step-name" },
              symbol(/^the page/.test(entry.phrase) ? "page" : "person"), ` ${words}`)],
        };
      }
      case "checks": {
        const words = `${counted(row.entries.length, "check")} ${
          entry.outcome === "passed" ? "passed" : "not reached"}`;
        return this.decisionParts(entry, `quiet ${entry.outcome}`, `${this.actor(entry.by).title}: ${words}`, [
          entry.outcome === "passed" && symbol("check"), words,
        ]);
      }
      default: {
        const drawing = DRAWINGS[entry.tone];
        const words = sentenceCase(entry.phrase);
        return this.decisionParts(entry, `${entry.tone}${isStriking(entry) ? " striking" : ""}`,
          `${this.actor(entry.by).title}: ${entry.title ?? ""} ${words}`, [
            drawing && symbol(drawing), entry.code && entry.tone === "bad"
              && el("code", { class: "code" }, `${entry.code} `), words,
          ]);
      }
    }
  }

  setupParts(entries) {
    const count = entries.filter(({ kind }) => kind === "message").length;
    const words = `Before the first step: ${counted(count, "message")}`;
    return {
      classes: "row setup-row", label: `${words}, ${this.isUnfolded ? "unfolded" : "folded"}`,
      parts: [el("span", { class: "row-time" }),
        el("span", { class: `setup-name${this.isUnfolded ? " unfolded" : ""}` }, symbol("next"), ` ${words}`)],
    };
  }

  decisionParts(entry, classes, label, words) {
    return {
      classes: `row decision ${classes}`, label, at: { by: entry.by },
      parts: [
        el("span", { class: "row-time" }, isStriking(entry) ? this.clock(entry.time) : ""),
        el("span", { class: "row-area" }, el("span", { class: "dot dot-by" }),
          el("span", { class: "chip" }, ...words.filter(Boolean)))],
    };
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.select(Math.max(0, this.selected), { isPressed: true });
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
    const isInSetup = this.run.entries.findIndex((entry) => entry.line === line) < this.setupEnd;
    if (isInSetup && !this.isUnfolded) this.unfold(true);
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

  /** Highlights the rows that contain these lines. */
  highlight(lines) {
    this.hits = new Set(lines.map((line) => this.rowOfLine.get(line)).filter((index) => index !== undefined));
    this.window.redraw();
  }
}

function kindOf(entry) {
  if (entry.kind === "message" || entry.kind === "step") return entry.kind;
  return isQuietCheck(entry) ? "checks" : "decision";
}

const isStriking = ({ tone }) => ["bad", "good", "fault", "calm"].includes(tone);
