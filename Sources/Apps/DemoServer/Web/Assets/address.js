// The choice of a run, and the step, in the page's address: a link shows the same moment.

/** The name of the scenario in the address, or null. */
export const nameInAddress = () => new URLSearchParams(location.search).get("scenario");

/** The languages of devices that a choice can have. */
const LANGUAGES = ["en", "es", "zh-Hans"];

/** Reads the choice from the address, or another query. Unknown names are left out and reported. */
export function readAddress(catalogue, query = new URLSearchParams(location.search)) {
  const unknown = [];
  const scenario = query.get("scenario");
  const found = findScenario(catalogue, scenario);
  if (scenario && !found) unknown.push(scenario);
  const world = query.get("world");
  const isWorld = catalogue.worlds.some(({ name }) => name === world);
  if (world && !isWorld) unknown.push(world);
  const seed = readNumber(query.get("seed"));
  if (seed === undefined) unknown.push(`seed ${query.get("seed")}`);
  const language = query.get("language") || null;
  if (language && !LANGUAGES.includes(language)) unknown.push(language);
  const step = readNumber(query.get("step"));
  const faults = query.getAll("fault").filter((name) => {
    const isKnown = catalogue.faults.concat(catalogue.furtherFaults).some(({ id }) => id === name);
    if (!isKnown) unknown.push(name);
    return isKnown;
  });
  // A scenario with cases starts with its first.
  const place = found ? { scenario: found.cases?.[0]?.name ?? found.name, world: null }
    : isWorld ? { scenario: null, world } : firstPlace(catalogue);
  return {
    choice: { ...place, seed: seed ?? null, faults, language: LANGUAGES.includes(language) ? language : null },
    step: step ?? 0, unknown,
  };
}

/** Returns the number of a text, null without a text, or undefined for what a script cannot represent. */
function readNumber(text) {
  if (text === null || text === "") return null;
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** The first scenario if it is of the world that the server shows by default, otherwise that world. */
function firstPlace({ groups, worlds }) {
  const first = groups[0]?.scenarios[0];
  const world = worlds[0]?.name ?? null;
  if (!first || (world && first.world !== world)) return { scenario: null, world };
  return { scenario: first.cases[0]?.name ?? first.name, world: null };
}

/** Finds a scenario, or one of its cases, by name. Returns null if it does not exist. */
export function findScenario({ groups }, name) {
  if (!name) return null;
  for (const scenario of groups.flatMap(({ scenarios }) => scenarios)) {
    if (scenario.name === name) return { ...scenario, file: scenario };
    const found = scenario.cases.find((one) => one.name === name);
    if (found) return { because: scenario.because, ...found, file: scenario };
  }
  return null;
}

/** The query of a choice, as the address and the server's routes have it. */
export function queryOf({ scenario, world, seed, faults, language = null }) {
  const query = new URLSearchParams();
  if (scenario) query.set("scenario", scenario);
  else if (world) query.set("world", world);
  if (seed !== null) query.set("seed", seed);
  for (const fault of faults) query.append("fault", fault);
  if (language !== null) query.set("language", language);
  // A space is "+" in a form only; the server reads addresses.
  return query.toString().replaceAll("%2F", "/").replaceAll("+", "%20");
}

/** Writes a choice into the address. A new choice is a new entry of the browser's history, a new step is not. */
export function writeAddress(choice, step) {
  const mode = new URLSearchParams(location.search).has("present") ? "&present" : "";
  const address = `?${queryOf(choice)}${step > 0 ? `&step=${step}` : ""}${mode}`;
  if (location.search === address) return;
  const isSameRun = location.search === "" || withoutStep(location.search) === withoutStep(address);
  if (isSameRun) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
}

const withoutStep = (search) => search.replace(/&(step|present)(=[^&]*)?(?=&|$)/g, "");
