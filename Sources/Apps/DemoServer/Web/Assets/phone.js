// The phone: draws the current screen of the world's phone and turns taps into steps. The stage and the phone's own
// page use it; it does not depend on them.

import { el, symbol, picture, prefersStillness } from "/dom.js";
import { appIcon, isObjection } from "/words.js";
import { homeView, selectorView, walletView, customView, promptView, outcomeView } from "/phone-views.js";

const FACE_ID_TIME = 900;
const OUTCOME_TIME = 4200;

/**
 * `takeStep(step)` performs a step and throws an error with a message. `released()` is called when the phone does not
 * need the focus any more, so that it can return to the page.
 */
export class Phone {
  constructor(owner, { takeStep, released = () => {} }) {
    this.takeStep = takeStep;
    this.released = released;
    this.apps = new Set();
    this.screen = null;
    /** The current question of the sheet as JSON, or null. */
    this.asked = null;
    /** The number of steps in progress, and whether the same question was asked again in the meantime. */
    this.acting = 0;
    this.wasAskedAgain = false;
    this.outcome = null;
    this.lastAct = null;
    this.isLooking = false;
    this.clock = el("span", { class: "phone-time" }, "");
    this.home = el("div", { class: "phone-home" });
    this.layer = el("div", { class: "phone-layer" });
    this.speech = el("p", { class: "visually-hidden", role: "status" });
    this.element = el("section", { class: "phone", "aria-label": owner },
      el("div", { class: "phone-glass" },
        el("div", { class: "phone-bar", "aria-hidden": "true" },
          this.clock, el("span", { class: "phone-island" }), el("span", { class: "phone-battery" })),
        this.home, this.layer, this.speech));
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.drawHome();
  }

  /** Reads from the journal which apps are installed and how the last request ended. */
  note(entries) {
    const before = this.apps.size;
    for (const entry of entries) {
      for (const id of [entry.from, entry.to, entry.by]) {
        const app = /^app:[^/]*\/(.+)$/.exec(id ?? "");
        if (app) this.apps.add(app[1]);
      }
      this.noteOutcome(entry);
    }
    if (this.apps.size !== before) this.drawHome();
  }

  noteOutcome(entry) {
    if (entry.operation === "navigator.credentials.get") this.outcome = null;
    if (entry.code === "provider.answered") this.outcome = { kind: "sent" };
    const isOfPhone = /^(os|app|sandbox):/.test(entry.by ?? "");
    if (isOfPhone && isObjection(entry)) this.outcome = { kind: "failed", code: entry.code, message: entry.phrase };
    if (entry.kind === "exception" && !this.outcome) this.outcome = { kind: "stopped" };
  }

  show(screen) {
    const isFirst = this.screen === null;
    const wasAsking = this.isAsking;
    this.screen = screen;
    this.clock.textContent = clockText(screen.now);
    this.drawHome();
    if (this.isAsking) return this.ask(screen);
    if (wasAsking || (this.outcome?.kind === "failed" && !isFirst)) return this.presentOutcome();
    this.outcome = null;
    if (!this.clearing) this.clear();
  }

  get isAsking() {
    return Boolean(this.screen?.selector || this.screen?.authorization || this.screen?.prompt);
  }

  /**
   * Draws the sheet only if it changed: drawing it again would lose unfolded parts, the focus and a gesture in
   * progress.
   */
  ask({ prompt, authorization, selector }) {
    const asked = JSON.stringify([prompt, authorization, selector]);
    if (asked !== this.asked) {
      this.present(this.viewFor({ prompt, authorization, selector }));
      this.asked = asked;
    } else if (this.acting > 0) {
      this.wasAskedAgain = true;
    } else if (!this.isLooking) {
      this.setBusy(false);
    }
  }

  viewFor({ prompt, authorization, selector }) {
    if (prompt) return promptView(prompt, (button) => this.act(promptStep(prompt, button)));
    if (authorization) {
      const view = authorization.style === "wallet" ? walletView : customView;
      return view(authorization, (button, result) => this.press(button, result));
    }
    return selectorView(selector, {
      pick: (app) => this.act({ person: { picks: app } }),
      cancel: () => this.act({ person: { cancels: "selector" } }, "no"),
    });
  }

