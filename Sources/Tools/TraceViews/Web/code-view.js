// The QR code that a browser shows over the website's page when it asks another device, or a phone for a terminal.

import { el } from "/dom.js";
import { shortOrigin } from "/words.js";

/**
 * The dialog with the code. `press(button)` is called when a button is pressed. `heading` is the element of its title:
 * on a phone the h2 of the screen, which gets the focus.
 */
export function codeView({ title, origin, svg, message, buttons, isInPerson }, press, heading = "h3") {
  return el("div", { class: "code-dialog", role: "dialog", "aria-label": title },
    el(heading, { tabindex: heading === "h2" ? "-1" : null }, title),
    el("p", { class: "code-origin" }, shortOrigin(origin)),
    // An image: the drawing is never part of the page's own markup.
    svg && el("img", {
      class: "code-image", alt: `QR code for the ${isInPerson ? "reader" : "phone"}`,
      src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    }),
    el("p", { role: "status" }, message),
    el("div", { class: "dialog-actions" }, ...buttons.map((name) => el("button", {
      type: "button", class: "quiet", "data-act": "closes:qr-code", onclick: () => press(name),
    }, name))));
}
