// The stage: one run at a time, with its devices, the messages between all parties, and the bar that plays it.

import { el, asSentence, loadStyle } from "/dom.js";
import { findScenario, nameInAddress, queryOf, readAddress, writeAddress } from "/address.js";
import {
  createWorld, fetchCatalogue, fetchMessage, fetchPlay, fetchPlayMessage, fetchRegistrations, fetchScript, fetchWorld,
  playAddress, recordingAddress,
} from "/api.js";
import { Bar } from "/bar.js";
import { besideAddress } from "/beside-address.js";
import { isForPage, moveOf } from "/clicker.js";
import { explainNames } from "/explain.js";
import { FaultMenu } from "/fault-menu.js";
import { waitIn } from "/menu-wait.js";
import { keepMenus } from "/menus.js";
import { complain, copyLink, report } from "/notices.js";
import { USUAL_PICTURES, loadDrawings, loadPictures, picturesOf } from "/pictures.js";
import { isNextStep } from "/person-act.js";
import { Player } from "/player.js";
import { Presenter } from "/presenter.js";
import { journalTable, printWith } from "/print.js";
import { loadScripts, Scene } from "/scene.js";
import { Wire } from "/wire.js";

/** The part of the menu that the address needs; the whole menu is large, and is fetched when it is opened. */
const firstPart = fetchCatalogue(nameInAddress() ?? "");
firstPart.catch(() => {});
loadPictures(USUAL_PICTURES);
// Every part draws its signs from those in the page.
await loadDrawings();
explainNames((name, button) => fetchScript("/help.js")
  .then(({ showHelp }) => showHelp(name, button, registrationsFor)).catch(report));

const by = (id) => document.getElementById(id);
/** The time in milliseconds in which the lines of a step appear, at the normal speed. */
const WIRE_TIME = 1600;
const FRAMES = 12;

const wire = new Wire(by("wire"), { openMessage });
/** The panel of a message. Its scripts are fetched when the first message is opened. */
let panel = null;
const player = new Player({ perform, changed: showPosition });
const bar = new Bar(by("bar"), player, {
  go: (position) => goTo(position), next: stepOn, back: stepBack, leave: () => leaveLive(run.live.from),
  resume: () => resume().catch(report),
  toggle: () => player.toggle(), showLine: (line) => wire.showLine(line),
});
/** The moves of the run, for keys and for the presenter's window. */
const moves = {
  next: stepOn, back: stepBack, start: () => goTo(0), end: () => goTo(player.count),
  toggle: () => { if (!run?.live) player.toggle(); },
};
const presenter = new Presenter(moves, (message) => complain(message));
const scene = new Scene(by("scene"), { act, takeOver, openMessage: (number) => openMessage(number) });
/** The pages that join a world without a scenario. Their script is fetched for the first such world. */
let externalPages = null;
let catalogue = null;
let wholeCatalogue = null;
let menu = null;
let faultMenu = null;
/** The current run: choice, query, play, and the live run after the person has taken over. Null while it is fetched. */
let run = null;
let attempt = 0;
/** The world of the person's acts that is being made again; null at other times. */
let restoring = null;
/** The live run that is being begun; null at other times. */
let beginning = null;
/** The script, the style and the content of the menu. */
let menuParts = null;

addEventListener("popstate", () => openAddress().catch(report));
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
addEventListener("focus", () => lookAgain().catch(report));
addEventListener("keydown", onKey);
keepMenus();
printWith(printedParts);
by("copy").addEventListener("click", copyLink);
by("alone").addEventListener("click", openAlone);
by("open-menu").addEventListener("click", openMenu);
by("open-menu").addEventListener("pointerenter", () => { fetchWhole().catch(() => {}); }, { once: true });
by("seed").addEventListener("change", (event) => changeSeed(event.target));
by("language").addEventListener("change", ({ target }) => changeLanguage(target.value || null));
by("settings").addEventListener("submit", (event) => event.preventDefault());
start();

