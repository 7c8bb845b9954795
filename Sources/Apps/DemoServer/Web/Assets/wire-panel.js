// The panel below the messages: one message, its readers and its bytes.

import { el, symbol, humanSize } from "/dom.js";
import { fetchMessage } from "/api.js";
import { readersView } from "/readers-view.js";

/** Below this width the panel covers the page, so it must keep the focus. */
const NARROW = "(max-width: 1099px), (max-height: 639px)";

export class MessagePanel {
  constructor(dialog, wire) {
    this.dialog = dialog;
    this.wire = wire;
    this.number = null;
    this.tab = "annotated";
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); this.close(); });
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
  }

  async open(world, number) {
    const entry = this.wire.entryOfMessage(number);
    if (!entry) return;
    this.world = world;
    this.number = number;
    this.wire.markOpen(number);
    this.draw(entry, null);
    if (!this.dialog.open) {
      if (matchMedia(NARROW).matches) this.dialog.showModal();
      else this.dialog.show();
    }
    this.dialog.querySelector("h2").focus();
    this.wire.rowOfMessage(number)?.scrollIntoView({ block: "nearest" });
    try {
      const message = await fetchMessage(world, number);
      if (this.number === number) this.fill(message);
    } catch (error) {
      if (this.number !== number) return;
      this.body.replaceChildren(
        el("p", { class: "panel-problem", role: "alert" }, `The bytes could not be fetched. ${error.message}`));
    }
  }

  close() {
    const row = this.number === null ? null : this.wire.rowOfMessage(this.number);
    this.number = null;
    this.wire.markOpen(null);
    if (this.dialog.open) this.dialog.close();
    row?.focus();
  }

  draw(entry) {
    const { from, to, operation, phrase, readers } = entry;
    const title = (id) => this.wire.actor(id).title;
    this.body = el("div", { class: "panel-body" }, el("p", { class: "panel-loading" }, "Fetching the bytes …"));
    this.dialog.setAttribute("aria-label", `Message ${entry.number}`);
    this.dialog.replaceChildren(
      el("div", { class: "panel-head" },
        el("div", {},
          el("h2", { tabindex: "-1" }, phrase),
          el("p", { class: "panel-facts" },
            `${title(from)} → ${title(to)} · `, el("code", { class: "code" }, operation),
            ` · ${entry.type} · ${humanSize(entry.size)}`, this.answersView(entry))),
        el("div", { class: "panel-buttons" },
          this.neighbour(-1, "back", "Previous message"), this.neighbour(1, "next", "Next message"),
          el("button", {
            type: "button", class: "icon-button", "aria-label": "Close message", onclick: () => this.close(),
          }, symbol("cross")))),
      readersView(entry, readers, this.wire.lanes), this.body);
  }

  answersView({ answers }) {
    if (!answers) return "";
    const open = () => this.open(this.world, answers);
    return el("span", {},
      " · answers ", el("button", { type: "button", class: "text-button", onclick: open }, `message ${answers}`));
  }

  neighbour(direction, drawing, label) {
    const { messages } = this.wire;
    const next = messages[messages.indexOf(this.number) + direction];
    return el("button", {
      type: "button", class: "icon-button", "aria-label": label, disabled: next === undefined,
      onclick: () => this.open(this.world, next),
    }, symbol(drawing));
  }

  fill({ annotated, hex }) {
    const tabs = [["annotated", "Explained", annotated], ["raw", "Raw bytes", hex]];
    const buttons = tabs.map(([id, label]) => el("button", {
      type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel-bytes", onclick: () => choose(id),
    }, label));
    const bytes = el("pre", { id: "panel-bytes", role: "tabpanel", tabindex: "0" });
    const choose = (chosen, takesFocus = false) => {
      this.tab = chosen;
      tabs.forEach(([id, , text], index) => {
        const isChosen = id === chosen;
        buttons[index].setAttribute("aria-selected", String(isChosen));
        buttons[index].tabIndex = isChosen ? 0 : -1;
        if (!isChosen) return;
        bytes.textContent = text || "This message has no bytes.";
        bytes.className = id;
        bytes.setAttribute("aria-labelledby", `tab-${id}`);
        if (takesFocus) buttons[index].focus();
      });
    };
    const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Bytes", onkeydown: (event) => {
      if (["ArrowLeft", "ArrowRight"].includes(event.key)) choose(this.tab === "raw" ? "annotated" : "raw", true);
    } }, ...buttons);
    this.body.replaceChildren(list, bytes);
    choose(this.tab);
  }
}
