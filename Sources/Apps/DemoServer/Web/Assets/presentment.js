// Lets any local page call the Digital Credentials API with a simulated browser and phone.
//
//   <script src="http://demo.localhost:PORT/presentment.js" data-world="ID" data-overlay="auto"></script>
//
// It replaces navigator.credentials.get for calls with `digital` and passes every other call to the browser.
//   data-world     the world that answers, by its name in the server's folder; the default is the server's
//   data-scenario  a scenario of that folder, in whose world the page takes part, with its faults
//   data-fault     faults for the page's calls, by their ids with spaces between them, for example issuer.expired
//   data-device    the device of that world, if it has several
//   data-overlay   auto: shows the phone over the page while a call is pending, unless the page is framed; none: never
//
// The results of a call besides a credential and the exceptions of the simulated browser:
//   NetworkError   the demo's server cannot be reached (or the page's policy forbids it)
//   UnknownError   the server refused the call; the message contains its text and its code
//   signal.reason  the page aborted
// A page that is left aborts its calls, so that the phone closes its sheet.
//
// A page with a content security policy needs, for the demo's origin: script-src, connect-src and (overlay) frame-src.

(() => {
  "use strict";

  const script = document.currentScript;
  const home = new URL(script.src).origin;
  const wanted = script.dataset.world || "default";
  const wish = {
    ...(script.dataset.scenario && { scenario: script.dataset.scenario }),
    ...(script.dataset.fault && { faults: script.dataset.fault.split(/\s+/).filter(Boolean) }),
  };
  let world = wanted;
  const device = script.dataset.device || null;
  const wantsOverlay = script.dataset.overlay !== "none" && window.parent === window;
  const worldPath = () => `${home}/api/worlds/${encodeURIComponent(world)}`;
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

  /** The phone over the page. A constructed sheet in a shadow root is not subject to the page's style policy. */
  class Overlay {
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
      this.frame.src = `${home}/phone?world=${encodeURIComponent(world)}`;
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

  /**
   * An object with the members of a DigitalCredential. The getters of the class require a real one, so the object has
   * its own properties.
   */
  function makeCredential({ protocol, data }) {
    const prototype = typeof DigitalCredential === "function" ? DigitalCredential.prototype : Object.prototype;
    const credential = Object.create(prototype);
    const shown = { id: "", type: "digital", protocol, data: deepFreeze(data) };
    for (const [name, value] of Object.entries(shown)) {
      Object.defineProperty(credential, name, { value, enumerable: true });
    }
    Object.defineProperty(credential, "toJSON", { value: () => ({ id: shown.id, type: shown.type, protocol, data }) });
    return credential;
  }

  function deepFreeze(value) {
    if (value && typeof value === "object") Object.values(value).forEach(deepFreeze);
    return Object.freeze(value);
  }

  function makeException({ name, message }) {
    return name === "TypeError" ? new TypeError(message) : new DOMException(message, name);
  }

  function post(path, body, { headers = {}, ...options } = {}) {
    return fetch(worldPath() + path, {
      method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body),
      credentials: "omit", ...options,
    });
  }

  async function ask(path, body, options) {
    let response;
    try {
      response = await post(path, body, options);
    } catch {
      const isFile = location.protocol === "file:";
      const hint = isFile ? "; use a page from a server, for example at http://localhost" : "";
      throw new DOMException(`presentment: ${home} does not answer this page${hint}`, "NetworkError");
    }
    let answer;
    try { answer = await response.json(); } catch { answer = {}; }
    if (!response.ok) {
      const code = answer.code ? ` [${answer.code}]` : "";
      const error = new DOMException(`${answer.message ?? `status ${response.status}`}${code}`, "UnknownError");
      if (answer.code === "http.world") gone.add(error);
      throw error;
    }
    return answer;
  }

  /**
   * Joins a world. If no website of the world has the page's origin, the page gets a world of its own with such a
   * website.
   */
  async function join() {
    world = wanted;
    world = (await ask("/pages", wish)).world;
  }

  /** Sends a call, and joins again if the world has ended meanwhile: pages stay open longer than the server runs. */
  async function sendWhereJoined(...call) {
    try {
      return await send(...call);
    } catch (error) {
      if (!gone.has(error)) throw error;
      await (joined = join());
      return send(...call);
    }
  }

  async function send(call, options, gesture, signal) {
    const body = { options, gesture, ...(device && { device }) };
    const answer = await ask("/calls", body, { headers: { "X-Presentment-Call": call }, signal });
    if (answer.exception) throw makeException(answer.exception);
    return makeCredential(answer.credential);
  }

  /** The call as JSON, without its signal. Throws TypeError for values that JSON cannot represent. */
  function serializable({ signal, ...options }) {
    return JSON.parse(JSON.stringify(options));
  }

  function getDigital(options) {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const gesture = navigator.userActivation?.isActive ?? true;
    const call = makeCallName();
    return new Promise((resolve, reject) => {
      const plain = serializable(options);
      let isOver = false;
      const finish = (settle) => (value) => {
        // A call that was aborted ends a second time with its connection.
        if (isOver) return;
        isOver = true;
        signal?.removeEventListener("abort", abort);
        removeEventListener("pagehide", leave);
        pending.delete(overlay);
        overlay?.close();
        settle(value);
      };
      const connection = new AbortController();
      // The abort request has the reason. Closing the connection also ends the call, if the abort request does not
      // arrive.
      const giveUp = (reason) => {
        if (isOver) return;
        const message = String(reason?.message ?? reason ?? "");
        post(`/calls/${call}/abort`, { message }, { keepalive: true }).catch(() => {}).then(() => connection.abort());
        finish(reject)(reason);
      };
      const abort = () => giveUp(signal.reason);
      const leave = () => { giveUp(new DOMException("The page was left.", "AbortError")); connection.abort(); };
      let overlay = null;
      signal?.addEventListener("abort", abort);
      addEventListener("pagehide", leave);
      joined.catch(() => joined = join()).then(() => joined).then(() => {
        if (isOver) return undefined;
        if (wantsOverlay) {
          overlay = new Overlay(() => giveUp(new DOMException("The person cancelled.", "NotAllowedError")));
          pending.add(overlay);
        }
        return sendWhereJoined(call, plain, gesture, connection.signal);
      }).then(finish(resolve), finish(reject));
    });
  }

  /** crypto.randomUUID is missing on insecure origins; the name only has to be unique. */
  function makeCallName() {
    const bytes = () => Array.from(crypto.getRandomValues(new Uint8Array(16)));
    return crypto.randomUUID?.() ?? bytes().map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  const pending = new Set();
  /** The errors of worlds that have ended. */
  const gone = new WeakSet();
  const NEEDS = {
    "connect-src": "the page cannot reach the demo", "frame-src": "the phone cannot be shown over the page",
    "child-src": "the phone cannot be shown over the page",
  };
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    if (!(effectiveDirective in NEEDS) || !blockedURI.startsWith(home)) return;
    console.warn(`presentment: ${NEEDS[effectiveDirective]}. `
      + `Add ${home} to ${effectiveDirective} of its Content-Security-Policy.`);
    if (effectiveDirective === "connect-src") return;
    for (const overlay of pending) overlay?.explain();
  });

  function install() {
    if (!navigator.credentials) {
      const none = { get: () => Promise.resolve(null) };
      Object.defineProperty(navigator, "credentials", { value: none, configurable: true });
    }
    const container = navigator.credentials;
    const owner = typeof CredentialsContainer === "function" ? CredentialsContainer.prototype : container;
    const original = owner.get;
    const replaced = function get(options) {
      return options?.digital !== undefined ? getDigital(options) : Reflect.apply(original, this, arguments);
    };
    Object.defineProperty(replaced, "length", { value: original.length, configurable: true });
    Object.defineProperty(owner, "get", { value: replaced, writable: true, enumerable: true, configurable: true });
    if (typeof DigitalCredential === "function") return;
    // Lets a page's own feature test for the API pass in a browser without it.
    window.DigitalCredential = class DigitalCredential {
      static userAgentAllowsProtocol(protocol) { return protocol === "org-iso-mdoc"; }
    };
  }

  let joined = join();
  joined.catch(() => {});
  install();
})();
