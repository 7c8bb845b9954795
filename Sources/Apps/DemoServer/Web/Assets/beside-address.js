// Two choices of runs in one address: those of the right run have "with-" before their names.

import { queryOf, readAddress } from "/address.js";

const PREFIX = "with-";

/** Reads both choices, and the moment. Without a moment, `step` is null. */
export function readPair(catalogue) {
  const query = new URLSearchParams(location.search);
  const left = readAddress(catalogue, query);
  // What the right run does not say is as on the left, apart from the faults.
  const own = new URLSearchParams();
  for (const name of ["scenario", "seed", "language"]) {
    const value = query.get(PREFIX + name) ?? query.get(name);
    if (value !== null) own.set(name, value);
  }
  for (const fault of query.getAll(`${PREFIX}fault`)) own.append("fault", fault);
  const right = readAddress(catalogue, own);
  return {
    left: ofScenario(catalogue, left.choice), right: ofScenario(catalogue, right.choice),
    step: query.has("step") ? left.step : null, unknown: [...new Set([...left.unknown, ...right.unknown])],
  };
}

/** A choice of a scenario: a world that is played freely has no run to compare. */
function ofScenario({ groups }, choice) {
  if (choice.scenario) return choice;
  const first = groups[0]?.scenarios[0];
  return { ...choice, world: null, scenario: first?.cases[0]?.name ?? first?.name ?? null };
}

/** The query of both choices, as the address and the server have it. */
export function queryOfPair(left, right) {
  const other = queryOf(right).split("&").map((one) => PREFIX + one);
  return [queryOf(left), ...other].join("&");
}

/** The address of the page for two choices. */
export const besideAddress = (left, right) => `/beside?${queryOfPair(left, right)}`;

/** Writes the choices into the address. Another pair is a new entry of the browser's history, another step is not. */
export function writePair(left, right, step) {
  const query = queryOfPair(left, right);
  const address = `?${query}&step=${step}`;
  if (location.search === address) return;
  const isSamePair = history.state?.pair === query || history.state === null;
  history[isSamePair ? "replaceState" : "pushState"]({ pair: query }, "", address);
}
