// A presenter's notes for a moment of a run: what has happened and why, what to point at, and what comes next.

import { el, symbol, asSentence, counted } from "/dom.js";

/** The most decisions that a presenter can point at in one step. */
const POINTS = 6;

/** The decisions to point at among the lines of a step, in words. `titleOf(id)` is the title of an actor. */
export function pointsOf(entries, titleOf) {
  const told = entries.filter(({ kind, tone }) => !["message", "step"].includes(kind) && tone !== "quiet");
  const loud = told.filter(({ title, isProminent }) => title || isProminent);
  const chosen = new Set([...loud, ...told].slice(0, POINTS));
  return told.filter((entry) => chosen.has(entry)).map(({ by, title, phrase }) =>
    `${titleOf(by)}: ${title ? `${title} ` : ""}${asSentence(phrase)}`);
}

/** The numbers of messages and of checks among the lines of a step. */
export function countsOf(entries) {
  const messages = entries.filter(({ kind }) => kind === "message").length;
  const checks = entries.filter(({ kind }) => kind === "check").length;
  return [messages > 0 && counted(messages, "message"), checks > 0 && counted(checks, "check")].filter(Boolean)
    .join(", ");
}

/** Returns the notes of a moment: `{because, steps, position, points, counts, conclusion, outcome, isLive}`. */
export function notesView({ because, steps, position, points, counts, conclusion, outcome, isLive }) {
  const step = steps[position - 1];
  const next = steps[position];
  const reason = step ? step.because : because;
  const part = (name, title, ...content) => el("section", { class: `notes-${name}` }, el("h3", {}, title), ...content);
  return [
    part("now", isLive ? "You play" : step ? "Now" : "Before the first step",
      el("p", { class: "notes-words" }, step ? step.words : "The world is set up."),
      step?.failure && el("p", { class: "notes-failure" }, symbol("cross"), ` ${asSentence(step.failure.headline)}`),
      reason && el("p", { class: "notes-because" }, asSentence(reason))),
    points.length > 0 && part("points", "Point at", el("ul", {}, ...points.map((point) => el("li", {}, point))),
      counts && el("p", { class: "notes-counts" }, `In this step: ${counts}.`)),
    conclusion && part("end", "Conclusion", el("p", { class: "notes-words" }, conclusion.title),
      el("p", {}, conclusion.text)),
    part("next", "Next", el("p", { class: "notes-words" }, next ? next.words : endOf(outcome)),
      next?.because && el("p", { class: "notes-because" }, asSentence(next.because))),
    step && because && el("p", { class: "notes-scenario" }, `The scenario: ${asSentence(because)}`),
  ].filter(Boolean);
}

const endOf = (outcome) => (outcome ? `The end. ${outcome.title}.` : "The end.");
