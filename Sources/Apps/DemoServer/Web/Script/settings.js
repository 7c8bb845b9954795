// The attributes of the script's element, and the browsers that can be simulated.

/** The server writes the table of the browsers here. */
export const PROFILES = {/* profiles */};

const script = document.currentScript;
const { scenario, fault } = script.dataset;

/** The origin of the demo. */
export const home = new URL(script.src).origin;
export const wantedWorld = script.dataset.world || "default";
export const wantedBrowser = script.dataset.browser;
export const wish = {
  ...(scenario && { scenario }),
  ...(fault && { faults: fault.split(/\s+/).filter(Boolean) }),
};
export const device = script.dataset.device || null;
export const isFramed = window.parent !== window;
export const wantsOverlay = script.dataset.overlay !== "none" && !isFramed;
