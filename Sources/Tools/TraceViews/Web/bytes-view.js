// A message's structure beside its bytes, each linked to the other.

import { el, symbol, counted, textPart } from "/dom.js";
import { copy } from "/copy.js";
import { WindowList, indexAfterKey } from "/window-list.js";

const LINE = 19;
/** The widths of a byte with its character, of the offset and of the gaps, in characters of the font. */
const BYTE_WIDTH = 3.6;
const OFFSET_WIDTH = 6;
const GAPS = 4;
const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"));
const COPIES = {
  hex: (bytes) => Array.from(bytes, (byte) => HEX[byte]).join(""),
  base64: (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")),
};
const KINDS = { signature: "certified", MAC: "certified", digest: "link", seal: "lock" };

let viewCount = 0;

export class BytesView {
  /** `marked` has the lines that are marked as different from another message, each with the ranges that differ. */
  constructor(content, { marked = new Map() } = {}) {
    Object.assign(this, { content, marked });
    // A page can have several.
    this.key = `field-${viewCount += 1}`;
    this.source = 0;
    this.line = -1;
    this.byte = null;
    this.protection = null;
    this.perRow = 8;
    this.lines = el("div", { class: "field-list", role: "listbox", tabindex: "0", "aria-label": "Structure" });
    this.hex = el("div", { class: "hex-list", role: "presentation" });
    this.fields = el("div", { class: "fields" }, this.lines);
    this.dump = el("div", { class: "hex", tabindex: "0", role: "group", "aria-label": "Bytes" }, this.hex);
    this.status = el("p", { class: "bytes-status", role: "status" });
    this.places = el("p", { class: "bytes-place" });
    this.guards = el("div", { class: "guards", role: "group", "aria-label": "Signatures, codes and seals" });
    this.copies = el("p", { class: "copies" }, ...Object.keys(COPIES).map((form) => el("button", {
      type: "button", class: "text-button", onclick: () => this.copy(form),
    }, `Copy ${form}`)));
    this.element = el("div", { class: "bytes" }, this.guards,
      el("div", { class: "bytes-panes" }, this.fields, el("div", { class: "hex-box" }, this.places, this.dump)),
      el("div", { class: "bytes-foot" }, this.status, this.copies));
    this.lineWindow = new WindowList({
      scroller: this.fields, list: this.lines,
      rows: { form: () => "", make: makeLine, fill: (row, index) => this.fillLine(row, index) },
    });
    this.hexWindow = new WindowList({
      scroller: this.dump, list: this.hex,
      rows: { form: () => "", make: makeHexRow, fill: (row, index) => this.fillHexRow(row, index) },
    });
    this.lines.addEventListener("keydown", (event) => this.onLineKey(event));
    this.dump.addEventListener("keydown", (event) => this.onByteKey(event));
    this.lines.addEventListener("click", (event) => {
      const line = event.target.closest("[data-line-index]");
      if (line) this.chooseLine(Number(line.dataset.lineIndex));
    });
    this.hex.addEventListener("click", (event) => {
      const place = placeIn(event.target.closest("[data-byte]"), event.clientX);
      if (place !== null) this.chooseByte(place);
    });
    new ResizeObserver(() => this.fit()).observe(this.dump);
    this.drawGuards();
    this.lineWindow.reset(content.lines.length, () => LINE);
    this.show(0);
    this.tell();
  }

  /** As many bytes in a row as fit: 8, 16 or 32. */
  fit() {
    const probe = this.dump.querySelector(".hex-offset");
    if (!probe || this.dump.clientWidth === 0) return;
    const width = probe.getBoundingClientRect().width / OFFSET_WIDTH;
    const room = this.dump.clientWidth / width - OFFSET_WIDTH - GAPS;
    const fitting = room >= 32 * BYTE_WIDTH ? 32 : room >= 16 * BYTE_WIDTH ? 16 : 8;
    if (fitting === this.perRow) return;
    this.perRow = fitting;
    this.show(this.source);
  }

  /** Shows the bytes of a source. */
  show(source) {
    this.source = source;
    this.markedRanges = [...this.marked].flatMap(([index, ranges]) =>
      (this.content.lines[index]?.source === source ? ranges : []));
    const size = this.content.size(source);
    this.hexWindow.reset(Math.ceil(size / this.perRow), () => LINE);
    const names = [];
    for (let one = source; one !== undefined; one = this.content.sources[one].source) names.unshift(one);
    this.places.replaceChildren(...names.flatMap((one, index) => [
      index > 0 && " › ",
      one === source ? el("span", {}, this.content.nameOf(one))
        : el("button", { type: "button", class: "text-button", onclick: () => this.goOut(one, names[index + 1]) },
          this.content.nameOf(one)),
    ]).filter(Boolean), ` · ${counted(size, "byte")}`);
    this.copies.hidden = size === 0;
  }

  /** Shows a containing source with the place of the one in it. */
  goOut(source, inner) {
    this.show(source);
    this.chooseByte(this.content.sources[inner].range[0]);
  }

  get range() { return this.content.lines[this.line]?.range ?? null; }

  fillLine({ element, name, rest }, index) {
    const { level, text, source, range } = this.content.lines[index];
    const isCovered = this.protection && source === this.protection.source && range
      && this.protection.covered.some(([from, to]) => from <= range[0] && range[1] <= to);
    const [, first, other] = /^([^:]{1,60}: )?(.*)$/s.exec(text);
    const isMarked = this.marked.has(index);
    name.write(`${isMarked ? "\u2260 " : ""}${first ?? ""}`);
    rest.write(other);
    element.className = `field-line${index === this.line ? " on" : ""}${isCovered ? " covered" : ""}${
      isMarked ? " marked" : ""}`;
    element.id = `${this.key}-${index}`;
    element.title = text;
    const values = {
      "data-line-index": index, "aria-selected": index === this.line, "aria-posinset": index + 1,
      "aria-setsize": this.content.lines.length,
    };
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    element.style.paddingLeft = `${10 + level * 12}px`;
  }

  /** Bytes with the same marks share an element: a screen has a thousand bytes, and few marks. */
  fillHexRow({ offset, marks, characters }, index) {
    const bytes = this.content.bytes(this.source);
    const start = index * this.perRow;
    const end = Math.min(start + this.perRow, bytes.length);
    const runs = [];
    for (let place = start; place < end; place += 1) {
      const classes = this.classesOf(place);
      if (runs.at(-1)?.classes !== classes) runs.push({ classes, from: place, hex: "", text: "" });
      const run = runs.at(-1);
      const value = bytes[place];
      run.hex += `${HEX[value]} `;
      run.text += value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : "·";
      run.count = place + 1 - run.from;
    }
    offset.write(start.toString(16).padStart(6, "0"));
    const drawn = (name, text) => runs.map((run) => el("span", {
      class: `${name}${run.classes}`, "data-byte": run.from, "data-count": run.count,
    }, run[text]));
    marks.replaceChildren(...drawn("byte", "hex"));
    characters.replaceChildren(...drawn("character", "text"));
  }

  classesOf(place) {
    const within = ([from, to]) => place >= from && place < to;
    const line = this.content.lines[this.line];
    const { protection } = this;
    const classes = [
      line?.source === this.source && line.range && within(line.range) && "on",
      protection?.source === this.source && protection.covered.some(within) && "covered",
      protection?.source === this.source && within(protection.mark) && "mark",
      this.markedRanges.some(within) && "marked", place === this.byte && "cursor",
    ];
    const named = classes.filter(Boolean).join(" ");
    return named ? ` ${named}` : "";
  }

  /** Selects a line, and marks its bytes. */
  chooseLine(index, byte = null) {
    const line = this.content.lines[index];
    if (!line) return;
    this.line = index;
    this.byte = byte;
    if (line.source !== null && line.source !== this.source) this.show(line.source);
    this.lineWindow.redraw();
    this.lineWindow.reveal(index);
    this.lines.setAttribute("aria-activedescendant", `${this.key}-${index}`);
    this.hexWindow.redraw();
    const place = byte ?? line.range?.[0];
    if (place !== undefined && this.hexWindow.count > 0) {
      const row = Math.floor(place / this.perRow);
      if (row < this.hexWindow.count) this.hexWindow.reveal(row);
    }
    this.tell();
  }

  /** Copies the bytes of the selected field, or all bytes that are shown. */
  async copy(form) {
    const range = this.content.lines[this.line]?.source === this.source ? this.range : null;
    const bytes = this.content.bytes(this.source).subarray(...(range ?? []));
    const isCopied = await copy(COPIES[form](bytes));
    this.status.replaceChildren(isCopied ? `${counted(bytes.length, "byte")} copied as ${form}.`
      : "The browser does not allow this page to copy.");
  }

  /** Selects a byte, and the line about it. */
  chooseByte(place) {
    const line = this.content.lineAt(this.source, place);
    if (line >= 0) return this.chooseLine(line, place);
    this.byte = place;
    this.hexWindow.redraw();
    this.tell();
  }

  onLineKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { lines } = this.content;
    let next = indexAfterKey(event.key, this.line, lines.length);
    if (event.key === "ArrowLeft" && this.line > 0) {
      next = lines.findLastIndex(({ level }, index) => index < this.line && level < lines[this.line].level);
    }
    if (next === null || next < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.chooseLine(next);
  }

  onByteKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const size = this.content.size(this.source);
    const row = this.perRow;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row, PageDown: row * 10, PageUp: -row * 10 };
    const by = step[event.key];
    if (by === undefined || size === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const before = this.byte ?? this.range?.[0] ?? 0;
    this.chooseByte(this.byte === null ? before : Math.max(0, Math.min(size - 1, before + by)));
  }

  /** A button for each signature, code and seal; the digests of one structure are one. */
  drawGuards() {
    const { protections } = this.content;
    const digests = protections.filter(({ kind }) => kind === "digest");
    const single = protections.filter(({ kind }) => kind !== "digest");
    const merged = Object.values(Object.groupBy(digests, ({ source }) => source)).map((all) => ({
      ...all[0], name: counted(all.length, "digest"), mark: [-1, -1], covered: all.flatMap(({ covered }) => covered),
      meaning: "the mobile security object has the digest of each element",
    }));
    this.guards.replaceChildren(...[...single, ...merged].map((protection) => el("button", {
      type: "button", class: `guard ${protection.kind}`, "aria-pressed": "false", title: protection.meaning,
      onclick: (event) => this.press(protection, event.currentTarget),
    }, symbol(KINDS[protection.kind]), ` ${protection.name}`)));
    this.guards.hidden = protections.length === 0;
  }

  /** Marks what a signature, code or seal covers, or nothing. */
  press(protection, button) {
    const isOn = this.protection !== protection;
    this.protection = isOn ? protection : null;
    for (const one of this.guards.children) one.setAttribute("aria-pressed", String(isOn && one === button));
    if (isOn && protection.source !== this.source) this.show(protection.source);
    this.lineWindow.redraw();
    this.hexWindow.redraw();
    if (isOn && protection.covered.length > 0) {
      const [[start]] = protection.covered;
      this.hexWindow.reveal(Math.floor(start / this.perRow));
      const line = this.content.lineAt(protection.source, start);
      if (line >= 0) this.lineWindow.reveal(line);
    }
    this.tell();
  }

  /** The bytes of the selection, and what covers them. */
  tell() {
    const parts = [];
    const { range } = this;
    const line = this.content.lines[this.line];
    if (this.protection && !line) return this.status.replaceChildren(...this.protectionWords(this.protection));
    if (!line) {
      this.status.replaceChildren(
        this.content.size(0) === 0 ? "This message has no bytes." : "Choose a field or a byte to see the other.");
      return;
    }
    if (range) {
      const length = range[1] - range[0];
      parts.push(el("strong", {}, length === 1 ? `Byte ${range[0]}` : `Bytes ${range[0]} to ${range[1] - 1}`));
      const value = this.byte === null ? null : HEX[this.content.bytes(this.source)[this.byte]];
      if (value) parts.push(` · byte ${this.byte} is 0x${value}`);
      const covering = this.content.protectionsOf(line.source, range);
      if (covering.length > 0) parts.push(` · covered by ${covering.map(({ name }) => name).join(", ")}`);
    } else {
      parts.push("This line is computed from the message.");
    }
    if (this.protection) parts.push(el("br"), ...this.protectionWords(this.protection));
    this.status.replaceChildren(...parts);
  }

  protectionWords({ name, meaning, covered, elsewhere }) {
    const bytes = covered.reduce((sum, [from, to]) => sum + to - from, 0);
    return [el("strong", {}, name), `: ${meaning}. It covers ${counted(bytes, "byte")} here${
      elsewhere ? `, and ${elsewhere}` : ""}.`];
  }
}

function makeLine() {
  const [name, rest] = ["field-name", "field-text"].map(textPart);
  return { name, rest, element: el("div", { role: "option" }, name.element, rest.element) };
}

function makeHexRow() {
  const offset = textPart("hex-offset");
  const [marks, characters] = ["hex-bytes", "hex-text"].map((name) => el("span", { class: name }));
  return { offset, marks, characters, element: el("div", { class: "hex-row" }, offset.element, marks, characters) };
}

/** The place of the byte under the pointer, in an element with several bytes. */
function placeIn(element, clientX) {
  if (!element) return null;
  const { left, width } = element.getBoundingClientRect();
  const [from, count] = [element.dataset.byte, element.dataset.count].map(Number);
  return from + Math.max(0, Math.min(count - 1, Math.floor((clientX - left) / width * count)));
}
