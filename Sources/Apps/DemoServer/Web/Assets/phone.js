// The phone: draws the current screen of a device with apps, and turns taps into the person's actions. The stage and
// the phone's own page use it; it does not depend on them.

import { fetchScript } from "/api.js";
import { el, symbol, picture, prefersStillness } from "/dom.js";
import { appIcon, isObjection } from "/words.js";
import { readToEnd } from "/read-through.js";
import {
  asPersonView, button, homeView, selectorView, walletView, customView, promptView, outcomeView, notificationView,
  warningView, continueView,
} from "/phone-views.js";
import { codeView } from "/code-view.js";
import { speech } from "/speech.js";

/** The hint to press the side button, the scan of the face, and its result, in milliseconds. */
const FACE_ID_TIMES = [420, 620, 420];
const PRESS_TIME = 420;
const OUTCOME_TIME = 4200;
const LEAVING_TIME = 260;
const PUSH_TIME = 300;

const pause = (time) => new Promise((done) => setTimeout(done, prefersStillness() ? 0 : time));

/**
 * `act(action)` performs `{verb, value, result}` and throws an error with a message. `released()` is called when the
 * phone does not need the focus any more. `drawPage(screen)` returns the website or the app below the sheets, or null.
 */
export class Phone {
  constructor(owner, {
    act, released = () => {}, drawPage = () => null, places = [], showsOutcomes = true, kind = "iphone",
    takeOver = null, presents = false, language = "en", words = {},
  }) {
    this.say = speech({ language, words });
    this.owner = owner;
    /** True if the person can show a code to terminals. */
    this.presents = presents;
    this.isTablet = kind === "ipad";
    this.perform = act;
    /** Takes the run over, so that more can be done by hand; null without such a run. */
    this.takeOver = takeOver;
    /** True while the person looks at the home screen in place of the page. */
    this.isHome = false;
    /** The open place: `{place, app}`, or null. */
    this.place = null;
    this.released = released;
    this.drawPage = drawPage;
    /** Websites and apps that can be opened from the home screen: `{title, icon, verb, value}`. */
    this.places = places;
    this.showsOutcomes = showsOutcomes;
    this.apps = new Set();
    this.screen = null;
    /** What the person can do by hand; null while the run is not taken over. */
    this.hand = null;
    this.device = "";
    /** The current question of the sheet as JSON, or null. */
    this.asked = null;
    this.drawn = null;
    /** The number of actions in progress, and whether the same question was asked again in the meantime. */
    this.acting = 0;
    this.wasAskedAgain = false;
    this.outcome = null;
    this.lastAct = null;
    this.isLooking = false;
    this.takesFocus = true;
    this.clock = el("span", { class: "phone-time" }, "");
    this.flight = el("span", { class: "visually-hidden", role: "status" });
    this.home = el("div", { class: "phone-home" });
    this.room = el("div", { class: "phone-room", hidden: true });
    this.page = el("div", { class: "phone-page-box", hidden: true });
    this.told = el("p", { class: "phone-told", role: "status", hidden: true });
    this.layer = el("div", { class: "phone-layer" });
    /** What the person can do that is not on the screen. */
    this.aside = el("div", { class: "as-person", role: "group", "aria-label": "As the person", hidden: true });
    this.speech = el("p", { class: "visually-hidden", role: "status" });
    this.element = el("section", { class: this.isTablet ? "phone tablet" : "phone" },
      el("div", { class: "phone-glass" },
        el("div", { class: "phone-bar", "aria-hidden": "true" }, this.clock, el("span", { class: "phone-island" }),
          el("span", { class: "phone-signs" },
            ...["signal", "wifi", "battery"].map((sign) => el("span", { class: `phone-${sign}` })))),
        this.flight,
        this.home, this.page, this.room, this.told, this.layer,
        el("span", { class: "phone-handle", "aria-hidden": "true" }),
        this.speech));
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.speak(language, words);
    this.drawHome();
  }

  /** Sets the language of the device. What a website shows, and what the simulator says, is in English. */
  speak(language, words) {
    this.say = speech({ language, words });
    this.element.setAttribute("aria-label", this.say(this.owner));
    if (language === "en") return;
    this.element.lang = language;
    this.page.lang = "en";
  }

