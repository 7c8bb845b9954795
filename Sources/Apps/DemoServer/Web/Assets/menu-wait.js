// A dialog that waits for its content, and keeps what is typed meanwhile.

import { el } from "/dom.js";

/**
 * Opens a dialog with a search field until the work is done. Returns the text and whether Enter was pressed, or null if
 * the dialog was closed. Throws what the work throws.
 */
export async function waitIn(dialog, label, work) {
  let isChosen = false;
  const field = el("input", {
    type: "search", class: "menu-search", "aria-label": label, autocomplete: "off", spellcheck: "false",
    onkeydown: (event) => { if (event.key === "Enter") isChosen = true; },
  });
  dialog.replaceChildren(el("div", { class: "menu-head" }, field),
    el("p", { class: "menu-wait", role: "status" }, "Reading the scenarios …"));
  dialog.setAttribute("aria-label", label);
  dialog.showModal();
  field.focus();
  try {
    await work;
    return dialog.open ? { text: field.value, isChosen } : null;
  } finally {
    dialog.close();
  }
}
