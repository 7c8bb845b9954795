// The requests of the stage and the phone to the demo's server, and its errors.

/** An error with a message for the person, and the server's code if there is one. */
class ServerError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "ServerError";
    this.code = code;
  }
}

const noAnswer = () =>
  new ServerError(null, "The demo’s server does not answer. Is presentment serve still running?");

/** Fetches a script that the page needs from now on. */
export const fetchScript = (path) => import(path).catch(async (error) => {
  await ask(path);
  throw new ServerError(null, `${path} cannot be used: ${error.message}. Reload the page.`);
});

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw noAnswer();
  }
  if (response.ok) return response;
  let problem = {};
  try { problem = await response.json(); } catch { /* an answer without JSON: the status has to do */ }
  throw new ServerError(
    problem.code ?? null, problem.message ?? `The server answered with status ${response.status}.`);
}

const asJSON = (body) => ({
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
});
const worldPath = (id, rest = "") => `/api/worlds/${encodeURIComponent(id)}${rest}`;

/** The whole menu, or its part about a scenario: "" for the first one. */
export const fetchCatalogue = async (about = null) => (await ask(
  about === null ? "/api/catalogue" : `/api/catalogue?about=${encodeURIComponent(about)}`)).json();
/** The routes of a run take the query of its choice. */
export const playAddress = (query, part = "") => `/api/play${part}?${query}`;
/** A play, with the tag of its content. */
export const fetchPlay = async (query) => {
  const response = await ask(playAddress(query));
  return { ...await response.json(), tag: response.headers.get("etag") };
};
export const fetchPlayMessage = async (query, number) => (await ask(playAddress(query, `/message/${number}`))).json();
/** The comparison of two runs takes the query of both. */
export const fetchComparison = async (query) => (await ask(`/api/beside?${query}`)).json();
/** Makes a world of a choice, in which `steps` steps of its scenario are done; without a number it is at its start. */
export async function createWorld({ scenario, world, seed, faults, language }, steps) {
  const wish = { ...(scenario ? { scenario } : { world }), ...(seed !== null && { seed }), faults, steps };
  return (await ask("/api/worlds", asJSON({ ...wish, ...(language && { language }) }))).json();
}
export const fetchWorld = async (world) => (await ask(worldPath(world))).json();
export const setPageFaults = (page, faults) => ask(`/api/pages/${page}/faults`, asJSON({ faults }));
export const fetchMessage = async (world, number) => (await ask(worldPath(world, `/messages/${number}`))).json();
/** Starts the server's own world unless it is there: following a world starts none. */
const openWorld = (world) => ask(worldPath(world), asJSON({}));
export const takeStep = (world, step) => ask(worldPath(world, "/steps"), asJSON(step));
/** Takes a step that is written as in a scenario. */
export const takeWrittenStep = (world, text) => ask(worldPath(world, "/steps"), { ...asJSON(null), body: text });
/** Judges an expectation of the world's scenario: `{failure, hasEnded}`, its failure or null. */
export const judgeStep = async (world, step) => (await ask(worldPath(world, "/judge"), asJSON({ step }))).json();
/** The registrations of a device in a world, or at a line of a play. */
export async function fetchRegistrations({ world, query, line }, device) {
  const name = encodeURIComponent(device);
  const path = world ? worldPath(world, `/registrations?device=${name}`)
    : `${playAddress(query, "/registrations")}&device=${name}&line=${line}`;
  return (await (await ask(path)).json()).rows;
}
/** The explanation of a code, or of a party. */
export const fetchExplanation = async (name) =>
  (await ask(`/api/reference?name=${encodeURIComponent(name)}`)).json();
export const recordingAddress = (world) => worldPath(world, "/recording");

/**
 * Follows a world's events. The browser reconnects by itself and sends the last line that it received. A hidden tab
 * does not follow: a browser limits the connections to one server, and each tab would take one. `handlers`:
 * entries(list), screen(value), hands(value), end(problem), connected(boolean). `followWorld` returns a function that
 * stops it.
 */
export function followWorld(world, handlers) {
  let lastLine = 0;
  let session = "";

  const takeEntries = ({ entries }, identifier) => {
    // A new session of the same name, for example after a restart of the server, has its own line numbers.
    const from = identifier.split(":")[0];
    if (session !== "" && from !== session) return location.reload();
    session = from;
    // After a reconnection the server may send lines again.
    const fresh = entries.filter((entry) => entry.line > lastLine);
    if (fresh.length === 0) return;
    lastLine = fresh.at(-1).line;
    handlers.entries(fresh);
  };
  const stop = keepOpen(() => {
    const source = new EventSource(worldPath(world, "/events"));
    const on = (name, handle) =>
      source.addEventListener(name, (event) => handle(JSON.parse(event.data), event.lastEventId));
    on("entries", takeEntries);
    on("screen", (screen) => handlers.screen(screen));
    on("hands", (hands) => handlers.hands?.(hands));
    on("end", (problem) => { stop(); handlers.end(problem); });
    source.addEventListener("open", () => handlers.connected(true));
    source.addEventListener("error", () => handlers.connected(false, source.readyState === EventSource.CLOSED));
    return source;
  }, world !== "default" ? null : openWorld(world).catch((error) => {
    handlers.connected(false, true);
    throw error;
  }));
  return stop;
}

/**
 * Keeps a source of events open while the tab is visible. `open` returns the source, and is called when `ready` is
 * fulfilled. Returns a function that closes it for good.
 */
export function keepOpen(open, ready = null) {
  let source = null;
  let isOver = false;
  const look = () => {
    if (document.hidden) source?.close();
    else if (!isOver && source?.readyState === EventSource.CLOSED) source = open();
  };
  const stop = () => {
    isOver = true;
    removeEventListener("pagehide", stop);
    document.removeEventListener("visibilitychange", look);
    source?.close();
  };
  addEventListener("pagehide", stop);
  document.addEventListener("visibilitychange", look);
  const begin = () => { if (!isOver) source = open(); };
  if (ready) ready.then(begin, stop);
  else begin();
  return stop;
}
