// The menu of views, and the beginning of a presentation. The rest is loaded for those who present.

import { el } from "/dom.js";
import { isForPage } from "/clicker.js";

export class Presenter {
  /** `moves` has the functions `next`, `back`, `start`, `end` and `toggle`; `complain(message)` shows a problem. */
  constructor(moves, complain) {
    Object.assign(this, { moves, complain });
    this.moment = null;
    this.presentation = null;
    const menu = document.getElementById("view");
    const choose = (id, does) => document.getElementById(id).addEventListener("click", () => {
      menu.open = false;
      does();
    });
    choose("present", () => this.present());
    choose("open-notes", () => { openNotes(stageName()); this.load(); });
    choose("print", () => print());
    addEventListener("keydown", (event) => {
      if (event.key !== "f" || !isForPage(event) || this.presentation?.isPresenting) return;
      event.preventDefault();
      this.present();
    });
    if (new URLSearchParams(location.search).has("present")) this.present();
    // A window of notes may be open since before a reload.
    else if (stageName(true)) this.load();
  }

  /** Takes the moment that the bar shows, with the lines of its last step. */
  show(moment) {
    this.moment = moment;
    this.presentation?.show(moment);
  }

  async present() {
    await this.load();
    this.presentation?.begin();
  }

  load() {
    this.loading ??= loadPresentation().then((Presentation) => {
      this.presentation = new Presentation(this.moves, stageName());
      if (this.moment) this.presentation.show(this.moment);
    }, () => {
      this.loading = null;
      this.complain("The presentation could not be loaded. Is presentment serve still running?");
    });
    return this.loading;
  }
}

/** Opens the window of notes of a stage, or shows it again. */
export const openNotes = (name) => open(`/notes?stage=${name}`, `notes-${name}`, "popup,width=720,height=620");

async function loadPresentation() {
  const style = el("link", { rel: "stylesheet", href: "/presentation.css", media: "screen" });
  const loaded = new Promise((done, fail) => {
    style.addEventListener("load", done);
    style.addEventListener("error", fail);
  });
  document.head.append(style);
  const [{ Presentation }] = await Promise.all([import("/presentation.js"), loaded]);
  return Presentation;
}

/** The name of this tab's stage, by which its notes find it. It outlives a reload. */
function stageName(isKnown = false) {
  const KEY = "stage";
  try {
    const name = sessionStorage.getItem(KEY) ?? (isKnown ? null : Math.random().toString(36).slice(2));
    if (name) sessionStorage.setItem(KEY, name);
    return name;
  } catch {
    return isKnown ? null : "only";
  }
}
