// Two runs side by side: their devices, and the messages of both in one list that is aligned at the differences.

import { findScenario, queryOf } from "/address.js";
import { fetchCatalogue, fetchComparison, fetchPlay, fetchPlayMessage } from "/api.js";
import { queryOfPair, readPair, writePair } from "/beside-address.js";
import { BesideBar } from "/beside-bar.js";
import { BesideList } from "/beside-list.js";
import { BesideMessages, markWords } from "/beside-message.js";
import { Side } from "/beside-side.js";
import { isForPage, moveOf } from "/clicker.js";
import { complain, copyLink } from "/notices.js";
import { loadDrawings, loadPictures, picturesOf } from "/pictures.js";
import { Player } from "/player.js";
import { loadScripts } from "/scene.js";
import { ScenarioMenu } from "/scenario-menu.js";

await loadDrawings();

const by = (id) => document.getElementById(id);
const SIDES = ["left", "right"];

const player = new Player({ perform, changed: showPosition });
const bar = new BesideBar(by("bar"), player, {
  go: (position) => player.go(position), next: () => player.go(player.position + 1),
  back: () => player.go(player.position - 1), toggle: () => player.toggle(), showDifference,
});
const list = new BesideList(by("list"), { openMessages });
const messages = new BesideMessages(by("message"), {
  fetchMessage: (side, number) => fetchPlayMessage(pair.queries[side], number), titles: titleOf,
});
let catalogue = null;
let menu = null;
let sides = [];
/** The side whose scenario the menu chooses. */
let choosing = 0;
/** The compared runs: choices, queries, and after they were fetched plays, comparison, moments. */
let pair = null;
let attempt = 0;

addEventListener("popstate", () => { if (catalogue) open(readPair(catalogue)); });
addEventListener("keydown", onKey);
by("copy").addEventListener("click", copyLink);
by("swap").addEventListener("click", () => change([...pair.choices].reverse()));
by("side-choice").addEventListener("change", (event) => { by("pair").dataset.side = event.target.value; });
start();

async function start() {
  try {
    catalogue = await fetchCatalogue();
    menu = new ScenarioMenu(by("menu"), { ...catalogue, worlds: [] }, ({ scenario }) =>
      changeSide(choosing, { ...pair.choices[choosing], scenario }));
    sides = SIDES.map((name, index) => new Side(by(name), name, catalogue, {
      changed: (choice) => changeSide(index, choice),
      chooseScenario: () => { choosing = index; menu.open(pair.choices[index].scenario); },
    }));
    const wanted = readPair(catalogue);
    await open(wanted);
    if (wanted.unknown.length > 0) {
      complain(`The address contains unknown names, which were ignored: ${wanted.unknown.join(", ")}.`);
    }
  } catch (error) {
    complain(error.message, error.code, () => location.reload());
  }
}

const change = ([left, right]) => open({ left, right, step: null });
const changeSide = (side, choice) => change(pair.choices.map((one, index) => (index === side ? choice : one)));

/** Shows two runs at a moment; without one, at their first difference. Of two quick choices the last one wins. */
async function open({ left, right, step }) {
  // A run without a seed of its own has that of the scenario, and the right one that of the left.
  const choices = [left, { ...right, seed: right.seed ?? left.seed }];
  const query = queryOfPair(...choices);
  if (pair?.query === query && pair.plays) return player.go(step ?? firstMoment());
  attempt += 1;
  const mine = attempt;
  player.stop();
  by("problem").hidden = true;
  by("message").close();
  pair = { choices, query, queries: choices.map(queryOf), plays: null };
  by("bar").removeAttribute("data-run");
  sides.forEach((side, index) => side.showChoice(choices[index]));
  showSubject(choices);
  bar.load([], null);
  bar.wait();
  try {
    const [comparison, ...plays] = await Promise.all([fetchComparison(query), ...pair.queries.map(fetchPlay)]);
    if (mine !== attempt) return;
    await Promise.all([loadPictures(plays.flatMap(picturesOf)), ...plays.map(loadScripts)]);
    if (mine === attempt) showPair(comparison, plays, step);
  } catch (error) {
    if (mine === attempt) complain(error.message, error.code, () => open({ left, right, step }));
  }
}

function showPair(comparison, plays, step) {
  const moments = momentsOf(comparison.moments, plays);
  Object.assign(pair, { comparison, plays, moments });
  sides.forEach((side, index) => side.load(plays[index]));
  list.load({ comparison, plays, moments, titles: titleOf, momentOf });
  const count = list.stops.length;
  by("note").textContent = [
    count === 0 ? "No difference." : `${count} ${count === 1 ? "difference" : "differences"}.`,
    comparison.isMasked && "The seeds differ, so random values, times and the order within a step are not compared.",
  ].filter(Boolean).join(" ");
  const steps = moments.slice(1);
  bar.load(steps, null);
  player.load(steps, step ?? firstMoment());
  showPosition();
  by("bar").dataset.run = pair.query;
}

