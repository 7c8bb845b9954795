// What a page tells the person who runs it: its problems, and that its link was copied.

import { el, symbol } from "/dom.js";

const by = (id) => document.getElementById(id);

/** Shows a problem, with a button for another attempt if there is one. `kind` names one that can end by itself. */
export function complain(message, code = null, retry = null, kind = "") {
  const problem = by("problem");
  problem.dataset.kind = kind;
  problem.replaceChildren(symbol("alert"), el("span", {}, message), code ? el("code", { class: "code" }, code) : "",
    retry ? el("button", { type: "button", class: "quiet", onclick: retry }, "Try again") : "",
    el("button", {
      type: "button", class: "icon-button", "aria-label": "Dismiss", onclick: () => { problem.hidden = true; },
    }, symbol("cross")));
  problem.hidden = false;
}

/** Shows an error. */
export const report = ({ message, code = null }) => complain(message, code);

/** Copies the page's address. */
export async function copyLink() {
  const label = by("copy-label");
  try {
    await navigator.clipboard.writeText(location.href);
    label.textContent = "Copied";
  } catch {
    // Without permission to write to the clipboard, the address itself is the link.
    label.textContent = "Copy it from the address";
  }
  setTimeout(() => { label.textContent = "Copy link"; }, 2500);
}
