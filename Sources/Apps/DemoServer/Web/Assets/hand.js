// What a person does by hand in a run that is taken over: Settings, the app store and the document apps on the phone,
// and the rest beside the device. The server says what can be done, as the scenario language has it.

import { el, loadStyle, picture, sentenceCase, symbol } from "/dom.js";
import { readAct } from "/person-act.js";
import { button } from "/phone-views.js";
import { appIcon } from "/words.js";

const TITLES = { settings: "Settings", store: "App Store" };
const EMPTY = {
  settings: "No app has asked to provide documents.", store: "There is no other app.",
  app: "This app has no documents.",
};

/** The act of a deed: its step as a scenario writes it, with its words. */
const actOf = ({ text, words }) =>
  ({ verb: "by-hand", value: words, result: null, frame: null, ...readAct(text), text, words });

/** The words of a deed as the label of a control: "installs Wallet" is "Install Wallet". */
const labelOf = (words) => sentenceCase(words.replace(/^[a-z]+/, (verb) => verb.replace(/ies$/, "y")
  .replace(/((?:ch|sh|ss|x|go))es$/, "$1").replace(/([^s])s$/, "$1")));

const control = (deed, act, label) => (deed.longestText ? entry(deed, act, label)
  : button("hand-deed", `by-hand:${deed.text}`, () => act(actOf(deed)), label));

/** The field for the text of a deed, and its control. */
function entry(deed, act, label) {
  const field = el("input", {
    "aria-label": "Text of the code", placeholder: "Text of the code", maxlength: deed.longestText, required: true,
    autocomplete: "off", spellcheck: "false",
  });
  const done = (event) => {
    event.preventDefault();
    const { verb } = readAct(deed.text);
    act({ verb, value: field.value, words: deed.words });
    field.value = "";
  };
  return el("form", { class: "hand-entry", onsubmit: done }, field,
    el("button", { class: "hand-deed", "data-act": `by-hand:${deed.text}` }, label));
}

/**
 * A screen of the phone: Settings, the app store, or a document app. A device with another language than English brings
 * the labels of its controls.
 */
function placeView({ place, app }, hand, { act, close, say }) {
  const deeds = hand.deeds.filter((deed) => deed.place === place && (!app || deed.app === app));
  const installed = hand.apps.find(({ name }) => name === app);
  const title = app ?? say(TITLES[place]);
  return el("div", { class: "hand-place", role: "group", "aria-label": title },
    el("div", { class: "hand-head" },
      button("plain hand-close", "hand:home", close, symbol("back"), el("span", {}, say("Home"))),
      el("h2", { tabindex: "-1" }, app && picture(appIcon(app), "app.svg", "app-icon small"), title)),
    installed && el("p", { class: "hand-note" }, documentsText(installed.documents, say)),
    deeds.length > 0 ? el("ul", { class: "hand-list" }, ...deeds.map((deed) =>
      el("li", {}, control(deed, act, deed.label ?? labelOf(deed.words)))))
      : el("p", { class: "hand-note" }, say(EMPTY[place])));
}

const documentsText = (documents, say) => (documents.length > 0
  ? say("Holds {documents}.", { documents: say.list(documents) }) : say("Holds no documents."));

/** Opens a place on a phone. */
export function openRoom(phone, place) {
  [phone.place, phone.isHome] = [place, true];
  phone.drawBelow();
  phone.room.querySelector("h2")?.focus({ preventScroll: true });
}

/** Draws the place that is open on a phone, if it changed. */
export function drawRoom(phone) {
  const { room, place, hand } = phone;
  room.hidden = !(place && hand);
  const drawn = room.hidden ? "" : JSON.stringify([place, hand]);
  if (drawn === room.dataset.drawn) return;
  room.dataset.drawn = drawn;
  const focused = room.contains(document.activeElement) ? document.activeElement.dataset.act : null;
  room.replaceChildren(...(room.hidden ? []
    : [placeView(place, hand, { act: (action) => phone.act(action), close: () => phone.goHome(), say: phone.say })]));
  // A control that did its work is gone.
  const next = focused && (room.querySelector(`[data-act="${CSS.escape(focused)}"]`) ?? room.querySelector("h2"));
  next?.focus();
}

/**
 * Shows what the person can do beside a device that no screen of it has, in English. A list that was just opened is
 * placed, too.
 */
export function showMore(box, hand, view, isOpened) {
  const drawn = JSON.stringify(hand.deeds);
  if (box.dataset.drawn !== drawn) drawList(box, hand, view);
  box.dataset.drawn = drawn;
  if (isOpened) placeList(box);
}

function drawList(box, hand, view) {
  // A phone has places of its own for the rest.
  const besides = ["person", "browser", ...(view.home ? [] : ["home", "settings", "store", "app"])];
  const deeds = hand.deeds.filter(({ place, text }) => besides.includes(place) && !text.includes("authorizes-with"));
  const [summary, before] = box.children;
  const hadFocus = before?.contains(document.activeElement);
  const focused = hadFocus ? document.activeElement.dataset.act : null;
  const field = before?.querySelector("input") ?? null;
  const wasInField = field !== null && field === document.activeElement;
  // The summary stays where it is: an element that is moved loses the focus.
  before?.remove();
  box.append(el("ul", { class: "hand-list" }, ...deeds.map((deed) =>
    el("li", {}, control(deed, (action) => view.act(action), labelOf(deed.words))))));
  // What was typed stays.
  const next = field?.value ? box.querySelector("input") : null;
  if (next) {
    next.value = field.value;
    next.setSelectionRange(field.selectionStart, field.selectionEnd);
  }
  const again = wasInField ? "input" : focused && `[data-act="${CSS.escape(focused)}"]`;
  if (hadFocus) (again && box.querySelector(again) || summary).focus();
}

/** Places a list that is open: over the wire where that is beside the devices, otherwise below its device. */
function placeList(box) {
  const [scene, wire, summary] = [box.closest(".scene"), document.getElementById("wire"), box.firstElementChild]
    .map((one) => one.getBoundingClientRect());
  const isBeside = wire.left >= scene.right - 1;
  const zoom = box.currentCSSZoom ?? 1;
  box.classList.toggle("over-wire", isBeside);
  box.style.setProperty("--hand-left", `${(wire.left + 6) / zoom}px`);
  box.style.setProperty("--hand-bottom", `${(innerHeight - summary.bottom) / zoom}px`);
  if (!isBeside) box.lastElementChild.scrollIntoView({ block: "nearest" });
}

addEventListener("resize", () => {
  for (const box of document.querySelectorAll(".hand-more[open]")) placeList(box);
});

/** The style is fetched with this script. */
await loadStyle("/hand.css");
