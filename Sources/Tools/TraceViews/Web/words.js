// Names and phrases for people in place of the journal's identifiers.

/** Icons of known apps and parties; others get a general one. */
const KNOWN_APPS = new Set(["wallet", "local-driving-authority", "other-wallet", "passport-office"]);

export function appIcon(name) {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return KNOWN_APPS.has(slug) ? `${slug}.svg` : "app.svg";
}

/** An origin without its scheme, for display. */
export const shortOrigin = (origin) => String(origin).replace(/^https?:\/\//, "");

/** True if a party refused something. A person who declines and a verdict are not an objection. */
export const isObjection = ({ kind, tone }) => tone === "bad" && kind !== "verdict";
