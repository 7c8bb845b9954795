// The views of the phone's screen. Each is a function of the world's state, and has one h2 that receives the focus. The
// last parameter says their texts in the language of the device; the English ones are in the table of words.

import { asSentence, el, symbol, picture } from "/dom.js";
import { readThrough } from "/read-through.js";
import { english } from "/speech.js";
import { appIcon, shortOrigin } from "/words.js";

const GESTURES = {
  "face-id": "Authorize with Face ID", "touch-id": "Authorize with Touch ID", "passcode": "Authorize with passcode",
};

const FAILURES = { "face-id": "Let another person look", "passcode": "Enter a wrong passcode" };

const heading = (...content) => el("h2", { tabindex: "-1" }, ...content.flatMap(inWords));

/** A text whose lines break between words. Chinese has no spaces between them. */
function inWords(text) {
  if (typeof text !== "string" || !/\p{Script=Han}/u.test(text) || !Intl.Segmenter) return [text];
  const parts = [];
  for (const { segment, isWordLike } of new Intl.Segmenter("zh", { granularity: "word" }).segment(text)) {
    if (isWordLike || parts.length === 0) parts.push(segment);
    else parts[parts.length - 1] += segment;
  }
  return parts.flatMap((part, index) => (index > 0 ? [el("wbr", {}), part] : [part]));
}

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

const dateText = (time, language) =>
  new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" })
    .format(new Date(time));

/**
 * The home screen. `scan` is null without a QR code in front of the phone, `present` without terminals; `code` is the
 * device that shows the code, `device` the kind of this one.
 */
export function homeView(now, icons, {
  scan = null, present = null, note = "No website is asking for anything.", code = "", device = "phone", say = english,
} = {}) {
  const date = now ? dateText(now, say.language) : "";
  return [
    el("p", { class: "home-date" }, date),
    el("p", { class: "home-time" }, now ? now.slice(11, 16) : "––:––"),
    scan ? button("home-note home-scan", `scans:${code}`, scan, say("Scan the QR code"))
      : note && el("p", { class: "home-note" }, say(note)),
    present && button("home-note home-scan", "shows:code", present, say("Show my code")),
    el("ul", { class: "home-apps", "aria-label": say(`Apps on this ${device}`) }, ...icons),
  ].filter(Boolean);
}

export function selectorView(screen, { pick, another, cancel }, asker = "The website", device = english) {
  const { origin, offered, hidden, anotherDevice } = screen;
  const say = device.of(screen);
  const isEmpty = offered.length === 0 && !anotherDevice;
  return sheet("selector", say("App selector"),
    el("div", { class: "sheet-body" },
      el("p", { class: "sheet-origin" }, shortOrigin(say(origin))),
      heading(say(isEmpty ? "No app here can answer" : "Choose an app to verify your identity")),
      el("p", { class: "sheet-note" }, say(isEmpty
        ? `${asker} asks for an identity document, and no app on this device can be offered.`
        : `${asker} asks for an identity document. It does not learn which apps you have.`)),
      notice(screen, say),
      !isEmpty && el("ul", { class: "offers" }, ...offered.map((offer) => el("li", {}, offerButton(offer, pick, say))),
        anotherDevice && el("li", {}, anotherButton(anotherDevice, another, say))),
      hidden.length > 0 && hiddenApps(hidden, isEmpty, say)),
    el("div", { class: "sheet-actions" },
      button("plain", "cancels:selector", cancel, say(isEmpty ? "Close" : "Cancel"))));
}

function offerButton({ app, documents: names, count }, pick, say) {
  const documents = say.list(names.map((name) => say(name)));
  return button("offer", `picks:${app}`, () => pick(app), picture(appIcon(app), "app.svg", "app-icon"),
    el("span", { class: "offer-text" },
      el("strong", {}, app),
      el("small", {}, count ? say("{documents} ({count})", { documents, count: say(count) }) : documents)),
    symbol("next"));
}

/** The entry that continues on another device. */
function anotherButton(label, another, say) {
  return button("offer", "continues-on:another-device", another, el("span", { class: "offer-text" },
    el("strong", {}, say(label)), el("small", {}, say("An iPhone near you, or a QR code"))), symbol("next"));
}

