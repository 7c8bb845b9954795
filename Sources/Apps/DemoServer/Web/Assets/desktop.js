// A desktop or a Mac: a browser's window with the page, and what the browser or the system shows over it.

import { el, loadStyle, symbol, prefersStillness } from "/dom.js";
import { codeView } from "/code-view.js";
import { continueView, customView, promptView, selectorView, walletView, warningView } from "/phone-views.js";
import { speech } from "/speech.js";
import { shortOrigin } from "/words.js";

export class Desktop {
  /** As a `Phone`. */
  constructor(owner, { act, drawPage, places, language = "en", words = {} }) {
    this.say = speech({ language, words });
    this.perform = act;
    this.drawPage = drawPage;
    this.places = places;
    this.device = "";
    this.address = el("span", {}, "");
    this.content = el("div", { class: "window-content" });
    this.layer = el("div", { class: "code-layer", hidden: true });
    this.problem = el("p", { class: "phone-problem of-step", role: "alert", lang: "en", hidden: true });
    this.element = el("section", { class: "desktop", "aria-label": owner },
      el("div", { class: "window-bar" },
        el("span", { class: "window-dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")),
        el("span", { class: "window-ways", "aria-hidden": "true" }, symbol("back"), symbol("next")),
        el("span", { class: "window-address" }, symbol("lock"), this.address),
        el("span", { class: "window-owner", "aria-hidden": "true" }, owner)),
      this.content, this.problem, this.layer);
    if (language !== "en") [this.element.lang, this.content.lang] = [language, "en"];
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.screen?.warning) return;
      event.stopPropagation();
      this.act({ verb: "answers-warning", value: "cancel" });
    });
  }

  note() {}

  setHand() {}

  get isAsking() { return this.asking(this.screen ?? {}).some((view) => Boolean(view)); }

  asking({ warning, prompt, authorization, selector, code, continue: sheet }) {
    return [warning, prompt, authorization, selector, code, sheet];
  }

  show(screen) {
    this.screen = screen;
    this.problem.hidden = true;
    this.address.textContent = screen.origin ? shortOrigin(screen.origin) : screen.app ?? this.say("New tab");
    const page = this.drawPage(screen) ?? this.startPage();
    const wasStart = this.start?.contains(document.activeElement) && page !== this.start;
    if (page !== this.content.firstChild) this.content.replaceChildren(page);
    // What was opened from the start page gets the focus of its button.
    if (wasStart) page.querySelector(".page-scroll")?.focus();
    this.showLayer(screen);
  }

  startPage() {
    const drawn = this.places.map(({ title, verb, value }) => el("li", {}, el("button", {
      type: "button", class: "page-button", "data-act": `${verb}:${value}`,
      onclick: () => this.act({ verb, value }),
    }, title)));
    this.start ??= el("ul", { class: "start-page", "aria-label": this.say("Websites") }, ...drawn);
    return this.start;
  }

  /** Draws the browser's warning, the QR code or the system's sheet, only if it changed. */
  showLayer(screen) {
    const { warning, code, continue: sheet, titles } = screen;
    const drawn = JSON.stringify(this.asking(screen));
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const press = (verb) => this.act({ verb, value: this.device });
    const { say } = this;
    const warned = () => warningView(warning, "dialog", (value) => this.act({ verb: "answers-warning", value }), say);
    const view = warning ? warned() : this.systemView(screen)
      ?? (code ? codeView(code, () => this.act({ verb: "closes", value: "qr-code" }), "h3", say)
        : sheet ? continueView({ ...sheet, titles }, this.device, press, "h3", say) : null);
    const hadFocus = this.element.contains(document.activeElement);
    this.layer.hidden = !view;
    this.content.inert = view !== null;
    this.layer.replaceChildren(...(view ? [view] : []));
    const focused = view?.querySelector("[data-act]") ?? this.content.querySelector(".page-scroll, button");
    if (hadFocus) focused?.focus({ preventScroll: true });
  }

  /** The sheets of a Mac whose own apps answer. */
  systemView({ prompt, authorization, selector, asker }) {
    if (prompt) {
      const answer = (name) => this.act({ verb: name === "Allow" ? "allows" : "does-not-allow", value: prompt.app });
      return promptView(prompt, answer, this.say);
    }
    if (authorization) {
      const view = authorization.style === "wallet" ? walletView : customView;
      const isGesture = (name) => ["face-id", "touch-id", "passcode"].includes(name);
      return view(authorization, {
        press: (name) => this.act({ verb: isGesture(name) ? "authorizes-with" : "taps", value: name }),
        choose: (value) => this.act({ verb: "chooses", value }),
      }, this.say);
    }
    return selector ? selectorView(selector, {
      pick: (app) => this.act({ verb: "picks", value: app }),
      another: () => this.act({ verb: "continues-on", value: "another-device" }),
      cancel: () => this.act({ verb: "cancels", value: "selector" }),
    }, asker, this.say) : null;
  }

  async act(action) {
    try {
      await this.perform({ ...action, on: this.device });
    } catch (error) {
      this.complain(error);
    }
  }

  complain({ message }) {
    this.problem.textContent = message;
    this.problem.hidden = false;
  }

  async showPress(names) {
    const pressed = [...this.element.querySelectorAll("[data-act]")].find((one) => names.includes(one.dataset.act));
    if (!pressed) return;
    pressed.scrollIntoView({ block: "nearest" });
    pressed.classList.add("pressed");
    if (!prefersStillness()) await new Promise((done) => setTimeout(done, 420));
    pressed.classList.remove("pressed");
  }
}

/** The style is fetched with this script, for worlds with desktops. */
await loadStyle("/desktop.css");