  /** Presses a button of a consent view: an authorization, after its gesture, or a plain tap. */
  async press(button, result = null) {
    const agrees = this.screen?.authorization?.agreeing.includes(button);
    if (!isGesture(button)) return this.act({ person: { taps: button } }, agrees ? "yes" : "no");
    const { asked } = this;
    this.setBusy(true);
    this.isLooking = true;
    this.layer.querySelector(".gesture")?.classList.add("looking");
    this.say("Looking for your face.");
    if (!prefersStillness()) await new Promise((done) => setTimeout(done, FACE_ID_TIME));
    this.isLooking = false;
    // The gesture is not requested any more.
    if (asked !== this.asked) return;
    const way = result ? { [button]: result } : button;
    await this.act({ person: { "authorizes-with": way } }, result ? null : "yes");
  }

  async act(step, meaning = null) {
    this.lastAct = meaning;
    this.setBusy(true);
    this.acting += 1;
    this.wasAskedAgain = false;
    this.layer.querySelector(".phone-problem")?.remove();
    try {
      await this.takeStep(step);
      // The step had no effect, so the sheet stays.
      if (this.wasAskedAgain) this.setBusy(false);
    } catch (error) {
      this.setBusy(false);
      this.complain(error);
    } finally {
      this.acting -= 1;
    }
  }

  /** The function of Escape, also for a page below the phone. */
  cancel() {
    const { selector, authorization, prompt } = this.screen ?? {};
    if (prompt) return this.act(promptStep(prompt, prompt.buttons[0]), "no");
    if (authorization) {
      return this.press(authorization.buttons.find((name) => !authorization.agreeing.includes(name)) ?? "Cancel");
    }
    if (selector) this.act({ person: { cancels: "selector" } }, "no");
  }

  onKey(event) {
    if (event.key !== "Escape" || !this.isAsking) return;
    event.stopPropagation();
    this.cancel();
  }

  present(view) {
    clearTimeout(this.clearing);
    this.asked = null;
    this.element.classList.add("asking");
    this.layer.classList.remove("busy");
    this.layer.replaceChildren(view);
    const heading = view.querySelector("h2");
    if (this.mayTakeFocus()) heading.focus({ preventScroll: true });
    this.say(heading.textContent);
  }

  presentOutcome() {
    const isDeclined = this.lastAct === "no" && this.outcome?.kind !== "failed";
    const outcome = isDeclined ? { kind: "declined" } : this.outcome ?? { kind: "stopped" };
    const hadFocus = this.element.contains(document.activeElement);
    this.present(outcomeView(outcome));
    this.lastAct = null;
    this.outcome = null;
    if (hadFocus) this.released();
    if (outcome.kind !== "failed") this.clearing = setTimeout(() => this.clear(), OUTCOME_TIME);
  }

  clear() {
    clearTimeout(this.clearing);
    this.clearing = null;
    this.asked = null;
    this.element.classList.remove("asking");
    this.layer.replaceChildren();
  }

  /**
   * A sheet takes the focus as the system's sheet would, but not away from something else that the person is reading.
   */
  mayTakeFocus() {
    const active = document.activeElement;
    return !active || active === document.body || active.tagName === "IFRAME" || this.element.contains(active);
  }

  setBusy(isBusy) {
    for (const button of this.layer.querySelectorAll("button")) button.setAttribute("aria-disabled", String(isBusy));
    this.layer.classList.toggle("busy", isBusy);
    if (!isBusy) this.layer.querySelector(".looking")?.classList.remove("looking");
  }

  complain(error) {
    this.layer.querySelector(".phone-problem")?.remove();
    const problem = el("p", { class: "phone-problem", role: "alert" }, symbol("alert"), ` ${error.message}`);
    (this.layer.querySelector(".sheet-body, .prompt") ?? this.layer).prepend(problem);
  }

  say(text) { this.speech.textContent = text; }

  drawHome() {
    const icons = [...this.apps].sort().map((app) =>
      el("li", {}, picture(appIcon(app), "app.svg", "app-icon"), el("span", {}, app)));
    const { code, device } = this.screen ?? {};
    const scan = code?.svg ? () => this.act({ person: { scans: code.device, with: device } }) : null;
    this.home.replaceChildren(...homeView(this.screen?.now, icons, scan));
  }
}

const isGesture = (button) => ["face-id", "touch-id", "passcode"].includes(button);

function promptStep(prompt, button) {
  return { person: button === "Allow" ? { allows: prompt.app } : { "does-not-allow": prompt.app } };
}

/** The world's time as the phone shows it, in UTC. */
function clockText(now) {
  return now ? now.slice(11, 16) : "";
}
