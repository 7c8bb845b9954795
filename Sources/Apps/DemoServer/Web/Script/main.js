// Starts the script in its document.

import { activate, activateInside } from "./activation.js";
import { context } from "./documents.js";
import { welcome } from "./frames.js";
import { install } from "./install.js";
import { joinAgain, leave, whenJoined } from "./server.js";
import { isFramed } from "./settings.js";
import { atTop, currentPort } from "./top.js";
import { setVirtualWalletBehavior } from "./wallet.js";

// First of all listeners, so that the page does not see the script's own messages.
addEventListener("message", (event) => {
  if (event.data?.presentment !== "greeting") return;
  event.stopImmediatePropagation();
  if (!isFramed) welcome(event);
});

const ready = atTop.then((port) => port ? undefined : whenJoined());
ready.catch(() => {});
addEventListener("pagehide", () => {
  // At once: the rest of a document that is removed does not run.
  const port = currentPort();
  if (port) port.postMessage({ left: true });
  else leave(context);
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && !isFramed) joinAgain().catch(() => {});
});

async function simulateActivation({ isInside = false } = {}) {
  activate();
  if (!isInside) activateInside();
  const port = isInside ? null : await atTop;
  port?.postMessage({ activate: true });
}

Object.defineProperty(window, "presentment", {
  value: Object.freeze({ context, ready, setVirtualWalletBehavior, simulateActivation }), configurable: true,
});
install(window);
