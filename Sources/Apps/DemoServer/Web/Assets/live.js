// A run that the person has taken over: a world on the server in which the first steps are done. What the scenario
// expects after each action is judged there.

import { followWorld, judgeStep, takeStep, takeWrittenStep } from "/api.js";
import { isSameAct, isStepOf, readAct, stepOf } from "/person-act.js";

export class LiveRun {
  /** Shows the world of an external page, which another tab shows. */
  static join(page, world, handlers) {
    // The person opens the page in the browser, and not on this phone.
    world.websites = world.websites.map((site) => ({ ...site, isOutside: site.origin === page.origin }));
    return Object.assign(new LiveRun(world, [], 0, handlers), { page });
  }

  /**
   * `steps` are those of the scenario, of which the first `done` are done in the world, and after them `begun`: the
   * person's action with which it begins, if there is one.
   */
  constructor(world, steps, done, handlers, begun = null) {
    Object.assign(this, { world, steps, handlers });
    /** The number of steps of the scenario before the world. */
    this.from = done;
    /** The index of the next step of the scenario. */
    this.next = done;
    /** What became of the steps since: `{isDone}`, `{instead}` or `{failure}`, by their index. */
    this.results = new Map();
    /** What the person did: actions, and null for the scenario's next step. */
    this.acts = [];
    /** The actions in words that are not those of the scenario. */
    this.instead = [];
    this.screen = null;
    /** True if the wire has begun with the world. */
    this.isOnWire = false;
    /** Lines of the journal that are not on the wire yet. */
    this.unshown = [];
    this.queue = Promise.resolve();
    this.ready = new Promise((resolve) => { this.isReady = resolve; });
    /** What a hand can do at each device, after the screen. */
    this.hands = {};
    this.handed = new Promise((resolve) => { this.isHanded = resolve; });
    this.stop = () => {};
    if (begun) this.noteDone(done, begun);
  }

  /** Begins to follow the world's events. Returns when the first screen is here. */
  follow() {
    const { handlers } = this;
    this.stop = followWorld(this.world.id, {
      ...handlers, screen: (screen) => this.show(screen),
      hands: (hands) => { this.hands = hands; this.isHanded(); handlers.hands(hands); },
      // In a world that has ended a hand can do nothing.
      end: (problem) => { this.isHanded(); handlers.end(problem); },
      connected: (isConnected, isOver) => { if (isOver) this.isHanded(); handlers.connected(isConnected, isOver); },
    });
    return this.ready;
  }

  show(screen) {
    this.screen = screen;
    this.isReady();
    this.handlers.screen(screen);
  }

  /** Notes that the person did a step of the scenario: `act` is the action, or null for the step as it is written. */
  noteDone(index, act) {
    this.acts.push(act);
    this.results.set(index, { isDone: true });
    this.next = index + 1;
  }

  /** Judges the action with which the world began. */
  judgeBegun() {
    return this.inTurn(async () => {
      await this.judge();
      this.handlers.judged();
    });
  }

  /** Waits until it is known what a hand can do: in the world of an external page, nothing but what screens offer. */
  async knowHands() { await (this.page ? this.ready : this.handed); }

  get isOver() { return this.next >= this.steps.length; }

  /**
   * Performs an action of the person. If it is the scenario's next one, or a later one before the scenario expects a
   * result, what the scenario expects up to there is judged. Otherwise the person can still go back to the scenario,
   * and nothing is judged before the presentment has ended. After the scenario's last step the person can try again.
   */
  act(action) {
    return this.inTurn(async () => {
      const index = this.indexOf(action);
      const words = index < 0 ? await this.wordsOf(action) : null;
      if (index >= 0) await this.skipTo(index);
      await (action.text ? takeWrittenStep(this.world.id, action.text)
        : takeStep(this.world.id, stepOf(action, this.isOnlyDevice)));
      if (index >= 0) {
        this.noteDone(index, action);
        await this.judge();
      } else {
        this.acts.push(action);
        this.instead.push(words);
        if (await this.hasEnded()) await (this.isOver ? this.judgeAgain() : this.judgeEnd());
      }
      this.handlers.judged();
    });
  }

