// The messages of a row: the bytes of both runs beside each other, with the differing fields marked.

import { el, symbol, counted, humanSize } from "/dom.js";
import { BytesView } from "/bytes-view.js";
import { MessageContent } from "/message-content.js";

const SIDES = ["left", "right"];

export class BesideMessages {
  /** `fetchMessage(side, number)` returns the content of a message; `titles(id)` the title of a party. */
  constructor(dialog, { fetchMessage, titles }) {
    Object.assign(this, { dialog, fetchMessage, titles });
    this.turn = 0;
    dialog.addEventListener("close", () => { this.turn += 1; this.opener?.focus(); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  }

  /** Opens the messages of a row. `marks` are the differing lines of each, or null for messages that are the same. */
  async open({ pair, marks, note }, opener) {
    this.opener = opener;
    this.turn += 1;
    const { turn } = this;
    const entry = pair[0] ?? pair[1];
    const panes = pair.map((one, index) => this.paneView(one, index));
    this.dialog.setAttribute("aria-label", entry.phrase);
    this.dialog.replaceChildren(
      el("div", { class: "panel-head" },
        el("div", {}, el("h2", { tabindex: "-1" }, entry.phrase), el("p", { class: "panel-facts" }, note)),
        el("div", { class: "panel-buttons" }, el("button", {
          type: "button", class: "icon-button", "aria-label": "Close messages", onclick: () => this.dialog.close(),
        }, symbol("cross")))),
      el("div", { class: "message-panes" }, ...panes.map(({ element }) => element)));
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.querySelector("h2").focus();
    try {
      const contents = await Promise.all(pair.map(async (one, index) =>
        one && new MessageContent(await this.fetchMessage(index, one.number))));
      if (turn !== this.turn) return;
      const marked = marks ? markedRanges(contents, marks) : [new Map(), new Map()];
      contents.forEach((content, index) => {
        if (!content) return;
        const view = new BytesView(content, { marked: marked[index] });
        panes[index].body.replaceChildren(view.element);
        const [first] = marked[index];
        if (first) view.chooseLine(first[0], first[1][0]?.[0] ?? null);
      });
    } catch (error) {
      if (turn !== this.turn) return;
      for (const { body } of panes) body?.replaceChildren(el("p", { class: "panel-problem", role: "alert" },
        `The bytes could not be fetched. ${error.message}`));
    }
  }

  paneView(entry, index) {
    const side = SIDES[index];
    const title = side === "left" ? "Left" : "Right";
    if (!entry) {
      return { element: el("section", { class: "message-pane none", "aria-label": title },
        el("h3", {}, el("span", { class: `side-tag ${side}` }, title)), el("p", {}, "This run has no such message.")) };
    }
    const body = el("div", { class: "panel-body" }, el("p", { class: "panel-loading" }, "Fetching the bytes …"));
    return {
      body,
      element: el("section", { class: "message-pane", "aria-label": title },
        el("h3", {}, el("span", { class: `side-tag ${side}` }, title), ` Message ${entry.number}`),
        el("p", { class: "panel-facts" }, `${this.titles(entry.from)} → ${this.titles(entry.to)} · `,
          el("code", { class: "code" }, entry.operation), ` · ${entry.type} · ${humanSize(entry.size)}`),
        body),
    };
  }
}

/** The marked lines of both messages, each with the ranges of its bytes that differ. */
function markedRanges(contents, { left, right }) {
  const lines = [left, right].map((indices, side) => indices.map((index) => contents[side].lines[index]));
  const isPaired = left.length === right.length;
  return [left, right].map((indices, side) => new Map(indices.map((index, place) => {
    const [line, other] = [lines[side][place], lines[1 - side][place]];
    if (!line?.range) return [index, []];
    const isSameSize = isPaired && other?.range && other.range[1] - other.range[0] === line.range[1] - line.range[0];
    return [index, isSameSize ? differing(contents, side, line, other) : [line.range]];
  })));
}

/** The ranges of a line's bytes that differ from those of another line of the same size. */
function differing(contents, side, { source, range: [from, to] }, other) {
  const own = contents[side].bytes(source).subarray(from, to);
  const others = contents[1 - side].bytes(other.source).subarray(...other.range);
  const ranges = [];
  own.forEach((byte, place) => {
    if (byte === others[place]) return;
    if (ranges.at(-1)?.[1] === from + place) ranges.at(-1)[1] += 1;
    else ranges.push([from + place, from + place + 1]);
  });
  return ranges;
}

/** The words about the marks of two messages. */
export function markWords({ count }, isMasked) {
  const random = isMasked ? ", apart from random values and times" : "";
  return count === 0 ? `The messages are the same${random}.`
    : `${counted(count, "field")} ${count === 1 ? "differs" : "differ"}${random}. Each is marked.`;
}
