// The progress and the result of one presentment, read from the journal. Independent of the page.

import { counted, sentenceCase, asSentence } from "/dom.js";
import { isObjection } from "/words.js";

/** Codes of a call that the person ended. */
const NO_CODES = new Set(["browser.choice"]);
/** Codes of a call that the page ended. */
const LEFT_CODES = new Set(["browser.signal", "browser.fully-active/gone"]);
const NAMES = /(?:family_name|given_name)/;

export const PHASES = ["Ask", "Choose", "Agree", "Answer", "Check"];

export class Story {
  constructor(world) {
    this.titles = new Map(world.actors.map(({ id, title, name }) => [id, title || name]));
    this.hasSites = world.websites.length > 0;
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
    this.asked = null;
    this.deviations = [];
    this.failure = null;
    this.exception = null;
    this.verdict = null;
  }

  /** Another visit or attempt in the same world starts another story; its faults stay. */
  beginAgain(phase) {
    const { faults } = this;
    this.begin();
    this.faults = faults;
    this.phase = phase;
  }

  add(entry) {
    if (entry.kind === "message") return this.addMessage(entry);
    if (entry.kind === "fault") this.faults.push(entry);
    if (entry.kind === "selection") this.addSelection(entry);
    if (entry.kind === "check" && this.phase === 4) this.addCheck(entry);
    if (entry.code === "provider.asked") this.asked = entry.evidence;
    if (isObjection(entry) && !this.failure) this.failure = entry;
    if (entry.code === "provider.answered") this.phase = 3;
    if (entry.kind === "verdict") this.verdict = entry;
    if (entry.kind === "exception") this.exception = entry;
  }

  addMessage({ operation, to }) {
    if (operation === "visit") this.beginAgain(0);
    if (operation === "navigator.credentials.get") this.beginAgain(1);
    if (operation === "ISO18013MobileDocumentRequestContext") { this.phase = 2; this.app = this.titles.get(to); }
    if (operation === "document response") this.phase = 3;
    if (operation === "POST /presentments/response") this.phase = 4;
  }

  addCheck(entry) {
    if (entry.outcome === "passed") this.passed += 1;
    if (entry.outcome === "deviates") this.deviations.push(entry);
  }

  addSelection(entry) {
    if (entry.outcome === "offered") this.offered += 1;
    if (entry.outcome === "hidden") this.hidden.push(entry);
  }

  get isOver() { return Boolean(this.verdict || this.exception); }

  title(id) { return this.titles.get(id) ?? id; }

  /** The person's next action, as a sentence. */
  instruction(screen) {
    const phone = `${this.person}’s phone`;
    if (screen?.prompt) return `An app wants to offer its documents to websites. Answer on ${phone}.`;
    if (screen?.authorization) {
      return `${screen.authorization.app} shows the requester, the elements and what is stored. Agree or refuse on `
        + `${phone}.`;
    }
    if (screen?.code) return `The browser asks another device. Scan its QR code with ${phone}.`;
    if (screen?.selector && screen.selector.offered.length === 0) {
      return "No app may answer this request. See on the phone why, then close the sheet.";
    }
    if (screen?.selector) return `The website asked. ${phone} shows which apps may answer. Pick one.`;
    if (this.phase === 0 && !this.hasSites) {
      return "Call navigator.credentials.get on your own page. The phone appears over it.";
    }
    return ["Press “Verify Identity” on the website. You play " + this.person + ".",
      "The request travels to the phone.", "The app reads the requester and the elements.",
      "The answer travels back, sealed. Only the server can open it.",
      "The server opens the answer and checks it."][this.phase];
  }

  /**
   * The result: `{tone, title, text, code, line}`, or null before the end. `chosen` are the labels of the faults.
   */
  conclusion(chosen) {
    if (!this.isOver) return null;
    const broken = chosen.length > 0 ? chosen.join(", ") : this.faults.map(({ phrase }) => phrase).join(", ");
    if (this.verdict?.outcome === "verified") return this.accepted(broken);
    const failure = this.failure ?? (this.verdict && this.verdict.outcome !== "verified" ? this.verdict : null);
    if (failure) return this.noticed(failure, broken);
    if (this.offered === 0 && this.hidden.length > 0) return this.nobodyOffered(broken);
    return NO_CODES.has(this.exception.code) ? this.declined(broken) : this.withoutAnswer(broken);
  }

  accepted(broken) {
    if (this.deviations.length > 0) return this.departed();
    return broken ? this.unnoticed(broken) : this.verified();
  }

  /** A verified response. It identifies the person if a name was among the elements that the app showed. */
  verified() {
    const isNamed = this.asked?.some(({ found }) => NAMES.test(found));
    return { tone: "good", line: this.verdict.line,
      title: isNamed ? `Verified: it is ${this.person}.` : "Verified: the answer is genuine.",
      text: `The server made ${counted(this.passed, "check")}, all passed. Only ${this.app ?? "the app"}, which made `
        + "the answer, and the server know what is in it. Browser and system carried it sealed." };
  }

  /** A deviation that the standard policy accepts because it is common. */
  departed() {
    const [first, ...others] = this.deviations;
    const more = others.length > 0 ? ` ${counted(others.length, "other finding")} like it.` : "";
    return { tone: "warning", title: `${sentenceCase(this.title(first.by))} noticed, and accepted it.`,
      code: first.code, line: first.line,
      text: `${asSentence(first.phrase)} It deviates from the standard and is common.${more}` };
  }

  unnoticed(broken) {
    return { tone: "warning", title: "No party noticed.",
      text: `Every check passed, although this was broken: ${broken}.`, line: this.verdict.line };
  }

  noticed(failure, broken) {
    return { tone: "bad", title: `${sentenceCase(this.title(failure.by))} noticed.`,
      code: failure.code, line: failure.line,
      text: `${asSentence(failure.phrase)}${broken ? ` You broke: ${broken}.` : ""}` };
  }

  nobodyOffered(broken) {
    const [first] = this.hidden;
    return { tone: "bad", title: `${sentenceCase(this.title(first.by))} noticed.`, code: first.code, line: first.line,
      text: `No app was offered: ${first.phrase.replace(/\.$/, "")}.${broken ? ` You broke: ${broken}.` : ""}` };
  }

  /** The call ended without the person's refusal: the browser rejected it, or the page was left. */
  withoutAnswer(broken) {
    const { code, line, by, phrase } = this.exception;
    const title = LEFT_CODES.has(code)
      ? "The page aborted the call." : `${sentenceCase(this.title(by))} ended the call.`;
    return { tone: "calm", title, code, line,
      text: `${asSentence(phrase)} Nothing about ${this.person} left the phone.`
        + (broken ? ` You broke: ${broken}.` : "") };
  }

  declined(broken) {
    return { tone: "calm", title: `${this.person} said no.`, code: this.exception?.code, line: this.exception?.line,
      text: `Nothing about ${this.person} left the phone. The page learns only that there is no answer.`
        + (broken ? ` The fault had no effect: ${broken}.` : "") };
  }
}
