// The stage: one world at a time, shown as a website, a phone and the wire between everybody.

import { el, symbol, picture } from "/dom.js";
import { fetchCatalogue, createWorld, followWorld, takeStep, recordingAddress } from "/api.js";
import { Controls, readAddress, writeAddress } from "/stage-controls.js";
import { Narrator } from "/narrator.js";
import { Story } from "/story.js";
import { Pacer } from "/pace.js";
import { Phone } from "/phone.js";
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
/** What runs now: choice, world, story, pacer, phone, screen, and `stop`. Null while a world is made. */
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
      complain(`The address names something that is not here: ${unknown.join(", ")}. It was left out.`);
    }
  } catch (error) {
    complain(error.message, error.code, () => location.reload());
  }
}

/** Leaves the world that runs and starts one of `choice`. The last choice wins when two are made quickly. */
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

/** The set-up is folded, so nobody waits for it; what follows is shown at its own pace. */
function receive(entries) {
  run.phone.note(entries);
  const firstStep = wire.inSetup ? entries.findIndex(({ decision }) => decision === "step") : 0;
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
  run.phone.show(screen);
  if (screen.website) wire.watch(screen.website);
  narrate();
  // On one narrow column the phone and the site take turns.
  if (isNarrow.matches && run.phone.isAsking !== wasAsking) bringIntoView(run.phone.isAsking ? ".device" : ".site");
}

function bringIntoView(selector) {
  document.querySelector(selector).scrollIntoView({ block: "start", behavior: "auto" });
}

/** A frame of its own for each page: another address for the same one would be one more page to go back from. */
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
  // A site that takes another's name is told from it by its address.
  const isAlone = ({ title }) => websites.filter((site) => site.title === title).length === 1;
  const label = (site) => (isAlone(site) ? site.title : `${site.title}, ${site.name}`);
  by("site-tabs").replaceChildren(...websites.map((site) =>
    el("button", { type: "button", class: "window-tab", "data-site": site.name, onclick: () => choose(site) },
      picture(site.icon, "website.svg", "tab-icon"), ` ${label(site)}`)));
  by("own-window").hidden = websites.length === 0;
  if (websites.length > 0) choose(websites[0]);
  else showNoSite();
}

/** A world for people's own websites has none of its own. */
function showNoSite() {
  by("address").textContent = "your own website";
  by("site-frame").replaceWith(el("div", { id: "site-frame", class: "no-site" },
    el("p", {}, "This world has no website of its own: it is here for yours. Put this line into a page on your "
      + "machine, and let the page call navigator.credentials.get:"),
    el("pre", {}, `<script src="${location.origin}/presentment.js"></script>`),
    el("p", {}, "The phone then comes over your page. See “Test your site in five minutes”, docs/your-site.md.")));
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
  if (isOver) complain("This world is not there any more.", "http.world", () => begin(choice));
  else complain("The connection to the demo is lost. Trying again by itself.", null, null, "connection");
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
