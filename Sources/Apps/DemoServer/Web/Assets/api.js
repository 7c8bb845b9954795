// What the stage and the phone say to the demo's server, and how its errors reach the person.

/** An error with a message fit to be shown, and with the server's code where it has given one. */
class ServerError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "ServerError";
    this.code = code;
  }
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new ServerError(null, "The demo’s server does not answer. Is presentment serve still running?");
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

export const fetchCatalogue = async () => (await ask("/api/catalogue")).json();
export const createWorld = async (wish) => (await ask("/api/worlds", asJSON(wish))).json();
export const fetchMessage = async (world, number) => (await ask(worldPath(world, `/messages/${number}`))).json();
export const takeStep = (world, step) => ask(worldPath(world, "/steps"), asJSON(step));
export const recordingAddress = (world) => worldPath(world, "/recording");

/**
 * Follows a world's events. The browser reconnects by itself and says which line it saw last. A tab that nobody looks
 * at does not follow: a browser keeps few connections to one server, and each tab would take one.
 * `handlers`: entries(list), screen(value), end(problem), connected(boolean). Returns a function that stops it.
 */
export function followWorld(world, handlers) {
  let source = null;
  let isOver = false;
  let lastLine = 0;
  let session = "";

  const takeEntries = ({ entries }, identifier) => {
    // Another session of the same name, as after the server was started anew, has lines of its own from the first on.
    const from = identifier.split(":")[0];
    if (session !== "" && from !== session) return location.reload();
    session = from;
    // Whoever connects again may be told what was seen.
    const fresh = entries.filter((entry) => entry.line > lastLine);
    if (fresh.length === 0) return;
    lastLine = fresh.at(-1).line;
    handlers.entries(fresh);
  };
  const follow = () => {
    source = new EventSource(worldPath(world, "/events"));
    const on = (name, handle) =>
      source.addEventListener(name, (event) => handle(JSON.parse(event.data), event.lastEventId));
    on("entries", takeEntries);
    on("screen", (screen) => handlers.screen(screen));
    on("end", (problem) => { stop(); handlers.end(problem); });
    source.addEventListener("open", () => handlers.connected(true));
    source.addEventListener("error", () => handlers.connected(false, source.readyState === EventSource.CLOSED));
  };
  const look = () => {
    if (document.hidden) source.close();
    else if (!isOver && source.readyState === EventSource.CLOSED) follow();
  };
  const stop = () => {
    isOver = true;
    removeEventListener("pagehide", stop);
    document.removeEventListener("visibilitychange", look);
    source.close();
  };
  addEventListener("pagehide", stop);
  document.addEventListener("visibilitychange", look);
  follow();
  return stop;
}
