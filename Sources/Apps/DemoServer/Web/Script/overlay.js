// The phone over the page while a call is pending.

import { phoneAddress } from "./server.js";
import { home } from "./settings.js";

/** The time for which the phone stays with the result, in milliseconds. */
const LINGER = 1400;

const STYLE = `
  :host { all: initial; }
  .veil { position: fixed; inset: 0; z-index: 2147483647; display: grid; place-items: center;
    background: rgb(8 10 20 / .55); animation: appear .2s; }
  .box { position: relative; width: min(330px, 100vw); height: min(680px, 100vh); }
  iframe { width: 100%; height: 100%; border: 0; background: transparent; color-scheme: light dark; }
  .note { position: absolute; inset: 36% 16px auto; padding: 16px; border-radius: 12px; background: #fff;
    color: #1c2230; font: 15px/1.4 system-ui, sans-serif; }
  .note p { margin: 0 0 10px; }
  .note a { color: #3442b0; }
  .note button { display: block; margin-top: 12px; padding: 7px 14px; border: 1px solid #3442b0; border-radius: 8px;
    background: none; color: #3442b0; font: inherit; }
  .leaving { opacity: 0; transition: opacity .25s; }
  @keyframes appear { from { opacity: 0; } }
  @media (prefers-reduced-motion: reduce) { .veil { animation: none; } .leaving { transition: none; } }`;

/** The phones of the pending calls. */
const pending = new Set();

/** The phone over the page. A constructed sheet in a shadow root is not subject to the page's style policy. */
export class Overlay {
  constructor(cancel) {
    this.cancel = cancel;
    this.before = document.activeElement;
    this.host = document.createElement("div");
    const root = this.host.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.frame = document.createElement("iframe");
    this.frame.title = "Simulated phone";
    this.frame.src = phoneAddress();
    this.box = Object.assign(document.createElement("div"), { className: "box" });
    this.veil = Object.assign(document.createElement("div"), { className: "veil" });
    this.veil.setAttribute("role", "dialog");
    this.veil.setAttribute("aria-modal", "true");
    this.veil.setAttribute("aria-label", "Simulated phone");
    this.box.append(this.frame);
    this.veil.append(this.box);
    root.append(this.veil);
    this.frame.addEventListener("load", () => this.frame.focus());
    this.onKey = (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      if (this.frame.isConnected) this.frame.contentWindow.postMessage("presentment:cancel", home);
      else this.cancel();
    };
    addEventListener("keydown", this.onKey, true);
    document.documentElement.append(this.host);
    // The host is outside the body, so this keeps the focus in the phone.
    if (document.body) document.body.inert = true;
    pending.add(this);
  }

  /** The replacement for a phone that the page's policy forbids: a link to it, and a button to cancel. */
  explain() {
    if (!this.frame.isConnected) return;
    const make = (name, properties) => Object.assign(document.createElement(name), properties);
    const link = make("a", {
      href: this.frame.src, target: "_blank", rel: "noopener", textContent: "Open the phone in another tab",
    });
    const button = make("button", { type: "button", textContent: "Cancel", onclick: () => this.cancel() });
    const note = make("div", { className: "note" });
    const text = "This page’s policy does not allow showing the simulated phone here.";
    note.append(make("p", { textContent: text }), link, button);
    this.frame.remove();
    this.box.append(note);
    link.focus();
  }

  /** Stays for a moment, so that the person sees the result; the page already has it. */
  close() {
    pending.delete(this);
    removeEventListener("keydown", this.onKey, true);
    // Not below the phone of another call.
    if (document.body && pending.size === 0) document.body.inert = false;
    // A press goes to the page, which can call again.
    this.host.style.pointerEvents = "none";
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const leave = () => {
      this.veil.classList.add("leaving");
      setTimeout(() => this.remove(), isStill ? 0 : 260);
    };
    setTimeout(leave, isStill ? 0 : LINGER);
  }

  remove() {
    this.host.remove();
    if (document.activeElement === document.body || !document.activeElement) this.before?.focus?.();
  }
}

const NEEDS = {
  "connect-src": "the page cannot reach the demo", "frame-src": "the phone cannot be shown over the page",
  "child-src": "the phone cannot be shown over the page",
};
document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  if (!(effectiveDirective in NEEDS) || !blockedURI.startsWith(home)) return;
  console.warn(`presentment: ${NEEDS[effectiveDirective]}. `
    + `Add ${home} to ${effectiveDirective} of its Content-Security-Policy.`);
  if (effectiveDirective === "connect-src") return;
  for (const overlay of pending) overlay.explain();
});
