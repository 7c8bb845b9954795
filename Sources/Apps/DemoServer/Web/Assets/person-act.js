// The person's actions as text: a step of a scenario, and the name of the button that performs it.

/** A text in quotes, or a plain one up to a sign of the notation. */
const TEXT = String.raw`(?:"((?:[^"\\]|\\.)*)"|([^,{}"]+?))`;
/** A clerk's step may begin with its terminal. */
const STEP = /^\{?\s*(?:person|clerk):\s*\{\s*(?:at:[^,]*,\s*)?([a-z-]+):\s*(.*?)\s*\}\s*\}?$/s;
const WAY = new RegExp(String.raw`^\{\s*${TEXT}\s*:\s*${TEXT}\s*\}`);
const VALUE = new RegExp(String.raw`^${TEXT}\s*(?:,|$)`);
/** The keys beside the verb: the frame, the device, the way to hold it to a terminal, and the place to carry it to. */
const KEYS = Object.fromEntries(["frame", "on", "by", "to"].map((key) =>
  [key, new RegExp(String.raw`,\s*${key}:\s*${TEXT}\s*(?:,|$)`)]));
/** Verbs whose value is a device, which need no `on`. */
const OF_DEVICES = new Set([
  "scans", "taps-notification-on", "declines-notification-on", "uses-qr-code-on", "cancels-on", "restarts", "unlocks",
  "carries", "scans-text",
]);
const SCANS = new Set(["scans", "scans-text"]);

const plainText = (quoted, plain) => (quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, "$1"));

/** Reads the text of a step: `{verb, value, result, frame, on, by, to}`, or null if neither person nor clerk acts. */
export function readAct(text) {
  const [, verb, rest] = STEP.exec(text.trim()) ?? [];
  if (!verb) return null;
  const keys = Object.fromEntries(Object.entries(KEYS).map(([key, part]) => [key, part.exec(rest)])
    .map(([key, found]) => [key, found ? plainText(found[1], found[2]) : null]));
  // The code is the usual way.
  if (keys.by === "qr-code") keys.by = null;
  const way = WAY.exec(rest);
  if (way) {
    const result = plainText(way[3], way[4]);
    return { verb, value: plainText(way[1], way[2]), result: result === "succeeds" ? null : result, ...keys };
  }
  const value = VALUE.exec(rest);
  return { verb, value: value ? plainText(value[1], value[2]) : "", result: null, ...keys };
}

/** The names of the buttons that perform an action. */
export function buttonNames({ verb, value, result, frame, by, to }) {
  if (verb === "uploads") return ["uploads:"];
  if (frame) return [`${verb}/${frame}:${value}`];
  const name = [`${verb}:${value}`, result, by, to].filter(Boolean).join(":");
  return verb === "taps" ? [name, `authorizes-with:${value}`] : [name];
}

export const isSameAct = (one, other) => Boolean(one && other)
  && buttonNames(one).some((name) => buttonNames(other).includes(name));

/** True for a step of a scenario that is an action. */
export const isStepOf = (step, action) => step.kind === "action" && isSameAct(readAct(step.text), action)
  && (!step.device || !action.on || step.device === action.on);

/**
 * True if an action is what a run does after some steps, and did without a failure: a world can begin with it. Before
 * the first step a world is only set up. The button of an upload does not name the file.
 */
export const isNextStep = (steps, done, action) => done > 0 && done < steps.length && isStepOf(steps[done], action)
  && (action.verb !== "uploads" || readAct(steps[done].text).value === action.value)
  && !steps[done].failure && steps[done].isReached !== false;

/** The step for an action on a device. */
export function stepOf({ verb, value, result, frame, on, by, to }, isOnlyDevice) {
  const person = { [verb]: result ? { [value]: result } : value };
  for (const [key, text] of Object.entries({ frame, by, to })) if (text) person[key] = text;
  if (on && !isOnlyDevice && !OF_DEVICES.has(verb)) person.on = on;
  // The phone that scans is not the device whose code it scans.
  if (on && !isOnlyDevice && SCANS.has(verb)) person.with = on;
  return { person };
}
