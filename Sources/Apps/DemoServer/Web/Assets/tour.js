// The tour of a run: a picture for each act of the person that changes a screen, one of the sealed answer, and one of
// the end. Each has a sentence. Everything is of the run that the server plays for the address.

import { fetchPlay } from "/api.js";
import { asSentence, el, symbol } from "/dom.js";
import { loadDrawings, loadPictures, picturesOf } from "/pictures.js";
import { readersView } from "/readers-view.js";
import { loadScripts, Scene } from "/scene.js";

const by = (id) => document.getElementById(id);
const FIRST_SCENE = "headline";

const query = new URLSearchParams(location.search);
if (!query.has("scenario")) query.set("scenario", FIRST_SCENE);

loadDrawings().then(() => fetchPlay(query.toString())).then(show, ({ code, message }) => {
  by("problem").replaceChildren(message, ...(code ? [" ", el("code", { class: "code" }, code)] : []));
  by("problem").hidden = false;
});
by("tour-print").addEventListener("click", () => print());

async function show(play) {
  await Promise.all([loadPictures(picturesOf(play)), loadScripts(play)]);
  document.title = `${play.title} · tour`;
  by("tour-title").textContent = play.title;
  by("tour-sentence").textContent = play.sentence ?? (play.because ? asSentence(play.because) : "");
  by("tour-stage").href = stageAt(0);
  const pictures = [...scenesOf(play), envelopeOf(play)].filter(Boolean).sort((one, other) => one.line - other.line);
  pictures.push(endOf(play));
  by("tour").replaceChildren(...pictures.map(pictureView));
  for (const { begin } of pictures) begin?.();
}

const stageAt = (step) => `/?${query}${step > 0 ? `&step=${step}` : ""}`;

/** The person's acts after which a screen is another one, each with what is expected of that screen. */
function scenesOf(play) {
  let before = JSON.stringify(partOf(play.screens[0]));
  return play.steps.flatMap((step, index) => {
    if (step.kind !== "action" || !step.isReached) return [];
    const screen = play.screens[step.screen];
    const drawn = JSON.stringify(partOf(screen));
    if (drawn === before) return [];
    before = drawn;
    const rest = play.steps.slice(index + 1);
    const until = rest.findIndex(({ kind }) => kind !== "expectation");
    const told = rest.slice(0, until < 0 ? rest.length : until).find(({ failure }) => !failure);
    const box = el("div", { class: "scene" });
    box.inert = true;
    return [{
      title: step.words, sentence: told?.words ?? step.because ?? "", step: index + 1, line: step.lines[1], view: box,
      begin: () => draw(box, play, screen),
    }];
  });
}

/** The parts of a screen that are drawn, without its time, which changes by itself. */
const partOf = ({ devices, terminals }) => ({ devices, terminals });

function draw(box, play, screen) {
  const scene = new Scene(box, { act: () => Promise.reject(new Error("A picture takes no taps.")) });
  scene.setFocusTaking(false);
  scene.begin(play);
  scene.show(screen);
}

/** The first sealed answer: who carries it, and who can open it. */
function envelopeOf({ entries, actors, steps }) {
  const entry = entries.find(({ readers }) => readers?.seal === "answer" && readers.sealedFor);
  if (!entry) return null;
  const lanes = {
    ids: actors.map(({ id }) => id), actor: (id) => actors.find((one) => one.id === id) ?? { title: id, role: "" },
  };
  const sealed = entries.filter(({ readers }) => readers?.seal === "answer" && readers.sealedFor);
  const whole = [...new Set(sealed.flatMap((one) => one.readers.whole ?? []))];
  const titleOf = (id) => lanes.actor(id).title;
  const [maker, opener] = [titleOf(entry.from), titleOf(entry.readers.sealedFor)];
  const carriers = lanes.ids.filter((id) => whole.includes(id) && ![entry.from, entry.readers.sealedFor].includes(id));
  return {
    title: `${maker} seals the answer for ${opener}`,
    sentence: `${listed(carriers.map(titleOf))} carry it, and only ${opener} can open it`,
    step: 1 + steps.findIndex(({ lines: [first, last] }) => entry.line > first && entry.line <= last + 1),
    line: entry.line,
    view: el("div", { class: "tour-envelope" }, symbol("lock"),
      readersView(entry, { ...entry.readers, whole, message: null }, lanes)),
  };
}

/** Names in words: "A, B and C". */
const listed = (names) => new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);

function endOf({ conclusion, outcome, steps }) {
  const { title, text, tone } = conclusion ?? { title: outcome.title, text: "", tone: outcome.tone };
  return {
    title, sentence: text, step: steps.length,
    view: el("div", { class: "tour-end", "data-tone": tone }, symbol(tone === "good" ? "check" : "alert")),
  };
}

function pictureView({ title, sentence, step, view }, index) {
  return el("li", {}, el("figure", {}, view,
    el("figcaption", { class: "tour-caption" },
      el("h2", {}, el("span", { class: "tour-number" }, String(index + 1)), ` ${asSentence(title)}`),
      sentence && el("p", {}, asSentence(sentence)),
      el("p", { class: "tour-link" }, el("a", { href: stageAt(step) }, "This moment on the stage")))));
}
