// The devices of a run side by side: phones with the page in their browser, and windows of desktops beside them.

import { asSentence, el, symbol } from "/dom.js";
import { fetchScript } from "/api.js";
import { buttonNames, readAct } from "/person-act.js";
import { pageView } from "/page-view.js";
import { Phone } from "/phone.js";
import { appIcon, shortOrigin } from "/words.js";

const isDesk = ({ kind }) => kind === "mac" || kind === "desktop";

/** The classes of windows and terminals, once a world has one. */
let Desktop = null;
let TerminalScreen = null;

/** Fetches the scripts of windows and terminals for a world that has them. They are needed before the world begins. */
export async function loadScripts({ devices, terminals = [] }) {
  if (!Desktop && devices.some(isDesk)) ({ Desktop } = await fetchScript("/desktop.js"));
  if (!TerminalScreen && terminals.some(isUsed)) ({ TerminalScreen } = await fetchScript("/terminal.js"));
}

export class Scene {
  /**
   * `act(action)` performs the person's action, or throws an error with a message. `takeOver()` takes the run over, and
   * `openMessage(number)` shows a message of it.
   */
  constructor(container, { act, takeOver, openMessage }) {
    Object.assign(this, { container, act, takeOver, openMessage });
    this.devices = new Map();
    this.terminals = new Map();
  }

  /** Sets the world: `{devices, websites, screens, entries}`. */
  begin(world) {
    const before = isSameWorld(this.world, world) ? this.devices : new Map();
    this.world = world;
    this.titles = Object.fromEntries(world.devices.map(({ name, title }) => [name, title]));
    this.devices = new Map(usedDevices(world).map((device) =>
      [device.name, this.makeDevice(device, before.get(device.name)?.view)]));
    this.container.replaceChildren(...[...this.devices.keys()].map((name) => this.figureOf(name)));
    this.describe();
    this.beginTerminals(world);
    this.shown = null;
  }

  figureOf(name) {
    const { view, more, help } = this.devices.get(name);
    return el("figure", { class: isDesk({ kind: this.kindOf(name) }) ? "device desk" : "device hand",
      "data-device": name }, view.element, view.aside, more, help,
    el("figcaption", {}, this.world.devices.find((device) => device.name === name).title));
  }

  describe() {
    this.container.dataset.setting = [...this.devices.keys()].some((name) => isDesk({ kind: this.kindOf(name) }))
      ? "desktop" : "phone";
    this.container.style.setProperty("--devices", this.devices.size);
    for (const caption of this.container.querySelectorAll("figcaption")) caption.hidden = this.devices.size < 2;
  }

  /** Adds the devices that a play does not use: in a run that is taken over, the person can use each. */
  addDevices() {
    const all = inOrder(this.world.devices);
    if (all.length === this.devices.size) return;
    const before = this.devices;
    this.devices = new Map(all.map((device) => [device.name, before.get(device.name) ?? this.makeDevice(device)]));
    // Those that are there stay where they are: an element that is moved loses the focus.
    let place = this.container.firstElementChild;
    for (const { name } of all) {
      if (before.has(name)) place = place.nextElementSibling;
      else this.container.insertBefore(this.figureOf(name), place);
    }
    this.describe();
  }

  /** Adds the terminals that the run uses. */
  beginTerminals({ terminals = [] }) {
    this.terminals = new Map();
    for (const terminal of terminals.filter(isUsed)) {
      const view = new TerminalScreen(terminal, { act: (action) => this.act(action), openMessage: this.openMessage });
      this.terminals.set(terminal.name, view);
      this.container.append(el("figure", { class: "device counter", "data-terminal": terminal.name },
        view.element, view.aside, view.between));
    }
  }

  showTerminals({ terminals = {}, devices }) {
    const phones = [...this.devices.keys()].filter((name) => !isDesk({ kind: this.kindOf(name) }))
      .map((name) => ({ name, title: this.titles[name], hasCode: Boolean(devices[name]?.code?.isInPerson) }));
    for (const [name, view] of this.terminals) view.show(terminals[name], phones);
  }

  kindOf(name) { return this.world.devices.find((device) => device.name === name)?.kind ?? "iphone"; }

