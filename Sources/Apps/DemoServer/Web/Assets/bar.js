// The bar of a run: playback, the track of its steps, the current step in words, and the verdict.

import { el, symbol, asSentence, sentenceCase } from "/dom.js";
import { codeLabel } from "/explain.js";

const SPEEDS = [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]];
const DRAWINGS = { good: "check", bad: "alert", warning: "eye", calm: "cross" };
const [BACK, UNDO] = ["Back one step", "Undo"];
const KINDS = { action: "step", fault: "fault", expectation: "expectation" };

export class Bar {
  /**
   * `player` is played by the buttons; `go(index)`, `next()`, `back()`, `leave()`, `resume()` and `showLine(line)` are
   * called.
   */
  constructor(container, player, handlers) {
    Object.assign(this, { container, player, handlers });
    const control = (id, drawing, label, press) => el("button", {
      type: "button", class: "control", id, "aria-label": label, title: label, onclick: press,
    }, symbol(drawing));
    this.start = control("go-start", "to-start", "To the start", () => handlers.go(0));
    this.back = control("go-back", "back", "Back one step", () => handlers.back());
    this.toggle = control("go-play", "play", "Play", () => handlers.toggle());
    this.forward = control("go-next", "next", "Next step", () => handlers.next());
    this.end = control("go-end", "to-end", "To the end", () => handlers.go(player.count));
    this.speed = el("select", {
      id: "speed", "aria-label": "Speed", onchange: () => { player.speed = Number(this.speed.value); },
    }, ...SPEEDS.map(([value, label]) => el("option", { value, selected: value === "1" }, label)));
    this.count = el("span", { class: "step-count" });
    this.track = el("ol", { class: "track", "aria-label": "Steps" });
    this.words = el("div", { class: "now", id: "now", role: "status" });
    this.verdict = el("div", { class: "verdict", id: "verdict", role: "status" });
    this.actions = el("div", { class: "bar-actions" });
    container.replaceChildren(
      el("div", { class: "bar-top" },
        el("div", { class: "transport", role: "group", "aria-label": "Playback" },
          this.start, this.back, this.toggle, this.forward, this.end, this.speed),
        this.track, this.count),
      el("div", { class: "bar-words" }, this.words, this.actions, this.verdict));
    // What is scrolled into view is not behind the bar.
    new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${container.offsetHeight + 8}px`))
      .observe(container);
  }

  /** Shows another run: its steps, and the reason of the scenario. */
  load(steps, because) {
    this.steps = steps;
    this.because = because;
    this.marks = steps.map((step, index) => el("button", {
      type: "button", class: `mark ${step.kind}`, title: step.words, onclick: () => this.handlers.go(index + 1),
    }));
    this.track.replaceChildren(...this.marks.map((mark) => el("li", {}, mark)));
    this.drawn = "";
  }

  /** Shows words only, before a run is there. */
  wait(words = "") {
    for (const part of [this.words, this.actions, this.verdict]) part.replaceChildren();
    if (words) this.words.append(el("p", { class: "now-words" }, words));
    this.verdict.dataset.tone = "";
    this.count.textContent = "";
    for (const one of [this.start, this.back, this.toggle, this.forward, this.end]) one.disabled = true;
  }

  /**
   * Shows the position. `conclusion` is the server's, or null before it is reached; `outcome` that of the case, or null
   * before its end. `live` is the taken-over run, or null.
   */
  show({ position, conclusion, outcome, live, faults, canResume = false }) {
    const { player } = this;
    const isStart = position === 0;
    this.toggle.firstChild.replaceWith(symbol(player.isPlaying ? "pause" : "play"));
    this.toggle.setAttribute("aria-label", player.isPlaying ? "Pause" : "Play");
    this.toggle.title = player.isPlaying ? "Pause" : "Play";
    this.start.disabled = isStart && !live;
    this.back.disabled = live ? Boolean(live.page) : isStart;
    for (const [name, value] of [["aria-label", live ? UNDO : BACK], ["title", live ? UNDO : BACK]]) {
      this.back.setAttribute(name, value);
    }
    this.forward.disabled = live ? live.isOver : position === player.count;
    this.end.disabled = !live && position === player.count;
    this.toggle.disabled = Boolean(live) || player.count === 0;
    this.count.textContent = `${position} / ${this.steps.length}`;
    this.container.classList.toggle("live", Boolean(live));
    this.steps.forEach((step, index) => this.mark(index, position, live));
    const state = live && [live.next, [...live.results], live.from, live.instead, live.acts.length];
    const key = JSON.stringify([position, conclusion, outcome, faults, canResume, state]);
    // Screen readers announce every change of a status, so it changes only with new content.
    if (key === this.drawn) return;
    this.drawn = key;
    this.words.replaceChildren(...(live ? this.liveWords(live) : this.playWords(position, faults)).filter(Boolean));
    this.actions.replaceChildren(...this.actionsFor(live, conclusion, canResume));
    this.showVerdict(conclusion, outcome, live);
    this.bringUp(this.marks[position - 1]);
  }

  /** Scrolls the track, and not the page around it, to a mark and the one after it. */
  bringUp(mark) {
    if (!mark) return;
    const [inner, outer] = [mark, this.track].map((one) => one.getBoundingClientRect());
    const room = inner.width + 8;
    const [left, right] = [inner.left - room - outer.left, inner.right + room - outer.right];
    this.track.scrollLeft += Math.max(0, right) + Math.min(0, left);
  }

  mark(index, position, live) {
    const { kind, words, failure, isReached = true } = this.steps[index];
    const mark = this.marks[index];
    const result = live?.results.get(index);
    const isDone = index < position && (isReached || Boolean(live));
    const isFailed = live && result ? Boolean(result.failure) : isDone && Boolean(failure);
    const state = isFailed ? "failed" : result?.instead ? "other" : isDone ? "done" : "later";
    mark.className = `mark ${kind} ${state}${index === position - 1 ? " now" : ""}`;
    if (index === position - 1) mark.setAttribute("aria-current", "step");
    else mark.removeAttribute("aria-current");
    mark.setAttribute("aria-label", `${sentenceCase(KINDS[kind])} ${index + 1}: ${words}, ${
      { failed: "not met", other: "done otherwise", done: kind === "expectation" ? "met" : "done",
        later: isReached ? "not yet" : "not reached" }[state]}`);
    const drawing = state === "failed" ? "cross" : state === "later" ? null
      : { expectation: "check", fault: "alert" }[kind];
    mark.replaceChildren(...(drawing ? [symbol(drawing)] : []));
  }

  playWords(position, faults) {
    if (position === 0) {
      const first = this.steps[0];
      return [
        el("p", { class: "now-words" }, first ? `First: ${lower(first.words)}` : "This case has no steps."),
        faults.length > 0 && el("p", { class: "now-because" }, `Broken: ${faults.join(", ")}. Watch who notices.`),
        this.because && el("p", { class: "now-because", title: this.because }, asSentence(this.because)),
      ];
    }
    const step = this.steps[position - 1];
    return [
      el("p", { class: "now-words", title: step.words },
        isMet(step) && symbol("check"), step.words),
      ...(faults.length > 0 && step.failure ? [el("p", { class: "now-because" }, "Not met: something is broken here.")]
        : failureWords(step.failure)),
      step.isReached === false && el("p", { class: "now-because" }, "Not reached: the run ended before."),
      position < this.steps.length
        && el("p", { class: "now-next" }, `Next: ${lower(this.steps[position].words)}`),
      step.because && el("p", { class: "now-because", title: step.because }, asSentence(step.because)),
      isMet(step) && el("p", { class: "visually-hidden" }, "The expectation is met."),
    ];
  }

  liveWords(live) {
    const last = [...live.results].at(-1);
    const isOtherWay = live.instead.length > 0;
    const words = [el("p", { class: "now-words" }, symbol("touch"),
      live.page ? ` You hold the phone that ${live.page.origin} asks.` : " You play. ",
      live.isOver || isOtherWay ? "" : `The scenario goes on: ${lower(this.steps[live.next].words)}`)];
    if (isOtherWay && this.steps.length > 0) {
      words.push(el("p", { class: "now-because" },
        `You went another way than the scenario: ${live.instead.join(", ")}.`,
        live.isOver ? "" : " What it expects is judged at the end of the presentment."));
    }
    if (live.page) words.push(el("p", { class: "now-because" }, "Act here or over the page: the phone is the same."));
    const unmet = [...live.results].filter(([, { failure }]) => failure);
    if (unmet.length > 0) {
      words.push(el("ul", { class: "differences", "aria-label": "Differences from the scenario" },
        ...unmet.map(([index, { failure }]) => el("li", {}, symbol("cross"), ` ${this.steps[index].words}: `,
          ...failureText(failure)))));
    } else if (last && !last[1].instead && (live.isOver || !isOtherWay)) {
      const isJudged = [...live.results].some(([one, { instead }]) =>
        this.steps[one].kind === "expectation" && !instead);
      words.push(el("p", { class: "now-because" }, isOtherWay ? "The result is what the scenario expects."
        : isJudged ? "As the scenario expects." : "As in the scenario."));
    }
    return words;
  }

  actionsFor(live, conclusion, canResume) {
    const buttons = [];
    if (canResume) {
      buttons.push(el("button", { type: "button", class: "quiet", id: "resume", onclick: () => this.handlers.resume() },
        "Resume your play"));
    }
    // Free play has no keys of playback.
    if (live && this.steps.length === 0 && live.acts.length > 0) {
      buttons.push(el("button", { type: "button", class: "quiet", id: "undo", onclick: () => this.handlers.back() },
        UNDO));
    }
    if (live && this.steps.length > 0) {
      buttons.push(el("button", { type: "button", class: "quiet", id: "leave", onclick: () => this.handlers.leave() },
        "Back to the run"));
    }
    if (conclusion?.line) {
      buttons.push(el("button", {
        type: "button", class: "quiet", onclick: () => this.handlers.showLine(conclusion.line),
      }, "Show where"));
    }
    return buttons;
  }

  showVerdict(conclusion, outcome, live) {
    drawVerdict(this.verdict, conclusion, outcome,
      live ? "No verdict yet." : `Verdict after step ${this.steps.length}.`);
  }
}

/** Draws the conclusion and the outcome of the case; without both, what a person waits for. */
export function drawVerdict(verdict, conclusion, outcome, wait) {
  verdict.dataset.tone = conclusion?.tone ?? outcome?.tone ?? "";
  const head = conclusion && el("p", { class: "verdict-title" }, symbol(DRAWINGS[conclusion.tone] ?? "eye"),
    el("span", {}, conclusion.title), conclusion.code && codeLabel(conclusion.code));
  const word = outcome && el("p", { class: `verdict-case ${outcome.tone}` },
    el("strong", {}, outcome.title), outcome.headline && `: ${outcome.headline} `,
    outcome.code && outcome.headline && codeLabel(outcome.code));
  const waiting = !head && !word && el("p", { class: "verdict-wait" }, wait);
  const report = outcome?.text && el("details", { class: "verdict-report" },
    el("summary", {}, "The report of the run"), el("pre", { tabindex: "0" }, outcome.text));
  // In a narrow window, a long text scrolls.
  const scrolls = matchMedia("(max-width: 699px)").matches;
  const text = conclusion
    && el("p", { class: "verdict-text", title: conclusion.text, tabindex: scrolls ? "0" : null }, conclusion.text);
  verdict.replaceChildren(...[head, text, word, report, waiting].filter(Boolean));
}

const isMet = ({ kind, failure, isReached = true }) => kind === "expectation" && !failure && isReached;

function failureWords(failure) {
  return failure ? [el("p", { class: "now-failure" }, symbol("cross"), " ", ...failureText(failure))] : [];
}

const failureText = ({ headline, code }) =>
  [`${asSentence(headline)} `, code ? codeLabel(code) : ""];

/** The words within a sentence. Names keep their capitals. */
const lower = (words) => words.replace(/^(The|A|An) /, (article) => article.toLowerCase());
