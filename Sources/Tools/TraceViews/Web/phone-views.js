// The views of the phone's screen. Each is a function of the world's state, and has one h2 that receives the focus.

import { el, symbol, picture, counted, asSentence } from "/dom.js";
import { readThrough } from "/read-through.js";
import { appIcon, shortOrigin } from "/words.js";

const GESTURES = {
  "face-id": "Authorize with Face ID", "touch-id": "Authorize with Touch ID", "passcode": "Authorize with passcode",
};

const FAILURES = { "face-id": "Let another person look", "passcode": "Enter a wrong passcode" };

const heading = (...content) => el("h2", { tabindex: "-1" }, ...content);

/**
 * A button that stays focusable while the phone is busy, and does nothing then. `act` is the person's action as
 * "verb:value", by which a play finds the button.
 */
export function button(className, act, onPress, ...content) {
  const press = (event) => { if (event.currentTarget.getAttribute("aria-disabled") !== "true") onPress(); };
  return el("button", { type: "button", class: className, "data-act": act, onclick: press }, ...content);
}

function sheet(className, label, ...content) {
  return el("div", { class: `sheet ${className}`, role: "dialog", "aria-label": label }, ...content);
}

const DATE = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/**
 * The home screen. `scan` is null without a QR code in front of the phone, `present` without terminals; `code` is the
 * device that shows the code, `device` the kind of this one.
 */
export function homeView(now, icons, {
  scan = null, present = null, note = "No website is asking for anything.", code = "", device = "phone",
} = {}) {
  const date = now ? DATE.format(new Date(now)) : "";
  return [
    el("p", { class: "home-date" }, date),
    el("p", { class: "home-time" }, now ? now.slice(11, 16) : "––:––"),
    scan ? button("home-note home-scan", `scans:${code}`, scan, "Scan the QR code")
      : note && el("p", { class: "home-note" }, note),
    present && button("home-note home-scan", "shows:code", present, "Show my code"),
    el("ul", { class: "home-apps", "aria-label": `Apps on this ${device}` }, ...icons),
  ].filter(Boolean);
}

export function selectorView(
  { origin, offered, hidden, notice: text, anotherDevice }, { pick, another, cancel }, asker = "The website",
) {
  const isEmpty = offered.length === 0 && !anotherDevice;
  return sheet("selector", "App selector",
    el("div", { class: "sheet-body" },
      el("p", { class: "sheet-origin" }, shortOrigin(origin)),
      heading(isEmpty ? "No app here can answer" : "Choose an app to verify your identity"),
      el("p", { class: "sheet-note" }, isEmpty
        ? `${asker} asks for an identity document, and no app on this phone can be offered.`
        : `${asker} asks for an identity document. It does not learn which apps you have.`),
      notice({ notice: text }),
      !isEmpty && el("ul", { class: "offers" }, ...offered.map((offer) => el("li", {}, offerButton(offer, pick))),
        anotherDevice && el("li", {}, anotherButton(anotherDevice, another))),
      hidden.length > 0 && hiddenApps(hidden, isEmpty)),
    el("div", { class: "sheet-actions" }, button("plain", "cancels:selector", cancel, isEmpty ? "Close" : "Cancel")));
}

function offerButton({ app, documents }, pick) {
  return button("offer", `picks:${app}`, () => pick(app), picture(appIcon(app), "app.svg", "app-icon"),
    el("span", { class: "offer-text" },
      el("strong", {}, app), el("small", {}, documents.join(", "))), symbol("next"));
}

/** The entry that continues on another device. */
function anotherButton(label, another) {
  return button("offer", "continues-on:another-device", another, el("span", { class: "offer-text" },
    el("strong", {}, label), el("small", {}, "An iPhone near you, or a QR code")), symbol("next"));
}

/** The hidden apps in plain words. Codes and key identifiers are on the wire. */
function hiddenApps(hidden, isOpen) {
  return el("details", { class: "hidden-apps", open: isOpen },
    el("summary", {}, symbol("hidden"), ` ${counted(hidden.length, "app is", "apps are")} hidden. Why?`),
    el("ul", {}, ...hidden.map(({ app, message, remedy }) => el("li", {},
      picture(appIcon(app), "app.svg", "app-icon small"),
      el("div", {}, el("strong", {}, app), el("p", {}, asSentence(message.replace(/: .*$/s, ""))),
        remedy && el("p", { class: "remedy" }, "What would help: ", withoutKeys(remedy)))))));
}

