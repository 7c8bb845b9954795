// What the journal says about one presentment: how far it is, and how it ended. Knows nothing of the page.

import { counted, sentenceCase, asSentence } from "/dom.js";
import { isObjection } from "/words.js";

export const PHASES = ["Ask", "Choose", "Agree", "Answer", "Check"];

export class Story {
  constructor(world) {
    this.titles = new Map(world.actors.map(({ id, title, name }) => [id, title || name]));
    this.person = world.actors.find(({ role }) => role === "person")?.title ?? "The person";
    this.begin();
  }

  begin() {
    this.phase = 0;
    this.app = null;
    this.passed = 0;
    this.faults = [];
    this.hidden = [];
    this.offered = 0;
    this.failure = null;
    this.exception = null;
    this.verdict = null;
  }

  /** Another visit or another try in the same world is another story; what was broken stays broken. */
  beginAgain(phase) {
    const { faults } = this;
    this.begin();
    this.faults = faults;
    this.phase = phase;
  }

  add(entry) {
    if (entry.kind === "message") return this.addMessage(entry);
    if (entry.decision === "fault") this.faults.push(entry);
    if (entry.decision === "selector") this.addSelection(entry);
    if (entry.decision === "check" && entry.outcome === "passed" && this.phase === 4) this.passed += 1;
    if (isObjection(entry) && !this.failure) this.failure = entry;
    if (entry.code === "provider.answered") this.phase = 3;
    if (entry.decision === "verdict") this.verdict = entry;
    if (entry.decision === "exception") this.exception = entry;
  }

  addMessage({ subject, to }) {
    if (subject === "visit") this.beginAgain(0);
    if (subject === "navigator.credentials.get") this.beginAgain(1);
    if (subject === "ISO18013MobileDocumentRequestContext") { this.phase = 2; this.app = this.titles.get(to); }
    if (subject === "document response") this.phase = 3;
    if (subject === "POST /presentments/response") this.phase = 4;
  }

  addSelection(entry) {
    if (entry.outcome === "offered") this.offered += 1;
    if (entry.outcome === "hidden") this.hidden.push(entry);
  }

  get isOver() { return Boolean(this.verdict || this.exception); }

  title(id) { return this.titles.get(id) ?? id; }

  /** What the person can do now, in a sentence. */
  instruction(screen) {
    const phone = `${this.person}’s phone`;
    if (screen?.prompt) return `An app wants to offer its documents to websites. Answer on ${phone}.`;
    if (screen?.authorization) {
      return `${screen.authorization.app} shows who asks, for what, and what is kept. Agree or refuse on ${phone}.`;
    }
    if (screen?.selector && screen.selector.offered.length === 0) {
      return "No app may answer this request. See on the phone why, then close the sheet.";
    }
    if (screen?.selector) return `The website asked. ${phone} shows which apps may answer. Pick one.`;
    return ["Press “Verify Identity” on the website. You play " + this.person + ".",
      "The request travels to the phone.", "The app reads who asks and what for.",
      "The answer travels back, sealed. Nobody on the way can open it.",
      "The server opens the answer and checks it."][this.phase];
  }

  /**
   * The end: `{tone, title, text, code, line}`, or null while it is not over. `chosen` are the labels of the faults.
   */
  conclusion(chosen) {
    if (!this.isOver) return null;
    const broken = chosen.length > 0 ? chosen.join(", ") : this.faults.map(({ sentence }) => sentence).join(", ");
    if (this.verdict?.outcome === "verified") return broken ? this.unnoticed(broken) : this.verified();
    const failure = this.failure ?? (this.verdict && this.verdict.outcome !== "verified" ? this.verdict : null);
    if (failure) return this.noticed(failure, broken);
    if (this.offered === 0 && this.hidden.length > 0) return this.nobodyOffered(broken);
    return this.declined(broken);
  }

  verified() {
    return { tone: "good", title: `Verified: it is ${this.person}.`, line: this.verdict.line,
      text: `The server made ${counted(this.passed, "check")}, all passed. `
        + "Browser and phone only carried the answer; they could not read it." };
  }

  unnoticed(broken) {
    return { tone: "warn", title: "Nobody noticed.",
      text: `Every check passed, although this was broken: ${broken}.`, line: this.verdict.line };
  }

  noticed(failure, broken) {
    return { tone: "bad", title: `${sentenceCase(this.title(failure.by))} noticed.`,
      code: failure.code, line: failure.line,
      text: `${asSentence(failure.sentence)}${broken ? ` You broke: ${broken}.` : ""}` };
  }

  nobodyOffered(broken) {
    const [first] = this.hidden;
    return { tone: "bad", title: `${sentenceCase(this.title(first.by))} noticed.`, code: first.code, line: first.line,
      text: `No app was offered: ${first.sentence.replace(/\.$/, "")}.${broken ? ` You broke: ${broken}.` : ""}` };
  }

  declined(broken) {
    return { tone: "calm", title: `${this.person} said no.`, code: this.exception?.code, line: this.exception?.line,
      text: `Nothing about ${this.person} left the phone. The page learns only that there is no answer.`
        + (broken ? ` The fault had no effect: ${broken}.` : "") };
  }
}
