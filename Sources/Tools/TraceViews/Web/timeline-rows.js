// The rows of the timeline. Rows of one form have the same elements: one that leaves the window shows another line.

import { el, symbol, counted, sentenceCase, textPart } from "/dom.js";
import { messageForm, makeMessage, fillMessage, isQuietCheck, DRAWINGS } from "/wire-rows.js";

const HEIGHTS = { setup: 32, step: 40, message: 38, checks: 24, decision: 25, prominent: 32 };

export class TimelineRows {
  constructor(timeline) { this.timeline = timeline; }

  height(index) {
    const { kind, entries } = this.timeline.rows[index];
    return HEIGHTS[kind === "decision" && isStriking(entries[0]) ? "prominent" : kind];
  }

  /** The form of a row: rows of the same form have the same elements. */
  form(index) {
    const { kind, entries: [entry] } = this.timeline.rows[index];
    switch (kind) {
      case "message": return messageForm(entry);
      case "step": return `step ${stepDrawing(entry)}`;
      case "decision": return `decision ${DRAWINGS[entry.tone] ?? ""}`;
      case "checks": return `checks ${entry.outcome}`;
      default: return kind;
    }
  }

  make(index) {
    const row = this.partsFor(this.timeline.rows[index]);
    return { ...row, element: el("div", { role: "option" }, ...row.parts) };
  }

  /** The parts of a row for others of its form, without texts. */
  partsFor({ kind, entries: [entry] }) {
    if (kind === "message") return makeMessage(entry);
    const [time, words, code] = ["row-time", "words", "code"].map(textPart);
    if (kind === "setup" || kind === "step") {
      const drawing = kind === "setup" ? "next" : stepDrawing(entry);
      const name = el("span", { class: `${kind}-name` }, symbol(drawing), " ", words.element);
      return { time, words, parts: [time.element, name] };
    }
    const drawing = kind === "checks" ? entry.outcome === "passed" && "check" : DRAWINGS[entry.tone];
    const chip = el("span", { class: "chip" }, drawing && symbol(drawing), code.element, words.element);
    const area = el("span", { class: "row-area" }, el("span", { class: "dot dot-by" }), chip);
    return { time, words, code, parts: [time.element, area] };
  }

  /** Shows a row in the parts of its form. */
  fill(row, index) {
    const { rows, selected, hits, lanes } = this.timeline;
    const { entries } = rows[index];
    const { classes, name, at } = this.write(row, rows[index]);
    const isSelected = index === selected;
    const isHit = hits.size > 0 && entries.some(({ line }) => hits.has(line));
    const { element } = row;
    element.className = `${classes}${isSelected ? " open" : ""}${isHit ? " hit" : ""}`;
    element.id = `row-${index}`;
    const values = {
      "data-index": index, "data-line": entries[0].line, "aria-label": name, "aria-selected": isSelected,
      "aria-posinset": index + 1, "aria-setsize": rows.length,
    };
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    if (at) lanes.place(element, at);
  }

  /** Writes the texts of a row. Returns its classes, its name and its columns. */
  write(row, { kind, entries }) {
    const [entry] = entries;
    const { time, words, code } = row;
    switch (kind) {
      case "message": return fillMessage(row, entry, this.timeline);
      case "setup": {
        const count = counted(entries.filter((one) => one.kind === "message").length, "message");
        words.write(`Before the first step: ${count}`);
        const state = this.timeline.isUnfolded ? "unfolded" : "folded";
        return { classes: `row setup-row ${state}`, name: `Before the first step: ${count}, ${state}` };
      }
      case "step": {
        const phrase = sentenceCase(entry.phrase);
        time.write(this.timeline.clock(entry.time));
        words.write(phrase);
        return { classes: "row step", name: `Step: ${phrase}` };
      }
      case "checks": {
        const phrase = `${counted(entries.length, "check")} ${
          entry.outcome === "passed" ? "passed" : "not reached"}`;
        words.write(phrase);
        return {
          classes: `row decision quiet ${entry.outcome}`, name: `${this.timeline.actor(entry.by).title}: ${phrase}`,
          at: { by: entry.by },
        };
      }
      default: {
        const phrase = sentenceCase(entry.phrase);
        time.write(isStriking(entry) ? this.timeline.clock(entry.time) : "");
        code.write(entry.code && entry.tone === "bad" ? `${entry.code} ` : "");
        words.write(phrase);
        return {
          classes: `row decision ${entry.tone}${isStriking(entry) ? " striking" : ""}`,
          name: `${this.timeline.actor(entry.by).title}: ${entry.title ?? ""} ${phrase}`, at: { by: entry.by },
        };
      }
    }
  }
}

/** The kind of an entry's row. Quiet checks share one. */
export function kindOf(entry) {
  if (entry.kind === "message" || entry.kind === "step") return entry.kind;
  return isQuietCheck(entry) ? "checks" : "decision";
}

const isStriking = ({ tone }) => ["bad", "good", "fault", "calm"].includes(tone);

const stepDrawing = ({ phrase }) => (/^the (page|frame)/.test(phrase) ? "page" : "person");
