// The stage: one world at a time, shown as a website, a phone and the messages between all parties.

import { el, symbol, picture } from "/dom.js";
import { fetchCatalogue, createWorld, followWorld, takeStep, recordingAddress } from "/api.js";
import { Controls, readAddress, writeAddress } from "/stage-controls.js";
import { Narrator } from "/narrator.js";
import { Story } from "/story.js";
import { Pacer } from "/pace.js";
import { Phone } from "/phone.js";
import { codeView } from "/code-view.js";
import { Wire } from "/wire.js";
import { MessagePanel } from "/wire-panel.js";

const by = (id) => document.getElementById(id);
const isNarrow = matchMedia("(max-width: 1099px)");

const wire = new Wire(by("wire"), { openMessage: (number) => panel.open(run.world.id, number) });
const panel = new MessagePanel(by("message"), wire);
const narrator = new Narrator(by("story"), {
  runAgain: () => controls.change({}), showLine: (line) => wire.showLine(line),
});
let controls = null;
/** The current run: choice, world, story, pacer, phone, screen, and `stop`. Null while a world is made. */
let run = null;
let attempt = 0;

by("catch-up").addEventListener("click", () => run?.pacer.flush());
by("break").open = !isNarrow.matches && !matchMedia("(max-height: 1079px)").matches;
addEventListener("popstate", () => { if (controls) begin(readAddress(controls.catalogue).choice); });
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
open();

async function open() {
  try {
    const catalogue = await fetchCatalogue();
    controls = new Controls(catalogue, begin);
    const { choice, unknown } = readAddress(catalogue);
    await begin(choice);
    if (unknown.length > 0) {
      complain(`The address contains unknown names, which were ignored: ${unknown.join(", ")}.`);
    }
  } catch (error) {
    complain(error.message, error.code, () => location.reload());
  }
}

/** Ends the current world and starts one with `choice`. Of two quick choices the last one wins. */
async function begin(choice) {
  attempt += 1;
  const mine = attempt;
  by("problem").hidden = true;
  controls.show(choice);
  writeAddress(choice);
  run?.stop();
  run = null;
  panel.close();
  try {
    const world = await createWorld(choice);
    if (mine === attempt) show(world, choice);
  } catch (error) {
    if (mine === attempt) complain(error.message, error.code, () => begin(choice));
  }
}

function show(world, choice) {
  const story = new Story(world);
  const device = `${story.person}’s phone`;
  const phone = new Phone(device, {
    takeStep: (step) => takeStep(world.id, step), released: () => by("site-frame").focus(),
  });
  const pacer = new Pacer(see, { waiting: (isWaiting) => { by("catch-up").hidden = !isWaiting; } });
  run = {
    choice, world, story, phone, pacer, screen: null, labels: controls.labelsOf(choice.faults),
    because: controls.scenario(choice.scenario)?.because,
  };
  by("phone").replaceChildren(phone.element);
  by("code").hidden = true;
  by("recording").href = recordingAddress(world.id);
  wire.begin(world);
  showSites(world);
  narrate();
  const unfollow = followWorld(world.id, {
    entries: receive, screen: showScreen, end: showEnd, connected: showConnection,
  });
  run.stop = () => { unfollow(); pacer.stop(); };
  tellFaults();
}

/** The set-up is folded and shown at once; later entries appear at their own pace. */
function receive(entries) {
  run.phone.note(entries);
  const firstStep = wire.inSetup ? entries.findIndex(({ kind }) => kind === "step") : 0;
  const setupEnd = firstStep < 0 ? entries.length : firstStep;
  entries.slice(0, setupEnd).forEach(see);
  run.pacer.push(entries.slice(setupEnd));
}

function see(entry) {
  wire.add(entry);
  run.story.add(entry);
  narrate();
}

function narrate() {
  narrator.tell(run.story, run.screen, run.labels, run.because);
}

