// Lets any local page call the Digital Credentials API with a simulated browser and phone.
//
//   <script src="http://demo.localhost:PORT/presentment.js" data-world="ID" data-overlay="auto"></script>
//
// It replaces navigator.credentials.get and create for calls with `digital`, and passes every other call to the
// browser. Where the simulated browser has DigitalCredential.issue, the page has it too.
//   data-world     the world that answers, by its name in the server's folder; the default is the server's
//   data-scenario  a scenario of that folder, in whose world the page takes part, with its faults
//   data-fault     faults for the page's calls, by their ids with spaces between them, for example issuer.expired
//   data-device    the device of that world, if it has several
//   data-browser   the profile of the simulated browser, such as safari-26.0; the default is the world's
//   data-overlay   auto: shows the phone over the page while a call is pending, unless the page is framed; none: never
//
// The results of a call besides a credential and the exceptions of the simulated browser:
//   NetworkError   the demo's server cannot be reached (or the page's policy forbids it)
//   UnknownError   the server refused the call; the message contains its text and its code
//   signal.reason  the page aborted
// A page that is left aborts its calls, so that the phone closes its sheet.
//
// Frames that load the script call through the page at the top, which has one browser for all of them. The script
// also acts for frames of the page's origin that do not load it.
//
// For tests, window.presentment has
//   setVirtualWalletBehavior({ action, protocol, response, context })
//                              as in WebDriver BiDi; the context is this document by default, a window for one of its
//                              frames, or null for all of the browser
//   simulateActivation()       a user activation without a gesture
//   context                    the document's name in WebDriver BiDi
//   ready                      a promise that the document has joined its world
//
// A page with a content security policy needs, for the demo's origin: script-src, connect-src and (overlay) frame-src.

