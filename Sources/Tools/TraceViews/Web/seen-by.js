// A message as each party sees it: a choice of parties, and what the chosen ones have of the message.

import { el, symbol, counted } from "/dom.js";

const DRAWINGS = { reads: "eye", carries: "lock", seals: "lock", opens: "key", unopened: "lock", partly: "hidden" };
/** The bytes of a digest that are shown; all of them are in the structure. */
const DIGEST = 6;

/**
 * The elements for a message's content: that alone if all see the same, otherwise a choice of parties above it.
 *
 * - `actor(id)` is a column, `content(view)` the content of a view, and `draw(content)` its drawing.
 * - `open(number)` shows another message.
 * - `reader` is a party whose view is chosen first.
 */
export function seenBy(views, own, { actor, content, draw, open, reader = null }) {
  if (!views?.length) return [draw(own)];
  const box = el("div", { class: "seen-content" });
  const nameOf = ({ by }) => (by.length === 0 ? "Anyone on the way" : by.map((id) => actor(id).title).join(", "));
  const verifier = nameOf(views.find(({ way }) => way === "opens") ?? views[0]);
  const show = (view) => {
    const shown = view.content === undefined ? view.way === "unopened" ? null : own : content(view);
    const disclosures = shown?.disclosures ?? [];
    box.classList.toggle("with-disclosure", disclosures.length > 0);
    box.replaceChildren(el("p", { class: "seen-note" }, ...words(view, nameOf(view), open)),
      ...disclosures.length > 0 ? [disclosureView(disclosures, verifier)] : [], ...shown ? [draw(shown)] : []);
  };
  const isOf = (view) => view.by.includes(reader) && view.way !== "carries";
  const first = views.find(isOf) ?? views[0];
  const choice = el("fieldset", { class: "seen-by" }, el("legend", {}, "Seen by"), ...views.map((view) =>
    el("label", { class: `seen-party ${view.way}` },
      el("input", {
        type: "radio", name: "seen-by", class: "visually-hidden", checked: view === first, onchange: () => show(view),
      }),
      symbol(DRAWINGS[view.way]), el("span", {}, nameOf(view), el("small", {}, ` ${stateOf(view)}`)))));
  show(first);
  return [choice, box];
}

function stateOf({ way, message }) {
  if (message && way === "partly") return "before the agreement";
  if (message) return "after the agreement";
  return {
    reads: "in full", carries: "sealed", seals: "before sealing", opens: "opened", unopened: "not opened",
    partly: "a part",
  }[way];
}

function words({ by, way, message, release }, name, open) {
  const number = (one) => el("button", { type: "button", class: "text-button", onclick: () => open(one) },
    `message ${one}`);
  const several = by.length > 1;
  switch (way) {
    case "carries":
      return [`${name} ${several ? "carry" : "carries"} it sealed: the sender's key, the ciphertext and its length.`];
    case "opens":
      return [`${name} opened it with a key that stays there. This page shows the content, as it shows the whole run.`];
    case "seals": return [`${name} made it and sealed it.`];
    case "unopened": return [`${name} has not opened this.`];
    case "partly": {
      const rest = release ? ["The full request comes after the agreement, with ", number(release), "."]
        : ["The full request does not follow."];
      return message
        ? [`Before the person agrees, ${name} has this part of the request, in `, number(message), ". ", ...rest]
        : ["This part is all that the app has before the person agrees. ", ...rest];
    }
    default:
      return message ? [`After the person agreed, ${name} has the full request, in `, number(message), "."]
        : [`${name} ${several ? "read" : "reads"} all of it.`];
  }
}

/** What left the phone and what stayed there, side by side, for each document. */
function disclosureView(disclosures, verifier) {
  return el("section", { class: "disclosure", tabindex: "0", "aria-label": "Disclosed and withheld elements" },
    ...disclosures.map((one) => documentView(one, verifier)));
}

function documentView({ label, algorithm, disclosed, withheld, isHeldKnown }, verifier) {
  const all = disclosed.filter((one) => !one.isDeviceSigned).length + withheld.length;
  return el("div", { class: "disclosed-document" },
    el("h3", {}, `${label}: ${disclosed.length} of ${counted(all, "element")} left the phone`),
    el("div", { class: "disclosure-lists" },
      el("div", {}, el("h4", {}, symbol("eye"), ` Disclosed: ${disclosed.length}`),
        el("dl", { class: "disclosed" }, ...disclosed.map(({ label: name, identifier, value, isDeviceSigned }) =>
          el("div", {}, el("dt", { title: identifier }, name),
            el("dd", {}, value, isDeviceSigned && el("small", {}, " signed by the device")))))),
      el("div", {}, el("h4", {}, symbol("hidden"), ` Withheld: ${withheld.length}`),
        el("p", { class: "seen-note" }, `${isHeldKnown ? "They stayed on the phone. " : ""}${verifier} has a digest of `
          + `each${algorithm ? ` (${algorithm})` : ""}, without its name. A random salt is in the digest, so the value `
          + "cannot be found by trying."),
        el("dl", { class: "withheld" }, ...withheld.map(({ label: name, identifier, digest, number }) =>
          el("div", {}, el("dt", { title: identifier }, name ?? "Unknown element"),
            el("dd", {}, `digest ${number === undefined ? "" : `${number}: `}`,
              el("code", { class: "code", title: digest }, `${digest.slice(0, 2 * DIGEST)}…`))))))));
}