async function start() {
  try {
    catalogue = await firstPart;
    await knowFaults();
    faultMenu = new FaultMenu({ menu: by("break"), active: by("broken") }, catalogue.faults,
      (faults) => (externalPages?.current ? externalPages.setFaults(faults) : change({ ...run.choice, faults })),
      async () => { await fetchWhole(); return catalogue.furtherFaults; }, report);
    faultMenu.further = catalogue.furtherFaults;
    const wanted = readAddress(catalogue);
    await open(wanted);
    if (wanted.unknown.length > 0) {
      complain(`The address contains unknown names, which were ignored: ${wanted.unknown.join(", ")}.`);
    }
  } catch (error) {
    complain(error.message, error.code, () => location.reload());
  }
}

/** Opens what the address has become. */
async function openAddress() {
  if (!catalogue) return;
  await know(nameInAddress());
  await knowFaults();
  faultMenu.further = catalogue.furtherFaults;
  await open(readAddress(catalogue));
}

/** Fetches the whole menu once. */
function fetchWhole() {
  wholeCatalogue ??= fetchCatalogue().then((whole) => { catalogue = whole; });
  wholeCatalogue.catch(() => { wholeCatalogue = null; });
  return wholeCatalogue;
}

/** Fetches the whole menu for a scenario outside the part that is there. */
async function know(scenario) {
  if (scenario && !findScenario(catalogue, scenario)) await fetchWhole();
}

/** Fetches the whole menu for a fault that its first part does not have. */
async function knowFaults() {
  const named = new URLSearchParams(location.search).getAll("fault");
  if (named.some((name) => !catalogue.faults.some(({ id }) => id === name))) await fetchWhole();
}

/** Fetches the script, the style and the content of the menu once. The server reads many files for it. */
function fetchMenu() {
  menuParts ??= Promise.all([fetchScript("/scenario-menu.js"), loadStyle("/scenario-menu.css"), fetchWhole()]);
  menuParts.catch(() => { menuParts = null; });
  return menuParts;
}

/** Opens the menu. The first time, it is fetched, and opens with what was typed meanwhile. */
async function openMenu() {
  try {
    const fetched = menu ? null : fetchMenu();
    const typed = fetched && await waitIn(by("menu"), "Search scenarios and cases", fetched);
    if (!menu) {
      if (!typed) return;
      const [{ ScenarioMenu }] = await fetched;
      menu = new ScenarioMenu(by("menu"), catalogue,
        (choice) => change({ ...choice, language: run?.choice.language ?? null }));
    }
    menu.open(run?.choice.scenario ?? `world ${run?.choice.world}`);
    if (!typed?.text) return;
    menu.field.value = typed.text;
    menu.search();
    if (typed.isChosen) menu.found[0]?.click();
  } catch (error) {
    report(error);
  }
}

const change = (choice) => open({ choice, step: 0 });

/** Shows a run at a step. Of two quick choices the last one wins. */
async function open({ choice, step }) {
  const query = queryOf(choice);
  if (run?.query === query && run.play && !run.live) return goTo(step);
  attempt += 1;
  const mine = attempt;
  await know(choice.scenario);
  if (mine !== attempt) return;
  player.stop();
  externalPages?.end();
  endLive();
  panel?.close();
  by("problem").hidden = true;
  run = { choice, query, play: null, live: null, left: null, screen: null, line: 0 };
  showChoice(choice);
  writeAddress(choice, step);
  bar.load([], null);
  bar.wait();
  by("bar").removeAttribute("data-run");
  try {
    const world = catalogue.worlds.find(({ name }) => name === choice.world);
    faultMenu.limit(Boolean(world?.isForExternalPages));
    // The keys of the issuers whom a site trusts come from the seed.
    for (const name of ["seed", "language"]) by(name).disabled = Boolean(world?.isForExternalPages);
    if (world) {
      const opened = run;
      const [{ ExternalPages }] = await Promise.all([fetchScript("/external-pages.js"), showFreeWorld(world, mine)]);
      // An act that was undone meanwhile leaves the same run.
      if (run === opened) followExternalPages(ExternalPages, world);
      return;
    }
    const play = await fetchPlay(query);
    if (mine !== attempt) return;
    await Promise.all([loadPictures(picturesOf(play)), loadScripts(play)]);
    if (mine === attempt) showPlay(play, step);
  } catch (error) {
    if (mine === attempt) complain(error.message, error.code, () => open({ choice, step }));
  }
}