  /** Reads from the journal which apps are installed and how the last request ended. */
  note(entries) {
    const before = this.apps.size;
    for (const entry of entries) {
      for (const id of [entry.from, entry.to, entry.by]) {
        const app = /^app:([^/]*)\/(.+)$/.exec(id ?? "");
        if (app && (!this.device || this.device === app[1])) this.apps.add(app[2]);
      }
      this.noteOutcome(entry);
    }
    if (this.apps.size !== before) this.drawHome();
  }

  noteOutcome(entry) {
    if (!this.showsOutcomes) return;
    if (entry.operation === "navigator.credentials.get") this.outcome = null;
    if (entry.code === "provider.answered") this.outcome = { kind: "sent" };
    const isOfPhone = /^(os|app|sandbox):/.test(entry.by ?? "");
    if (isOfPhone && isObjection(entry)) this.outcome = { kind: "failed", code: entry.code, message: entry.phrase };
    if (entry.kind === "exception" && !this.outcome) this.outcome = { kind: "stopped" };
  }

  show(screen) {
    const isFirst = this.screen === null;
    const wasAsking = this.isAsking;
    const wasHome = this.home.contains(document.activeElement);
    this.screen = screen;
    this.clock.textContent = clockText(screen.now);
    const isInFlight = screen.isInFlightMode === true;
    this.element.classList.toggle("in-flight", isInFlight);
    this.flight.textContent = isInFlight ? this.say("Flight mode") : "";
    this.drawBelow();
    this.drawAside();
    // What was opened from the home screen gets the focus of its icon.
    if (wasHome && !this.page.hidden) this.page.querySelector(".page-scroll")?.focus();
    if (this.isAsking) return this.ask(screen);
    const hasOutcome = this.showsOutcomes && (wasAsking || (this.outcome?.kind === "failed" && !isFirst));
    if (hasOutcome) return this.presentOutcome();
    this.outcome = null;
    const hadFocus = wasAsking && this.element.contains(document.activeElement);
    if (!this.clearing) this.clear();
    if (hadFocus) this.released();
  }

  get isAsking() {
    return this.asking.some((view) => Boolean(view));
  }

  /** What asks for the person: the sheets, and the device's own QR code. */
  get asking() {
    const { prompt, authorization, selector, notification, warning, ownCode, continue: leading } = this.screen ?? {};
    return [prompt, authorization, selector, notification, warning, ownCode, leading];
  }

  drawAside() {
    const { authorization, page } = this.screen;
    const buttons = authorization ? asPersonView(authorization, (name, result) => this.press(name, result)) : [];
    if (this.hand && page && !this.isAsking && !this.place) {
      buttons.push(button("quiet", this.isHome ? "hand:page" : "hand:home", () => this.goHome(!this.isHome),
        this.isHome ? "Back to the page" : "Home screen"));
    }
    const drawn = buttons.map((one) => one.dataset.act).join();
    if (drawn === this.aside.dataset.drawn) return;
    this.aside.dataset.drawn = drawn;
    this.aside.hidden = buttons.length === 0;
    this.aside.replaceChildren(buttons.length > 0 ? el("span", {}, "As the person:") : "", ...buttons);
  }

  /** The website, the app or the home screen, below the sheets. */
  drawBelow() {
    const page = this.isHome ? null : this.drawPage(this.screen);
    this.element.classList.toggle("on-page", page !== null);
    this.page.hidden = page === null;
    this.home.hidden = page !== null;
    // The system's words about a selector or a view that it closed.
    this.told.hidden = !this.screen.notice || this.isAsking;
    this.told.textContent = this.screen.notice ? this.say.sentence(this.screen.notice) : "";
    if (page && page !== this.page.firstChild) this.page.replaceChildren(page);
    this.drawHome();
    this.views?.drawRoom(this);
  }

  setHand(hand) {
    this.hand = hand;
    if (!this.screen) return;
    this.drawBelow();
    this.drawAside();
  }

  /** Opens Settings, the app store, or a document app, in a run that is taken over. */
  async open(place) {
    try {
      if (!this.hand) await this.takeOver();
      this.views ??= await fetchScript("/hand.js");
      this.views.openRoom(this, place);
    } catch (error) {
      this.complain(error);
    }
  }