  /** `before` is the device's view before an act was undone. */
  makeDevice(device, before) {
    const more = el("details", { class: "hand-more", hidden: true, ontoggle: () => this.drawMore(made, true) },
      el("summary", {}, "More by hand"));
    const made = { view: null, page: null, drawn: "", help: helpView(), more, hand: null };
    const options = {
      act: (action) => this.act(action), takeOver: this.takeOver, showsOutcomes: false,
      presents: (this.world.terminals ?? []).length > 0,
      places: this.placesOf(device), kind: device.kind,
      drawPage: (screen) => this.pageOf(made, screen), language: device.language, words: device.words,
      released: () => made.view.focusBelow(),
    };
    made.view = isDesk(device) ? new Desktop(device.title, options) : new Phone(device.title, options);
    made.view.device = device.name;
    if (before?.place) Object.assign(made.view, { place: before.place, isHome: true, views: before.views });
    return made;
  }

  /** The websites and the requesting apps that the person can open. */
  placesOf({ requestingApps }) {
    const sites = this.world.websites.filter(({ isOutside }) => !isOutside).map((site) =>
      ({ title: site.title, icon: site.icon, verb: "visits", value: site.name }));
    const apps = requestingApps.map((app) => ({ title: app, icon: this.iconOf(app), verb: "opens", value: app }));
    return [...sites, ...apps];
  }

  /** Shows a screen of the world. */
  show(screen) {
    for (const [name, made] of this.devices) {
      const { view, help } = made;
      const content = screen.devices[name];
      if (!content) continue;
      showHelp(help, content);
      const site = this.siteOf(content);
      view.show({
        now: screen.now, ...content, origin: site?.origin, titles: this.titles, ...this.codesFor(name, screen.devices),
      });
    }
    this.showTerminals(screen);
    this.bringUp(screen, this.shown);
    this.shown = screen;
  }

  /** Shows what a hand can do at each device of a run that is taken over. */
  showHands(hands) {
    for (const [name, made] of this.devices) {
      made.hand = hands[name] ?? null;
      made.more.hidden = !made.hand;
      this.drawMore(made);
      made.view.setHand(made.hand);
    }
  }

  /** Draws the list of what else a hand can do, where it is open. Its script is fetched for it. */
  drawMore({ view, more, hand }, isOpened = false) {
    if (!more.open || !hand) return;
    fetchScript("/hand.js").then(({ showMore }) => showMore(more, hand, view, isOpened))
      .catch((error) => view.complain(error));
  }

  /** Shows the sheets of a screen over the pages of the one before: in a step, they come and go first. */
  showSheets(screen) {
    const devices = Object.entries(screen.devices).map(([name, device]) => {
      const { page, pageOf, facts, frames, app } = this.shown?.devices[name] ?? device;
      return [name, { ...device, page, pageOf, facts, frames, app }];
    });
    this.show({
      ...screen, devices: Object.fromEntries(devices), terminals: this.shown?.terminals ?? screen.terminals,
    });
  }

  /** The QR codes of a device: that on its screen, and for a phone the first that it can scan. */
  codesFor(name, devices) {
    const own = devices[name].code;
    if (isDesk({ kind: this.kindOf(name) })) return { code: own };
    const other = Object.entries(devices).find(([device, { code }]) => code && !code.isInPerson && device !== name);
    return { ownCode: own, code: other ? { ...other[1].code, device: other[0] } : null };
  }

  /** The icon of a requesting app. */
  iconOf(app) { return this.world.appIcons?.[app] ?? appIcon(app); }

  siteOf({ pageOf }) { return this.world.websites.find(({ name }) => name === pageOf); }

  pageOf(made, screen) {
    if (!screen?.page) return null;
    const drawn = JSON.stringify([screen.page, screen.pageOf, screen.app, screen.frames]);
    if (made.drawn === drawn) return made.page;
    const hadFocus = made.page?.contains(document.activeElement);
    const focused = hadFocus ? document.activeElement.dataset.act : null;
    made.drawn = drawn;
    const site = screen.app ? { icon: this.iconOf(screen.app) } : this.siteOf(screen);
    made.page = el("div", { class: screen.app ? "app-page" : "site-page" },
      el("div", { class: "page-scroll", tabindex: "0", role: "group", "aria-label": `Page: ${screen.page.title}` },
        pageView(screen.page, {
          site, facts: screen.facts, frames: this.framesOf(screen), act: (action) => made.view.act(action),
        })),
      !screen.app && browserBar(site));
    const changed = changedFrame(made.screen, screen);
    made.screen = screen;
    queueMicrotask(() => {
      if (focused) made.page.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus();
      // A page that was reached by keys keeps the focus when it is drawn again, as when its request has come.
      if (hadFocus && document.activeElement === document.body) made.page.querySelector(".page-scroll")?.focus();
      if (changed) bringIntoView(made.page.querySelector(`[data-frame="${CSS.escape(changed)}"]`));
    });
    return made.page;
  }

