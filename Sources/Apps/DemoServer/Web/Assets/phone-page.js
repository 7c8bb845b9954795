// The phone on a page of its own: shown over a website by presentment.js, or opened directly.

import { Phone } from "/phone.js";
import { stepOf } from "/person-act.js";
import { fetchWorld, followWorld, takeStep } from "/api.js";
import { el } from "/dom.js";

const world = document.querySelector("meta[name=presentment-world]").content || "default";
const notice = document.querySelector("#notice");

/** The screen now. */
let shown = null;
/** The device whose words are fetched. */
let spoken = null;

/** The device with the browser's warning, which need not be that with the apps. */
let warned = null;

const phone = new Phone("Phone", {
  act: (action) => takeStep(world, action.verb === "answers-warning"
    ? stepOf({ ...action, on: warned }, false) : stepOf(action, true)),
});
document.querySelector("#phone").append(phone.element, phone.aside);

followWorld(world, {
  entries: (entries) => phone.note(entries),
  screen: showScreen,
  end: ({ code, message }) => tell(message, code),
  connected: (isConnected, isOver) => {
    if (isConnected) notice.hidden = true;
    else if (isOver) tell("This world has ended. Reload the page to start again.");
    else tell("The connection to the demo is lost. Trying again.");
  },
});

/** Shows the screen of the device with the apps. */
function showScreen(screen) {
  const { now, device, devices } = screen;
  phone.device = device;
  const codes = Object.entries(devices).filter(([name, { code }]) => code && name !== device);
  const code = codes.length > 0 ? { device: codes[0][0], ...codes[0][1].code } : null;
  const found = Object.entries(devices).find(([, { warning }]) => warning);
  warned = found?.[0] ?? null;
  phone.show({ now, ...devices[device], code, ownCode: devices[device]?.code, warning: found?.[1].warning });
  shown = screen;
  if (devices[device]?.language) speak(device).catch((error) => tell(error.message, error.code));
}

/** Fetches the words of a device with another language than English, and draws its screen with them. */
async function speak(device) {
  if (spoken === device) return;
  spoken = device;
  const { devices } = await fetchWorld(world);
  const { language, words } = devices.find(({ name }) => name === device);
  phone.speak(language, words);
  phone.asked = null;
  showScreen(shown);
}

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
