// Lets entries appear one after the other, as far apart as they were in the world, within reason.

import { prefersStillness } from "/dom.js";

const LONGEST_PAUSE = 420;
const SHORTEST_PAUSE = 90;
/** With more than this waiting, the pauses shrink: nobody wants to wait for a wire. */
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

  /** Shows all that waits, at once. */
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
