// The phone on a page of its own: shown over a website by presentment.js, or opened by somebody.

import { Phone } from "/phone.js";
import { followWorld, takeStep } from "/api.js";
import { el } from "/dom.js";

const world = document.querySelector("meta[name=presentment-world]").content || "default";
const notice = document.querySelector("#notice");

const phone = new Phone("Phone", { takeStep: (step) => takeStep(world, step) });
document.querySelector("#phone").append(phone.element);

followWorld(world, {
  entries: (entries) => phone.note(entries),
  screen: (screen) => phone.show(screen),
  end: ({ code, message }) => tell(message, code),
  connected: (isConnected, isOver) => {
    if (isConnected) notice.hidden = true;
    else if (isOver) tell("This world is not there any more. Reload the page to begin again.");
    else tell("The connection to the demo is lost. Trying again.");
  },
});

function tell(message, code) {
  notice.replaceChildren(message, ...(code ? [" ", el("code", { class: "code" }, code)] : []));
  notice.hidden = false;
}

// The page below may have the focus: presentment.js passes Escape on. It says nothing but "cancel", so any origin may.
addEventListener("message", (event) => {
  if (event.source === parent && event.data === "presentment:cancel") phone.cancel();
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