  /** Shows the home screen, or the page again. */
  goHome(isHome = true) {
    const hadFocus = this.room.contains(document.activeElement);
    [this.place, this.isHome] = [null, isHome];
    this.drawBelow();
    this.drawAside();
    if (hadFocus) this.home.querySelector("button")?.focus();
  }

  /**
   * Draws the sheet only if it changed: drawing it again would lose unfolded parts, the focus and a gesture in
   * progress.
   */
  ask(screen) {
    const asked = JSON.stringify(this.asking);
    if (asked !== this.asked) {
      const request = requestOf(screen);
      const wasRead = request !== null && request === this.request && !this.layer.querySelector("[data-unread]");
      this.present(this.viewFor(screen));
      this.asked = asked;
      this.request = request;
      // After a failed attempt the sheet says so; it was read before.
      if (wasRead) readToEnd(this.layer);
    } else if (this.acting > 0) {
      this.wasAskedAgain = true;
    } else if (!this.isLooking) {
      this.setBusy(false);
    }
  }

  viewFor({ prompt, authorization, selector, asker, notification, warning, ownCode, continue: leading, titles }) {
    const { say } = this;
    if (prompt) return promptView(prompt, (name) => this.act(promptAct(prompt, name)), say);
    if (authorization) {
      const view = authorization.style === "wallet" ? walletView : customView;
      return view(authorization, {
        press: (name, result) => this.press(name, result),
        choose: (value) => this.act({ verb: "chooses", value }),
      }, say);
    }
    if (selector) {
      return selectorView(selector, {
        pick: (app) => this.act({ verb: "picks", value: app }),
        another: () => this.act({ verb: "continues-on", value: "another-device" }),
        cancel: () => this.act({ verb: "cancels", value: "selector" }, "no"),
      }, asker, say);
    }
    if (notification) {
      const answer = (verb) => this.act({ verb, value: this.device });
      return notificationView({ ...notification, titles }, this.device, answer, say);
    }
    if (warning) return warningView(warning, "sheet", (value) => this.answerWarning(value), say);
    if (ownCode) return codeView(ownCode, () => this.act({ verb: "closes", value: "qr-code" }, "no"), "h2", say);
    const press = (verb) => this.act({ verb, value: this.device });
    return continueView({ ...leading, titles }, this.device, press, "h2", say);
  }

  answerWarning(value) {
    return this.act({ verb: "answers-warning", value }, value === "cancel" ? "no" : null);
  }

  /** Presses a button of a consent view: an authorization, after its gesture, or a plain tap. */
  async press(name, result = null) {
    const agrees = this.screen?.authorization?.agreeing.includes(name);
    if (!isGesture(name)) return this.act({ verb: "taps", value: name }, agrees ? "yes" : "no");
    const { asked } = this;
    this.setBusy(true);
    await this.look(name, result);
    // The gesture is not requested any more.
    if (asked !== this.asked) return;
    await this.act({ verb: "authorizes-with", value: name, result }, result ? null : "yes");
  }

  /** The moment in which the phone looks at the person: a press of the side button, a scan, and its result. */
  async look(name, result) {
    const [hint, scan, end] = FACE_ID_TIMES;
    const isFace = name === "face-id";
    this.isLooking = true;
    if (isFace) {
      const words = el("p", { class: "side-hint", "aria-hidden": "true" }, this.say("Double-click"));
      this.element.classList.add("side-pressed");
      // Beside the button, in front of the status bar.
      this.layer.after(words);
      await pause(hint);
      this.element.classList.remove("side-pressed");
      words.remove();
    }
    const label = el("span", {}, this.say({ "face-id": "Face ID", "touch-id": "Touch ID" }[name] ?? "Passcode"));
    const moment = el("div", { class: "look", "aria-hidden": "true" },
      el("span", { class: "look-glyph" }, symbol(isFace ? "face" : "lock")), label);
    this.layer.append(moment);
    this.announce(this.say(isFace ? "Looking for your face." : name === "passcode"
      ? "Enter the passcode to hand over your ID." : "Touch the sensor to hand over your ID."));
    await pause(scan);
    moment.firstChild.replaceChildren(symbol(result ? "cross" : "check"));
    moment.classList.add("over", ...(result ? ["fails"] : []));
    label.textContent = this.say(result ? "Not recognized" : "Done");
    await pause(end);
    moment.remove();
    this.announce("");
    this.isLooking = false;
  }

