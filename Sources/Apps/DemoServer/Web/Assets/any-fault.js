// The field for any fault of the catalogue, below the faults of the menu. It is fetched when the menu is opened first.

import { el, loadStyle } from "/dom.js";

/** Offers the other faults of the catalogue in the menu. */
export function offerAny(menu, further) {
  menu.further = further;
  const options = further.filter((fault) => !menu.isLimited || fault.isForExternalPages)
    .map(({ id, label, group }) => el("option", { value: id }, `${group}: ${label}`));
  const list = document.getElementById("all-faults") ?? el("datalist", { id: "all-faults" });
  list.replaceChildren(...options);
  if (list.isConnected) return;
  const field = el("input", {
    id: "any-fault", type: "search", list: "all-faults", autocomplete: "off", onchange: () => take(menu, field),
  });
  menu.menu.querySelector(".fault-box > a")
    .before(el("label", { class: "any-fault" }, "Any fault of the catalogue ", field), list);
}

/** Chooses the fault whose name was typed. */
function take(menu, field) {
  const typed = field.value.trim();
  const isKnown = menu.faults.concat(menu.further).some(({ id }) => id === typed);
  field.setCustomValidity(isKnown || typed === "" ? "" : "The catalogue has no fault of this name.");
  if (!field.reportValidity() || typed === "") return;
  field.value = "";
  menu.press(typed);
}

/** The style is fetched with this script. */
await loadStyle("/any-fault.css");