const withoutKeys = (text) => asSentence(text.replace(/\s*\([0-9a-f]{16,}\)/gi, ""));

/**
 * Wallet's sheet: the requester, each document with its elements and which of them are stored, the documents that can
 * be chosen instead, and Face ID.
 */
export function walletView(authorization, { press, choose }) {
  const { requester, app } = authorization;
  const refusal = authorization.buttons.find((name) => !GESTURES[name]);
  const items = [];
  const gestures = gestureButtons(authorization.buttons, press);
  const body = el("div", { class: "sheet-body" },
    el("div", { class: "requester" },
      picture(authorization.icon ?? "website.svg", "website.svg", "brand-icon"),
      el("div", {}, heading(`${requester} asks to see your ID`),
        el("p", { class: "sheet-origin" }, shortOrigin(authorization.origin)))),
    certifiedMark(authorization), notice(authorization),
    ...documentsOf(authorization).map((document) => el("section", { class: "document" },
      document.isChosen && cardView(document), problem(document), elementGroups(document.elements, items))),
    otherDocuments(authorization, choose));
  return sheet("wallet", `${app}: consent`,
    el("div", { class: "sheet-top" },
      el("span", { class: "sheet-app" }, picture(appIcon(app), "app.svg", "app-icon tiny"), app),
      refusal && button("plain close", `taps:${refusal}`, () => press(refusal), refusal)),
    readThrough(body, items, gestures.filter((one) => one.classList.contains("gesture"))),
    el("div", { class: "sheet-actions" }, ...gestures));
}

/** The requested documents: the chosen one of each type, as far as it is known, with the elements of the type. */
function documentsOf({ elements, cards = [], labels = {} }) {
  const types = [...new Set(elements.map(({ documentType }) => documentType))];
  return types.map((type) => ({
    type, title: labels[type],
    ...cards.find(({ documentType, isChosen }) => documentType === type && isChosen),
    elements: elements.filter(({ documentType }) => documentType === type),
  }));
}

/** The documents that the person can choose instead. */
function otherDocuments({ cards = [] }, choose) {
  const others = cards.filter(({ isChosen }) => !isChosen);
  if (others.length === 0) return null;
  return el("div", { class: "other-documents" },
    el("p", { class: "group-title" }, "You can give another document"),
    el("ul", { class: "offers" }, ...others.map(({ identifier, title, issuer, problem: text }) => el("li", {},
      button("offer", `chooses:${identifier}`, () => choose(identifier), el("span", { class: "offer-text" },
        el("strong", {}, title), el("small", {}, issuer), text && el("small", {}, text)), symbol("next"))))));
}

/** The reason for which the app would not give a document. */
function problem({ problem: text }) {
  return text && el("p", { class: "phone-problem" }, symbol("alert"), ` ${asSentence(text)}`);
}

/** The number of card colors in the style sheet. */
const COLORS = 4;
/** A color by the document's type and issuer: the same document always has the same one. */
const colorOf = ({ type, issuer = "" }) =>
  [...`${type} ${issuer}`].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7) % COLORS;

/** A document as a card. */
function cardView(document) {
  const { type, title, issuer, hasPortrait } = document;
  return el("div", { class: `card-art color-${colorOf(document)}` },
    el("p", { class: "card-issuer" }, symbol("issuer"), issuer && el("span", {}, issuer)),
    el("h3", { class: "card-title" }, title ?? el("code", { class: "code" }, type)),
    hasPortrait && picture("portrait.svg", "app.svg", "card-portrait"));
}

/** The system's message about the last attempt, or about an app that can no longer answer. */
function notice({ notice: text }) {
  return text && el("p", { class: "phone-problem", role: "alert" }, symbol("alert"), ` ${text}`);
}

