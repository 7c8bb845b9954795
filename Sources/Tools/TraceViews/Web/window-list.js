// A list that draws only the rows in the window, so that its length costs nothing.

/** Rows that are drawn above and below the window, so that a wheel's step shows no gap. */
const OVERSCAN = 12;

export class WindowList {
  /**
   * `scroller` scrolls `list`, which gets the height of all rows. `draw(index)` makes the element of a row, which is
   * placed by its style's top. `inset` is the height of what covers the top of the scroller.
   */
  constructor({ scroller, list, draw, inset = () => 0 }) {
    Object.assign(this, { scroller, list, draw, inset });
    this.shown = new Map();
    this.tops = new Float64Array(1);
    scroller.addEventListener("scroll", () => this.renderSoon(), { passive: true });
    new ResizeObserver(() => this.renderSoon()).observe(scroller);
  }

  get count() { return this.tops.length - 1; }

  /** The place of the list in what the scroller scrolls. */
  get offset() {
    const [list, scroller] = [this.list, this.scroller].map((one) => one.getBoundingClientRect().top);
    return list - scroller - this.scroller.clientTop + this.scroller.scrollTop;
  }

  /** Shows other rows: `height(index)` in pixels. */
  reset(count, height) {
    this.tops = new Float64Array(count + 1);
    for (let index = 0; index < count; index += 1) this.tops[index + 1] = this.tops[index] + height(index);
    this.list.style.height = `${this.tops[count]}px`;
    this.redraw();
  }

  /** Draws the rows in the window again. */
  redraw() {
    for (const element of this.shown.values()) element.remove();
    this.shown.clear();
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
    if (this.count === 0) return;
    const top = this.scroller.scrollTop - this.offset;
    const first = Math.max(0, this.indexAt(top) - OVERSCAN);
    const last = Math.min(this.count - 1, this.indexAt(top + this.scroller.clientHeight) + OVERSCAN);
    for (const [index, element] of this.shown) {
      if (index >= first && index <= last) continue;
      element.remove();
      this.shown.delete(index);
    }
    const added = document.createDocumentFragment();
    for (let index = first; index <= last; index += 1) {
      if (this.shown.has(index)) continue;
      const element = this.draw(index);
      element.style.top = `${this.tops[index]}px`;
      element.style.height = `${this.tops[index + 1] - this.tops[index]}px`;
      this.shown.set(index, element);
      added.append(element);
    }
    this.list.append(added);
  }

  /** Scrolls until a row is in the window: at its nearest edge, or in the middle. */
  reveal(index, isCentered = false) {
    const height = this.scroller.clientHeight;
    const { offset } = this;
    const [top, bottom] = [this.tops[index], this.tops[index + 1]].map((one) => one + offset);
    const start = this.scroller.scrollTop + this.inset();
    if (isCentered) this.scroller.scrollTop = (top + bottom - height) / 2;
    else if (top < start) this.scroller.scrollTop = top - this.inset();
    else if (bottom > this.scroller.scrollTop + height) this.scroller.scrollTop = bottom - height;
    this.render();
  }

  /** The element of a row; undefined outside the window. */
  element(index) { return this.shown.get(index); }
}

/** The index that a key moves to in a list, or null for another key. */
export function indexAfterKey(key, index, count, page = 10) {
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page }[key];
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return step === undefined ? null : Math.max(0, Math.min(count - 1, index + step));
}
