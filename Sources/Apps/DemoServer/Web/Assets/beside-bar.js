// The bar of two runs: playback of both, their common steps, and the way from difference to difference.

import { el, symbol, asSentence } from "/dom.js";
import { Bar } from "/bar.js";

export class BesideBar extends Bar {
  /** The step of each run in words, once if it is the same. */
  playWords(position) {
    if (position === 0) return [el("p", { class: "now-words" }, "Before the first step")];
    const { left, right, because } = this.steps[position - 1];
    const both = [["Left", left], ["Right", right]];
    const isSame = left && right && left.words === right.words;
    const lines = isSame ? [[null, left]] : both;
    const isEven = isSame && resultOf(left) === resultOf(right);
    return [
      ...lines.map(([side, step]) => el("p", { class: "now-words" }, side && sideTag(side), " ",
        isEven && signOf(step), " ", step ? step.words : "no step of its own here")),
      ...(isEven ? [] : both.filter(([, step]) => step && (isSame || step.failure || step.isReached === false))
        .map(([side, step]) => el("p", { class: step.failure ? "now-failure" : "now-because" }, sideTag(side), " ",
          signOf(step), ` ${resultOf(step)}`))),
      isEven && left.failure && el("p", { class: "now-failure" }, resultOf(left)),
      because && el("p", { class: "now-because", title: because }, asSentence(because)),
    ];
  }

  actionsFor() {
    const make = (id, words, by) => el("button", {
      type: "button", class: "quiet", id, onclick: () => this.handlers.showDifference(by),
    }, words);
    return [make("previous-difference", "Previous difference", -1), make("next-difference", "Next difference", 1)];
  }

  /** In the place of a verdict: the first difference, from the moment when it is there. */
  showVerdict(first) {
    const { verdict } = this;
    verdict.dataset.tone = first?.tone ?? "";
    verdict.replaceChildren(
      el("p", { class: "verdict-title" }, first.title),
      el("p", { class: "verdict-text", title: first.text }, first.text));
  }
}

const sideTag = (side) => el("span", { class: `side-tag ${side.toLowerCase()}` }, side);

function resultOf({ kind, failure, isReached = true }) {
  if (!isReached) return "Not reached.";
  return failure ? asSentence(failure.headline) : kind === "expectation" ? "The expectation is met." : "Done.";
}

const signOf = ({ kind, failure, isReached = true }) =>
  (failure ? symbol("cross") : isReached && kind === "expectation" ? symbol("check") : "");
