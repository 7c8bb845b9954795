// The QR code that the browser shows over the website's page when it asks another device.

import { el } from "/dom.js";
import { shortOrigin } from "/words.js";

/** The browser's dialog. `press(button)` is called when a button is pressed. */
export function codeView({ origin, svg, message, buttons }, press) {
  return el("div", { class: "code-dialog", role: "dialog", "aria-label": "Use your phone" },
    el("h3", {}, "Use your phone"),
    el("p", { class: "code-origin" }, shortOrigin(origin)),
    // An image: the drawing is never part of the page's own markup.
    svg && el("img", {
      class: "code-image", alt: "QR code for the phone", src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    }),
    el("p", { role: "status" }, message),
    el("div", { class: "dialog-actions" }, ...buttons.map((name) => el("button", {
      type: "button", class: "quiet", "data-act": "closes:qr-code", onclick: () => press(name),
    }, name))));
}
