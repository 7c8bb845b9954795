// A list that scrolls within its view: a cue says how much of it is out of sight, and agreement waits for its end.

import { el } from "/dom.js";
import { english } from "/speech.js";

/** The distance in pixels at which the end counts as reached: zoomed pages scroll by fractions. */
const NEAR = 3;

/**
 * Wraps a scroller with a fade and a count of what is below. `items` are the things that are counted. The `guarded`
 * buttons cannot be pressed until the end was in sight once.
 */
export function readThrough(scroller, items, guarded, say = english) {
  const cue = el("button", { type: "button", class: "more-below", hidden: true, onclick: () => scrollOn(scroller) });
  const reason = el("p", { class: "visually-hidden" }, say("Read the list to its end first."));
  reason.id = `reason-${Math.random().toString(36).slice(2)}`;
  const box = el("div", { class: "read-through" }, scroller, cue, reason);
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "group");
  scroller.setAttribute("aria-label", say("What is asked for"));
  let wasRead = false;
  const look = () => {
    if (scroller.clientHeight === 0) return;
    const bottom = scroller.getBoundingClientRect().bottom;
    const isAtEnd = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop <= NEAR;
    const below = items.filter((item) => item.getBoundingClientRect().bottom > bottom + NEAR).length;
    cue.hidden = isAtEnd;
    cue.textContent = say(below > 0 ? "{count} more below" : "More below", { count: below });
    box.classList.toggle("cut", !isAtEnd);
    wasRead ||= isAtEnd;
    for (const button of guarded) mark(button, wasRead, reason.id);
  };
  for (const button of guarded) mark(button, false, reason.id);
  scroller.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(scroller);
  return box;
}

function mark(button, mayBePressed, reason) {
  button.classList.toggle("unread", !mayBePressed);
  if (mayBePressed) {
    button.removeAttribute("data-unread");
    button.removeAttribute("aria-describedby");
  } else {
    button.dataset.unread = "";
    button.setAttribute("aria-describedby", reason);
  }
  const isBusy = button.closest(".busy") !== null;
  button.setAttribute("aria-disabled", String(!mayBePressed || isBusy));
}

function scrollOn(scroller) {
  scroller.scrollTop += Math.max(40, scroller.clientHeight * .8);
}

/** Shows the end of every list in a view, as a person does before an agreement. */
export function readToEnd(view) {
  for (const scroller of view.querySelectorAll(".read-through > [role=group]")) {
    scroller.scrollTop = scroller.scrollHeight;
  }
}