function gestureButtons(buttons, press) {
  return buttons.filter((name) => GESTURES[name]).map((name) => button("gesture", `authorizes-with:${name}`,
    () => press(name), symbol(name === "face-id" ? "face" : "lock"), el("span", {}, GESTURES[name])));
}

/** What a person can do before a view that asks for an authorization, without a control of the system for it. */
export function asPersonView({ buttons }, press) {
  return buttons.filter((name) => FAILURES[name]).map((name) =>
    button("quiet", `authorizes-with:${name}:fails`, () => press(name, "fails"), FAILURES[name]));
}

function certifiedMark({ isRequesterCertified, certifiedBy }) {
  return isRequesterCertified
    ? el("p", { class: "certified" }, symbol("certified"),
      el("span", {}, certifiedBy ? `${certifiedBy} certified this name` : "The name is certified"))
    : el("p", { class: "uncertified" }, symbol("alert"), el("span", {}, "This name is not certified"));
}

/** The elements of a document, by what becomes of them. */
function elementGroups(elements, items) {
  return el("div", { class: "groups" },
    elementGroup("Will be stored", "kept", elements.filter((one) => !one.absence && one.isRetained), items),
    elementGroup("Will not be stored", "shown", elements.filter((one) => !one.absence && !one.isRetained), items),
    elementGroup("Not in the document", "absent", elements.filter(({ absence }) => absence === "notHeld"), items),
    elementGroup("Not given", "absent", elements.filter(({ absence }) => absence === "notNeeded"), items));
}

const GROUP_SYMBOLS = { kept: "download", shown: "eye", absent: "hidden" };

function elementGroup(title, className, elements, items) {
  if (elements.length === 0) return null;
  const rows = elements.map((element) => el("li", {}, elementName(element)));
  items.push(...rows);
  return el("div", { class: `group ${className}` },
    el("p", { class: "group-title" }, symbol(GROUP_SYMBOLS[className]), ` ${title}`),
    el("ul", { "aria-label": title }, ...rows));
}

/** The label of an element, or its identifier as it is. */
const elementName = ({ label, identifier }) =>
  (label && label !== identifier ? label : el("code", { class: "code" }, identifier));

/** An app's own view, with a look of its own. */
export function customView(authorization, { press, choose }) {
  const { app, title, lines, requester, buttons, agreeing, style = "custom" } = authorization;
  const items = [];
  const documents = documentsOf(authorization);
  const actions = buttons.map((name) => button(agreeing.includes(name) ? "own-yes" : "own-no",
    GESTURES[name] ? `authorizes-with:${name}` : `taps:${name}`, () => press(name), GESTURES[name] ?? name));
  const body = el("div", { class: "sheet-body" },
    heading(title ?? "Verify with your license?"),
    ...(lines ?? []).map((line) => el("p", {}, line)),
    el("p", { class: "own-who" }, picture(authorization.icon ?? "website.svg", "website.svg", "brand-icon small"),
      el("span", {}, el("strong", {}, requester), el("small", {}, shortOrigin(authorization.origin)))),
    certifiedMark(authorization),
    notice(authorization),
    ...documents.flatMap((document) => [problem(document), ownDocument(document, items)]),
    otherDocuments(authorization, choose));
  return el("div", { class: `custom-view ${style}`, role: "dialog", "aria-label": `${app}: authorization` },
    el("div", { class: "own-head" }, picture(appIcon(app), "app.svg", "app-icon small"), el("span", {}, app)),
    readThrough(body, items, actions.filter((one) => one.classList.contains("own-yes"))),
    el("div", { class: "own-actions" }, ...actions));
}

const storedWord = ({ absence, isRetained }) => (absence ? "Not given" : isRetained ? "Yes" : "No");

/** A document in an app's own view: a table of what is asked for. */
function ownDocument({ type, title, issuer, elements }, items) {
  const rows = elements.map((element) =>
    el("tr", {}, el("td", {}, elementName(element)), el("td", {}, storedWord(element))));
  items.push(...rows);
  const name = title ?? el("code", { class: "code" }, type);
  return el("table", {},
    el("caption", {}, el("strong", {}, name), issuer && el("span", {}, issuer)),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Asked for"), el("th", { scope: "col" }, "Stored"))),
    el("tbody", {}, ...rows));
}

