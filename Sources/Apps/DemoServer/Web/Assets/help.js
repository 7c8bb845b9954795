// The explanation of a party, a check, an event or a fault, beside its name.

import { el, asSentence, sentenceCase, symbol } from "/dom.js";
import { fetchExplanation } from "/api.js";

const box = el("div", { class: "help", popover: "auto", role: "dialog", "aria-label": "Explanation" });
document.body.append(box);

/** Shows the explanation of a name beside its button. */
export async function showHelp(name, button) {
  const known = fetchExplanation(name).catch((error) => ({ name, text: error.message, facts: [], isMissing: true }));
  const { title, text, facts, isMissing } = await known;
  const code = !name.startsWith("party-") && el("code", { class: "code" }, name);
  box.replaceChildren(
    el("div", { class: "help-head" }, el("h2", { tabindex: "-1", autofocus: true }, title ?? code),
      el("button", {
        type: "button", class: "icon-button", "aria-label": "Close", onclick: () => box.hidePopover(),
      }, symbol("cross"))),
    el("p", {}, ...withCode(asSentence(text))),
    button.dataset.note ? el("p", {}, el("strong", {}, button.dataset.note)) : "",
    el("dl", {}, ...facts.map((fact) => el("div", {}, el("dt", {}, ...withCode(fact.name)),
      el("dd", {}, ...withCode(sentenceCase(fact.text)))))),
    isMissing ? "" : el("a", { href: `/reference#${encodeURI(name)}`, target: "_blank" }, "In the reference"));
  if (box.matches(":popover-open")) box.hidePopover();
  box.showPopover({ source: button });
}

/** Text whose parts between backticks are code. */
const withCode = (text) => text.split("`").map((part, index) =>
  (index % 2 ? el("code", { class: "code" }, part) : part));
