// The phone on a page of its own: shown over a website by presentment.js, or opened directly.

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
    else if (isOver) tell("This world has ended. Reload the page to start again.");
    else tell("The connection to the demo is lost. Trying again.");
  },
});

function tell(message, code) {
  notice.replaceChildren(message, ...(code ? [" ", el("code", { class: "code" }, code)] : []));
  notice.hidden = false;
}

// The page below may have the focus, so presentment.js forwards Escape. The message only cancels, so any origin may
// send it.
addEventListener("message", (event) => {
  if (event.source === parent && event.data === "presentment:cancel") phone.cancel();
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
