// The panel below the messages: one message, its readers and its bytes.

import { el, symbol, humanSize, loadStyle } from "/dom.js";
import { BytesView } from "/bytes-view.js";
import { MessageContent } from "/message-content.js";
import { readersView } from "/readers-view.js";
import { seenBy } from "/seen-by.js";

/** Below this width the panel covers the page, so it must keep the focus. */
const NARROW = "(max-width: 1099px), (max-height: 639px)";

export class MessagePanel {
  /** `fetchMessage(number)` returns the content of a message of the current run. */
  constructor(dialog, wire, fetchMessage) {
    this.dialog = dialog;
    this.wire = wire;
    this.fetchMessage = fetchMessage;
    this.number = null;
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); this.close(); });
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
  }

  async open(number) {
    const entry = this.wire.entryOfMessage(number);
    if (!entry) return;
    this.number = number;
    this.wire.markOpen(number);
    this.draw(entry);
    if (!this.dialog.open) {
      if (matchMedia(NARROW).matches) this.dialog.showModal();
      else this.dialog.show();
    }
    this.dialog.querySelector("h2").focus();
    this.wire.rowOfMessage(number)?.scrollIntoView({ block: "nearest" });
    try {
      const content = await this.fetchMessage(number);
      if (this.number === number) this.body.replaceChildren(...this.contentViews(content));
    } catch (error) {
      if (this.number !== number) return;
      this.body.replaceChildren(
        el("p", { class: "panel-problem", role: "alert" }, `The bytes could not be fetched. ${error.message}`));
    }
  }

  /** The message's content, as the party that is chosen sees it. */
  contentViews(content) {
    return seenBy(content.views, new MessageContent(content), {
      actor: (id) => this.wire.actor(id), content: (view) => new MessageContent(view.content),
      draw: (one) => new BytesView(one).element, open: (number) => this.open(number),
    });
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
    const open = () => this.open(answers);
    return el("span", {},
      " · answers ", el("button", { type: "button", class: "text-button", onclick: open }, `message ${answers}`));
  }

  neighbour(direction, drawing, label) {
    const { messages } = this.wire;
    const next = messages[messages.indexOf(this.number) + direction];
    return el("button", {
      type: "button", class: "icon-button", "aria-label": label, disabled: next === undefined,
      onclick: () => this.open(next),
    }, symbol(drawing));
  }
}

/** The style is fetched with this script. The panel opens with it; it comes before the page's own. */
await loadStyle("/bytes.css", document.head.querySelector("link[rel=stylesheet]"));
