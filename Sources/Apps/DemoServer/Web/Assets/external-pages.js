// External pages: those that joined a world of this server, and the one whose phone and messages the stage shows.

import { el, loadStyle, counted } from "/dom.js";
import { keepOpen, setPageFaults } from "/api.js";

export class ExternalPages {
  /**
   * `follow(page)` shows a page's world, or the stage's own without a page; `changed(page)` shows the faults of the
   * page; `consumed()` is called when the faults of the stage's address are those of a page; `failed(error)` reports an
   * error.
   */
  constructor(strip, handlers) {
    Object.assign(this, { strip, handlers, stop: () => {} });
    this.list = el("ul", { class: "own-list" });
    this.count = el("span", { class: "visually-hidden", role: "status" });
    strip.append(el("strong", { id: "external-pages-title" }, "Your pages"), this.list, this.count);
  }

  /** Lists the pages that join a world, and gives the first one that is shown the chosen faults. */
  begin(world, faults) {
    Object.assign(this, { world, faults, chosen: undefined, known: null, shown: null, current: null });
    this.stop = keepOpen(() => {
      const source = new EventSource("/api/pages/events");
      source.addEventListener("pages", (event) => this.take(JSON.parse(event.data).pages));
      return source;
    });
  }

  end() {
    this.stop();
    this.current = null;
    this.strip.hidden = true;
  }

  /** The newest page is shown unless another one was chosen. A world with websites has a phone of its own besides. */
  take(all) {
    const { world } = this;
    const pages = all.filter(({ place }) => world.isForExternalPages || place === world.name);
    this.known ??= new Set(world.isForExternalPages ? [] : pages.map(nameOf));
    const newest = pages.find((page) => !this.known.has(nameOf(page))) ?? null;
    const page = this.chosen === null ? null : pages.find(({ id }) => id === this.chosen) ?? newest;
    const hasMoved = page?.id !== this.current?.id || page?.world !== this.current?.world;
    this.current = page;
    this.draw(pages);
    if (hasMoved) this.handlers.follow(page);
    if (!page) return;
    this.handlers.changed(page);
    if (this.faults.length === 0) return;
    this.setFaults(this.faults);
    this.faults = [];
    this.handlers.consumed();
  }

  setFaults(faults) {
    setPageFaults(this.current.id, faults).catch((error) => this.handlers.failed(error));
  }

  choose(id, pages) {
    this.chosen = id;
    this.take(pages);
  }

  draw(pages) {
    const options = pages.map((page) => ({ id: page.id, label: page.origin, facts: factsOf(page, this.world) }));
    if (!this.world.isForExternalPages) options.push({ id: null, label: "The phone of this stage", facts: "" });
    this.strip.hidden = pages.length === 0;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.value : null;
    this.list.replaceChildren(...options.map(({ id, label, facts }) => el("li", {}, el("label", {},
      el("input", {
        type: "radio", name: "own-page", value: id ?? "", checked: id === (this.current?.id ?? null),
        onchange: () => this.choose(id, pages),
      }), el("span", { class: "own-origin" }, label), facts && el("small", {}, facts)))));
    if (focused !== null) [...this.list.querySelectorAll("input")].find(({ value }) => value === focused)?.focus();
    const count = `${counted(pages.length, "page")} joined.`;
    // Screen readers announce every change of a status.
    if (pages.length > 0 && this.count.textContent !== count) this.count.textContent = count;
  }
}

/** A page that joins again is a new one. */
const nameOf = ({ id, joined }) => `${id} ${joined}`;

/** The formatter is made for the first page that joins: it takes longer than all else that this script does. */
let times = null;
function timeText(moment) {
  times ??= new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });
  return times.format(new Date(moment));
}

function factsOf({ joined, calls, place, world, browser, test }, { name }) {
  return [`joined ${timeText(joined)}`, counted(calls, "call"), place !== name && place,
    browser, test && `test ${test}`,
    !world && "its world has ended: reload the page"].filter(Boolean).join(", ");
}

/** How a page joins: the line for it, and the state without a page. */
export function guideView({ name, isDefault }) {
  const world = isDefault ? "" : `\n  data-world="${name}"`;
  return el("div", { class: "own-site" },
    el("h2", {}, "Your own site"),
    el("p", {}, "Add this line to a page on your machine, and let the page call navigator.credentials.get."),
    el("pre", { tabindex: "0" }, `<script src="${location.origin}/presentment.js"${world}></script>`),
    el("p", {}, "The phone appears over your page and here, with every message. “Break something” is for the next "
      + "call; the page stays as it is."),
    el("p", {}, "No page has joined yet. See “Test your site in five minutes”, docs/your-site.md."));
}

/** The style is fetched with this script, for free play. */
await loadStyle("/external-pages.css");
