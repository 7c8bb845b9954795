// The readers of a message: a badge for every actor that reads it, carries it sealed or can open it.

import { el, symbol, counted } from "/dom.js";
import { HELP } from "/words.js";

/** `lanes` are the columns of the message view; actors without a part in the message are counted. */
export function readersView(entry, { whole = [], seal, sealedFor, withheld, message }, lanes) {
  const stateOf = (id) => {
    if (id === sealedFor) return ["opens", "key", seal === "channel" ? "can open the channel" : "can open it"];
    if (seal && id === entry.from && lanes.actor(id).role === "app") return ["reads", "eye", "sealed it"];
    if (!whole.includes(id)) return null;
    return seal ? ["carries", "lock", "carries it sealed"] : ["reads", "eye", "reads it"];
  };
  const ids = [...lanes.ids, ...[...whole, sealedFor].filter((id) => id && !lanes.ids.includes(id))];
  const parts = ids.filter((id, index) => ids.indexOf(id) === index && stateOf(id));
  const others = lanes.ids.filter((id) => !stateOf(id));
  const badges = parts.map((id) => {
    const [state, drawing, words] = stateOf(id);
    return el("li", { class: `badge ${state}` }, symbol(drawing), ` ${lanes.actor(id).title}`,
      el("span", { class: "visually-hidden" }, `: ${words}`));
  });
  return el("div", { class: "panel-readers" },
    el("p", {}, el("strong", {}, "Who can read it? "), seal ? "" : message ?? ""),
    el("ul", { class: "badges", "aria-label": "Who can read it" }, ...badges,
      others.length > 0 && el("li",
        { class: "badge blind", title: others.map((id) => lanes.actor(id).title).join(", ") },
        `${counted(others.length, "other does", "others do")} not see it`)),
    seal && el("p", { class: "sealed-note" }, symbol("lock"), el("span", {}, message, seal === "channel"
      && " This is the seal of the channel between two devices. An answer in it has a seal of its own.")),
    entry.isHelp && el("p", { class: "help-note" }, HELP),
    withheld && el("p", { class: "withheld-note" }, symbol("hidden"), el("strong", {}, " Kept back. "), withheld));
}
