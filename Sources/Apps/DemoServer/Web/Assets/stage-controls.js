// The settings of the stage: world, scenario and case, seed, faults. They are in the address, so a link shows the same.

import { el, symbol } from "/dom.js";

const DEFAULT_SEED = 7;
const by = (id) => document.getElementById(id);

/** Reads the settings from the address. Unknown names are left out and reported. */
export function readAddress(catalogue) {
  const query = new URLSearchParams(location.search);
  const unknown = [];
  const known = (name, list, key) => {
    if (list.some((one) => one[key] === name)) return true;
    unknown.push(name);
    return false;
  };
  const world = query.get("world");
  const scenario = query.get("scenario");
  const found = findScenario(catalogue, scenario);
  if (scenario && !found) unknown.push(scenario);
  const seed = readSeed(query.get("seed"));
  if (seed === null) unknown.push(`seed ${query.get("seed")}`);
  return {
    choice: {
      world: found ? found.world : world && known(world, catalogue.worlds, "name") ? world : catalogue.worlds[0]?.name,
      scenario: found ? scenario : null,
      seed: seed ?? DEFAULT_SEED,
      faults: query.getAll("fault").filter((fault) => known(fault, catalogue.faults, "id")),
    },
    unknown,
  };
}

/** Returns the seed of a text, the default seed for empty text, or null for a number that a script cannot represent. */
function readSeed(text) {
  if (text === null) return DEFAULT_SEED;
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

/**
 * Finds a scenario, or one of its cases, by name, with its file's world and the nearest reason. Returns null if it does
 * not exist.
 */
function findScenario({ groups }, name) {
  for (const scenario of groups.flatMap(({ scenarios }) => scenarios)) {
    if (scenario.name === name) return { ...scenario, file: scenario };
    const found = scenario.cases.find((one) => one.name === name);
    if (found) return { world: scenario.world, because: scenario.because, ...found, file: scenario };
  }
  return null;
}

/** Writes a setting into the address. A new setting is a new entry of the browser's history. */
export function writeAddress({ world, scenario, seed, faults }) {
  const query = new URLSearchParams();
  if (world) query.set("world", world);
  if (scenario) query.set("scenario", scenario);
  query.set("seed", seed);
  for (const fault of faults) query.append("fault", fault);
  const address = `?${query}`.replaceAll("%2F", "/");
  if (location.search === address) return;
  // The first setting is the one of an address without parameters.
  if (location.search === "") history.replaceState(null, "", address);
  else history.pushState(null, "", address);
}

/** The controls. `changed(choice)` is called with new settings; the stage starts a world with them. */
export class Controls {
  constructor(catalogue, changed) {
    this.catalogue = catalogue;
    this.changed = changed;
    by("controls").addEventListener("submit", (event) => event.preventDefault());
    by("world").addEventListener("change", (event) => this.change({ world: event.target.value, scenario: null }));
    by("scenario").addEventListener("change", (event) => this.chooseScenario(event.target.value));
    by("case").addEventListener("change", (event) => this.change({ scenario: event.target.value }));
    by("seed").addEventListener("change", (event) => this.changeSeed(event.target));
    by("again").addEventListener("click", () => this.change({}));
    by("reset").addEventListener("click", () => {
      const world = this.choice.world ?? this.catalogue.worlds[0]?.name;
      this.change({ seed: DEFAULT_SEED, faults: [], scenario: null, world });
    });
    by("copy").addEventListener("click", () => this.copyLink());
    this.tuckFaults();
    this.drawFaults();
    this.drawScenarios();
  }

  show(choice) {
    this.choice = choice;
    const { worlds } = this.catalogue;
    const found = findScenario(this.catalogue, choice.scenario);
    by("world").replaceChildren(...worlds.map(({ name, message }) =>
      el("option", { value: name, title: message, selected: name === choice.world }, name)));
    if (!choice.world) by("world").prepend(el("option", { value: "", disabled: true, selected: true }, "its own"));
    by("scenario").value = found?.file.name ?? "";
    by("case").replaceChildren(...(found?.file.cases ?? []).map(({ name, title, because }) =>
      el("option", { value: name, title: because, selected: name === choice.scenario }, title)));
    by("case-field").hidden = by("case").options.length === 0;
    by("seed").value = choice.seed;
    for (const chip of by("faults").querySelectorAll("[data-fault]")) {
      chip.setAttribute("aria-pressed", String(choice.faults.includes(chip.dataset.fault)));
    }
    by("clear-faults").hidden = choice.faults.length === 0;
    if (this.floats.matches) by("break").open = false;
  }

  /** A scenario with cases starts with the first. Without a scenario the world stays, for free play. */
  chooseScenario(name) {
    const found = findScenario(this.catalogue, name);
    const world = found ? found.world : this.choice.world ?? this.catalogue.worlds[0]?.name;
    this.change({ world, scenario: found ? found.cases[0]?.name ?? found.name : null });
  }

  change(part) {
    this.changed({ ...this.choice, ...part });
  }

  changeSeed(field) {
    if (!field.reportValidity()) return;
    this.change({ seed: Number(field.value) });
  }

  toggleFault(fault) {
    const { faults } = this.choice;
    this.change({ faults: faults.includes(fault) ? faults.filter((one) => one !== fault) : [...faults, fault] });
  }

  /** In a low window the faults open over the rest of the page, and close after use. */
  tuckFaults() {
    this.floats = matchMedia("(min-width: 1100px) and (max-height: 1079px)");
    const panel = by("break");
    const tuck = () => { if (this.floats.matches) panel.open = false; };
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !panel.open) return;
      tuck();
      panel.querySelector("summary").focus();
    });
    document.addEventListener("pointerdown", (event) => { if (!panel.contains(event.target)) tuck(); });
    addEventListener("blur", tuck);
    this.floats.addEventListener("change", () => { panel.open = !this.floats.matches; });
  }

  drawScenarios() {
    by("scenario").replaceChildren(el("option", { value: "" }, "None: free play"),
      ...this.catalogue.groups.map(({ title, scenarios }) => el("optgroup", { label: title },
        ...scenarios.map(({ name, title, because }) => el("option", { value: name, title: because }, title)))));
  }

  drawFaults() {
    const groups = Map.groupBy(this.catalogue.faults, ({ group }) => group);
    by("faults").replaceChildren(
      ...[...groups].map(([group, faults]) => el("div", { class: "fault-group", role: "group", "aria-label": group },
        el("h3", {}, group),
        el("ul", {}, ...faults.map(({ id, label }) => el("li", {},
          el("button", {
            type: "button", class: "chip-button", "data-fault": id, "aria-pressed": "false",
            onclick: () => this.toggleFault(id),
          }, label)))))),
      el("button", {
        type: "button", class: "text-button", id: "clear-faults", hidden: true,
        onclick: () => this.change({ faults: [] }),
      }, symbol("cross"), "Mend everything"));
  }

  labelsOf(faults) {
    return faults.map((fault) => this.catalogue.faults.find(({ id }) => id === fault)?.label ?? fault);
  }

  scenario(name) {
    return findScenario(this.catalogue, name);
  }

  async copyLink() {
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
}
