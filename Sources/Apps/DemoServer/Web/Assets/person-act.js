// The person's actions as text: a step of a scenario, and the name of the button that performs it.

/** A text in quotes, or a plain one up to a sign of the notation. */
const TEXT = String.raw`(?:"((?:[^"\\]|\\.)*)"|([^,{}"]+?))`;
const STEP = /^\{?\s*person:\s*\{\s*([a-z-]+):\s*(.*?)\s*\}\s*\}?$/s;
const WAY = new RegExp(String.raw`^\{\s*${TEXT}\s*:\s*${TEXT}\s*\}`);
const VALUE = new RegExp(String.raw`^${TEXT}\s*(?:,|$)`);
const FRAME = new RegExp(String.raw`,\s*frame:\s*${TEXT}\s*(?:,|$)`);
const ON = new RegExp(String.raw`,\s*on:\s*${TEXT}\s*(?:,|$)`);
/** Verbs whose value is a device, which need no `on`. */
const OF_DEVICES = new Set([
  "scans", "taps-notification-on", "declines-notification-on", "uses-qr-code-on", "cancels-on", "restarts",
]);

const plainText = (quoted, plain) => (quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, "$1"));

/** Reads the text of a step: `{verb, value, result, frame, on}`, or null for a step that is not the person's. */
export function readAct(text) {
  const [, verb, rest] = STEP.exec(text.trim()) ?? [];
  if (!verb) return null;
  const [frame, on] = [FRAME, ON].map((part) => part.exec(rest)).map((found) =>
    (found ? plainText(found[1], found[2]) : null));
  const way = WAY.exec(rest);
  if (way) {
    const result = plainText(way[3], way[4]);
    return { verb, value: plainText(way[1], way[2]), result: result === "succeeds" ? null : result, frame, on };
  }
  const value = VALUE.exec(rest);
  return { verb, value: value ? plainText(value[1], value[2]) : "", result: null, frame, on };
}

/** The names of the buttons that perform an action. */
export function buttonNames({ verb, value, result, frame }) {
  if (verb === "uploads") return ["uploads:"];
  if (frame) return [`${verb}/${frame}:${value}`];
  const name = `${verb}:${value}${result ? `:${result}` : ""}`;
  return verb === "taps" ? [name, `authorizes-with:${value}`] : [name];
}

export const isSameAct = (one, other) => Boolean(one && other)
  && buttonNames(one).some((name) => buttonNames(other).includes(name));

/** The step for an action on a device. */
export function stepOf({ verb, value, result, frame, on }, isOnlyDevice) {
  const person = { [verb]: result ? { [value]: result } : value };
  if (frame) person.frame = frame;
  if (on && !isOnlyDevice && !OF_DEVICES.has(verb)) person.on = on;
  return { person };
}