function showChoice(choice) {
  const { scenario, world, seed, faults, language } = choice;
  const found = findScenario(catalogue, scenario);
  const isCase = found && found.file.name !== found.name;
  by("scenario-title").textContent = found ? found.file.title : `Free play: ${world}`;
  by("case-title").textContent = isCase ? found.title : "";
  by("case-title").hidden = !isCase;
  document.title = `${found ? found.file.title : world}${isCase ? `, ${found.title}` : ""} · presentment`;
  by("seed").value = seed ?? "";
  by("language").value = language ?? "";
  faultMenu.show(faults, { comparison: scenario && besideAddress({ ...choice, faults: [] }, choice) });
  by("compare-seed").hidden = true;
}

function showPlay(play, step) {
  run.play = play;
  by("seed").placeholder = play.seed;
  by("share-file").href = playAddress(run.query, "/scenario");
  by("open-tour").href = `/tour?${run.query}`;
  for (const link of [by("share-page"), by("share-file")]) link.hidden = false;
  by("open-sweep").href = playAddress(run.query, "/sweep");
  // A sweep alters a run without faults.
  by("open-sweep").hidden = run.choice.faults.length > 0;
  by("compare-seed").href = besideAddress(run.choice, { ...run.choice, seed: play.seed + 1 });
  by("compare-seed").hidden = false;
  showAlone(play.websites.length > 0);
  by("recording").hidden = true;
  drawRun(play);
  player.load(play.steps, step);
  showPosition();
  by("bar").dataset.run = run.query;
}

/** Shows the run again if its file has changed since: the person may have edited it in another window. */
async function lookAgain() {
  const before = run;
  if (!before?.play || before.live) return;
  const play = await fetchPlay(before.query);
  if (run !== before || run.live || play.tag === run.play.tag) return;
  await Promise.all([loadPictures(picturesOf(play)), loadScripts(play)]);
  if (run === before && !run.live) showPlay(play, player.position);
}

/** Draws the devices and the wire of a run that is all there. */
function drawRun(play) {
  by("bar").classList.remove("free");
  scene.begin(play);
  scene.note(play.entries);
  wire.begin(play);
  wire.load(play.entries, setupEnd(play));
  // A question of the system before the first step is on the phone.
  wire.openSetup(Object.values(play.screens[0].devices).some(({ prompt }) => prompt));
  bar.load(play.steps, play.sentence ?? play.because);
}

/** The last line of the journal before the first step that has one. */
const setupEnd = ({ steps, entries }) => (steps.length > 0 ? lineBefore(steps) : entries.at(-1)?.line ?? 0);
const lineBefore = (steps) => steps[0].lines[0] - 1;

/** The last line of the journal at a position. */
function lineAt(position) {
  const { play } = run;
  return Math.max(setupEnd(play), ...play.steps.slice(0, position).map(({ lines }) => lines[1]));
}

/** The lines of the last step before a position. */
function linesOf(position) {
  const [first, last] = run.play.steps[position - 1]?.lines ?? [1, 0];
  return run.play.entries.filter(({ line }) => line >= first && line <= last);
}

const screenAt = (position) =>
  run.play.screens[position === 0 ? 0 : run.play.steps[position - 1].screen] ?? run.play.screens[0];

/** Shows the player's position. */
function showPosition() {
  if (!run?.play || run.live) return;
  const { position } = player;
  const { play } = run;
  const line = lineAt(position);
  scene.setFocusTaking(false);
  scene.show(screenAt(position));
  wire.showTo(line);
  const isEnd = position === player.count;
  const { conclusion } = play;
  const isConcluded = conclusion && (isEnd || (conclusion.end ?? conclusion.line ?? Infinity) <= line);
  showMoment({
    position: player.begun, outcome: isEnd ? play.outcome : null, live: null, lines: linesOf(position),
    canResume: Boolean(run.left), faults: run.choice.faults.map((id) => faultMenu.label(id)),
    conclusion: isConcluded ? conclusion : null,
  });
  by("share-page").href = `${playAddress(run.query, "/page")}&step=${position}`;
  writeAddress(run.choice, position);
}

