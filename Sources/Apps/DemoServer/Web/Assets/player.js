// The position in a run: the number of steps that are done. It plays, pauses and moves over data that is all there.

/** The pause after each step in milliseconds, at the normal speed: longer after words that are to be read. */
const HOLDS = { action: 900, fault: 1200, expectation: 700 };

export class Player {
  /** `perform(index, player)` shows how a step happens, `changed()` is called for each new position or state. */
  constructor({ perform, changed }) {
    Object.assign(this, { perform, changed });
    this.steps = [];
    this.position = 0;
    this.speed = 1;
    this.turn = 0;
    this.isPlaying = false;
    /** True while a step is being performed. */
    this.isPerforming = false;
  }

  load(steps, position) {
    this.stop();
    this.steps = steps;
    this.position = Math.max(0, Math.min(steps.length, position));
  }

  get count() { return this.steps.length; }

  /** The number of steps that have begun. */
  get begun() { return this.position + (this.isPerforming ? 1 : 0); }

  stop() {
    this.turn += 1;
    this.isPlaying = false;
    this.isPerforming = false;
    this.wake?.();
  }

  /** Ends playing before the step that is being performed, or after it. */
  pause(isAfter = false) {
    if (!this.isPlaying) return;
    const position = isAfter ? this.begun : this.position;
    this.stop();
    this.position = position;
    this.changed();
  }

  go(position) {
    this.stop();
    this.position = Math.max(0, Math.min(this.count, position));
    this.changed();
  }

  toggle() {
    if (this.isPlaying) this.pause(true);
    else this.play();
  }

  async play() {
    this.stop();
    if (this.position === this.count) this.position = 0;
    this.isPlaying = true;
    const { turn } = this;
    const isOver = () => turn !== this.turn;
    while (this.position < this.count) {
      const { kind } = this.steps[this.position];
      this.isPerforming = true;
      this.changed();
      await this.perform(this.position, isOver);
      if (isOver()) return;
      this.isPerforming = false;
      this.position += 1;
      this.changed();
      if (this.position < this.count) await this.hold(HOLDS[kind] ?? HOLDS.action);
      if (isOver()) return;
    }
    this.isPlaying = false;
    this.changed();
  }

  /** Waits, shorter at a higher speed. Stopping ends the wait. */
  hold(time) {
    return new Promise((done) => {
      const timer = setTimeout(() => this.wake?.(), time / this.speed);
      this.wake = () => { clearTimeout(timer); this.wake = null; done(); };
    });
  }
}
