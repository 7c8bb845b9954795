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
    /** The entries whose titles contain the search: they come before those that contain it elsewhere. */
    this.best = el("section", { class: "menu-group", hidden: true });
    this.scenes = this.scenesView();
    this.list = el("div", { class: "menu-list" }, this.scenes, this.best,
      ...catalogue.groups.map((group) => this.groupView(group)), this.worldsView());
    dialog.setAttribute("aria-label", "Scenarios");
    dialog.replaceChildren(
      el("div", { class: "menu-head" }, symbol("search"), this.field,
        el("button", {
          type: "button", class: "icon-button", "aria-label": "Close the menu", onclick: () => dialog.close(),
        }, symbol("cross"))), this.count, this.list);
    dialog.addEventListener("keydown", (event) => this.onKey(event));
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    this.links = [...this.list.querySelectorAll(LINKS)].filter((link) => !this.scenes.contains(link));
    this.texts = new Map(this.links.map((link) => [link, searchText(link)]));
    this.titles = new Map(this.links.map((link) => [link, titleOf(link)]));
    this.files = new Map(this.links.map((link) => [link, fileOf(link)]));
    this.search();
  }

  /** The links in sight, in their order. */
  get found() { return [...this.list.querySelectorAll(LINKS)].filter((link) => link.checkVisibility()); }

  open(current) {
    for (const link of this.links) {
      const isCurrent = current !== null && link.dataset.name === current;
      if (isCurrent) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    this.dialog.showModal();
    this.field.select();
    // The scenes come first; what is shown now is in sight if it is not among them.
    const shown = this.list.querySelector("[aria-current]");
    const isScene = this.catalogue.scenes?.some(({ name }) => name === current);
    if (!isScene) shown?.scrollIntoView({ block: "center" });
  }

  /** The scenes that are worth showing first, each with its outcome. */
  scenesView() {
    const { scenes = [] } = this.catalogue;
    return el("section", { class: "menu-group menu-scenes", hidden: scenes.length === 0 }, el("h3", {}, "Start here"),
      el("ul", {}, ...scenes.map(({ name, sentence, tone, outcome }) => el("li", {},
        this.link({ scenario: name }, sentence, el("span", { class: `scene-outcome ${tone}` },
          symbol(DRAWINGS[tone]), ` ${outcome}`))))));
  }

  groupView({ title, scenarios }) {
    return el("section", { class: "menu-group" }, el("h3", {}, title),
      el("ul", {}, ...scenarios.map((scenario) => this.scenarioView(scenario))));
  }

  scenarioView({ name, title, because, cases, problem }) {
    if (problem) {
      return el("li", {}, this.link({ scenario: name }, name, el("span", { class: "menu-problem" }, problem)));
    }
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

  /**
   * Shows what contains every word of the search: first the scenes that have them in their titles, in their order, then
   * the scenarios with them in their title or in the name of their file, then cases.
   */
  search() {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (texts) => (link) => words.every((word) => texts.get(link).toLowerCase().includes(word));
    const scenes = (this.catalogue.scenes ?? []).map(({ name }) => name);
    const ofFile = has(this.files);
    const rank = (link) => (scenes.includes(link.dataset.name) ? scenes.indexOf(link.dataset.name)
      : scenes.length + (ofFile(link) ? 0 : 1));
    const best = words.length > 0 ? this.links.filter(has(this.titles))
      .sort((one, other) => rank(one) - rank(other)).slice(0, MOST_TITLES) : [];
    this.scenes.hidden = words.length > 0 || !this.scenes.querySelector(LINKS);
    this.best.replaceChildren(el("h3", {}, "Titles"), el("ul", {}, ...best.map((link) => {
      const copy = this.link(choiceTarget(link.dataset.name), this.titles.get(link).split("\n")[0],
        link.querySelector("small")?.textContent);
      return el("li", {}, copy);
    })));
    this.best.hidden = best.length === 0;
    const isFound = has(this.texts);
    for (const link of this.links) link.closest("li").hidden = best.includes(link) || !isFound(link);
    for (const box of this.list.querySelectorAll(".menu-scenario, .menu-group")) {
      if (box === this.best || box === this.scenes) continue;
      box.hidden = ![...box.querySelectorAll(LINKS)].some((link) => !link.closest("li").hidden);
    }
    const found = best.length + this.links.filter((link) => !link.closest("li").hidden).length;
    this.count.textContent = words.length > 0 ? `${counted(found, "result")}` : counted(found, "entry", "entries");
  }

  /** The arrow keys move through what is found; Enter in the search takes the first. */
  onKey(event) {
    // The first Escape in a search field would only clear it.
    if (event.key === "Escape") {
      event.preventDefault();
      return this.dialog.close();
    }
    const { found } = this;
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
/** The most entries that are found by their titles and shown before the others. */
const MOST_TITLES = 30;
const DRAWINGS = { good: "check", bad: "alert", warning: "eye", calm: "cross" };

const choiceOf = (target) => ({ scenario: null, world: null, seed: null, faults: [], ...target });

/** The choice of the name of a link. */
const choiceTarget = (name) => (name.startsWith("world ") ? { world: name.slice(6) } : { scenario: name });

/** The title of an entry, with that of its scenario, and the name of its file in a line after it. */
function titleOf(link) {
  const title = [link.closest(".menu-scenario")?.querySelector(".menu-title"), link.querySelector("span")]
    .map((one) => one?.textContent).filter(Boolean).join(": ");
  return `${title}\n${link.dataset.name.replace(/#.*/, "")}`;
}

/** The title of the scenario of an entry, and the name of its file. */
function fileOf(link) {
  const title = link.closest(".menu-scenario")?.querySelector(".menu-title") ?? link.querySelector("span");
  return `${title.textContent}\n${link.dataset.name.replace(/#.*/, "")}`;
}

/** The texts of an entry with those of its scenario and its group, in lower case. */
function searchText(link) {
  const scenario = link.closest(".menu-scenario");
  return [link, scenario?.querySelector(".menu-title"), scenario?.querySelector(".menu-because"),
    link.closest(".menu-group").querySelector("h3")].map((one) => one?.textContent ?? "")
    .concat(link.dataset.name).join(" ").toLowerCase();
}