/** The hidden apps in plain words. Codes and key identifiers are on the wire. */
function hiddenApps(hidden, isOpen, say) {
  const count = hidden.length;
  return el("details", { class: "hidden-apps", open: isOpen },
    el("summary", {}, symbol("hidden"), " ",
      say(count === 1 ? "1 app is hidden. Why?" : "{count} apps are hidden. Why?", { count })),
    el("ul", {}, ...hidden.map(({ app, message, remedy }) => el("li", {},
      picture(appIcon(app), "app.svg", "app-icon small"),
      el("div", {}, el("strong", {}, app), el("p", {}, say.sentence(say(message).replace(/: .*$/s, ""))),
        remedy && el("p", { class: "remedy" },
          say("What would help: {remedy}", { remedy: say.ending(withoutKeys(say(remedy))) })))))));
}

const withoutKeys = (text) => text.replace(/\s*\([0-9a-f]{16,}\)/gi, "");

/**
 * Wallet's sheet: the requester, each document with its elements and which of them are stored, the documents that can
 * be chosen instead, and Face ID.
 */
export function walletView(authorization, { press, choose }, device = english) {
  const { requester, app } = authorization;
  const say = device.of(authorization);
  const refusal = authorization.buttons.find((name) => !GESTURES[name]);
  const items = [];
  const gestures = gestureButtons(authorization.buttons, press, say);
  const body = el("div", { class: "sheet-body" },
    el("div", { class: "requester" },
      picture(authorization.icon ?? "website.svg", "website.svg", "brand-icon"),
      el("div", {}, heading(say("{requester} asks to see your ID", { requester })),
        el("p", { class: "sheet-origin" }, shortOrigin(say(authorization.origin))))),
    certifiedMark(authorization, say), notice(authorization, say),
    ...documentsOf(authorization).map((document) => el("section", { class: "document" },
      document.isChosen && cardView(document, say), problem(document, say),
      elementGroups(document.elements, items, say))),
    otherDocuments(authorization, choose, say));
  return sheet("wallet", say("{app}: consent", { app }),
    el("div", { class: "sheet-top" },
      el("span", { class: "sheet-app" }, picture(appIcon(app), "app.svg", "app-icon tiny"), app),
      refusal && button("plain close", `taps:${refusal}`, () => press(refusal), say(refusal))),
    readThrough(body, items, gestures.filter((one) => one.classList.contains("gesture")), say),
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
function otherDocuments({ cards = [] }, choose, say) {
  const others = cards.filter(({ isChosen }) => !isChosen);
  if (others.length === 0) return null;
  return el("div", { class: "other-documents" },
    el("p", { class: "group-title" }, say("You can give another document")),
    el("ul", { class: "offers" }, ...others.map(({ identifier, title, issuer, problem: text }) => el("li", {},
      button("offer", `chooses:${identifier}`, () => choose(identifier), el("span", { class: "offer-text" },
        el("strong", {}, say(title)), el("small", {}, issuer), text && el("small", {}, say(text))), symbol("next"))))));
}

/** The reason for which the app would not give a document. */
function problem({ problem: text }, say) {
  return text && el("p", { class: "phone-problem" }, symbol("alert"), ` ${say.sentence(say(text))}`);
}

/** The number of card colors in the style sheet. */
const COLORS = 4;
/** A color by the document's type and issuer: the same document always has the same one. */
const colorOf = ({ type, issuer = "" }) =>
  [...`${type} ${issuer}`].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7) % COLORS;

/** A document as a card. */
function cardView(document, say) {
  const { type, title, issuer, hasPortrait } = document;
  return el("div", { class: `card-art color-${colorOf(document)}` },
    el("p", { class: "card-issuer" }, symbol("issuer"), issuer && el("span", {}, issuer)),
    el("h3", { class: "card-title" }, title ? say(title) : el("code", { class: "code" }, type)),
    hasPortrait && picture("portrait.svg", "app.svg", "card-portrait"));
}

/** The system's message about the last attempt, or about an app that can no longer answer. */
function notice({ notice: text }, say) {
  return text && el("p", { class: "phone-problem", role: "alert" }, symbol("alert"), ` ${say(text)}`);
}

function gestureButtons(buttons, press, say) {
  return buttons.filter((name) => GESTURES[name]).map((name) => button("gesture", `authorizes-with:${name}`,
    () => press(name), symbol(name === "face-id" ? "face" : "lock"), el("span", {}, say(GESTURES[name]))));
}

/** What a person can do before a view that asks for an authorization, without a control of the system for it. */
export function asPersonView({ buttons }, press) {
  return buttons.filter((name) => FAILURES[name]).map((name) =>
    button("quiet", `authorizes-with:${name}:fails`, () => press(name, "fails"), FAILURES[name]));
}

function certifiedMark({ isRequesterCertified, certifiedBy }, say) {
  return isRequesterCertified
    ? el("p", { class: "certified" }, symbol("certified"),
      el("span", {}, certifiedBy ? say("{authority} certified this name", { authority: certifiedBy })
        : say("The name is certified")))
    : el("p", { class: "uncertified" }, symbol("alert"), el("span", {}, say("This name is not certified")));
}

/** The elements of a document, by what becomes of them. */
function elementGroups(elements, items, say) {
  const group = (title, className, isIn) => elementGroup(say(title), className, elements.filter(isIn), items, say);
  return el("div", { class: "groups" },
    group("Will be stored", "kept", (one) => !one.absence && one.isRetained),
    group("Will not be stored", "shown", (one) => !one.absence && !one.isRetained),
    group("Not in the document", "absent", ({ absence }) => absence === "notHeld"),
    group("Not given", "absent", ({ absence }) => absence === "notNeeded"));
}

const GROUP_SYMBOLS = { kept: "download", shown: "eye", absent: "hidden" };

function elementGroup(title, className, elements, items, say) {
  if (elements.length === 0) return null;
  const rows = elements.map((element) => el("li", {}, elementName(element, say),
    className === "kept" && storageTime(element, say)));
  items.push(...rows);
  return el("div", { class: `group ${className}` },
    el("p", { class: "group-title" }, symbol(GROUP_SYMBOLS[className]), ` ${title}`),
    el("ul", { "aria-label": title }, ...rows));
}

/** For how long an element will be stored, if the requester says so. */
const storageTime = ({ storage }, say) =>
  storage && storage !== "will be stored" && el("small", {}, say(storage));

/** The label of an element, or its identifier as it is. */
const elementName = ({ label, identifier }, say) =>
  (label && label !== identifier ? say(label) : el("code", { class: "code" }, identifier));

/** An app's own view, with a look of its own. */
export function customView(authorization, { press, choose }, device = english) {
  const say = device.of(authorization);
  const { app, title, lines, requester, buttons, agreeing, style = "custom" } = authorization;
  const items = [];
  const documents = documentsOf(authorization);
  const actions = buttons.map((name) => button(agreeing.includes(name) ? "own-yes" : "own-no",
    GESTURES[name] ? `authorizes-with:${name}` : `taps:${name}`, () => press(name), say(GESTURES[name] ?? name)));
  const body = el("div", { class: "sheet-body" },
    heading(say(title ?? "Verify with your license?")),
    ...(lines ?? []).map((line) => el("p", {}, say(line))),
    el("p", { class: "own-who" }, picture(authorization.icon ?? "website.svg", "website.svg", "brand-icon small"),
      el("span", {}, el("strong", {}, requester), el("small", {}, shortOrigin(say(authorization.origin))))),
    certifiedMark(authorization, say),
    notice(authorization, say),
    ...documents.flatMap((document) => [problem(document, say), ownDocument(document, items, say)]),
    otherDocuments(authorization, choose, say));
  const label = say("{app}: authorization", { app });
  return el("div", { class: `custom-view ${style}`, role: "dialog", "aria-label": label },
    el("div", { class: "own-head" }, picture(appIcon(app), "app.svg", "app-icon small"), el("span", {}, app)),
    readThrough(body, items, actions.filter((one) => one.classList.contains("own-yes")), say),
    el("div", { class: "own-actions" }, ...actions));
}

const storedWord = ({ absence, isRetained }) => (absence ? "Not given" : isRetained ? "Yes" : "No");

/** A document in an app's own view: a table of what is asked for. */
function ownDocument({ type, title, issuer, elements }, items, say) {
  const rows = elements.map((element) =>
    el("tr", {}, el("td", {}, elementName(element, say)), el("td", {}, say(storedWord(element)))));
  items.push(...rows);
  const name = title ? say(title) : el("code", { class: "code" }, type);
  return el("table", {},
    el("caption", {}, el("strong", {}, name), issuer && el("span", {}, issuer)),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("Asked for")),
      el("th", { scope: "col" }, say("Stored")))),
    el("tbody", {}, ...rows));
}

