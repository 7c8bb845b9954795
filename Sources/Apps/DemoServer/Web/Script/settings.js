// The attributes of the script's element, and the browsers that can be simulated.

import { makeName } from "./documents.js";

/** The server writes the table of the browsers here. */
export const PROFILES = {/* profiles */};

const script = document.currentScript;
const { scenario, fault } = script.dataset;

/** The parameter of the page's address, and the item of its session storage, with the name of a test. */
const TEST = "presentment-test";

/**
 * The test that the page belongs to. A name in the address is kept for the pages of the origin that the tab shows
 * later; the attribute without a name makes one for the tab. Without session storage, as in a sandboxed frame, nothing
 * is kept.
 */
function findTest() {
  const stored = (name) => {
    try {
      if (name) sessionStorage.setItem(TEST, name);
      return sessionStorage.getItem(TEST) || name;
    } catch {
      return name;
    }
  };
  const given = new URL(location.href).searchParams.get(TEST);
  const { test } = script.dataset;
  return stored(given) || test || (test === "" ? stored(makeName()) : null);
}

/** The origin of the demo. */
export const home = new URL(script.src).origin;
export const wantedWorld = script.dataset.world || "default";
export const wantedBrowser = script.dataset.browser;
export const test = findTest();
export const wish = {
  ...(test && { test }),
  ...(scenario && { scenario }),
  ...(fault && { faults: fault.split(/\s+/).filter(Boolean) }),
};
export const device = script.dataset.device || null;
export const isFramed = window.parent !== window;
export const wantsOverlay = script.dataset.overlay !== "none" && !isFramed;
