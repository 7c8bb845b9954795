// The QR code that a browser shows over the website's page when it asks another device, or a phone for a terminal.

import { el } from "/dom.js";
import { english } from "/speech.js";
import { shortOrigin } from "/words.js";

/**
 * The dialog with the code. `press(button)` is called when a button is pressed. `heading` is the element of its title:
 * on a phone the h2 of the screen, which gets the focus.
 */
export function codeView(screen, press, heading = "h3", device = english) {
  const { title, origin, svg, message, buttons, isInPerson } = screen;
  const say = device.of(screen);
  return el("div", { class: "code-dialog", role: "dialog", "aria-label": say(title) },
    el(heading, { tabindex: heading === "h2" ? "-1" : null }, say(title)),
    el("p", { class: "code-origin" }, shortOrigin(say(origin))),
    // An image: the drawing is never part of the page's own markup.
    svg && el("img", {
      class: "code-image", alt: say(isInPerson ? "QR code for the reader" : "QR code for the phone"),
      src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    }),
    el("p", { role: "status" }, say(message)),
    el("div", { class: "dialog-actions" }, ...buttons.map((name) => el("button", {
      type: "button", class: "quiet", "data-act": "closes:qr-code", onclick: () => press(name),
    }, say(name)))));
}