export function promptView(prompt, press, device = english) {
  const { app, question, buttons } = prompt;
  const say = device.of(prompt);
  return el("div", { class: "prompt", role: "alertdialog", "aria-label": say("Question about {app}", { app }) },
    picture(appIcon(app), "app.svg", "app-icon"), heading(say(question)),
    el("div", { class: "prompt-actions" }, ...buttons.map((name) =>
      button("plain", `${name === "Allow" ? "allows" : "does-not-allow"}:${app}`, () => press(name), say(name)))));
}

/** An iPhone's notification about a request on another device. `titles` are the display names of devices. */
export function notificationView(notification, device, press, speaker = english) {
  const { title, origin, mac, buttons, model, titles } = notification;
  const say = speaker.of(notification);
  const acts = { Continue: "taps-notification-on", Decline: "declines-notification-on" };
  return el("div", { class: "notification", role: "alertdialog", "aria-label": say("Notification") },
    el("p", { class: "notification-app" }, symbol("browser"), el("span", {}, say("Browser")),
      el("span", {}, say("now"))),
    heading(withTitles(say(title), titles)),
    el("p", { class: "sheet-origin" }, `${shortOrigin(origin)} · ${withTitles(mac, titles)}`),
    el("div", { class: "prompt-actions" }, ...buttons.map((name) => {
      const act = acts[name] ?? acts.Decline;
      return button("plain", `${act}:${device}`, () => press(act), say(name));
    })),
    el("p", { class: "model-note" }, say(model)));
}

