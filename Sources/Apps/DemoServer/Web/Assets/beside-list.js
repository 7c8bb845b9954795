// The journals of two runs as one list: what is the same is folded, and differences are side by side.

import { el, symbol, asSentence, counted, humanSize, sentenceCase } from "/dom.js";
import { DRAWINGS, isQuietCheck } from "/wire-rows.js";

/** The values of a row's sameness. */
const [, MOVED, DIFFERENT] = [0, 1, 2];
/** The most lines that only one run has and that are shown without being asked for. */
const SHOWN = 8;
/** The fields of a decision that its line has. */
const IN_LINE = new Set(["outcome", "code", "words", "exception"]);
const SIDES = ["left", "right"];

export class BesideList {
  /** `openMessages(row)` shows the messages of a row, `[left entry or null, right entry or null, index]`. */
  constructor(container, { openMessages }) {
    Object.assign(this, { container, openMessages });
    this.stops = [];
  }

  /** Loads a comparison. `momentOf(row)` returns the index of the moment in which a row is there. */
  load({ comparison, plays, moments, titles, momentOf }) {
    this.comparison = comparison;
    this.titles = titles;
    this.entries = plays.map(({ entries }) => new Map(entries.map((entry) => [entry.line, entry])));
    this.fields = new Map(comparison.differences.map((one) => [one.row, one]));
    const rows = comparison.rows.map(([left, right, sameness], index) => ({
      index, sameness, pair: [this.entries[0].get(left) ?? null, this.entries[1].get(right) ?? null],
    }));
    const byMoment = Map.groupBy(rows, momentOf);
    this.stops = [];
    this.sections = moments.map((moment, index) => this.sectionView(moment, index, byMoment.get(index) ?? []));
    this.container.replaceChildren(...this.sections);
  }

  /** Shows the rows up to a moment. */
  showTo(position) {
    this.sections.forEach((section, index) => { section.hidden = index > position; });
  }

  sectionView(moment, index, rows) {
    const parts = partsOf(rows);
    const title = index === 0 ? "Before the first step" : titleOf(moment);
    const isUneven = index > 0 && resultOf(moment.left) !== resultOf(moment.right);
    const head = el("h3", { class: isUneven ? "uneven" : null }, title,
      isUneven && el("span", { class: "uneven-results" },
        ...SIDES.map((side) => el("span", {}, `${side}: ${resultOf(moment[side])}`))));
    const list = el("ol", {}, ...parts.map((part) => (part.kind === "same" ? this.foldView(part.rows)
      : this.stopView(part, index))));
    return el("section", { class: "both-section" }, head, parts.length > 0 && list);
  }

  /** Rows that are the same in both runs: one line that can be opened. */
  foldView(rows) {
    const details = el("details", { class: "both-same" }, el("summary", {}, symbol("check"), ` ${sameWords(rows)}`));
    details.addEventListener("toggle", () => {
      if (details.childElementCount > 1) return;
      details.append(el("ul", {}, ...rows.map((row) => el("li", {}, this.lineView(row, 0)))));
    });
    return el("li", {}, details);
  }

  stopView(part, moment) {
    const first = this.comparison.first?.row ?? -1;
    const isFirst = part.rows.some(({ index }) => index === first);
    const element = el("li", {
      class: `difference${isFirst ? " first" : ""}`, tabindex: "-1", "data-row": part.rows[0].index,
    }, isFirst && el("p", { class: "first-flag" }, "The first difference"),
    part.kind === "differs" ? this.differenceViews(part.rows[0]) : this.blockViews(part.rows));
    this.stops.push({ element, moment, isFirst });
    return element;
  }

  /** A row of both runs whose fields differ. */
  differenceViews(row) {
    const difference = this.fields.get(row.index) ?? { fields: [], count: 0 };
    const isMessage = row.pair[0].kind === "message";
    const fields = difference.fields.filter(({ name }) => isMessage || !IN_LINE.has(name));
    const hidden = difference.count - difference.fields.length;
    return [
      el("div", { class: `cells${row.pair[0].phrase === row.pair[1].phrase ? " same-words" : ""}` },
        ...SIDES.map((side, index) => el("div", { class: `cell ${side}` }, tag(side), this.lineView(row, index)))),
      fields.length > 0 && el("dl", { class: "both-fields" }, ...fields.map((field) => el("div", {},
        el("dt", {}, field.name), ...SIDES.map((side) => el("dd", { class: field[side] === null ? "none" : "code" },
          el("span", { class: "visually-hidden" }, `${side}: `), field[side] ?? "nothing"))))),
      hidden > 0 && el("p", { class: "both-more" }, `${counted(hidden, "more field")} not shown.`),
    ];
  }