/** The steps of both runs together. */
function momentsOf(positions, plays) {
  return positions.map((position, index) => {
    const before = positions[index - 1] ?? [0, 0];
    const [left, right] = position.map((one, side) => (one > before[side] ? plays[side].steps[one - 1] : null));
    const { kind, words, because } = left ?? right ?? {};
    return {
      positions: position, left, right, kind, because,
      words: left && right && left.words !== right.words ? `${left.words}; on the right: ${right.words}` : words,
      failure: left?.failure ?? right?.failure ?? null,
      isReached: [left, right].some((step) => step && step.isReached !== false),
    };
  });
}

/** The moment in which a row is there. */
function momentOf({ pair: entries }) {
  const last = pair.moments.length - 1;
  const reached = entries.map((entry, side) => {
    if (entry === null) return last;
    const moment = pair.moments.findIndex(({ positions }) => sides[side].lineAt(positions[side]) >= entry.line);
    return moment < 0 ? last : moment;
  });
  return Math.min(...reached);
}

const firstMoment = () => list.stops.find(({ isFirst }) => isFirst)?.moment ?? pair.moments.length - 1;

function showPosition() {
  if (!pair?.plays) return;
  const { position } = player;
  const { positions } = pair.moments[position];
  sides.forEach((side, index) => side.show(positions[index], `/?${pair.queries[index]}&step=${positions[index]}`));
  list.showTo(position);
  bar.show({ position, conclusion: firstWords(position), outcome: null, live: null, faults: [] });
  const here = list.stops.filter(({ moment }) => moment === position);
  showStop(here.find(({ isFirst }) => isFirst) ?? here[0] ?? { element: list.sections[position] }, false);
  writePair(...pair.choices, position);
}

/** The first difference in words. */
function firstWords(position) {
  const { first } = pair.comparison;
  if (!first) return { tone: "good", title: "No difference", text: "Both runs do the same." };
  const moment = firstMoment();
  if (moment <= position) return { tone: "warning", title: "The first difference", text: first.text };
  return { tone: "", title: "The same up to here", text: `The first difference comes with step ${moment}.` };
}

/** Shows how a step happens: the person's press on the devices of both runs. */
async function perform(index) {
  const moment = pair.moments[index + 1];
  await Promise.all(SIDES.map((side, number) => moment[side] && sides[number].scene.showPress(moment[side])));
}

/** Goes to the next or the previous difference from the one in focus, or from the current moment. */
function showDifference(by) {
  if (!pair?.plays || list.stops.length === 0) return;
  const current = list.stops.findIndex(({ element }) => element.contains(document.activeElement));
  const near = by > 0 ? list.stops.findIndex(({ moment }) => moment > player.position)
    : list.stops.findLastIndex(({ moment }) => moment <= player.position);
  const wanted = current >= 0 ? current + by : near;
  const stop = list.stops[Math.max(0, Math.min(list.stops.length - 1, wanted))];
  if (stop.moment !== player.position) player.go(stop.moment);
  showStop(stop, true);
}

/** Scrolls the list to a difference, below the heading of its step. */
function showStop(stop, takesFocus) {
  const box = by("list");
  if (takesFocus) stop.element.focus({ preventScroll: true });
  box.scrollTop += stop.element.getBoundingClientRect().top - box.getBoundingClientRect().top - 40;
  if (takesFocus && box.scrollHeight <= box.clientHeight) stop.element.scrollIntoView({ block: "center" });
}

function openMessages(row, opener) {
  const difference = list.fields.get(row.index);
  const isPair = !row.pair.includes(null);
  const note = isPair ? markWords(difference ?? { count: 0 }, pair.comparison.isMasked)
    : "Only one run has this message.";
  messages.open({ pair: row.pair, marks: difference?.marks, note }, opener);
}

function titleOf(id) {
  for (const { actors } of pair.plays) {
    const actor = actors.find((one) => one.id === id);
    if (actor) return actor.title;
  }
  return id;
}

/** The difference of the choices in words. */
function showSubject(choices) {
  const [left, right] = choices.map(({ scenario }) => findScenario(catalogue, scenario));
  const faults = choices.map(({ faults: all }) => all.map((id) => `“${sides[0].label(id)}”`).join(", ")
    || "no added fault");
  const parts = [
    left && right && left.name !== right.name && [left.title, right.title],
    faults[0] !== faults[1] && faults,
    choices[0].seed !== choices[1].seed && choices.map(({ seed }) => `seed ${seed ?? "of the file"}`),
  ].filter(Boolean).map((one) => one.join(" and "));
  by("subject").textContent = parts.length > 0 ? `Compared: ${parts.join("; ")}` : "Both sides show the same run.";
  document.title = `${left?.title ?? ""} side by side · presentment`;
  by("to-stage").href = `/?${pair.queries[0]}`;
}

/** The keys of the stage, and those of the differences. */
function onKey(event) {
  if (!pair?.plays || !isForPage(event)) return;
  const does = {
    next: () => player.go(player.position + 1), back: () => player.go(player.position - 1), start: () => player.go(0),
    end: () => player.go(player.count), toggle: () => player.toggle(), n: () => showDifference(1),
    N: () => showDifference(-1),
  }[moveOf(event) ?? event.key];
  if (!does) return;
  event.preventDefault();
  does();
}
