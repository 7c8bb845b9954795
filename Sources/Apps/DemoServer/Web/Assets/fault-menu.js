// The faults: one at a time, more only on request, and always a list of those that act.

import { fetchScript } from "/api.js";
import { el, symbol } from "/dom.js";
import { explained } from "/explain.js";

export class FaultMenu {
  /**
   * `changed(faults)` is called with the ids of the chosen faults; `fetchFurther()` returns the faults of the catalogue
   * that the menu does not show at first; `failed(error)` reports that they cannot be fetched.
   */
  constructor({ menu, active }, faults, changed, fetchFurther, failed) {
    Object.assign(this, { menu, active, faults, changed });
    /** The other faults of the catalogue, once they are known. */
    this.further = [];
    this.isLimited = false;
    menu.addEventListener("toggle", () => {
      if (!menu.open) return;
      this.offerFurther(fetchFurther).catch((error) => {
        // The menu can lie over the place where the page says what failed.
        menu.open = false;
        failed(error);
      });
    });
    this.combine = el("input", { type: "checkbox", id: "combine", onchange: () => this.onCombine() });
    menu.append(el("div", { class: "fault-box" },
      el("label", { class: "combine" }, this.combine, " Combine several"),
      ...[...Map.groupBy(faults, ({ group }) => group)].map(([group, list]) => this.groupView(group, list)),
      el("a", { href: "/reference#faults", target: "_blank" }, "Every fault of the catalogue, with its scenarios")));
  }

  async offerFurther(fetchFurther) {
    const { offerAny } = await fetchScript("/any-fault.js");
    offerAny(this, await fetchFurther());
  }

  groupView(group, list) {
    return el("div", { class: "fault-group", role: "group", "aria-label": group },
      el("h2", {}, group), el("ul", {}, ...list.map(({ id, label }) => el("li", {},
        el("button", {
          type: "button", class: "chip-button", "data-fault": id, "aria-pressed": "false",
          onclick: () => this.press(id),
        }, label)))));
  }

  /** Choosing a fault replaces the other one, unless faults are combined. */
  press(id) {
    const isChosen = this.chosen.includes(id);
    const others = this.combine.checked ? this.chosen.filter((one) => one !== id) : [];
    this.menu.open = this.combine.checked;
    this.changed(isChosen ? others : [...others, id]);
  }

  onCombine() {
    if (!this.combine.checked && this.chosen.length > 1) this.changed(this.chosen.slice(-1));
  }

  label(id) { return this.faults.concat(this.others, this.further).find((fault) => fault.id === id)?.label ?? id; }

  /** Offers only the faults that act on external pages, or all. */
  limit(isForExternalPages) {
    this.isLimited = isForExternalPages;
    for (const chip of this.menu.querySelectorAll("[data-fault]")) {
      const fault = this.faults.find(({ id }) => id === chip.dataset.fault);
      chip.closest("li").hidden = isForExternalPages && !fault.isForExternalPages;
    }
    for (const group of this.menu.querySelectorAll(".fault-group")) {
      group.hidden = !group.querySelector("li:not([hidden])");
    }
  }

  /**
   * Shows the faults that act. `comparison` is the address of the comparison with the run without them, or null;
   * `others` has the labels of those that the menu does not offer.
   */
  show(chosen, { comparison = null, others = [] } = {}) {
    this.chosen = chosen;
    this.others = others;
    if (chosen.length > 1) this.combine.checked = true;
    for (const chip of this.menu.querySelectorAll("[data-fault]")) {
      chip.setAttribute("aria-pressed", String(chosen.includes(chip.dataset.fault)));
    }
    this.active.hidden = chosen.length === 0;
    this.active.replaceChildren(...[
      el("strong", {}, "Broken: "),
      el("ul", {}, ...chosen.map((id) => el("li", {}, explained(id, "fault-name", this.label(id)), el("button", {
        type: "button", class: "repair-one", "aria-label": `Repair: ${this.label(id)}`,
        onclick: () => this.changed(chosen.filter((one) => one !== id)),
      }, symbol("cross"))))),
      comparison && el("a", { class: "quiet", id: "compare-honest", href: comparison }, "Compare with the honest run"),
      el("button", { type: "button", class: "quiet", id: "repair-all", onclick: () => this.changed([]) },
        "Repair all")].filter(Boolean));
  }
}
