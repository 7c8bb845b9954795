// A list that draws only the rows in the window, so that its length costs nothing.

/** Rows that are drawn above and below the window: the compositor scrolls before the script runs. */
const OVERSCAN = 8;

/** The time without new rows after which the elements are brought into order, in milliseconds. */
const PAUSE = 200;

export class WindowList {
  /**
   * `scroller` scrolls `list`, which gets the height of all rows. Of `rows`, `form(index)` names the form of a row,
   * `make(index)` makes a row, an object with its `element`, and `fill(row, index)` shows an index in a row of its
   * form: rows that leave the window are used again. `inset` is the height of what covers the top of the scroller.
   */
  constructor({ scroller, list, rows, inset = () => 0 }) {
    Object.assign(this, { scroller, list, rows, inset });
    this.shown = new Map();
    this.spare = new Map();
    this.tops = new Float64Array(1);
    scroller.addEventListener("scroll", () => this.renderSoon(), { passive: true });
    new ResizeObserver(() => { this.measure(); this.renderSoon(); }).observe(scroller);
  }

  get count() { return this.tops.length - 1; }

  /** Stores what a frame needs of the layout, since asking for it while scrolling costs a layout. */
  measure() {
    const [list, scroller] = [this.list, this.scroller].map((one) => one.getBoundingClientRect().top);
    /** The place of the list in what the scroller scrolls. */
    this.offset = list - scroller - this.scroller.clientTop + this.scroller.scrollTop;
    this.height = this.scroller.clientHeight;
  }

  /** Shows other rows: `height(index)` in pixels. */
  reset(count, height) {
    this.tops = new Float64Array(count + 1);
    for (let index = 0; index < count; index += 1) this.tops[index + 1] = this.tops[index] + height(index);
    this.list.style.height = `${this.tops[count]}px`;
    this.measure();
    this.redraw();
  }

  /** Draws the rows in the window again. */
  redraw() {
    for (const [index, row] of this.shown) {
      if (index < this.count && row.form === this.rows.form(index)) this.place(row, index);
      else this.release(index, row);
    }
    this.render();
  }

  renderSoon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => { this.frame = 0; this.render(); });
  }

  /** The index of the row at a height. */
  indexAt(top) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] <= top) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, Math.max(0, this.count - 1));
  }

  render() {
    const top = this.scroller.scrollTop - this.offset;
    const isEmpty = this.count === 0 || this.height === 0;
    const [start, end] = isEmpty ? [0, -1] : [this.indexAt(top), this.indexAt(top + this.height)];
    // After a jump, what is in the window comes first and the rest a frame later.
    const isJump = this.shown.size > 0 && !this.shown.has(start) && !this.shown.has(end);
    const around = isJump ? 0 : OVERSCAN;
    if (isJump && !isEmpty) this.renderSoon();
    const [first, last] = isEmpty ? [0, -1] : [Math.max(0, start - around), Math.min(this.count - 1, end + around)];
    for (const [index, row] of this.shown) if (index < first || index > last) this.release(index, row);
    for (let index = first; index <= last; index += 1) if (!this.shown.has(index)) this.show(index);
    for (const rows of this.spare.values()) {
      for (const row of rows) row.element.remove();
      rows.length = Math.min(rows.length, last - first + 1);
    }
  }

  /** Keeps the row of an index for another one. */
  release(index, row) {
    this.shown.delete(index);
    const rows = this.spare.get(row.form);
    if (rows) rows.push(row);
    else this.spare.set(row.form, [row]);
  }

  show(index) {
    const form = this.rows.form(index);
    const row = this.spare.get(form)?.pop() ?? { ...this.rows.make(index), form };
    this.shown.set(index, row);
    this.place(row, index);
    if (!row.element.isConnected) this.list.append(row.element);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.order(), PAUSE);
  }

  place(row, index) {
    this.rows.fill(row, index);
    const { style } = row.element;
    style.transform = `translateY(${this.tops[index]}px)`;
    style.height = `${this.tops[index + 1] - this.tops[index]}px`;
  }

  /** Brings the elements into the order of their rows, for screen readers and for copied text. */
  order() {
    const indexes = [...this.shown.keys()].sort((one, other) => one - other);
    this.list.append(...indexes.map((index) => this.shown.get(index).element));
  }

  /** Scrolls until a row is in the window: at its nearest edge, or in the middle. */
  reveal(index, isCentered = false) {
    const { offset, height } = this;
    const [top, bottom] = [this.tops[index], this.tops[index + 1]].map((one) => one + offset);
    const start = this.scroller.scrollTop + this.inset();
    if (isCentered) this.scroller.scrollTop = (top + bottom - height) / 2;
    else if (top < start) this.scroller.scrollTop = top - this.inset();
    else if (bottom > this.scroller.scrollTop + height) this.scroller.scrollTop = bottom - height;
    this.render();
  }

  /** The element of a row; undefined outside the window. */
  element(index) { return this.shown.get(index)?.element; }
}

/** The index that a key moves to in a list, or null for another key. */
export function indexAfterKey(key, index, count, page = 10) {
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page }[key];
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return step === undefined ? null : Math.max(0, Math.min(count - 1, index + step));
}
