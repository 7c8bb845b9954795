// One of two runs: its choice, its devices and its verdict.

import { el } from "/dom.js";
import { findScenario } from "/address.js";
import { drawVerdict } from "/bar.js";
import { Scene } from "/scene.js";

const SEVERAL = "several";

export class Side {
  /** `changed(choice)` is called with another choice, `chooseScenario()` opens the menu. */
  constructor(section, name, catalogue, { changed, chooseScenario }) {
    Object.assign(this, { section, name, catalogue, changed });
    const title = name === "left" ? "Left" : "Right";
    this.title = el("strong", {});
    this.caseTitle = el("span", { class: "side-case" });
    this.settings = el("span", {});
    this.fault = el("select", {
      "aria-label": `Fault of the ${name} run`,
      onchange: () => changed({ ...this.choice, faults: this.fault.value ? [this.fault.value] : [] }),
    });
    this.seed = el("input", {
      type: "number", min: "0", max: String(Number.MAX_SAFE_INTEGER), step: "1", inputmode: "numeric",
      onchange: () => this.changeSeed(),
    });
    this.stage = el("a", { class: "quiet" }, "On the stage");
    this.box = el("div", { class: "scene", tabindex: "0", role: "group", "aria-label": `Devices of the ${name} run` });
    this.verdict = el("div", { class: "verdict", role: "status" });
    section.replaceChildren(
      el("div", { class: "side-head" },
        el("h2", { id: `${name}-title`, class: "side-tag" }, title),
        el("button", { type: "button", class: "scenario-button", "aria-haspopup": "dialog", onclick: chooseScenario },
          el("span", { class: "scenario-names" },
            el("span", { class: "visually-hidden" }, "Scenario: "), this.title, " ", this.caseTitle)),
        el("details", { class: "side-more" }, el("summary", {}, this.settings),
          el("div", { class: "side-settings" }, this.fault,
            el("label", { class: "field" }, "Seed ", this.seed), this.stage))),
      this.box, this.verdict);
    this.scene = new Scene(this.box, {
      act: () => Promise.reject(new Error("To act yourself, open this run on the stage.")),
    });
    this.scene.setFocusTaking(false);
  }

  changeSeed() {
    if (!this.seed.reportValidity()) return;
    this.changed({ ...this.choice, seed: this.seed.value === "" ? null : Number(this.seed.value) });
  }

  label(id) { return this.catalogue.faults.find((fault) => fault.id === id)?.label ?? id; }

  showChoice(choice) {
    this.choice = choice;
    const found = findScenario(this.catalogue, choice.scenario);
    const isCase = found && found.file.name !== found.name;
    // Two cases of a file have the same title.
    this.title.textContent = found?.title ?? "";
    this.caseTitle.textContent = isCase ? `case of: ${found.file.title}` : "";
    this.seed.value = choice.seed ?? "";
    this.showSettings();
    const groups = [...Map.groupBy(this.catalogue.faults, ({ group }) => group)];
    this.fault.replaceChildren(
      el("option", { value: "" }, "No added fault"),
      choice.faults.length > 1
        && el("option", { value: SEVERAL, disabled: true }, choice.faults.map((id) => this.label(id)).join(", ")),
      ...groups.map(([group, list]) => el("optgroup", { label: group },
        ...list.map(({ id, label }) => el("option", { value: id }, label)))));
    this.fault.value = choice.faults.length > 1 ? SEVERAL : choice.faults[0] ?? "";
    this.verdict.replaceChildren();
    this.verdict.dataset.tone = "";
  }

  /** The fault and the seed, while the fields are folded. */
  showSettings(seed = this.choice.seed) {
    const faults = this.choice.faults.map((id) => this.label(id)).join(", ") || "No added fault";
    this.settings.textContent = seed === null ? faults : `${faults} · seed ${seed}`;
  }

  load(play) {
    this.play = play;
    this.showSettings(play.seed);
    this.drawn = null;
    this.seed.placeholder = play.seed;
    this.scene.begin(play);
    // Both runs have the same devices.
    for (const { view } of this.scene.devices.values()) {
      view.element.setAttribute("aria-label", `${view.element.getAttribute("aria-label")}, ${this.name} run`);
    }
    this.scene.note(play.entries);
    this.scene.setFocusTaking(false);
  }

  /** The last line of the journal at a position. */
  lineAt(position) {
    const { steps, entries } = this.play;
    const setup = steps.length > 0 ? steps[0].lines[0] - 1 : entries.at(-1)?.line ?? 0;
    return Math.max(setup, ...steps.slice(0, position).map(({ lines }) => lines[1]));
  }

  /** Shows the run after some of its steps. */
  show(position, address) {
    const { play } = this;
    this.stage.href = address;
    const screen = play.screens[position === 0 ? 0 : play.steps[position - 1].screen] ?? play.screens[0];
    this.scene.show(screen);
    const isEnd = position === play.steps.length;
    const { conclusion, outcome } = play;
    const isReached = conclusion && (isEnd || (conclusion.end ?? conclusion.line ?? Infinity) <= this.lineAt(position));
    const key = `${isEnd} ${isReached}`;
    // Screen readers announce every change of a status, so it changes only with new content.
    if (key === this.drawn) return;
    this.drawn = key;
    drawVerdict(this.verdict, isReached ? conclusion : null, isEnd ? outcome : null,
      `Verdict after step ${play.steps.length}.`);
  }
}
