// A run that the person has taken over: a world on the server in which the first steps are done. What the scenario
// expects after each action is judged there.

import { createWorld, fetchWorld, followWorld, judgeStep, takeStep, takeWrittenStep } from "/api.js";
import { isSameAct, readAct, stepOf } from "/person-act.js";

export class LiveRun {
  /** Makes the world of a choice. `steps` are those of the scenario, of which the first `done` are done. */
  static async begin(choice, steps, done, handlers) {
    const { scenario, world, seed, faults } = choice;
    const setting = { ...(scenario ? { scenario } : { world }), ...(seed !== null && { seed }), faults };
    return new LiveRun(await createWorld({ ...setting, steps: done }), steps, done, handlers);
  }

  /** The world of an external page, which another tab shows. */
  static async join(page, handlers) {
    const world = await fetchWorld(page.world);
    // The person opens the page in the browser, and not on this phone.
    world.websites = world.websites.map((site) => ({ ...site, isOutside: site.origin === page.origin }));
    return Object.assign(new LiveRun(world, [], 0, handlers), { page });
  }

  constructor(world, steps, done, handlers) {
    Object.assign(this, { world, steps, handlers });
    /** The number of steps of the scenario before the world. */
    this.from = done;
    /** The index of the next step of the scenario. */
    this.next = done;
    /** What became of the steps since: `{isDone}`, `{instead}` or `{failure}`, by their index. */
    this.results = new Map();
    this.screen = null;
    /** Lines of the journal that are not on the wire yet. */
    this.unshown = [];
    this.queue = Promise.resolve();
    this.ready = new Promise((resolve) => { this.isReady = resolve; });
    this.stop = () => {};
  }

  /** Begins to follow the world's events. Returns when the first screen is here. */
  follow() {
    const { handlers } = this;
    this.stop = followWorld(this.world.id, {
      ...handlers, screen: (screen) => { this.screen = screen; this.isReady(); handlers.screen(screen); },
    });
    return this.ready;
  }

  get isOver() { return this.next >= this.steps.length; }

  /** Performs an action of the person, and then judges what the scenario expects after its own action at this place. */
  act(action) {
    return this.inTurn(async () => {
      await takeStep(this.world.id, stepOf(action, this.isOnlyDevice));
      const index = this.steps.findIndex(({ kind }, index) => index >= this.next && kind !== "expectation");
      if (index >= 0) {
        const isSame = isSameAct(readAct(this.steps[index].text), action);
        this.results.set(index, isSame ? { isDone: true } : { instead: wordsOf(action) });
        this.next = index + 1;
      }
      await this.judge();
    });
  }

  /** Performs the scenario's next step. */
  doNext() {
    return this.inTurn(async () => {
      if (this.isOver) return;
      const { kind, text } = this.steps[this.next];
      if (kind !== "expectation") {
        await takeWrittenStep(this.world.id, text);
        this.results.set(this.next, { isDone: true });
        this.next += 1;
      }
      await this.judge();
    });
  }

  /** Judges the expectations up to the scenario's next action. */
  async judge() {
    while (!this.isOver && this.steps[this.next].kind === "expectation") {
      this.results.set(this.next, { failure: await judgeStep(this.world.id, this.next) });
      this.next += 1;
    }
    this.handlers.judged();
  }

  /** One command after the other. An error is that of its own command. */
  inTurn(work) {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }

  get isOnlyDevice() { return (this.world.devices?.length ?? 1) === 1; }
}

/** An action in words, for the difference from the scenario. */
function wordsOf({ verb, value, result, frame }) {
  const place = frame ? ` in the frame ${frame}` : "";
  return `${verb.replaceAll("-", " ")} ${value}${result ? ` (${result})` : ""}${place}`;
}
