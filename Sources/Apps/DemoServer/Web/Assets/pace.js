// Shows entries one after the other, at about the intervals that they had in the world.

import { prefersStillness } from "/dom.js";

const LONGEST_PAUSE = 420;
const SHORTEST_PAUSE = 90;
/** The number of waiting entries from which the pauses shrink, to keep the wait short. */
const CROWD = 14;

export class Pacer {
  constructor(show, { waiting = () => {} } = {}) {
    this.show = show;
    this.waiting = waiting;
    this.queue = [];
    this.lastTime = null;
    this.timer = null;
  }

  push(entries) {
    this.queue.push(...entries);
    if (!this.timer) this.next();
  }

  next() {
    this.timer = null;
    while (this.queue.length > 0) {
      const pause = this.pauseBefore(this.queue[0]);
      if (pause > 0) {
        this.timer = setTimeout(() => { this.reveal(); this.next(); }, pause);
        break;
      }
      this.reveal();
    }
    this.waiting(this.timer !== null);
  }

  reveal() {
    const entry = this.queue.shift();
    this.lastTime = entry.time;
    this.show(entry);
  }

  pauseBefore(entry) {
    if (document.hidden || prefersStillness() || this.lastTime === null || entry.time <= this.lastTime) return 0;
    const pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, (entry.time - this.lastTime) * 6));
    return this.queue.length > CROWD ? pause / 2 : pause;
  }

  /** Shows all waiting entries at once. */
  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    while (this.queue.length > 0) this.reveal();
    this.waiting(false);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.queue = [];
  }
}
