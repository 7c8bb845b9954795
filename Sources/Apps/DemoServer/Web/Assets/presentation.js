// The stage for an audience: large, without menus, driven by a clicker, with notes below the wire or in a window of
// their own. The address keeps the mode. It is loaded when it is first needed.

import { el, symbol } from "/dom.js";
import { isBlankKey, isForPage } from "/clicker.js";
import { countsOf, notesView, pointsOf } from "/notes.js";
import { openNotes } from "/presenter.js";

/** The window for which the sizes of presentation.css are made. Larger ones show everything larger. */
const DESIGN = { width: 1280, height: 720 };
/** In a narrower window the parts are below each other, in their usual size. */
const NARROW = 900;
const SMALLEST = .8;

const page = document.documentElement;

export class Presentation {
  /** `moves` has the functions `next`, `back`, `start`, `end` and `toggle`; `name` is that of the stage. */
  constructor(moves, name) {
    this.moves = moves;
    this.name = name;
    this.moment = null;
    this.notes = el("div", {
      class: "notes", id: "notes", role: "region", "aria-label": "Notes", "aria-live": "polite", tabindex: "0",
      hidden: true,
    });
    this.fold = el("button", {
      type: "button", class: "quiet", id: "fold-notes", "aria-expanded": "false", "aria-controls": "notes",
      title: "n", onclick: () => this.showNotes(this.notes.hidden),
    }, "Notes");
    const leave = el("button", {
      type: "button", class: "icon-button", id: "stop-presenting", "aria-label": "Stop presenting", title: "Esc",
      onclick: () => this.leave(),
    }, symbol("cross"));
    const apart = el("button", {
      type: "button", class: "icon-button", "aria-label": "Notes in a window", title: "Notes in a window",
      onclick: () => openNotes(this.name),
    }, symbol("page"));
    this.tools = el("div", { class: "presenter-tools" }, this.fold, apart, leave);
    const bar = document.getElementById("bar");
    bar.querySelector(".bar-top").append(this.tools);
    bar.append(this.notes);
    this.black = el("dialog", { class: "blank", "aria-label": "The screen is black", onclick: () => this.blank(false) },
      el("p", { class: "visually-hidden" }, "Press a key to show the stage."));
    // A key that ends the blackness does nothing else.
    this.black.addEventListener("keydown", (event) => { event.preventDefault(); this.blank(false); });
    this.black.addEventListener("close", () => this.tell());
    document.body.append(this.black);
    this.channel = new BroadcastChannel(`presentment notes ${name}`);
    this.channel.addEventListener("message", ({ data }) => this.receive(data));
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("resize", () => this.scale());
  }

  /** Takes the moment that the bar shows, with the lines of its last step. */
  show({ position, conclusion, outcome, live, steps, because, title, lines, titleOf }) {
    this.moment = {
      title, because, position, conclusion, outcome, isLive: Boolean(live),
      steps: steps.map(({ words, because: reason, failure }) => ({ words, because: reason, failure })),
      points: pointsOf(lines, titleOf), counts: countsOf(lines),
    };
    this.notes.replaceChildren(...notesView(this.moment));
    this.tell();
  }

  get isPresenting() { return page.classList.contains("presenting"); }

  begin() {
    this.turn(true);
    // Without a focus of its own, each key belongs to the page.
    document.activeElement?.blur();
  }

  leave() {
    this.turn(false);
    document.querySelector("#view summary").focus();
  }

  turn(isOn) {
    page.classList.toggle("presenting", isOn);
    this.scale();
    const address = new URL(location.href);
    const rest = address.search.slice(1).split("&").filter((one) => one && !/^present(=|$)/.test(one));
    address.search = [...rest, ...(isOn ? ["present"] : [])].join("&");
    history.replaceState(history.state, "", address);
  }

  /** Fits the presentation to the window. */
  scale() {
    const fit = Math.min(innerWidth / DESIGN.width, innerHeight / DESIGN.height);
    page.style.setProperty("--scale", innerWidth < NARROW ? 1 : Math.max(SMALLEST, fit).toFixed(3));
  }

  showNotes(isShown) {
    this.notes.hidden = !isShown;
    this.fold.setAttribute("aria-expanded", String(isShown));
  }

  blank(isBlack) {
    if (isBlack && !this.black.open) this.black.showModal();
    else if (!isBlack) this.black.close();
    this.tell();
  }

  /** Tells the window of notes what is on the stage. */
  tell() {
    if (this.moment) this.channel.postMessage({ ...this.moment, isBlack: this.black.open });
  }

  receive({ ask, move, blank }) {
    if (ask) this.tell();
    else if (blank) this.blank(!this.black.open);
    else if (this.black.open) this.blank(false);
    else this.moves[move]?.();
  }

  onKey(event) {
    if (!this.isPresenting || !isForPage(event)) return;
    const does = isBlankKey(event) ? () => this.blank(true)
      : { f: () => this.leave(), n: () => this.showNotes(this.notes.hidden), Escape: () => this.escape() }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  /** Escape closes what is open over the stage before it ends the presentation. */
  escape() {
    if (!document.querySelector(":popover-open, dialog[open]")) this.leave();
  }
}
