// The explanation of a party, a check, an event or a fault, beside its name.

import { el, asSentence, loadStyle, sentenceCase, symbol } from "/dom.js";
import { fetchExplanation } from "/api.js";

const box = el("div", { class: "help", popover: "auto", role: "dialog", "aria-label": "Explanation" });
document.body.append(box);

/**
 * Shows the explanation of a name beside its button. `registrationsFor(party)` fetches the registrations of an
 * operating system; it returns null for other parties.
 */
export async function showHelp(name, button, registrationsFor = () => null) {
  const known = fetchExplanation(name).catch((error) => ({ name, text: error.message, facts: [], isMissing: true }));
  const { title, text, facts, isMissing } = await known;
  const registrations = await Promise.resolve(registrationsFor(button.dataset.party)).catch(() => null);
  const code = !name.startsWith("party-") && el("code", { class: "code" }, name);
  box.replaceChildren(
    el("div", { class: "help-head" }, el("h2", { tabindex: "-1", autofocus: true }, title ?? code),
      el("button", {
        type: "button", class: "icon-button", "aria-label": "Close", onclick: () => box.hidePopover(),
      }, symbol("cross"))),
    el("p", {}, ...withCode(asSentence(text))),
    button.dataset.note ? el("p", {}, el("strong", {}, button.dataset.note)) : "",
    registrations ? registrationTable(registrations) : "",
    el("dl", {}, ...facts.map((fact) => el("div", {}, el("dt", {}, ...withCode(fact.name)),
      el("dd", {}, ...withCode(sentenceCase(fact.text)))))),
    isMissing ? "" : el("a", { href: `/reference#${encodeURI(name)}`, target: "_blank" }, "In the reference"));
  if (box.matches(":popover-open")) box.hidePopover();
  box.showPopover({ source: button });
}

/** The registrations that an operating system holds, with the result of the last request for each. */
function registrationTable(rows) {
  if (rows.length === 0) return el("p", {}, "It holds no registrations now.");
  const heads = rows[0].facts.map(({ name }) => name);
  return el("div", { class: "registrations", tabindex: "0", role: "group", "aria-label": "Registrations" },
    el("table", {}, el("caption", {}, "Registrations now"),
      el("thead", {}, el("tr", {}, ...["app", ...heads].map((head) => el("th", { scope: "col" }, sentenceCase(head))))),
      el("tbody", {}, ...rows.map(({ app, facts, isOffered }) => el("tr", { class: isOffered ? "offered" : "" },
        el("th", { scope: "row" }, app), ...facts.map(({ value }) => el("td", {}, value)))))));
}

/** The style is fetched with this script. */
await loadStyle("/registrations.css");

/** Text whose parts between backticks are code. */
const withCode = (text) => text.split("`").map((part, index) =>
  (index % 2 ? el("code", { class: "code" }, part) : part));