  async act(action, meaning = null) {
    this.lastAct = meaning;
    if (["visits", "opens", "opens-tab", "scans"].includes(action.verb)) [this.isHome, this.place] = [false, null];
    this.setBusy(true);
    this.acting += 1;
    this.wasAskedAgain = false;
    this.layer.querySelector(".phone-problem.of-step")?.remove();
    try {
      await this.perform({ ...action, on: this.device });
      // The action had no effect, so the sheet stays.
      if (this.wasAskedAgain) this.setBusy(false);
    } catch (error) {
      this.setBusy(false);
      this.complain(error);
    } finally {
      this.acting -= 1;
    }
  }

  /** Shows, without doing anything, that the person presses the button of an action. */
  async showPress(names, { result = null, value } = {}) {
    const pressed = [this.element, this.aside].flatMap((one) => [...one.querySelectorAll("[data-act]")])
      .find((one) => names.includes(one.dataset.act));
    if (!pressed) return;
    readToEnd(this.layer);
    pressed.scrollIntoView({ block: "nearest" });
    pressed.classList.add("pressed");
    await pause(PRESS_TIME);
    if (isGesture(value)) await this.look(value, result);
    pressed.classList.remove("pressed");
  }

  /** The function of Escape, also for a page below the phone. */
  cancel() {
    const { selector, authorization, prompt, notification, warning, ownCode, continue: leading } = this.screen ?? {};
    if (prompt) return this.act(promptAct(prompt, prompt.buttons[0]), "no");
    if (authorization) {
      return this.press(authorization.buttons.find((name) => !authorization.agreeing.includes(name)) ?? "Cancel");
    }
    if (selector) return this.act({ verb: "cancels", value: "selector" }, "no");
    if (notification) return this.act({ verb: "declines-notification-on", value: this.device });
    if (warning) return this.answerWarning("cancel");
    if (ownCode) return this.act({ verb: "closes", value: "qr-code" }, "no");
    if (leading) this.act({ verb: "cancels-on", value: this.device }, "no");
  }

  onKey(event) {
    if (event.key !== "Escape" || !this.isAsking) return;
    event.stopPropagation();
    this.cancel();
  }

  present(view) {
    clearTimeout(this.clearing);
    this.clearing = null;
    this.asked = null;
    this.element.classList.add("asking");
    this.layer.classList.remove("busy", "leaving");
    this.layer.inert = false;
    const before = this.layer.querySelector(".sheet");
    const height = before?.offsetHeight;
    this.layer.replaceChildren(view);
    if (before && view.classList.contains("sheet")) pushFrom(view, height);
    this.setInert(true);
    const heading = view.querySelector("h2");
    if (this.takesFocus && this.mayTakeFocus()) heading.focus({ preventScroll: true });
    this.announce(heading.textContent);
  }

  presentOutcome() {
    const isDeclined = this.lastAct === "no" && this.outcome?.kind !== "failed";
    const outcome = isDeclined ? { kind: "declined" } : this.outcome ?? { kind: "stopped" };
    const hadFocus = this.element.contains(document.activeElement);
    this.present(outcomeView(outcome, this.say));
    this.lastAct = null;
    this.outcome = null;
    if (hadFocus) this.released();
    if (outcome.kind !== "failed") this.clearing = setTimeout(() => this.clear(), OUTCOME_TIME);
  }

  /** Takes the sheet away: it slides down first. */
  clear() {
    clearTimeout(this.clearing);
    this.clearing = null;
    this.asked = null;
    this.setInert(false);
    if (this.layer.childElementCount === 0 || this.layer.classList.contains("leaving")) return;
    this.layer.classList.add("leaving");
    this.layer.inert = true;
    const gone = () => {
      if (!this.layer.classList.contains("leaving")) return;
      this.layer.classList.remove("leaving");
      this.element.classList.remove("asking");
      this.layer.replaceChildren();
      this.layer.inert = false;
    };
    if (prefersStillness() || document.hidden) gone();
    else setTimeout(gone, LEAVING_TIME);
  }

  /** Gives what lay below a sheet the focus that the sheet had. */
  focusBelow() {
    const below = !this.room.hidden ? this.room.querySelector("h2")
      : this.page.hidden ? this.home.querySelector("button") : this.page.querySelector(".page-scroll");
    below?.focus({ preventScroll: true });
  }