/** Shows how a step happens: the person's press, and then its messages, one after the other. */
async function perform(index, isOver) {
  const step = run.play.steps[index];
  await scene.showPress(step);
  if (isOver()) return;
  const [from, to] = [lineAt(index), lineAt(index + 1)];
  if (to <= from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const frames = Math.min(FRAMES, to - from);
  const turn = lineOfSheets(index);
  for (let frame = 1; frame <= frames; frame += 1) {
    const line = from + Math.round((to - from) * frame / frames);
    wire.showTo(line);
    if (line >= turn) scene.showSheets(screenAt(index + 1));
    await player.hold(WIRE_TIME / frames);
    if (isOver()) return;
  }
}

/** The line in which the system's sheets of a step come or go: the last message to the person that is not of a page. */
function lineOfSheets(index) {
  const isOfSheet = ({ to, operation }) => to?.startsWith("person:") && !/^show (page|app)$/.test(operation);
  return linesOf(index + 1).filter(isOfSheet).at(-1)?.line ?? Infinity;
}

function goTo(position) {
  // The world of the person's acts is left when it is there.
  if (restoring ?? beginning) whenMade(() => goTo(position));
  else if (run?.live) leaveLive(position);
  else if (run?.play) player.go(position);
}

/** Does something when the world that is being made is there, or could not be made. */
const whenMade = (work) => { (restoring ?? beginning).finally(work).catch(() => {}); };

function stepOn() {
  if (beginning) whenMade(stepOn);
  else if (run?.live) run.live.doNext().catch(report);
  else if (run?.play) player.go(player.position + 1);
}

/** Undoes the person's last act, or goes back in the run. */
function stepBack() {
  if (beginning) whenMade(stepBack);
  else if (run?.live) undo().catch(report);
  else if (run?.play) player.go(player.position - 1);
}

/** The person touches a screen: a run that was played is taken over at this point. */
async function act(action) {
  await untilMade();
  const isBegun = !run.live && isNextStep(run.play.steps, player.position, action);
  const live = await liveRun(isBegun ? action : null);
  await (isBegun ? live?.judgeBegun() : live?.act(action));
}

/** The person opens what only a run that is taken over has. */
async function takeOver() {
  await untilMade();
  const live = await liveRun();
  await live?.knowHands();
}

/** Waits for the world that is being made. */
async function untilMade() {
  player.pause();
  await restoring;
  await beginning?.catch(() => {});
  run.left = null;
}

/** The live run, which begins now if the run was only played; null if another run was opened meanwhile. */
async function liveRun(begun = null) {
  if (run.live) return run.live;
  beginning = beginLive(run.play.steps, player.position, attempt, { begun }).finally(() => { beginning = null; });
  return beginning;
}

async function undo() {
  const { live } = run;
  // An act that is not done yet is the last one.
  await live.queue;
  if (run.live !== live || live.page || restoring) return;
  const { acts, from } = live;
  if (acts.length > 0) await restore(acts.slice(0, -1), from);
  else leaveLive(from);
}

/** Plays on where the person left. */
async function resume() {
  const { acts, from } = run.left;
  await restore(acts, from);
}

/** Makes the world again in which the person has done these acts after some steps of the run. */
async function restore(acts, from) {
  attempt += 1;
  const mine = attempt;
  endLive();
  run.left = null;
  panel?.close();
  const restore = async () => {
    await beginLive(run.play?.steps ?? [], from, mine);
    if (mine === attempt) await run.live.repeat(acts);
  };
  restoring = restore().finally(() => { restoring = null; });
  await restoring;
}

/**
 * Takes over a run after some steps, or shows the world of an external page. The world begins with the person's action
 * `begun`, if that is the run's next step. Returns the live run, or null if another run was opened meanwhile.
 */
async function beginLive(steps, done, mine, { page = null, begun = null } = {}) {
  const { choice } = run;
  const handlers = {
    entries: (entries) => receive(live, entries), screen: (screen) => showScreen(live, screen),
    hands: (hands) => { if (run?.live === live) scene.showHands(hands); },
    judged: () => showLive(live), end: (problem) => showEnd(live, problem),
    connected: (isConnected, isOver) => showConnection(live, isConnected, isOver),
  };
  // A run that is only played needs no world of its own, and no script for one.
  const [world, { LiveRun }] = await Promise.all([
    page ? fetchWorld(page.world) : createWorld(choice, begun ? done + 1 : done), fetchScript("/live.js"),
  ]);
  if (mine !== attempt) return null;
  const live = page ? LiveRun.join(page, world, handlers) : new LiveRun(world, steps, done, handlers, begun);
  run.live = live;
  scene.setFocusTaking(true);
  by("recording").href = recordingAddress(world.id);
  by("recording").hidden = false;
  if (choice.world) {
    wire.begin(world);
    live.isOnWire = true;
    await drawFreeWorld(world);
    await live.follow();
  } else {
    // A run that is taken over is on the screen already: the person's act need not wait for the world's first events,
    // nor for the wire, which begins again with the first of them. The world brings its screens.
    live.follow();
    scene.addDevices();
    live.show(world.screen);
  }
  if (run.live !== live) return null;
  showLive(live);
  by("bar").dataset.run = run.query;
  return live;
}

/** A world without a scenario: the person plays it from the start, or external pages join it. */
async function showFreeWorld(world, mine) {
  if (!world.isForExternalPages) return beginLive([], 0, mine);
  const { guideView } = await fetchScript("/external-pages.js");
  if (mine !== attempt) return undefined;
  by("recording").hidden = true;
  showNoRun();
  bar.wait("Waiting for a page of yours.");
  showAlone(false);
  wire.begin({ actors: [], core: [] });
  by("scene").replaceChildren(guideView({ name: world.name, isDefault: world === catalogue.worlds[0] }));
  by("bar").dataset.run = run.query;
  return undefined;
}

/** Lists the pages that join a world without a scenario. */
function followExternalPages(ExternalPages, world) {
  externalPages ??= new ExternalPages(by("external-pages"), {
    follow: (page) => followPage(page).catch(report),
    changed: ({ faults }) => faultMenu.show(faults.map(({ id }) => id), { others: faults }),
    consumed: () => { run.choice.faults = []; history.replaceState(null, "", `?${queryOf(run.choice)}`); },
    failed: report,
  });
  externalPages.begin(world, run.choice.faults);
}

async function followPage(page) {
  const { choice } = run;
  attempt += 1;
  const mine = attempt;
  endLive();
  panel?.close();
  if (page?.world) await beginLive([], 0, mine, { page });
  else await showFreeWorld(catalogue.worlds.find(({ name }) => name === choice.world), mine);
}

async function drawFreeWorld(world) {
  await Promise.all([loadPictures(picturesOf({ ...world, screens: [] })), loadScripts(world)]);
  scene.begin({ ...world, screens: null });
  showNoRun();
  showAlone(world.websites.some(({ isOutside }) => !isOutside));
}

function showNoRun() {
  by("bar").classList.add("free");
  for (const link of [by("share-page"), by("share-file"), by("open-sweep")]) link.hidden = true;
  bar.load([], null);
  player.load([], 0);
}

function receive(live, entries) {
  if (run?.live !== live) return;
  scene.note(entries);
  live.unshown.push(...entries);
  // The screens come first: drawing many lines takes longer than a frame.
  if (live.unshown.length === entries.length) requestAnimationFrame(() => setTimeout(() => showReceived(live)));
}

function showReceived(live) {
  const entries = live.unshown.splice(0);
  if (run?.live !== live || entries.length === 0) return;
  if (!live.isOnWire) wire.begin(live.world);
  live.isOnWire = true;
  wire.load(entries, run.play && live.from > 0 ? setupEnd(run.play) : null);
  wire.showTo(entries.at(-1).line);
}

function showScreen(live, screen) {
  if (run?.live !== live) return;
  scene.show(screen);
  showLive(live);
}

function showLive(live) {
  if (run?.live !== live) return;
  showMoment({
    position: live.next, conclusion: live.screen?.conclusion ?? null, outcome: null, live, faults: [], lines: [],
  });
}

/** Shows a moment in the bar, and to the presenter. */
function showMoment(moment) {
  bar.show(moment);
  const names = [by("scenario-title"), by("case-title")].map((one) => one.textContent).filter(Boolean);
  presenter.show({
    ...moment, steps: bar.steps, because: bar.because, title: names.join(", "), titleOf: (id) => wire.actor(id).title,
  });
}

/** Ends the live run and shows the run of the scenario again. */
function leaveLive(position) {
  if (!run.play) return;
  const { acts, from } = run.live;
  run.left = acts.length > 0 ? { acts, from } : null;
  endLive();
  panel?.close();
  by("recording").hidden = true;
  drawRun(run.play);
  player.load(run.play.steps, position);
  showPosition();
}

function endLive() {
  run?.live?.stop();
  if (run) run.live = null;
}

/** The registrations of an operating system now. */
function registrationsFor(party) {
  const device = /^os:(.*)$/.exec(party ?? "")?.[1];
  if (!device || !run?.play && !run?.live) return null;
  return fetchRegistrations(
    run.live ? { world: run.live.world.id } : { query: run.query, line: lineAt(player.position) }, device);
}

async function openMessage(number) {
  if (panel) {
    panel.open(number);
    return;
  }
  const before = run;
  try {
    const { MessagePanel } = await fetchScript("/wire-panel.js");
    panel ??= new MessagePanel(by("message"), wire, (one) => (run.live
      ? fetchMessage(run.live.world.id, one) : fetchPlayMessage(run.query, one)));
  } catch (error) {
    report(error);
    return;
  }
  if (run === before) panel.open(number);
}

function showEnd(live, { code, message }) {
  // The list of pages tells the end of a page's world.
  if (run?.live === live && !live.page) complain(message, code, () => reopen());
}

function showConnection(live, isConnected, isOver) {
  if (run?.live !== live) return;
  if (isConnected) { if (by("problem").dataset.kind === "connection") by("problem").hidden = true; return; }
  if (isOver && live.page) return;
  if (isOver) complain("This world has ended.", "http.world", () => reopen());
  else complain("The connection to the demo is lost. Trying again.", null, null, "connection");
}

function reopen() {
  const { choice } = run;
  const step = run.live?.from ?? 0;
  run.query = null;
  open({ choice, step });
}

/** The moment on paper: the step and the conclusion above the devices, and the messages so far below them. */
function printedParts() {
  const { title, because, position, steps, conclusion, outcome } = presenter.moment ?? {};
  if (!run || !steps) return { before: [], after: [] };
  const faults = run.choice.faults.map((id) => faultMenu.label(id));
  return {
    before: [
      el("h1", {}, title), because && el("p", {}, asSentence(because)),
      faults.length > 0 && el("p", {}, `Broken: ${faults.join(", ")}.`),
      el("h2", {}, position > 0 ? `Step ${position} of ${steps.length}: ${steps[position - 1].words}`
        : "Before the first step"),
      conclusion && el("p", {}, el("strong", {}, conclusion.title), ` ${conclusion.text}`),
      outcome && el("p", {}, `${outcome.title}.`),
    ],
    after: [el("h2", {}, "The messages so far"), journalTable(wire.shownEntries,
      { titleOf: (id) => wire.actor(id).title, clock: (time) => wire.clock(time) })],
  };
}

/** The keys of a clicker, and of a presenter at the keyboard. */
function onKey(event) {
  if (!run || !isForPage(event)) return;
  const does = event.key === "/" ? () => by("open-menu").click() : moves[moveOf(event)];
  if (!does) return;
  event.preventDefault();
  does();
}

function changeSeed(field) {
  if (!field.reportValidity()) return;
  change({ ...run.choice, seed: field.value === "" ? null : Number(field.value) });
}

/** Plays the run in another language, and shows the same step: the steps are the same in each. */
function changeLanguage(language) {
  open({ choice: { ...run.choice, language }, step: run.live?.from ?? player.position });
}

/** Offers the website in a tab of its own. Its host ends in .localhost, which is the machine of the browser. */
function showAlone(hasWebsite) {
  const isHere = /(^|\.)localhost$|^127\.|^\[::1\]$/.test(location.hostname);
  by("alone").hidden = !hasWebsite || !isHere;
  by("alone-elsewhere").hidden = !hasWebsite || isHere;
}

/** Opens the website in a real tab, with the phone over it, in a world of its own. */
async function openAlone() {
  try {
    const made = await createWorld(run.choice);
    window.open(made.websites[0].url, "_blank", "noopener");
  } catch (error) {
    report(error);
  }
}
