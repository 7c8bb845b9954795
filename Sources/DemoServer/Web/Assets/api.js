// What the stage and the phone say to the demo's server, and how its errors reach the person.

/** An error with a sentence fit to be shown, and with the server's code where it has given one. */
class ServerError extends Error {
  constructor(code, sentence) {
    super(sentence);
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
    problem.code ?? null, problem.sentence ?? `The server answered with status ${response.status}.`);
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
 * Follows a world's events. The browser reconnects by itself and says which line it saw last.
 * `handlers`: entries(list), screen(value), end(problem), connected(boolean). Returns a function that stops it.
 */
export function followWorld(world, handlers) {
  const source = new EventSource(worldPath(world, "/events"));
  const on = (name, handle) => source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  let lastLine = 0;
  on("entries", ({ entries }) => {
    // A reconnect may repeat what was seen.
    const fresh = entries.filter((entry) => entry.line > lastLine);
    if (fresh.length === 0) return;
    lastLine = fresh.at(-1).line;
    handlers.entries(fresh);
  });
  on("screen", (screen) => handlers.screen(screen));
  on("end", (problem) => { source.close(); handlers.end(problem); });
  source.addEventListener("open", () => handlers.connected(true));
  source.addEventListener("error", () => handlers.connected(false, source.readyState === EventSource.CLOSED));
  const stop = () => {
    removeEventListener("pagehide", stop);
    source.close();
  };
  addEventListener("pagehide", stop);
  return stop;
}
