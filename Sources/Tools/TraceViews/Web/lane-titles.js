// The titles of columns that are shown together.

/**
 * The actors with the titles of their columns. The journal's titles tell all actors of a run apart; of those that are
 * shown, only one of several with the same title needs its device.
 */
export function titled(actors) {
  const plain = actors.map((actor) => {
    const { title, shortTitle = title, name, place } = actor;
    const end = place ?? name;
    const [plain, short] = [title, shortTitle].map((text) => withoutEnd(text, end));
    return { actor, title: plain, short, device: place ?? deviceOf(name) };
  });
  const isTwin = (one, text) => plain.some((other) => other !== one && text(other) === text(one));
  const twins = plain.filter((one) => isTwin(one, ({ title }) => title) || isTwin(one, ({ short }) => short));
  const owner = sharedBeginning(twins.map(({ device }) => device));
  return plain.map((one) => {
    const { actor, title, short, device } = one;
    const isPartTwin = isTwin(one, (other) => firstPart(other.short)) && !twins.includes(one);
    const words = isPartTwin ? short : firstPart(short);
    return {
      ...actor,
      title: isTwin(one, (other) => other.title) ? `${title}, ${device}` : title,
      shortTitle: isTwin(one, (other) => other.short) ? `${words}, ${device.slice(owner.length)}` : words,
    };
  });
}

const withoutEnd = (text, name) => (text.endsWith(`, ${name}`) ? text.slice(0, -name.length - 2) : text);
/** "Operating system" of "Operating system, kellys-mac". */
const firstPart = (title) => title.split(", ")[0];
/** The device in the name of a party: "page@device", "page@device#page/frame", "device/app", or the device itself. */
const deviceOf = (name = "") => name.replace(/^.*@/, "").replace(/[#/].*$/, "");

/** What names of devices begin with in common: "kellys-" of "kellys-ipad" and "kellys-mac", or "Kelly’s " of titles. */
function sharedBeginning(names) {
  const beginning = /^[^-\s]+[-\s]/.exec(names[0] ?? "")?.[0] ?? "";
  return names.every((name) => name.startsWith(beginning)) ? beginning : "";
}