  /** What lies below a sheet cannot be used. */
  setInert(isInert) { for (const one of [this.page, this.home, this.room]) one.inert = isInert; }

  /**
   * A sheet takes the focus as the system's sheet would, but not away from something else that the person is reading.
   * Who holds the phone to a terminal looks at the phone next.
   */
  mayTakeFocus() {
    const active = document.activeElement;
    return !active || active === document.body || active.tagName === "IFRAME" || this.element.contains(active)
      || active.closest(".counter .as-person") !== null;
  }

  setBusy(isBusy) {
    for (const one of [this.layer, this.aside].flatMap((part) => [...part.querySelectorAll("[data-act]")])) {
      one.setAttribute("aria-disabled", String(isBusy || one.dataset.unread !== undefined));
    }
    this.layer.classList.toggle("busy", isBusy);
  }

  complain(error) {
    this.element.querySelector(".phone-problem.of-step")?.remove();
    const problem = el("p", { class: "phone-problem of-step", role: "alert", lang: "en" },
      symbol("alert"), ` ${error.message}`);
    const below = !this.room.hidden ? this.room.firstChild : this.page.hidden ? this.home : this.page;
    const place = this.layer.querySelector(".sheet-body, .prompt, .notification") ?? below;
    place.prepend(problem);
  }

  announce(text) { this.speech.textContent = text; }

  /** The home screen is drawn where it is seen: its date alone takes longer than a page. */
  drawHome() {
    if (this.home.hidden) return;
    const { code, now } = this.screen ?? {};
    const apps = this.hand?.apps.map(({ name }) => name) ?? [...this.apps];
    const drawn = JSON.stringify([this.say.language, now, apps, this.places, code?.svg, code?.device]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const opened = this.places.map(({ title, icon, verb, value }) => el("li", {},
      button("home-place", `${verb}:${value}`, () => this.act({ verb, value }),
        picture(icon, verb === "opens" ? "app.svg" : "website.svg", "app-icon"), el("span", {}, title))));
    const names = new Set(this.places.map(({ title }) => title));
    const icons = [...apps].sort().filter((app) => !names.has(app)).map((app) => (this.takeOver
      ? this.roomIcon(app, appIcon(app), { place: "app", app })
      : el("li", {}, picture(appIcon(app), "app.svg", "app-icon"), el("span", {}, app))));
    if (this.takeOver) {
      icons.push(this.roomIcon("Settings", "settings.svg", { place: "settings" }),
        this.roomIcon("App Store", "store.svg", { place: "store" }));
    }
    const scan = code?.svg ? () => this.act({ verb: "scans", value: code.device }) : null;
    const present = this.presents ? () => this.act({ verb: "shows", value: "code" }) : null;
    const note = this.places.length > 0 ? "" : undefined;
    const focused = this.home.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    this.home.replaceChildren(...homeView(now, [...opened, ...icons], {
      scan, present, note, code: code?.device, device: this.isTablet ? "iPad" : "phone", say: this.say,
    }));
    // A world that begins, and time that passes, draw the icons again.
    if (focused) this.home.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus();
  }

  roomIcon(title, icon, place) {
    return el("li", {}, button("home-place", `hand:${title}`, () => this.open(place),
      picture(icon, "app.svg", "app-icon"), el("span", {}, this.say(title))));
  }
}

/** What an app's view is about, without what happened in it; null without a view. */
function requestOf({ authorization }) {
  if (!authorization) return null;
  const { app, origin, requester, elements } = authorization;
  return JSON.stringify([app, origin, requester, elements]);
}

/** A sheet after another one: it takes the place of the first, which grows or shrinks, and its content moves in. */
function pushFrom(view, height) {
  view.classList.add("pushed");
  if (prefersStillness()) return;
  const easing = "cubic-bezier(.2, .8, .3, 1)";
  view.animate([{ height: `${height}px` }, { height: `${view.offsetHeight}px` }], { duration: PUSH_TIME, easing });
}

const isGesture = (name) => ["face-id", "touch-id", "passcode"].includes(name);

const promptAct = ({ app }, name) => ({ verb: name === "Allow" ? "allows" : "does-not-allow", value: app });

/** The world's time as the phone shows it, in UTC. */
function clockText(now) {
  return now ? now.slice(11, 16) : "";
}
