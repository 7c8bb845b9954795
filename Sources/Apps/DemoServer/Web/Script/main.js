// Starts the script in its document.

import { activate, activateInside } from "./activation.js";
import { context } from "./documents.js";
import { welcome } from "./frames.js";
import { install } from "./install.js";
import { command, joinAgain, leave, reset, whenJoined } from "./server.js";
import { isFramed, test } from "./settings.js";
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

/** A function of the page at the top, which has the world. It rejects with an error that has the name of a failure. */
function atTheTop(act) {
  return async (...values) => {
    if (await atTop) throw new TypeError("call this function in the page at the top");
    try {
      return await act(...values);
    } catch (error) {
      const { name, message } = error;
      throw Object.assign(new Error(message), { name });
    }
  };
}

async function simulateActivation({ isInside = false } = {}) {
  activate();
  if (!isInside) activateInside();
  const port = isInside ? null : await atTop;
  port?.postMessage({ activate: true });
}

const forTests = {
  context, ready, setVirtualWalletBehavior, simulateActivation, test,
  reset: atTheTop(reset),
  setFaults: atTheTop(async (faults) => { await command("setFaults", { faults }); }),
  perform: atTheTop(async (step) => { await command("perform", { step }); }),
  getCalls: atTheTop(async () => (await command("getCalls")).calls),
  getTrace: atTheTop(async () => (await command("getTrace")).traces[0].page),
  getArchive: atTheTop(async () => (await command("getArchive")).archive),
};
Object.defineProperty(window, "presentment", { value: Object.freeze(forTests), configurable: true });
install(window);
