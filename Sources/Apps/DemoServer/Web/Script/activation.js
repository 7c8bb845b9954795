// User activation, with activations by tests.

import { frames } from "./documents.js";

/** The lifetime of an activation by a test, in milliseconds. */
const ACTIVATION = 5000;

let activatedUntil = 0;
let isConsumed = false;

/** HTML, "activation notification": a window, those around it, and the frames of its origin in it. */
export function activate() {
  activatedUntil = performance.now() + ACTIVATION;
}

export function activateInside() {
  for (const source of frames.keys()) {
    // A frame of another origin is not activated.
    try { source.presentment.simulateActivation({ isInside: true }); } catch { continue; }
  }
}

export function consume() {
  activatedUntil = 0;
  isConsumed = true;
}

export function consumeEverywhere() {
  consume();
  for (const { port } of frames.values()) port.postMessage({ consume: true });
}

// A gesture after a call counts again.
for (const kind of ["keydown", "mousedown", "pointerdown", "pointerup", "touchend", "click"]) {
  addEventListener(kind, (event) => { if (event.isTrusted) isConsumed = false; }, true);
}

export const activation = Object.getOwnPropertyDescriptor(window.UserActivation?.prototype ?? {}, "isActive")?.get;

export function isActivated() {
  if (activatedUntil > performance.now()) return true;
  const { userActivation } = navigator;
  return !isConsumed && (activation && userActivation ? Reflect.apply(activation, userActivation, []) : true);
}