/**
 * The browser's warning before the chooser: a `sheet` of a phone, or a `dialog` of a window. `press(answer)` is called
 * with `continue` or `cancel`.
 */
export function warningView(warning, form, press, device = english) {
  const { origin, risk, text, buttons } = warning;
  const say = device.of(warning);
  const isSheet = form === "sheet";
  const answers = buttons.map((name) => {
    const answer = name === "Continue" ? "continue" : "cancel";
    return button(isSheet ? "plain" : "quiet", `answers-warning:${answer}`, () => press(answer), say(name));
  });
  const title = say("Share your ID with this site?");
  return el("div", { class: `${isSheet ? "sheet" : "code-dialog"} warning ${risk}`, role: "alertdialog",
    "aria-label": say("Warning of the browser") },
  el("p", { class: "warning-from" }, symbol("alert"), say("Browser")),
  isSheet ? heading(title) : el("h3", {}, title),
  el("p", { class: "sheet-origin" }, shortOrigin(origin)), el("p", {}, say(text)),
  el("div", { class: isSheet ? "prompt-actions" : "dialog-actions" }, ...answers));
}

/**
 * The sheet of a Mac or an iPad that leads to an iPhone nearby, or to a QR code. `level` is "h3" in a window, and on a
 * tablet "h2", which gets the focus.
 */
export function continueView(sheet, device, press, level, speaker = english) {
  const { text, buttons, model, titles } = sheet;
  const say = speaker.of(sheet);
  const acts = { "Use QR Code": "uses-qr-code-on", Cancel: "cancels-on" };
  return el("div", { class: "code-dialog", role: "dialog", "aria-label": say("Continue on your iPhone") },
    el("span", { class: "code-mark" }, symbol("os")),
    el(level, { tabindex: level === "h2" ? "-1" : null }, withTitles(say(text), titles)),
    el("div", { class: "dialog-actions" }, ...buttons.map((name) => {
      const act = acts[name] ?? acts.Cancel;
      return button("quiet", `${act}:${device}`, () => press(act), say(name));
    })),
    el("p", { class: "model-note" }, say(model)));
}

/** The text with the names of devices replaced by their display names. */
const withTitles = (text, titles = {}) =>
  Object.entries(titles).reduce((words, [name, title]) => words.replaceAll(name, title), text);

const OUTCOMES = {
  sent: ["check", "Sent", "Your answer is sealed. Only the website’s server can open it."],
  declined: ["cross", "Declined", "Nothing about you left this device."],
  stopped: ["cross", "Ended", "Nothing about you left this device."],
  failed: ["alert", "Stopped", "Nothing about you left this device."],
};

/** The outcome of a request. The reason is a phrase of the simulator, in English. */
export function outcomeView({ kind, code, message }, say = english) {
  const [drawing, title, text] = OUTCOMES[kind];
  return el("div", { class: `outcome ${kind}`, role: "group", "aria-label": say("Result") },
    el("span", { class: "outcome-mark" }, symbol(drawing)), heading(say(title)), el("p", {}, say(text)),
    message && el("p", { class: "outcome-reason", lang: "en" }, asSentence(message), " ",
      el("code", { class: "code" }, code)));
}