  /** Performs the scenario's next step. */
  doNext() {
    return this.inTurn(async () => {
      if (this.isOver) return;
      const { kind, text } = this.steps[this.next];
      if (kind !== "expectation") {
        await takeWrittenStep(this.world.id, text);
        this.noteDone(this.next, null);
      }
      await this.judge();
      this.handlers.judged();
    });
  }

  /** Performs what the person did in another world of this run: actions, and null for the scenario's next step. */
  async repeat(acts) {
    for (const action of acts) await (action ? this.act(action) : this.doNext());
  }

  /** The index of the scenario's step that is an action, up to where it expects a result, or -1. */
  indexOf(action) {
    const rest = this.steps.slice(this.next);
    const end = rest.findIndex(isResult);
    const found = rest.slice(0, end < 0 ? rest.length : end).findIndex((step) => isStepOf(step, action));
    return found < 0 ? -1 : this.next + found;
  }

  /** Judges what the scenario expects before a step that is due now. */
  async skipTo(index) {
    for (; this.next < index; this.next += 1) {
      if (this.steps[this.next].kind === "expectation") await this.judgeNext();
      else this.results.set(this.next, { instead: true });
    }
  }

  /** Judges the expectations up to the scenario's next action. */
  async judge() {
    for (; !this.isOver && this.steps[this.next].kind === "expectation"; this.next += 1) await this.judgeNext();
  }

  async judgeNext() { await this.judgeAt(this.next); }

  async judgeAt(index) {
    const { failure } = await judgeStep(this.world.id, index);
    this.results.set(index, { failure });
  }

  /** Judges the result of a presentment that went another way than the scenario's, and no step on its way. */
  async judgeEnd() {
    for (let hasResult = false; !this.isOver; this.next += 1) {
      const step = this.steps[this.next];
      if (isResult(step)) await this.judgeNext();
      else if (hasResult && step.kind !== "expectation") return;
      else this.results.set(this.next, { instead: true });
      hasResult ||= isResult(step);
    }
  }

  /** Judges the results of the scenario's last presentment that were not as expected, by a presentment after it. */
  async judgeAgain() {
    const last = this.steps.findLastIndex(isResult);
    const first = this.steps.findLastIndex(({ kind }, index) => index < last && kind !== "expectation") + 1;
    for (let index = first; index <= last; index += 1) {
      if (isResult(this.steps[index]) && this.results.get(index)?.failure) await this.judgeAt(index);
    }
  }

  /** True if the presentment has ended. The answer comes with the judgement of any step that expects something. */
  async hasEnded() {
    const isExpectation = ({ kind }) => kind === "expectation";
    const next = this.steps.findIndex((step, index) => index >= this.next && isExpectation(step));
    const step = next >= 0 ? next : this.steps.findLastIndex(isExpectation);
    return step >= 0 && (await judgeStep(this.world.id, step)).hasEnded;
  }

  /** An action in words, for the difference from the scenario: the server's, of what can be done by hand. */
  async wordsOf(action) {
    if (action.words) return action.words;
    await this.knowHands();
    const { hands } = this;
    const { verb, value, result, frame, on } = action;
    const deeds = (hands[on] ? [hands[on]] : Object.values(hands)).flatMap((hand) => hand.deeds);
    return deeds.find(({ text }) => isSameAct(readAct(text), action))?.words
      ?? `${verb.replaceAll("-", " ")} ${value}${result ? ` (${result})` : ""}${frame ? ` in the frame ${frame}` : ""}`;
  }

  /** One command after the other. An error is that of its own command. */
  inTurn(work) {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }

  get isOnlyDevice() { return (this.world.devices?.length ?? 1) === 1; }
}

/** True for a step that expects the result of a presentment. One that has to fail expects none yet. */
const isResult = ({ kind, text }) => kind === "expectation" && !/[,{]\s*fails:/.test(text)
  && /^\{?\s*(website|terminal|in-app|exception):/.test(text);
