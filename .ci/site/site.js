"use strict";
// The search, and keys for what can be scrolled. The index is loaded as a script at the first use, since a page that is
// opened as a file may not fetch.

/** A longer list is not read. The line above it gives the whole number. */
const MOST_RESULTS = 40;
/** The characters of an excerpt before and after its first word. */
const BEFORE = 60, AFTER = 160;

/** The words of a question that say nothing about its answer. */
const FILLERS = new Set(
  "a an and are can do does for how i in is it my of on or the to what which why with".split(" "));

class Search {
  constructor(form) {
    this.form = form;
    this.root = form.dataset.root;
    this.input = form.querySelector("input");
    this.box = form.querySelector(".results");
    this.status = form.querySelector("[role=status]");
    this.list = form.querySelector("ol");
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.list.querySelector("a")?.click();
    });
    this.input.addEventListener("focus", () => this.load());
    this.input.addEventListener("input", () => this.show());
    form.addEventListener("keydown", (event) => this.move(event));
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !form.contains(relatedTarget)) this.box.hidden = true;
    });
    // A result on the page that is shown loads nothing.
    this.list.addEventListener("click", () => { this.box.hidden = true; });
    document.addEventListener("click", ({ target }) => {
      if (!form.contains(target)) this.box.hidden = true;
    });
    document.addEventListener("keydown", (event) => {
      const isTyped = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.input.focus();
      this.input.select();
    });
  }

  /** Loads the index once. */
  load() {
    this.loading ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = `${this.root}search-index.js`;
      script.onload = done;
      document.head.append(script);
    }).then(async () => {
      const bytes = Uint8Array.from(atob(packedIndex), (character) => character.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      const { pages, entries } = JSON.parse(await new Response(stream).text());
      this.entries = entries.map(([number, anchor, title, text, section]) => {
        const [place, name] = pages[number];
        const path = section && section !== name ? `${name} › ${section}` : name;
        return { address: `${place}${anchor && `#${anchor}`}`, title, text, path,
          folded: [title, path, text].map((one) => one.toLowerCase()) };
      });
    });
    return this.loading;
  }

  async show() {
    await this.load();
    const typed = [...new Set(this.input.value.toLowerCase().split(/\s+/).filter(Boolean))];
    const telling = typed.filter((word) => !FILLERS.has(word));
    const words = (telling.length > 0 ? telling : typed)
      .map((text) => ({ text, beginning: new RegExp(beginning(text), "iu") }));
    this.box.hidden = words.length === 0;
    if (this.box.hidden) return;
    const phrase = typed.join(" ");
    const found = this.entries.map((entry) => [score(entry.folded, words, phrase), entry])
      .filter(([value]) => value > 0).sort(([one], [other]) => other - one);
    this.status.textContent = found.length === 0 ? "No section has all of these words."
      : `${found.length} ${found.length === 1 ? "section" : "sections"}`
        + (found.length > MOST_RESULTS ? `, the first ${MOST_RESULTS} of which are listed` : "");
    this.list.replaceChildren(...found.slice(0, MOST_RESULTS).map(([, entry]) => this.result(entry, words, phrase)));
    this.box.scrollTop = 0;
  }

  result({ address, title, text, path }, words, phrase) {
    const link = document.createElement("a");
    const marks = marksOf(`${title} ${path} ${text}`, words);
    link.href = this.root + address;
    link.append(element("strong", marked(title, marks)));
    if (path !== title) link.append(element("small", marked(path, marks)));
    link.append(element("span", marked(excerpt(text, words, phrase), marks)));
    return element("li", [link]);
  }

  /** The arrow keys go through the results. Escape closes them. */
  move(event) {
    if (event.key === "Escape") {
      if (this.box.hidden) this.input.value = "";
      this.box.hidden = true;
      this.input.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || this.box.hidden) return;
    event.preventDefault();
    const places = [this.input, ...this.list.querySelectorAll("a")];
    places[(places.indexOf(document.activeElement) + step + places.length) % places.length].focus();
  }
}

const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The pattern of a word where it begins. */
const beginning = (text) => `(?<![\\p{L}\\p{N}])${quoted(text)}`;

/** 0 if a word is nowhere. A name that is searched for comes first, then titles, then texts; and words before parts of
 * words. */
function score([title, path, text], words, phrase) {
  let value = title === phrase ? 1000 : title.startsWith(phrase) ? 300 : title.includes(phrase) ? 200
    : text.includes(phrase) ? 50 : 0;
  for (const word of words) {
    const place = title.includes(word.text) ? 20 : path.includes(word.text) ? 5 : text.includes(word.text) ? 2 : 0;
    if (place === 0) return 0;
    value += place + ([title, path, text].some((one) => word.beginning.test(one)) ? 10 : 0);
  }
  return value;
}

/** The part of a text around all words together, or around the first of them that is in it. */
function excerpt(text, words, phrase) {
  const folded = text.toLowerCase();
  const places = [folded.indexOf(phrase), ...words.map((word) => text.search(word.beginning)),
    ...words.map((word) => folded.indexOf(word.text))];
  const first = places.find((place) => place >= 0) ?? 0;
  const from = first > BEFORE ? text.indexOf(" ", first - BEFORE) + 1 : 0;
  const to = first + AFTER;
  return `${from > 0 ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}

/** The pattern of what is marked in an entry: words where they begin; parts of words only if there are no others. */
function marksOf(entry, words) {
  const patterns = words.map((word) => (word.beginning.test(entry) ? beginning(word.text) : quoted(word.text)));
  return new RegExp(`(${patterns.sort((one, other) => other.length - one.length).join("|")})`, "giu");
}

/** A text as nodes, with what the pattern finds marked. */
function marked(text, pattern) {
  return text.split(pattern).map((part, index) => (index % 2 ? element("mark", [part]) : part));
}

function element(name, children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** What is wider than its place can be scrolled with the keys. */
function addKeys() {
  for (const one of document.querySelectorAll("pre, .table")) {
    if (one.scrollWidth <= one.clientWidth) {
      one.removeAttribute("tabindex");
      continue;
    }
    one.tabIndex = 0;
    one.setAttribute("role", "group");
    one.setAttribute("aria-label", one.matches("pre") ? "Code" : "Table");
  }
}

/** Lists that a wide window shows beside the text are open there, for programs as well. */
function openWide(list, width) {
  const query = matchMedia(`(min-width: ${width}px)`);
  const follow = () => { list.open = query.matches; };
  query.addEventListener("change", follow);
  follow();
}

/** The page that is shown is in sight in the list of pages. */
function showPlace() {
  const place = document.querySelector(".pages [aria-current]");
  const list = place?.closest(".pages");
  if (list && list.scrollHeight > list.clientHeight) list.scrollTop = place.offsetTop - list.clientHeight / 2;
}

/** The animation of the front page stops, and its pictures are shown one by one. */
function addStop(figure) {
  const button = figure.querySelector("button");
  button.hidden = false;
  button.addEventListener("click", () => {
    const isStopped = figure.classList.toggle("stopped");
    button.textContent = isStopped ? "Play it again" : "Stop, and show each step";
  });
}

document.querySelectorAll(".animation").forEach(addStop);
document.querySelectorAll(".pages details").forEach((list) => openWide(list, 960));
document.querySelectorAll(".contents details").forEach((list) => openWide(list, 1360));
showPlace();
new Search(document.querySelector(".search"));
addKeys();
addEventListener("resize", addKeys);