export function promptView({ app, question, buttons }, press) {
  return el("div", { class: "prompt", role: "alertdialog", "aria-label": `Question about ${app}` },
    picture(appIcon(app), "app.svg", "app-icon"), heading(question),
    el("div", { class: "prompt-actions" }, ...buttons.map((name) =>
      button("plain", `${name === "Allow" ? "allows" : "does-not-allow"}:${app}`, () => press(name), name))));
}

/** An iPhone's notification about a request on a Mac of its account. `titles` are the display names of devices. */
export function notificationView({ title, origin, mac, buttons, model, titles }, device, press) {
  const acts = { Continue: "taps-notification-on", Decline: "declines-notification-on" };
  return el("div", { class: "notification", role: "alertdialog", "aria-label": "Notification" },
    el("p", { class: "notification-app" }, symbol("browser"), el("span", {}, "Browser"), el("span", {}, "now")),
    heading(withTitles(title, titles)),
    el("p", { class: "sheet-origin" }, `${shortOrigin(origin)} · ${withTitles(mac, titles)}`),
    el("div", { class: "prompt-actions" }, ...buttons.map((name) => {
      const act = acts[name] ?? acts.Decline;
      return button("plain", `${act}:${device}`, () => press(act), name);
    })),
    el("p", { class: "model-note" }, model));
}

/**
 * The browser's warning before the chooser: a `sheet` of a phone, or a `dialog` of a window. `press(answer)` is called
 * with `continue` or `cancel`.
 */
export function warningView({ origin, risk, text, buttons }, form, press) {
  const isSheet = form === "sheet";
  const answers = buttons.map((name) => {
    const answer = name === "Continue" ? "continue" : "cancel";
    return button(isSheet ? "plain" : "quiet", `answers-warning:${answer}`, () => press(answer), name);
  });
  const title = "Share your ID with this site?";
  return el("div", { class: `${isSheet ? "sheet" : "code-dialog"} warning ${risk}`, role: "alertdialog",
    "aria-label": "Warning of the browser" },
  el("p", { class: "warning-from" }, symbol("alert"), "Browser"),
  isSheet ? heading(title) : el("h3", {}, title),
  el("p", { class: "sheet-origin" }, shortOrigin(origin)), el("p", {}, text),
  el("div", { class: isSheet ? "prompt-actions" : "dialog-actions" }, ...answers));
}

/** A Mac's sheet that leads to an iPhone nearby, or to a QR code. */
export function continueView({ text, buttons, model, titles }, device, press) {
  const acts = { "Use QR Code": "uses-qr-code-on", Cancel: "cancels-on" };
  return el("div", { class: "code-dialog", role: "dialog", "aria-label": "Continue on your iPhone" },
    el("span", { class: "code-mark" }, symbol("os")),
    el("h3", {}, withTitles(text, titles)),
    el("div", { class: "dialog-actions" }, ...buttons.map((name) => {
      const act = acts[name] ?? acts.Cancel;
      return button("quiet", `${act}:${device}`, () => press(act), name);
    })),
    el("p", { class: "model-note" }, model));
}

/** The text with the names of devices replaced by their display names. */
const withTitles = (text, titles = {}) =>
  Object.entries(titles).reduce((words, [name, title]) => words.replaceAll(name, title), text);

const OUTCOMES = {
  sent: ["check", "Sent", "Your answer is sealed. Only the website’s server can open it."],
  declined: ["cross", "Declined", "Nothing about you left this phone."],
  stopped: ["cross", "Ended", "Nothing about you left this phone."],
  failed: ["alert", "Stopped", "Nothing about you left this phone."],
};

export function outcomeView({ kind, code, message }) {
  const [drawing, title, text] = OUTCOMES[kind];
  return el("div", { class: `outcome ${kind}`, role: "group", "aria-label": "Result" },
    el("span", { class: "outcome-mark" }, symbol(drawing)), heading(title), el("p", {}, text),
    message && el("p", { class: "outcome-reason" }, asSentence(message), " ", el("code", { class: "code" }, code)));
}