(() => {
  "use strict";

  // The server writes the table of the browsers here.
  const PROFILES = {/* profiles */};
  const RESPONSE = "DigitalCredentialIssuanceResponse";
  const ACTIVATION = 5000;
  const GREETING = 300;
  const HEAD_START = 50;
  const OTHER_TYPES = ["federated", "identity", "otp", "password", "publicKey"];

  const script = document.currentScript;
  const home = new URL(script.src).origin;
  const wanted = script.dataset.world || "default";
  const wish = {
    ...(script.dataset.scenario && { scenario: script.dataset.scenario }),
    ...(script.dataset.fault && { faults: script.dataset.fault.split(/\s+/).filter(Boolean) }),
  };
  let world = wanted;
  let profile = PROFILES[script.dataset.browser] ?? Object.values(PROFILES)[0];
  const device = script.dataset.device || null;
  const isFramed = window.parent !== window;
  const wantsOverlay = script.dataset.overlay !== "none" && !isFramed;
  const worldPath = () => `${home}/api/worlds/${encodeURIComponent(world)}`;
  const LINGER = 1400;
  /** A call that ends sooner, as with a virtual wallet, does not show the phone. */
  const SOON = 120;

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

  // MARK: Values for the page, made in the realm of its window

  const credentials = new WeakMap();
  /** The interfaces of each window, which a page can replace in the window. */
  const interfaces = new WeakMap();
  const installed = [];

  /** A class of results without a constructor, with read-only attributes. */
  function makeInterface(scope, title, base, attributes) {
    const slotsOf = (result) => {
      const slots = credentials.get(result);
      if (!slots) throw new scope.TypeError("Illegal invocation");
      return slots;
    };
    const made = { [title]: class extends base {
      constructor() {
        throw new scope.TypeError("Illegal constructor");
      }

      toJSON() {
        const { protocol, data } = slotsOf(this);
        return { protocol, data };
      }
    } }[title];
    for (const name of attributes) {
      const attribute = { get() { return slotsOf(this)[name]; }, enumerable: true, configurable: true };
      Object.defineProperty(made.prototype, name, attribute);
    }
    Object.defineProperty(made.prototype, Symbol.toStringTag, { value: title, configurable: true });
    return made;
  }

  function makeInterfaces(scope) {
    const base = scope.Credential ?? scope.Object;
    const credential = makeInterface(scope, "DigitalCredential", base, ["id", "type", "protocol", "data"]);
    const response = makeInterface(scope, RESPONSE, scope.Object, ["protocol", "data"]);
    const { userAgentAllowsProtocol } = { userAgentAllowsProtocol(protocol) {
      if (arguments.length === 0) throw new scope.TypeError("1 argument required, but only 0 present.");
      return profile.protocols.includes(`${protocol}`);
    } };
    define(credential, "userAgentAllowsProtocol", userAgentAllowsProtocol, true);
    const { issue } = { issue(options) { return makeCall(scope, "issue", options); } };
    return { credential, response, issue };
  }

  const define = (owner, name, value, enumerable = false) =>
    Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable });

  /** Gives a window the interfaces that the simulated browser has. */
  function expose(scope) {
    const { credential, response, issue } = interfaces.get(scope);
    if (profile.issue === "supported") {
      define(credential, "issue", issue, true);
      define(scope, RESPONSE, response);
    } else {
      if (credential.issue === issue) delete credential.issue;
      if (scope[RESPONSE] === response) delete scope[RESPONSE];
    }
  }

  function setProfile(known) {
    if (!known || known === profile) return;
    profile = known;
    for (const reference of installed) {
      const scope = reference.deref();
      if (scope) expose(scope);
    }
  }

  function makeCredential(scope, method, { protocol, data }) {
    const { credential, response } = interfaces.get(scope);
    const result = Object.create((method === "issue" ? response : credential).prototype);
    const own = scope.JSON.parse(JSON.stringify(data));
    credentials.set(result, { id: makeName(), type: "digital", protocol, data: own });
    return result;
  }

  function makeException(scope, { name, message }) {
    const isOfScript = ["TypeError", "SyntaxError"].includes(name);
    return isOfScript ? new scope[name](message) : new scope.DOMException(message, name);
  }

  /** crypto.randomUUID is missing on insecure origins; the name only has to be unique. */
  function makeName() {
    const bytes = () => Array.from(crypto.getRandomValues(new Uint8Array(16)));
    return crypto.randomUUID?.() ?? bytes().map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // MARK: The server

  function post(path, body, { headers = {}, ...options } = {}) {
    return fetch(worldPath() + path, {
      method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body),
      credentials: "omit", ...options,
    });
  }

  /** Asks the server. A failure is an exception, by name and message. */
  async function ask(path, body, options) {
    let response;
    try {
      response = await post(path, body, options);
    } catch {
      const isFile = location.protocol === "file:";
      const hint = isFile ? "; use a page from a server, for example at http://localhost" : "";
      throw { name: "NetworkError", message: `presentment: ${home} does not answer this page${hint}` };
    }
    let answer;
    try { answer = await response.json(); } catch { answer = {}; }
    if (!response.ok) {
      const code = answer.code ? ` [${answer.code}]` : "";
      const exception = { name: "UnknownError", message: `${answer.message ?? `status ${response.status}`}${code}` };
      if (answer.code === "http.world") gone.add(exception);
      throw exception;
    }
    return answer;
  }

  /**
   * Joins a world. If no website of the world has the page's origin, the page gets a world of its own with such a
   * website, and so does a page that wants another browser.
   */
  async function join() {
    world = wanted;
    const own = { context, url: shownAddress(location.href), device, browser: script.dataset.browser };
    const place = await ask("/pages", { ...wish, ...own });
    world = place.world;
    setProfile(PROFILES[place.browser]);
  }

  /** Joins for a frame, so that WebDriver sees it. */
  const joinFor = ({ name, parent, url }) => ask("/pages", { context: name, parent, url, device }).catch(() => {});

  /** Acts in the joined world, and in another if that one has ended: pages stay open longer than the server runs. */
  async function whereJoined(act) {
    await whenJoined();
    const tried = world;
    try {
      return await act();
    } catch (exception) {
      if (!gone.has(exception)) throw exception;
      // Another call may have joined again meanwhile.
      if (world === tried) joined = null;
      await whenJoined();
      await Promise.all([...frames.values()].map(joinFor));
      return act();
    }
  }

  const shownAddress = (address) => address.slice(0, 1024);
  const reasonText = (reason) => String(reason?.message ?? reason ?? "").slice(0, 200);

  // MARK: The page at the top, which talks to the server

  /** Whether the call before has reached the server: requests on connections of their own can overtake each other. */
  let reached = Promise.resolve();

  function takeTurn() {
    const before = reached;
    let pass;
    reached = new Promise((resolve) => { pass = resolve; });
    return { before, pass };
  }

  /** A call of the page or of a frame: `answer` is the server's, or a failure as an exception; `abort` aborts it. */
  function startCall(body) {
    const name = makeName();
    const connection = new AbortController();
    let isSent = false;
    let isOver = false;
    let abortion = null;
    let overlay = null;
    let timer = null;
    let giveUp;
    const given = new Promise((resolve) => { giveUp = (exception) => resolve({ exception }); });
    const aborted = () => ({ name: "AbortError", message: abortion });
    const showPhone = () => {
      overlay = new Overlay(() => {
        giveUp({ name: "NotAllowedError", message: "The person cancelled." });
        connection.abort();
      });
      pending.add(overlay);
    };
    const hidePhone = () => {
      clearTimeout(timer);
      pending.delete(overlay);
      overlay?.close();
      overlay = null;
    };
    const turn = takeTurn();
    const send = async () => {
      await turn.before;
      isSent = true;
      setTimeout(turn.pass, HEAD_START);
      if (wantsOverlay && abortion === null) timer = setTimeout(showPhone, SOON);
      const more = { ...(device && { device }), ...(abortion !== null && { abort: abortion }) };
      try {
        return await ask("/calls", { ...body, ...more },
          { headers: { "X-Presentment-Call": name }, signal: connection.signal });
      } finally {
        hidePhone();
      }
    };
    const sent = whereJoined(send).catch((exception) => ({ exception })).finally(turn.pass);
    const answer = Promise.race([sent, given]).finally(() => { isOver = true; hidePhone(); });
    return {
      answer,
      abort(message, isLeaving = false) {
        if (abortion !== null) return;
        abortion = message;
        if (!isSent) return;
        // Closing the connection also ends the call, if the server does not know the call or is out of reach.
        const end = () => { connection.abort(); giveUp(aborted()); };
        const tell = async (left) => {
          const { ok } = await post(`/calls/${name}/abort`, { message }, { keepalive: true });
          if (ok || isOver) return;
          // The call may be on its way to the server still, or its answer on the way back.
          if (left === 0) end();
          else setTimeout(() => isOver || tell(left - 1).catch(end), 50);
        };
        tell(20).catch(end);
        if (isLeaving) connection.abort();
      },
    };
  }

  /** The frames that call through this page: their windows and names, and their ports for what happens here. */
  const frames = new Map();

  function welcome(event) {
    const { context: name, url } = event.data;
    const [port] = event.ports;
    for (const source of frames.keys()) if (source.closed) frames.delete(source);
    const parent = frames.get(event.source.parent)?.name ?? context;
    const frame = { name, parent, url, port };
    frames.set(event.source, frame);
    whenJoined().then(() => joinFor(frame)).catch(() => {});
    port.onmessage = ({ data, ports }) => {
      if (data.activate) activate();
      if (data.left) { leave(name); frames.delete(event.source); }
      if (data.wallet) setWallet(data.wallet).then(() => ports[0].postMessage({}), (error) =>
        ports[0].postMessage({ error: { name: error.name, message: error.message } }));
      if (data.call) callFor(event, data.call, data.abort, ports[0]);
    };
    whenJoined().then(() => port.postMessage({ welcome: true, profile }), () => port.postMessage({ welcome: true }));
  }

  /** Makes a call of a frame. The browser vouches for the frame's origin, and this page for its attention. */
  function callFor({ source, origin }, { caller, ...body }, abortion, port) {
    const element = [...document.querySelectorAll("iframe")].find((one) => one.contentWindow === source);
    const isGranted = element ? isAllowed(element, feature(body.method), origin) : origin === location.origin;
    const call = startCall({
      ...body,
      caller: {
        isAllowedByPolicy: isGranted, ...caller, frameOrigin: origin,
        hasUserAttention: caller.hasUserAttention && document.hasFocus(),
      },
    });
    if (abortion !== null) call.abort(abortion);
    port.onmessage = ({ data }) => call.abort(data.abort);
    // A frame that was removed cannot tell it in every browser.
    const watch = setInterval(() => { if (source.closed) call.abort("The frame was removed."); }, 500);
    call.answer.then((answer) => {
      clearInterval(watch);
      port.postMessage(answer);
      if (answer.consumesActivation) consumeEverywhere();
    });
  }

  const leave = (name) => post(`/pages/${name}/leave`, {}, { keepalive: true }).catch(() => {});

  async function setWallet({ context: target = context, ...behavior }) {
    await whenJoined();
    const named = target === null ? {} : { context: typeof target === "string" ? target : await nameOf(target) };
    const plain = Object.entries({ ...behavior, ...named, device }).filter(([, value]) => value != null);
    await whereJoined(async () => {
      const response = await post("/virtual-wallet", Object.fromEntries(plain));
      if (response.ok) return;
      const { message, code } = await response.json();
      const error = Object.assign(new Error(message), { name: code });
      if (code === "http.world") gone.add(error);
      throw error;
    });
  }

  /** The name of a window's document; a frame that has just loaded tells it in a moment. */
  async function nameOf(target) {
    if (target === window) return context;
    for (let left = 20; left > 0; left -= 1) {
      const name = frames.get(target)?.name ?? sides.get(target)?.context;
      if (name) return name;
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    throw new TypeError("the window has not loaded presentment.js");
  }

  // MARK: A frame, which calls through the page at the top

  let portToTop = null;

  /** Greets the page at the top. It resolves to a port, or to null if that page does not have the script. */
  function greet() {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      const late = setTimeout(() => resolve(null), GREETING);
      port1.onmessage = ({ data }) => {
        if (data.consume) consume();
        if (!data.welcome) return;
        setProfile(data.profile);
        clearTimeout(late);
        portToTop = port1;
        resolve(port1);
      };
      const address = shownAddress(location.href);
      window.top.postMessage({ presentment: "greeting", context, url: address }, "*", [port2]);
    });
  }

  function startCallThrough(port, body, abortion) {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
    port.postMessage({ call: body, abort: abortion }, [port2]);
    return { answer, abort: (message) => port1.postMessage({ abort: message }) };
  }

  /** Starts a call before it is known whether there is a page at the top to call through. */
  function start(body) {
    if (!isFramed) return startCall(body);
    let abortion = null;
    let call = null;
    const answer = atTop.then((port) => {
      call = port ? startCallThrough(port, body, abortion) : startCall(body);
      if (abortion !== null && !port) call.abort(abortion);
      return call.answer;
    });
    return {
      answer,
      abort(message, isLeaving) {
        abortion = message;
        call?.abort(message, isLeaving);
      },
    };
  }

  // MARK: User activation

  let activatedUntil = 0;
  let isConsumed = false;

  /** HTML, "activation notification": a window, those around it, and the frames of its origin in it. */
  function activate() {
    activatedUntil = performance.now() + ACTIVATION;
  }

  function activateInside() {
    for (const source of frames.keys()) {
      // A frame of another origin is not activated.
      try { source.presentment.simulateActivation({ isInside: true }); } catch { continue; }
    }
  }

  function consume() {
    activatedUntil = 0;
    isConsumed = true;
  }

  function consumeEverywhere() {
    consume();
    for (const { port } of frames.values()) port.postMessage({ consume: true });
  }

  // A gesture after a call counts again.
  for (const kind of ["keydown", "mousedown", "pointerdown", "pointerup", "touchend", "click"]) {
    addEventListener(kind, (event) => { if (event.isTrusted) isConsumed = false; }, true);
  }

  const activation = Object.getOwnPropertyDescriptor(window.UserActivation?.prototype ?? {}, "isActive")?.get;

  function isActivated() {
    if (activatedUntil > performance.now()) return true;
    const { userActivation } = navigator;
    return !isConsumed && (activation && userActivation ? Reflect.apply(activation, userActivation, []) : true);
  }

  // MARK: The API in a window

  /** The windows in which this script acts: its own, and frames of its origin that do not load it. */
  const sides = new WeakMap();

  const isFullyActive = (scope) => scope === window ? Boolean(document.defaultView) : !scope.closed;

  const feature = (method) => `digital-credentials-${method}`;

  /**
   * Permissions Policy, "process policy attributes", for a feature that the real browser does not know: whether the
   * attribute of a frame allows it for the frame's origin. Headers cannot be read here.
   */
  function isAllowed({ allow, src }, name, origin) {
    const directives = allow.split(";").map((one) => one.trim().split(/\s+/));
    const list = directives.findLast(([first]) => first.toLowerCase() === name)?.slice(1);
    if (!list) return origin === location.origin;
    const source = () => {
      try {
        const { origin: found } = new URL(src, location.href);
        return found === "null" ? location.origin : found;
      } catch {
        return null;
      }
    };
    return (list.length ? list : ["'src'"]).some((one) => {
      if (one === "*") return true;
      if (one === "'self'") return origin === location.origin;
      // An opaque origin is the frame's own, wherever its content comes from.
      if (one === "'src'") return origin === "null" || origin === source();
      try { return new URL(one).origin === origin; } catch { return false; }
    });
  }

  /** What the window's document knows of itself at a call. */
  function facts(scope, method, signal) {
    const policy = scope.document.permissionsPolicy ?? scope.document.featurePolicy;
    const name = feature(method);
    const isKnown = policy?.features?.().includes(name);
    const element = scope === window ? null : scope.frameElement;
    return {
      context: sides.get(scope)?.context ?? context,
      ...(scope !== window && { frameOrigin: scope.origin }),
      hasUserAttention: scope.document.visibilityState === "visible" && (isFramed || document.hasFocus()),
      hasTransientActivation: isActivated(),
      ...(isKnown && { isAllowedByPolicy: policy.allowsFeature(name) }),
      ...(!isKnown && element && { isAllowedByPolicy: isAllowed(element, name, scope.origin) }),
      ...(signal?.aborted && { aborted: { name: "AbortError", message: reasonText(signal.reason) } }),
    };
  }

  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

  function isSignal(value) {
    const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted");
    try { Reflect.apply(get, value, []); return true; } catch { return false; }
  }

  /**
   * The argument of a call as JSON, with markers for what JSON cannot hold, because the order of the checks is the
   * simulated browser's: `thrown` has what the serialization of each request's data threw. Throws what a getter of the
   * page throws.
   */
  function readOptions(method, options) {
    let isMarked = false;
    const thrown = [];
    const mark = (name, value) => { isMarked = true; return { [`$${name}`]: value }; };
    const plain = (value) => {
      if (typeof value === "bigint") return mark("bigint", `${value}`);
      if (typeof value === "symbol") return mark("symbol", value.description ?? "");
      return isObject(value) ? {} : value;
    };
    const serialized = (data, index) => {
      try {
        const text = JSON.stringify(data);
        return text === undefined ? mark("function", true) : JSON.parse(text);
      } catch (error) {
        thrown[index] = { error };
        const text = error instanceof TypeError ? error.message : "";
        if (/BigInt/.test(text)) return { data: mark("bigint", "") };
        return /circular|cyclic/i.test(text) ? mark("cycle", true) : mark("throws", `${error?.name ?? "Error"}`);
      }
    };
    const request = (value, index) => {
      if (!isObject(value)) return plain(value);
      const { data, protocol } = value;
      return {
        data: isObject(data) ? serialized(data, index) : plain(data),
        protocol: typeof protocol === "symbol" || protocol === undefined ? plain(protocol) : `${protocol}`,
      };
    };
    const digital = (value) => {
      if (!isObject(value)) return plain(value);
      const { requests } = value;
      const isList = isObject(requests) && requests[Symbol.iterator] != null;
      return { requests: isList ? Array.from(requests, request) : plain(requests) };
    };
    let { signal } = options;
    const read = method === "issue" ? digital(options) : { digital: digital(options.digital) };
    if (method === "get") read.mediation = plain(options.mediation);
    for (const name of method === "issue" ? [] : OTHER_TYPES) {
      const value = options[name];
      if (value !== undefined) read[name] = isObject(value) || Boolean(value);
    }
    if (signal !== undefined && !isSignal(signal)) {
      read.signal = typeof signal;
      signal = undefined;
    }
    return { options: read, ...(isMarked && { isMarked }), signal, thrown };
  }

  /** A call of a method of the API with the argument of the page. */
  function makeCall(scope, method, argument) {
    return new scope.Promise((resolve, reject) => {
      const options = argument ?? {};
      if (!isObject(options)) return reject(new scope.TypeError("The argument is not an object."));
      const { thrown, signal, ...read } = readOptions(method, options);
      if (!isFullyActive(scope)) return reject(makeException(scope, profile.inactive));
      const caller = facts(scope, method, signal);
      const call = start({ method, ...read, gesture: caller.hasTransientActivation, caller });
      const abort = () => call.abort(reasonText(signal.reason));
      const leaving = () => {
        call.abort("The page was left.", true);
        finish();
        reject(makeException(scope, profile.gone));
      };
      const finish = () => {
        signal?.removeEventListener("abort", abort);
        scope.removeEventListener("pagehide", leaving);
      };
      if (!signal?.aborted) signal?.addEventListener("abort", abort);
      scope.addEventListener("pagehide", leaving);
      call.answer.then(({ credential, exception, consumesActivation }) => {
        finish();
        if (consumesActivation) isFramed ? consume() : consumeEverywhere();
        if (credential) return resolve(makeCredential(scope, method, credential));
        const { name, message } = exception;
        const index = /requests\[(\d+)\]\.data (?:has|contains) /.exec(message)?.[1];
        if (thrown[index]) return reject(thrown[index].error);
        const isAbort = signal?.aborted && name === "AbortError" && message === reasonText(signal.reason);
        return reject(isAbort ? signal.reason : makeException(scope, exception));
      });
    });
  }

  /** The windows of frames that do not load the script get the API when they load. */
  function adopt(element) {
    let scope = null;
    try { scope = element.contentWindow?.document && element.contentWindow; } catch { /* Another origin. */ }
    if (!scope || scope.presentment || sides.has(scope)) return;
    sides.set(scope, { context: makeName() });
    install(scope);
  }

  function install(scope) {
    if (!scope.navigator.credentials) {
      const none = { get: () => Promise.resolve(null), create: () => Promise.resolve(null) };
      Object.defineProperty(scope.navigator, "credentials", { value: none, configurable: true });
    }
    const container = scope.navigator.credentials;
    const owner = typeof scope.CredentialsContainer === "function" ? scope.CredentialsContainer.prototype : container;
    for (const name of ["get", "create"]) {
      const original = owner[name];
      const replaced = { [name](options) {
        if (options?.digital !== undefined) return makeCall(scope, name, options);
        return Reflect.apply(original, this, arguments);
      } }[name];
      Object.defineProperty(replaced, "length", { value: original.length, configurable: true });
      Object.defineProperty(owner, name, { value: replaced, writable: true, enumerable: true, configurable: true });
    }
    interfaces.set(scope, makeInterfaces(scope));
    installed.push(new WeakRef(scope));
    define(scope, "DigitalCredential", interfaces.get(scope).credential);
    expose(scope);
    scope.document.addEventListener("load", ({ target }) => {
      if (target instanceof scope.HTMLIFrameElement) adopt(target);
    }, true);
    if (!activation || !scope.UserActivation) return;
    Object.defineProperty(
      scope.UserActivation.prototype, "isActive", { get: isActivated, enumerable: true, configurable: true });
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

  // First of all listeners, so that the page does not see the script's own messages.
  addEventListener("message", (event) => {
    if (event.data?.presentment !== "greeting") return;
    event.stopImmediatePropagation();
    if (!isFramed) welcome(event);
  });

  const context = makeName();
  const atTop = isFramed ? greet() : Promise.resolve(null);
  let joined = null;
  /** Joins once; a failed attempt is made again at the next call. */
  const whenJoined = () => {
    joined ??= join().catch((exception) => { joined = null; throw exception; });
    return joined;
  };
  const ready = atTop.then((port) => port ? undefined : whenJoined());
  ready.catch(() => {});
  addEventListener("pagehide", () => {
    // At once: the rest of a document that is removed does not run.
    if (portToTop) portToTop.postMessage({ left: true });
    else leave(context);
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || isFramed) return;
    joined = null;
    whenJoined().catch(() => {});
  });

  async function setVirtualWalletBehavior(behavior) {
    const port = await atTop;
    if (!port) return setWallet(behavior);
    const { port1, port2 } = new MessageChannel();
    const told = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
    const { context: target = context } = behavior;
    port.postMessage({ wallet: { ...behavior, context: target } }, [port2]);
    const { error } = await told;
    if (error) throw Object.assign(new Error(error.message), { name: error.name });
    return undefined;
  }

  async function simulateActivation({ isInside = false } = {}) {
    activate();
    if (!isInside) activateInside();
    const port = isInside ? null : await atTop;
    port?.postMessage({ activate: true });
  }

  Object.defineProperty(window, "presentment", {
    value: Object.freeze({ context, ready, setVirtualWalletBehavior, simulateActivation }), configurable: true,
  });
  sides.set(window, { context });
  install(window);
})();