  /** Rows that only one run has, or checks that differ without an objection. */
  blockViews(rows) {
    return el("div", { class: "cells" }, ...SIDES.map((side, index) => {
      const own = rows.filter(({ pair }) => pair[index]);
      if (own.length === 0) return el("div", { class: `cell none ${side}` }, tag(side), el("p", {}, "Nothing here."));
      return el("div", { class: `cell ${side}` }, tag(side), this.linesView(own, index));
    }));
  }

  linesView(rows, side) {
    const items = [];
    for (const row of rows) {
      const entry = row.pair[side];
      const last = items.at(-1);
      if (isQuietCheck(entry) && last?.outcome === entry.outcome) last.rows.push(row);
      else items.push({ outcome: isQuietCheck(entry) ? entry.outcome : null, rows: [row] });
    }
    const view = ({ outcome, rows: all }) => el("li", {}, all.length === 1 ? this.lineView(all[0], side)
      : el("details", { class: "both-checks" },
        el("summary", {}, `${counted(all.length, "check")} ${outcome === "passed" ? "passed" : "not reached"}`),
        el("ul", {}, ...all.map((row) => el("li", {}, this.lineView(row, side))))));
    return [
      el("ul", {}, ...items.slice(0, SHOWN).map(view)),
      items.length > SHOWN && el("details", { class: "both-checks" },
        el("summary", {}, `${counted(items.length - SHOWN, "more line")}`),
        el("ul", {}, ...items.slice(SHOWN).map(view))),
    ];
  }

  /** A line of a journal: a message opens its bytes. */
  lineView(row, side) {
    const entry = row.pair[side];
    const code = entry.operation ?? entry.code;
    const text = el("span", { class: "line-text" }, asSentence(entry.phrase));
    if (entry.kind === "message") {
      const way = `${this.titles(entry.from)} → ${this.titles(entry.to)}`;
      return el("button", {
        type: "button", class: "line message-line", "data-message": entry.number,
        onclick: (event) => this.openMessages(row, event.currentTarget),
      }, el("span", { class: "line-way" }, `${entry.number} · ${way}`), text,
      el("span", { class: "line-facts" }, el("code", { class: "code" }, code), ` ${humanSize(entry.size)}`));
    }
    const drawing = entry.outcome === "passed" ? "check" : DRAWINGS[entry.tone];
    const other = row.sameness === DIFFERENT ? row.pair[1 - side] : null;
    const fact = (name, value) => el("span", { class: other && other[name] !== value ? "changed" : null }, value);
    return el("div", { class: `line decision-line ${entry.tone}` },
      el("span", { class: "line-way" }, this.titles(entry.by)),
      code && el("span", { class: "line-facts" }, el("code", { class: "code" }, fact("code", code)),
        entry.outcome && " ", entry.outcome && fact("outcome", entry.outcome)),
      el("span", { class: "line-text" }, drawing && symbol(drawing), " ",
        entry.title && el("strong", {}, `${entry.title} `), asSentence(entry.phrase)));
  }
}

const tag = (side) => el("span", { class: `side-tag ${side}` }, side === "left" ? "Left" : "Right");

/** Consecutive rows of the same sort: "same", "differs" (one row of both), or "block". */
function partsOf(rows) {
  const parts = [];
  for (const row of rows) {
    const kind = row.sameness !== DIFFERENT ? "same" : isMinor(row) ? "block" : "differs";
    if (kind !== "differs" && parts.at(-1)?.kind === kind) parts.at(-1).rows.push(row);
    else parts.push({ kind, rows: [row] });
  }
  return parts;
}

const isMinor = ({ pair }) => pair.includes(null)
  || pair.every(isQuietCheck) && pair[0].outcome !== pair[1].outcome;

function sameWords(rows) {
  const messages = rows.filter(({ pair }) => pair[0].kind === "message").length;
  const others = rows.length - messages;
  const moved = rows.filter(({ sameness }) => sameness === MOVED).length;
  const parts = [
    messages > 0 && counted(messages, "message"), others > 0 && counted(others, "decision"),
  ].filter(Boolean).join(" and ");
  return `${parts}, the same${moved > 0 ? `; ${moved} in another order` : ""}`;
}

/** The result of a step: an expectation is met or not. */
function resultOf(step) {
  if (!step) return "no such step";
  const { kind, failure, isReached = true } = step;
  if (!isReached) return "not reached";
  return failure ? "not met" : kind === "expectation" ? "met" : "done";
}

/** The step in words: that of each run if they differ. */
function titleOf({ left, right }) {
  if (!left || !right) return sentenceCase((left ?? right).words);
  return left.words === right.words ? left.words : `${left.words} · ${right.words}`;
}
