// The bar that shows the progress of the presentment, the next action, and at the end which party noticed which fault.

import { el, symbol, asSentence } from "/dom.js";
import { PHASES } from "/story.js";

const DRAWINGS = { good: "check", bad: "alert", warn: "eye", calm: "cross" };

export class Narrator {
  constructor(container, { runAgain, showLine }) {
    this.runAgain = runAgain;
    this.showLine = showLine;
    this.steps = PHASES.map((name, index) =>
      el("li", {}, el("span", { class: "step-mark", "aria-hidden": "true" }, String(index + 1)), name));
    this.words = el("div", { class: "story-words", role: "status" });
    this.actions = el("div", { class: "story-actions" });
    this.container = container;
    container.replaceChildren(
      el("ol", { class: "steps", "aria-label": "Progress" }, ...this.steps), this.words, this.actions);
  }

  /** `because` is the reason for the scenario, or null. */
  tell(story, screen, chosenFaults, because) {
    const conclusion = story.conclusion(chosenFaults);
    const { phase } = story;
    this.steps.forEach((step, index) => this.markStep(step, index, phase, conclusion));
    this.container.dataset.tone = conclusion?.tone ?? "";
    const key = JSON.stringify([conclusion, story.instruction(screen), chosenFaults, because]);
    // Screen readers announce every change of the status, so it changes only with new content.
    if (key === this.told) return;
    this.told = key;
    if (conclusion) this.showConclusion(conclusion);
    else this.showInstruction(story.instruction(screen), chosenFaults, because);
  }

  markStep(step, index, phase, conclusion) {
    const isOver = Boolean(conclusion);
    const state = index < phase || (conclusion?.tone === "good")
      ? "done" : index > phase ? "later" : isOver ? "ended" : "now";
    step.className = state;
    if (state === "now") step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
    step.firstChild.replaceChildren(state === "done" ? symbol("check") : String(index + 1));
  }

  showInstruction(text, chosenFaults, because) {
    const broken = chosenFaults.length > 0
      && el("p", { class: "story-text" }, `Broken for this run: ${chosenFaults.join(", ")}. Watch who notices.`);
    const reason = because && el("p", { class: "story-text" }, asSentence(because));
    this.words.replaceChildren(...[el("p", { class: "story-title" }, text), broken || reason].filter(Boolean));
    this.actions.replaceChildren();
  }

  showConclusion({ tone, title, text, code, line }) {
    this.words.replaceChildren(
      el("p", { class: "story-title" }, symbol(DRAWINGS[tone]), ` ${title} `,
        code ? el("code", { class: "code verdict-code" }, code) : ""),
      el("p", { class: "story-text" }, text));
    this.actions.replaceChildren(
      ...(line
        ? [el("button", { type: "button", class: "quiet", onclick: () => this.showLine(line) }, "Show where")] : []),
      el("button", { type: "button", class: "strong", onclick: this.runAgain }, symbol("again"), " Run again"));
  }
}