function showScreen(screen) {
  const wasAsking = run.phone.isAsking;
  run.screen = screen;
  showCode(screen);
  run.phone.show(screen);
  if (screen.website) wire.watch(screen.website);
  narrate();
  // In a narrow window the page scrolls to the phone or the site, whichever is active.
  if (isNarrow.matches && run.phone.isAsking !== wasAsking) bringIntoView(run.phone.isAsking ? ".device" : ".site");
}

/** Draws the QR code that the browser shows over the page, only if it changed. */
function showCode({ code = null }) {
  const layer = by("code");
  const drawn = JSON.stringify(code);
  if (run.code === drawn) return;
  run.code = drawn;
  layer.hidden = !code;
  const close = () => takeStep(run.world.id, { person: { closes: "qr-code", on: code.device } })
    .catch((error) => complain(error.message, error.code));
  layer.replaceChildren(...(code ? [codeView(code, close)] : []));
}

function bringIntoView(selector) {
  document.querySelector(selector).scrollIntoView({ block: "start", behavior: "auto" });
}

/** Each page gets a new frame: navigating one frame would add entries to the browser's history. */
function showFrame({ url, title }) {
  by("site-frame").replaceWith(el("iframe", { id: "site-frame", src: url, title: `Website: ${title}` }));
}

function showSites({ websites }) {
  const choose = (site) => {
    by("address").textContent = new URL(site.url).host;
    by("own-window").href = site.url;
    showFrame(site);
    for (const tab of by("site-tabs").children) {
      tab.setAttribute("aria-pressed", String(tab.dataset.site === site.name));
    }
    wire.watch(site.name);
  };
  // Sites with the same title are distinguished by their address.
  const isAlone = ({ title }) => websites.filter((site) => site.title === title).length === 1;
  const label = (site) => (isAlone(site) ? site.title : `${site.title}, ${site.name}`);
  by("site-tabs").replaceChildren(...websites.map((site) =>
    el("button", { type: "button", class: "window-tab", "data-site": site.name, onclick: () => choose(site) },
      picture(site.icon, "website.svg", "tab-icon"), ` ${label(site)}`)));
  by("own-window").hidden = websites.length === 0;
  if (websites.length > 0) choose(websites[0]);
  else showNoSite();
}

/** The placeholder in a world for people's own websites. */
function showNoSite() {
  by("address").textContent = "your own website";
  by("site-frame").replaceWith(el("div", { id: "site-frame", class: "no-site" },
    el("p", {}, "This world has no website: it is for your own. Add this line to a page on your "
      + "machine, and let the page call navigator.credentials.get:"),
    el("pre", {}, `<script src="${location.origin}/presentment.js"></script>`),
    el("p", {}, "The phone then appears over your page. See “Test your site in five minutes”, docs/your-site.md.")));
}

function tellFaults() {
  const { labels } = run;
  by("break-note").textContent = labels.length > 0
    ? `Broken now: ${labels.join(", ")}.` : "and see who notices. Each choice starts a new run.";
}

function showEnd({ code, message }) {
  run.pacer.flush();
  complain(message, code, () => begin(run.choice));
}

function showConnection(isConnected, isOver) {
  if (isConnected) { if (by("problem").dataset.kind === "connection") by("problem").hidden = true; return; }
  const { choice } = run;
  if (isOver) complain("This world has ended.", "http.world", () => begin(choice));
  else complain("The connection to the demo is lost. Trying again.", null, null, "connection");
}

function complain(message, code = null, retry = null, kind = "") {
  const problem = by("problem");
  problem.dataset.kind = kind;
  problem.replaceChildren(symbol("alert"), el("span", {}, message), code ? el("code", { class: "code" }, code) : "",
    retry ? el("button", { type: "button", class: "quiet", onclick: retry }, "Try again") : "",
    el("button", {
      type: "button", class: "icon-button", "aria-label": "Dismiss", onclick: () => { problem.hidden = true; },
    }, symbol("cross")));
  problem.hidden = false;
}
