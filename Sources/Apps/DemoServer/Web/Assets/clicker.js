// The keys of clickers and of presenters at a keyboard, on the stage and in the window of notes.

const MOVES = {
  ArrowRight: "next", " ": "next", PageDown: "next", ArrowLeft: "back", PageUp: "back", Home: "start", End: "end",
  p: "toggle",
};

/** The move of the run for a key. */
export const moveOf = ({ key }) => MOVES[key];

/** The keys with which clickers make the screen black. */
export const isBlankKey = ({ key }) => key === "b" || key === ".";

/** True for a key that is pressed for the page, and not for what has the focus. */
export function isForPage(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (target.closest?.("input, select, textarea, dialog, [popover], [role=listbox]")) return false;
  if (key === " " && target.closest?.("button, a, summary")) return false;
  // These keys scroll what has the focus.
  return !(/^(Page|Home|End| )/.test(key)
    && target.matches?.(".wire-scroll, .both-scroll, .scene, .page-scroll, .sheet-body, pre"));
}
