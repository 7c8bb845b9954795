// Names and phrases for people in place of the journal's identifiers.

/** Icons of known apps and parties; others get a general one. */
const KNOWN_APPS = new Set(["wallet", "local-driving-authority", "other-wallet", "passport-office"]);

export function appIcon(name) {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return KNOWN_APPS.has(slug) ? `${slug}.svg` : "app.svg";
}

/** An origin without its scheme, for display. */
export const shortOrigin = (origin) => String(origin).replace(/^https?:\/\//, "");

/** A time in milliseconds: in seconds up to a minute, and in the two largest units after that. */
export function durationText(time) {
  const seconds = time / 1000;
  if (seconds < 60) return `${seconds.toFixed(2)} s`;
  const [days, hours, minutes] = [[86400, Infinity], [3600, 24], [60, 60]]
    .map(([unit, most]) => Math.floor(seconds / unit) % most);
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${Math.floor(seconds % 60)} s`;
}

/** True if a party refused something. A person who declines and a verdict are not an objection. */
export const isObjection = ({ kind, tone }) => tone === "bad" && kind !== "verdict";

/** What presentment tells developers in an exception, which a real page does not get. */
export const HELP = "presentment’s help for developers: a real page gets no text.";
const EXPLAINED = "browser.platform/nothing-can-answer";

/** Marks the exceptions whose text says which apps are hidden, and the messages that carry them. */
export function noteHelp(entry, before) {
  if (entry.kind === "exception") entry.isHelp = entry.code === EXPLAINED;
  if (entry.operation === "DOMException" && before?.kind === "exception") entry.isHelp = before.isHelp;
}
