// A website's page, or the screen of an app that requests documents, drawn from its content alone.

import { el, symbol, picture, asSentence } from "/dom.js";
import { buttonNames } from "/person-act.js";
import { button } from "/phone-views.js";
import { shortOrigin } from "/words.js";

const STEPS = {
  selection: "Choose", identity: "Identity", summary: "Summary", ordered: "Ordered", review: "Review",
};
const FILES = { "scan": "A picture of an ID", "mislabeled-scan": "A picture with the wrong type",
  "text-file": "A text file", "empty-file": "An empty file" };

/**
 * Draws the content. `site` has the title and the icon, `facts` are the verified elements for people, and `act(action)`
 * performs the person's action. `frames` are those of the page: `{name, source, site, facts, page, frames}`. `frame` is
 * the name of the frame that the page is in.
 */
export function pageView(page, { site, facts, act, frames = [], frame = null }) {
  const { title, step, item, buttons, fallback, form, order, notices = [] } = page;
  const taps = buttons.map((value, index) => {
    const action = { verb: "taps", value, frame };
    return button(index === 0 ? "page-button first" : "page-button", buttonNames(action)[0], () => act(action), value);
  });
  const isAfter = page.verdict || page.exception || page.error;
  return el("div", { class: "page-view" },
    pageHead({ title, icon: site?.icon, step: step && (STEPS[step] ?? step) }),
    item && el("div", { class: "page-item" },
      picture(site?.icon ?? "website.svg", "website.svg", "page-picture"),
      el("div", {}, el("p", { class: "page-item-name" }, item.name), item.detail && el("p", {}, item.detail),
        item.price && el("p", { class: "page-price" }, item.price))),
    isAfter && resultView(page, facts),
    !isAfter && notices.map((text) => el("p", { class: "page-notice" }, text)),
    order && el("p", { class: "page-order" }, "Order ", el("code", { class: "code" }, order)),
    fallback && el("p", { class: "page-fallback" }, asSentence(fallback)),
    // The person uploads files with the page itself only.
    form && !frame && formView(form, act), buttons.length > 0 && el("div", { class: "page-buttons" }, ...taps),
    frames.map((one) => frameView(one, act)));
}

/** The head of a screen: the mark of its brand, its title, and the step in words. */
export function pageHead({ title, icon, step }) {
  return el("div", { class: "page-head" }, picture(icon ?? "website.svg", "website.svg", "page-mark"),
    el("span", { class: "page-name" }, title), step && el("span", { class: "page-step" }, step));
}

/** A frame, with the page in it. Its own address is one that a browser does not show. */
function frameView({ name, source, site, facts, page, frames }, act) {
  const attributes = {
    class: "page-frame", role: "group", "aria-label": `Frame ${name}: ${page.title}`, "data-frame": name,
  };
  return el("div", attributes,
    el("p", { class: "page-frame-name" }, symbol("page"), el("span", {}, "Frame ", el("strong", {}, name)),
      el("span", {}, source ?? (site && shortOrigin(site.origin)))),
    pageView(page, { site, facts, act, frames, frame: name }));
}

function resultView({ verdict, code, exception, error, notices = [] }, facts = []) {
  if (verdict === "verified") {
    return card("good", "check", notices[0] ?? "Verified", ...notices.slice(1).map((text) => el("p", {}, text)),
      facts.length > 0 && factsView(facts, "What the site received"));
  }
  const rest = notices.map((text) => el("p", {}, text));
  if (verdict) return card("bad", "alert", "Not verified", ...rest, code && el("code", { class: "code" }, code));
  return card("calm", "cross", "No answer", ...rest, el("code", { class: "code" }, exception ?? error));
}

/** A box with a result. */
export function card(tone, drawing, title, ...content) {
  return el("div", { class: `page-card ${tone}` }, el("h3", {}, symbol(drawing), el("span", {}, title)), ...content);
}

/** Verified elements as a list with a label. */
export function factsView(facts, label) {
  return el("dl", { class: "page-facts", "aria-label": label }, ...facts.map(factView));
}

/** An element that the site received. An identifier that has no label is its own. */
const factView = ({ name, label, words }) => el("div", {},
  el("dt", { title: name }, name.endsWith(` ${label}`) ? el("code", { class: "code" }, label) : label),
  el("dd", {}, name.endsWith(" portrait") && words.startsWith("JPEG")
    ? picture("portrait.svg", "app.svg", "page-portrait", `Portrait: ${words}`) : words));

/** The form for a picture. A world has these files. */
function formView({ label, button: name, message, refusal }, act) {
  const choice = el("select", { "aria-label": label },
    ...Object.entries(FILES).map(([value, words]) => el("option", { value }, words)));
  return el("div", { class: "page-form" }, el("p", {}, label), choice,
    button("page-button", "uploads:", () => act({ verb: "uploads", value: choice.value }), name),
    message && el("p", { class: "phone-problem", role: "alert" }, symbol("alert"), ` ${asSentence(message)} `,
      refusal && el("code", { class: "code" }, refusal)));
}
