// The search: lines of the journal by check, party, data element or any text.

/** The pause after a keystroke before the search, in milliseconds: a search reads every message. */
const PAUSE = 120;

export class Search {
  /** `found(lines, isAlone)` highlights lines or hides all others, `go(line)` shows one, `left()` ends the search. */
  constructor({ kind, text, count, back, next, alone }, run, { found, go, left }) {
    Object.assign(this, { kind, text, count, alone, run, found, go });
    this.lines = [];
    this.place = -1;
    text.addEventListener("input", () => this.searchSoon());
    kind.addEventListener("change", () => this.search());
    back.addEventListener("click", () => this.step(-1));
    next.addEventListener("click", () => this.step(1));
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        if (this.timer) this.search();
        this.step(event.shiftKey ? -1 : 1);
      }
      if (event.key === "Escape") {
        event.preventDefault();
        if (!text.value) return left();
        text.value = "";
        this.search();
      }
    });
    alone.addEventListener("click", () => {
      alone.setAttribute("aria-pressed", String(!this.isAlone));
      this.show();
    });
    this.buttons = [back, next, alone];
    this.tell();
  }

  get isAlone() { return this.alone.getAttribute("aria-pressed") === "true"; }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), PAUSE);
  }

  search() {
    clearTimeout(this.timer);
    this.timer = null;
    const words = this.text.value.trim().toLowerCase();
    this.place = -1;
    const matching = words === "" ? [] : this.run.entries.filter((entry) => this.matches(entry, words));
    this.lines = matching.map(({ line }) => line);
    this.show();
    this.tell();
  }

  show() { this.found(this.lines, this.isAlone && this.lines.length > 0); }

  matches(entry, words) {
    const has = (text) => (text ?? "").toLowerCase().includes(words);
    const parties = () => [entry.by, entry.from, entry.to].some((id) => has(id) || (id && has(this.run.titleOf(id))));
    const check = () => has(entry.code) || (entry.kind === "check" && has(entry.phrase));
    const element = () => (entry.kind === "message" ? this.run.contentText(entry.content).includes(words)
      : entry.kind === "consent" && entry.evidence.some(({ found }) => has(found)));
    const rest = () => [entry.phrase, entry.title, entry.operation].some(has)
      || entry.evidence.some(({ field, expected, found }) => [field, expected, found].some(has));
    switch (this.kind.value) {
      case "check": return check();
      case "party": return parties();
      case "element": return element();
      default: return check() || parties() || rest() || element();
    }
  }

  step(by) {
    if (this.lines.length === 0) return;
    this.place = (this.place + by + this.lines.length + (this.place < 0 && by < 0 ? 1 : 0)) % this.lines.length;
    this.go(this.lines[this.place]);
    this.tell();
  }

  tell() {
    const isEmpty = this.text.value.trim() === "";
    this.count.textContent = isEmpty ? "" : this.place < 0 ? `${this.lines.length} found`
      : `${this.place + 1} of ${this.lines.length}`;
    for (const button of this.buttons) button.disabled = this.lines.length === 0;
  }
}
