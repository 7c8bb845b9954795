// The server, and the world there that the page has joined.

import { context, frames } from "./documents.js";
import { setProfile } from "./interfaces.js";
import { PROFILES, device, home, wantedBrowser, wantedWorld, wish } from "./settings.js";

let world = wantedWorld;
let joined = null;
/** The errors of worlds that have ended. */
const gone = new WeakSet();

const worldPath = () => `${home}/api/worlds/${encodeURIComponent(world)}`;

export const phoneAddress = () => `${home}/phone?world=${encodeURIComponent(world)}`;

export function post(path, body, { headers = {}, ...options } = {}) {
  return fetch(worldPath() + path, {
    method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body),
    credentials: "omit", ...options,
  });
}

/** Returns an error with a code of the server, and notes whether its world has ended. */
export function refusal(error, code) {
  if (code === "http.world") gone.add(error);
  return error;
}

/** Asks the server. A failure is an exception, by name and message. */
export async function ask(path, body, options) {
  let response;
  try {
    response = await post(path, body, options);
  } catch {
    const isFile = location.protocol === "file:";
    const hint = isFile ? "; use a page from a server, for example at http://localhost" : "";
    throw { name: "NetworkError", message: `presentment: ${home} does not answer this page${hint}` };
  }
  if (response.status === 204) return null;
  let answer;
  try { answer = await response.json(); } catch { answer = {}; }
  if (!response.ok) {
    const code = answer.code ? ` [${answer.code}]` : "";
    const message = `${answer.message ?? `status ${response.status}`}${code}`;
    throw refusal({ name: "UnknownError", message }, answer.code);
  }
  return answer;
}

/**
 * Joins a world. If no website of the world has the page's origin, the page gets a world of its own with such a
 * website, and so does a page that wants another browser.
 */
async function join() {
  world = wantedWorld;
  const own = { context, url: shownAddress(location.href), device, browser: wantedBrowser };
  const place = await ask("/pages", { ...wish, ...own });
  world = place.world;
  setProfile(PROFILES[place.browser]);
}

/** Joins for a frame, so that WebDriver sees it. */
export const joinFor = ({ name, parent, url }) => ask("/pages", { context: name, parent, url, device }).catch(() => {});

/** Joins once; a failed attempt is made again at the next call. */
export function whenJoined() {
  joined ??= join().catch((exception) => { joined = null; throw exception; });
  return joined;
}

/** Ends the world of the page, and joins another one. */
export async function reset() {
  await whereJoined(() => ask("/reset", {}));
  await joinAgain();
  await Promise.all([...frames.values()].map(joinFor));
}

/** Does a command of a test in the world of the page. */
export const command = (name, parameters = {}) => whereJoined(() => ask(`/test/${name}`, parameters));

/** Joins again, as a page of the back/forward cache does. */
export function joinAgain() {
  joined = null;
  return whenJoined();
}

/** Acts in the joined world, and in another if that one has ended: pages stay open longer than the server runs. */
export async function whereJoined(act) {
  await whenJoined();
  const tried = world;
  try {
    return await act();
  } catch (exception) {
    if (!gone.has(exception)) throw exception;
    // Another call may have joined again meanwhile.
    if (world === tried) joined = null;
    await whenJoined();
    await Promise.all([...frames.values()].map(joinFor));
    return act();
  }
}

export const leave = (name) => post(`/pages/${name}/leave`, {}, { keepalive: true }).catch(() => {});

export const shownAddress = (address) => address.slice(0, 1024);