  /** The frames of the page on a screen, or of a frame of it, each with those in it. */
  framesOf(screen, container) {
    const frames = screen.frames ?? [];
    // A frame around others may show nothing itself.
    const isAround = ({ in: name }) => frames.some((frame) => frame.name === name);
    return frames.filter((frame) => (isAround(frame) ? frame.in : undefined) === container).map((frame) => ({
      ...frame, site: this.siteOf({ pageOf: frame.website }), frames: this.framesOf(screen, frame.name),
    }));
  }

  /** In a narrow window, scrolls to the device or the terminal where something happens: a phone before a desktop. */
  bringUp(screen, before) {
    const differs = (part, name) => JSON.stringify(screen[part]?.[name]) !== JSON.stringify(before?.[part]?.[name]);
    const changed = [...this.devices.keys()].filter((name) => differs("devices", name));
    const asking = changed.findLast((one) => this.devices.get(one).view.isAsking);
    const isBusy = (name) => screen.terminals?.[name]?.phase !== "waiting" && differs("terminals", name);
    const terminal = asking ? null : [...this.terminals.keys()].findLast(isBusy);
    const name = terminal ?? asking ?? changed.at(-1);
    const figure = name && this.container.querySelector(
      `[data-${terminal ? "terminal" : "device"}="${CSS.escape(name)}"]`);
    if (!figure || this.container.scrollWidth <= this.container.clientWidth + 2) return;
    this.container.scrollLeft = figure.offsetLeft - (this.container.clientWidth - figure.offsetWidth) / 2;
  }

  note(entries) { for (const { view } of this.devices.values()) view.note(entries); }

  setFocusTaking(takesFocus) { for (const { view } of this.devices.values()) view.takesFocus = takesFocus; }

  /** Shows that the person presses the button of a step, if one has it. */
  async showPress({ kind, text, device }) {
    const action = kind === "action" ? readAct(text) : null;
    if (!action) return;
    const names = buttonNames(action);
    const first = this.devices.get(action.on ?? device);
    const terminals = [...this.terminals.values()].map((view) => ({ view }));
    const all = [...(first ? [first] : this.devices.values()), ...terminals];
    const holder = all.find(({ view }) => [view.element, view.aside].some((part) =>
      [...part?.querySelectorAll("[data-act]") ?? []].some((one) => names.includes(one.dataset.act))));
    await holder?.view.showPress(names, action);
  }
}

/** The name of the first frame with another content than before on the same page. */
function changedFrame(before, { pageOf, frames = [] }) {
  if (before?.pageOf !== pageOf) return null;
  const known = (before.frames ?? []).map((frame) => JSON.stringify(frame));
  return frames.find((frame) => !known.includes(JSON.stringify(frame)))?.name ?? null;
}

/** Scrolls a page, and nothing around it, to one of its frames. */
function bringIntoView(frame) {
  const scroller = frame?.closest(".page-scroll");
  if (!scroller) return;
  const [inner, outer] = [frame, scroller].map((one) => one.getBoundingClientRect());
  scroller.scrollTop += Math.max(0, Math.min(inner.bottom - outer.bottom + 12, inner.top - outer.top - 12));
}

/** The bar of the phone's browser: the address, between controls that this page does not need. */
function browserBar(site) {
  return el("div", { class: "browser-bar" },
    el("span", { class: "browser-control", "aria-hidden": "true" }, symbol("back")),
    el("p", { class: "page-address" }, symbol("lock"), el("span", {}, site ? shortOrigin(site.origin) : "")),
    el("span", { class: "browser-control more", "aria-hidden": "true" }, el("i"), el("i"), el("i")));
}

/** True for two views of one world: before and after an act is undone. */
const isSameWorld = (one, other) =>
  Boolean(one && other) && one.scenario === other.scenario && one.world === other.world && one.seed === other.seed;

/** What presentment tells the developer of a page, outside of it: on a real device the page does not get it. */
function helpView() {
  return el("details", { class: "developer-help", hidden: true },
    el("summary", {}, "presentment’s help for developers, outside of the page"), el("p", {}));
}

function showHelp(help, { page, frames = [] }) {
  const messages = [page, ...frames.map((frame) => frame.page)].map((one) => one?.exceptionMessage).filter(Boolean);
  help.hidden = messages.length === 0;
  help.querySelector("p").textContent = messages.map(asSentence).join(" ");
}

/** True for a device or a terminal that the run uses. */
const isUsed = (one) => one.isUsed;
const usedDevices = ({ devices }) => inOrder(devices.filter(isUsed));

/** Desktops before phones. */
const inOrder = (devices) => [...devices.filter(isDesk), ...devices.filter((one) => !isDesk(one))];
