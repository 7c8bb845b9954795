// The columns of a message view: their heads, and the places of a row's parts in them.

import { el, symbol } from "/dom.js";
import { explained } from "/explain.js";
import { titled } from "/lane-titles.js";

const SEAL_PARTS = {
  sealed: { drawing: "lock", words: "sealed the answer" },
  carried: { drawing: "lock", words: "carries the answer sealed" },
  opens: { drawing: "key", words: "can open the answer" },
};

/** The roles of the parties that seal answers, each its own: identifiers begin with them. */
const SEALERS = new Set(["app", "own-wallet"]);

/** With more columns than this, the heads are smaller. */
const CROWDED = 9;

export class Lanes {
  /** `surface` contains the heads and the rows. */
  constructor(surface) {
    this.surface = surface;
    this.heads = el("ol", { class: "lane-heads", "aria-label": "Actors" });
    this.width = 0;
    new ResizeObserver(() => { if (this.heads.clientWidth !== this.width) this.fit(); }).observe(this.heads);
    this.begin([]);
  }

  /** Clears the columns for other actors. */
  begin(actors) {
    this.actors = actors;
    this.roles = new Map();
    this.ids = [];
  }

  actor(id) {
    return this.actors.find((actor) => actor.id === id) ?? { id, role: "app", title: id.replace(/^[^:]*:/, "") };
  }

  /** Shows columns for these actors, in the order of all actors. True if they are others than before. */
  show(named) {
    const isStranger = (id) => !this.actors.some((actor) => actor.id === id);
    const ids = [
      ...this.actors.map(({ id }) => id).filter((id) => named.has(id)), ...[...named].filter(isStranger),
    ];
    if (ids.join() === this.ids.join()) return false;
    this.ids = ids;
    this.surface.style.setProperty("--lanes", ids.length);
    this.drawHeads();
    this.fit();
    return true;
  }

  /**
   * No name breaks inside of a word: if there are many columns or a word is wider than its own, names are upright, and
   * if their lines do not fit either, they are short.
   */
  fit() {
    const { classList } = this.surface;
    const isTooWide = (head) =>
      head.querySelector(".lane-name").getBoundingClientRect().width > head.clientWidth;
    this.width = this.heads.clientWidth;
    classList.remove("packed");
    classList.toggle("crowded", this.ids.length > CROWDED);
    for (const name of ["crowded", "packed"]) {
      if (!classList.contains(name) && [...this.heads.children].some(isTooWide)) classList.add(name);
    }
  }

  drawHeads() {
    this.heads.replaceChildren(...titled(this.ids.map((id) => this.actor(id))).map((actor) => {
      const part = SEAL_PARTS[this.roles.get(actor.id)];
      const short = actor.shortTitle ?? actor.title;
      const name = el("span", { class: "lane-name", "data-short": short, "data-brief": short.replace(/,.*/, "") },
        // Identifiers have hyphens; a line ends after none of them.
        el("span", {}, actor.title.replaceAll("-", "\u2011")));
      const head = explained(`party-${actor.role}`, "lane-head", symbol(actor.role), name);
      head.dataset.party = actor.id;
      if (actor.note) head.dataset.note = actor.note;
      return el("li", { title: [actor.id, actor.note].filter(Boolean).join(". ") }, head,
        part && el("span", { class: "lane-part", title: part.words },
          symbol(part.drawing), el("span", { class: "visually-hidden" }, `: ${part.words}`)));
    }));
  }

  /** Stores for each column the actor's part in the sealed answer. The seal of a channel around it is another one. */
  noteSeal({ from, to, readers }) {
    if (readers?.seal !== "answer") return;
    const before = [...this.roles].join();
    if (this.roles.size === 0 || SEALERS.has(from.replace(/:.*/, ""))) this.roles.set(from, "sealed");
    if (readers.sealedFor) this.roles.set(readers.sealedFor, "opens");
    for (const id of [from, to]) if (!this.roles.has(id)) this.roles.set(id, "carried");
    if ([...this.roles].join() !== before) this.drawHeads();
  }

  /**
   * Places the parts of a row's element in the columns of its actors, given by name. The places are percentages: a
   * calculation with a column's number would be parsed again for each part of each row.
   */
  place(element, at) {
    const middleOf = (index) => `${((index + .5) * 100 / this.ids.length).toFixed(3)}%`;
    const indexes = [];
    for (const [name, id] of Object.entries(at)) {
      const index = this.ids.indexOf(id);
      element.style.setProperty(`--${name}`, middleOf(Math.max(0, index)));
      // The party that can open a sealed message has a key in its column, but the arrow does not end there.
      if (name !== "key" && index >= 0) indexes.push(index);
    }
    const [low, high] = [Math.min(...indexes), Math.max(...indexes)];
    element.style.setProperty("--low", middleOf(low));
    element.style.setProperty("--high", middleOf(high));
    element.classList.toggle("rightward", at.from !== undefined && this.ids.indexOf(at.from) < this.ids.indexOf(at.to));
    element.classList.toggle("from-right", (low + high) / 2 > (this.ids.length - 1) / 2);
  }
}
