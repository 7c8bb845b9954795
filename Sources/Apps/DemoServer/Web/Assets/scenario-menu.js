// The menu of all scenarios and cases, with a search, and of the worlds for free play.

import { el, symbol, counted } from "/dom.js";
import { queryOf } from "/address.js";
import { besideAddress } from "/beside-address.js";

export class ScenarioMenu {
  /** `chosen({scenario, world})` is called with the choice. */
  constructor(dialog, catalogue, chosen) {
    Object.assign(this, { dialog, catalogue, chosen });
    this.field = el("input", {
      type: "search", class: "menu-search", placeholder: "Search scenarios and cases", spellcheck: "false",
      autocomplete: "off", "aria-label": "Search scenarios and cases", oninput: () => this.search(),
    });
    this.count = el("p", { class: "menu-count", role: "status" });
    this.list = el("div", { class: "menu-list" }, ...catalogue.groups.map((group) => this.groupView(group)),
      this.worldsView());
    dialog.setAttribute("aria-label", "Scenarios");
    dialog.replaceChildren(
      el("div", { class: "menu-head" }, symbol("search"), this.field,
        el("button", {
          type: "button", class: "icon-button", "aria-label": "Close the menu", onclick: () => dialog.close(),
        }, symbol("cross"))), this.count, this.list);
    dialog.addEventListener("keydown", (event) => this.onKey(event));
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    this.links = [...this.list.querySelectorAll(LINKS)];
    this.texts = new Map(this.links.map((link) => [link, searchText(link)]));
    this.search();
  }

  open(current) {
    for (const link of this.links) {
      const isCurrent = current !== null && link.dataset.name === current;
      if (isCurrent) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    this.dialog.showModal();
    this.field.select();
    this.list.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }

  groupView({ title, scenarios }) {
    return el("section", { class: "menu-group" }, el("h3", {}, title),
      el("ul", {}, ...scenarios.map((scenario) => this.scenarioView(scenario))));
  }

  scenarioView({ name, title, because, cases }) {
    if (cases.length === 0) return el("li", {}, this.link({ scenario: name }, title, because));
    return el("li", { class: "menu-scenario" },
      el("p", { class: "menu-title" }, title), because && el("p", { class: "menu-because" }, because),
      el("ul", { class: "menu-cases" }, ...cases.map((one) =>
        el("li", {}, this.link({ scenario: one.name }, one.title, one.because)))),
      cases.length > 1 && el("a", {
        class: "menu-compare", href: besideAddress(...cases.slice(0, 2).map((one) => choiceOf({ scenario: one.name }))),
        "aria-label": `Compare two cases of: ${title}`,
      }, "Compare two cases"));
  }

  worldsView() {
    return el("section", { class: "menu-group" }, el("h3", {}, "Play freely, or test a site of your own"),
      el("ul", {}, ...this.catalogue.worlds.map(({ name, message }) =>
        el("li", {}, this.link({ world: name }, name, message)))));
  }

  link(target, title, because) {
    const choice = choiceOf(target);
    const choose = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.dialog.close();
      this.chosen(choice);
    };
    return el("a", {
      href: `?${queryOf(choice)}`, "data-name": target.scenario ?? `world ${target.world}`, onclick: choose,
    }, el("span", {}, title), because && el("small", {}, because));
  }

  /** Shows what contains every word of the search, in any order. */
  search() {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const link of this.links) {
      link.closest("li").hidden = !words.every((word) => this.texts.get(link).includes(word));
    }
    for (const box of this.list.querySelectorAll(".menu-scenario, .menu-group")) {
      box.hidden = ![...box.querySelectorAll(LINKS)].some((link) => !link.closest("li").hidden);
    }
    const found = this.links.filter((link) => !link.closest("li").hidden).length;
    this.count.textContent = words.length > 0 ? `${counted(found, "result")}` : counted(found, "entry", "entries");
  }

  /** The arrow keys move through what is found; Enter in the search takes the first. */
  onKey(event) {
    // The first Escape in a search field would only clear it.
    if (event.key === "Escape") {
      event.preventDefault();
      return this.dialog.close();
    }
    const found = this.links.filter((link) => link.checkVisibility());
    if (event.key === "Enter" && event.target === this.field) {
      // Otherwise the key would press the button that gets the focus when the menu closes.
      event.preventDefault();
      return found[0]?.click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const index = found.indexOf(document.activeElement) + step;
    if (index < 0) this.field.focus();
    else found[index]?.focus();
  }
}

/** The links to runs. */
const LINKS = "a[data-name]";

const choiceOf = (target) => ({ scenario: null, world: null, seed: null, faults: [], ...target });

/** The texts of an entry with those of its scenario and its group, in lower case. */
function searchText(link) {
  const scenario = link.closest(".menu-scenario");
  return [link, scenario?.querySelector(".menu-title"), scenario?.querySelector(".menu-because"),
    link.closest(".menu-group").querySelector("h3")].map((one) => one?.textContent ?? "")
    .concat(link.dataset.name).join(" ").toLowerCase();
}
