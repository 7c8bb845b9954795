// Names that explain themselves: buttons on a page with a reference, and plain text on others.

import { el } from "/dom.js";

let explain = null;

/** Makes names buttons that call `open(name, button)`. */
export function explainNames(open) { explain = open; }

/** A name of the reference, as a button if the page can explain it. */
export function explained(name, className, ...content) {
  if (!explain) return el("span", { class: className }, ...content);
  return el("button", {
    type: "button", class: `explained ${className}`, "aria-haspopup": "dialog", title: "What is this?",
    onclick: ({ currentTarget }) => explain(name, currentTarget),
  }, ...content);
}

/** A code of a check, an event or a fault. */
export const codeLabel = (code) => (explain ? explained(code, "code", code) : el("code", { class: "code" }, code));
