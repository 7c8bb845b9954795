// A terminal at a counter: its screen, what the person can do there, and what a listener between it and the phone has.

import { el, humanSize, loadStyle, picture, symbol } from "/dom.js";
import { card, factsView, pageHead } from "/page-view.js";
import { buttonNames, readAct } from "/person-act.js";
import { button } from "/phone-views.js";

const PRESS_TIME = 420;
/** The signs of the phases. */
const SIGNS = { waiting: "touch", reading: "touch", connecting: "bluetooth", connected: "bluetooth", asking: "eye" };

export class TerminalScreen {
  /** `act(action)` performs an action by hand, `openMessage(number)` shows a message; null without either. */
  constructor({ name, title, icon }, { act, openMessage = null }) {
    Object.assign(this, { name, title, icon, perform: act, openMessage });
    this.drawn = "";
    this.told = el("p", { class: "visually-hidden", role: "status" });
    this.glass = el("div", { class: "terminal-glass" });
    this.problem = el("p", { class: "phone-problem of-step", role: "alert", hidden: true });
    this.element = el("section", { class: "terminal", "aria-label": `Terminal of ${title}` },
      this.glass, this.problem, this.told);
    /** What the person does at the counter. */
    this.aside = el("div", { class: "as-person", role: "group", "aria-label": `At the terminal of ${title}` });
    this.between = el("section", { class: "between", "aria-label": "Between the phone and the terminal" });
  }

  /** Shows a moment. `phones` are those that can be held to it: `{name, title, hasCode}`. */
  show(view, phones) {
    if (!view) return;
    this.problem.hidden = true;
    const drawn = JSON.stringify([view, phones]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focused = this.holdsFocus() ? document.activeElement.dataset.act ?? "" : null;
    this.glass.replaceChildren(this.screenView(view));
    this.aside.replaceChildren(el("span", {}, "At the counter:"), ...this.holds(phones));
    this.drawBetween(view);
    const words = [view.title, view.words].join(": ");
    if (this.told.textContent !== words) this.told.textContent = words;
    if (focused !== null) this.keepFocus(focused);
  }

  holdsFocus() {
    return [this.element, this.aside, this.between].some((one) => one.contains(document.activeElement));
  }

  /** A control that did its work is gone: the screen gets the focus. */
  keepFocus(name) {
    const again = name && [...this.element.querySelectorAll("[data-act]"), ...this.aside.querySelectorAll("[data-act]")]
      .find((one) => one.dataset.act === name);
    (again || this.glass.querySelector(".page-scroll")).focus({ preventScroll: true });
  }

  screenView(view) {
    const { phase, words, reason, code, facts = [], kept = [], answers = [] } = view;
    const received = phase === "verified" && facts.length > 0 && factsView(facts, "What the terminal received");
    const keeps = kept.length > 0 && el("p", { class: "terminal-kept" }, symbol("download"),
      el("span", {}, "Keeps ", el("strong", {}, kept.join(", ")), " after the session"));
    const reasons = [reason && el("p", {}, reason), code && el("code", { class: "code" }, code)];
    const content = {
      verified: () => card("good", "check", view.title, keeps, received),
      refused: () => card("bad", "alert", view.title, ...reasons),
      ended: () => card("calm", "cross", view.title, el("p", {}, words), ...reasons),
      comparing: () => this.comparison(view, facts, answers),
    }[phase] ?? (() => el("p", { class: "terminal-state" },
      symbol(SIGNS[phase] ?? "eye"), el("span", {}, el("strong", {}, `${view.title}. `), words)));
    return el("div", { class: "page-scroll", tabindex: "0", role: "group", "aria-label": `Screen: ${this.title}` },
      el("div", { class: "page-view" }, pageHead({ title: this.title, icon: this.icon, step: "" }), content()));
  }

  /** The portrait, and the question about it. */
  comparison({ words }, facts, answers) {
    const portrait = facts.find(({ name }) => name.endsWith(" portrait"));
    return el("div", { class: "terminal-question" },
      portrait && picture("portrait.svg", "app.svg", "terminal-portrait", `Portrait: ${portrait.words}`),
      el("p", {}, el("strong", {}, words)),
      el("div", { class: "dialog-actions" }, ...answers.map(({ label, text }) => {
        const action = { ...readAct(text), text };
        return button("page-button", buttonNames(action)[0], () => this.act(action), label);
      })));
  }

  /** The ways to hold a phone to the terminal. */
  holds(phones) {
    const control = (action, label) =>
      button("quiet", buttonNames(action)[0], () => this.act(action), label);
    return phones.flatMap(({ name, title, hasCode }) => {
      const hold = { verb: "holds-to", value: this.name, result: null, frame: null, on: name };
      return [
        hasCode && control(hold, `Let it read the code of ${title}`),
        control({ ...hold, by: "nfc" }, `Tap ${title} by NFC`),
      ].filter(Boolean);
    });
  }

  drawBetween({ way, overheard = [] }) {
    const last = this.between.querySelector(".overheard");
    const wasAtEnd = !last || last.scrollHeight - last.scrollTop - last.clientHeight < 20;
    this.between.hidden = overheard.length === 0;
    const list = el("ol", { class: "overheard", tabindex: "0", "aria-label": "What a listener hears" },
      ...overheard.map((one) => el("li", {}, this.overheardView(one))));
    this.between.replaceChildren(
      el("h3", {}, way && el("span", {}, `${way} `), "What a listener hears:"), list);
    const { scrollTop } = last ?? {};
    list.scrollTop = wasAtEnd ? list.scrollHeight : scrollTop;
  }

  /** A message that a listener hears. It leads to the message, with the parties that can open it. */
  overheardView({ sender, title, size, sealed, clear, message }) {
    const parts = [
      el("strong", {}, `${sender}: ${title}`), el("small", {}, humanSize(size)),
      sealed !== undefined && el("span", { class: "is-sealed" }, symbol("lock"), ` ${humanSize(sealed)} sealed`),
      clear && el("span", { class: "is-clear" }, symbol("eye"), ` in the clear: ${clear}`),
    ];
    if (!this.openMessage) return el("div", { class: "overheard-one" }, ...parts);
    return el("button", { type: "button", class: "overheard-one", onclick: () => this.openMessage(message) }, ...parts);
  }

  async act(action) {
    this.setBusy(true);
    try {
      await this.perform(action);
    } catch (error) {
      this.problem.replaceChildren(symbol("alert"), ` ${error.message}`);
      this.problem.hidden = false;
    } finally {
      this.setBusy(false);
    }
  }

  setBusy(isBusy) {
    for (const one of [this.glass, this.aside].flatMap((part) => [...part.querySelectorAll("[data-act]")])) {
      one.setAttribute("aria-disabled", String(isBusy));
    }
  }

  async showPress(names) {
    const pressed = [this.element, this.aside].flatMap((one) => [...one.querySelectorAll("[data-act]")])
      .find((one) => names.includes(one.dataset.act));
    if (!pressed) return;
    pressed.scrollIntoView({ block: "nearest" });
    pressed.classList.add("pressed");
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      await new Promise((done) => setTimeout(done, PRESS_TIME));
    }
    pressed.classList.remove("pressed");
  }
}

/** The style is fetched with this script, for worlds with terminals. Lists scroll to their ends with it only. */
await loadStyle("/terminal.css");
