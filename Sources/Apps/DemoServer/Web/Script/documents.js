// The documents for which this script acts, with their names in WebDriver BiDi.

/** crypto.randomUUID is missing on insecure origins; the name only has to be unique. */
export function makeName() {
  const bytes = () => Array.from(crypto.getRandomValues(new Uint8Array(16)));
  return crypto.randomUUID?.() ?? bytes().map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name of this document. */
export const context = makeName();

/** The windows in which this script acts: its own, and frames of its origin that do not load it. */
export const sides = new WeakMap([[window, { context }]]);

/** The frames that call through this page: their windows and names, and their ports for what happens here. */
export const frames = new Map();

/** The name of a window's document; a frame that has just loaded tells it in a moment. */
export async function nameOf(target) {
  if (target === window) return context;
  for (let left = 100; left > 0; left -= 1) {
    const name = frames.get(target)?.name ?? sides.get(target)?.context;
    if (name) return name;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  throw new TypeError("the window has not loaded presentment.js");
}
