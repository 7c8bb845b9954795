// What a page prints: parts that are in it only while it prints, because its lists show what is in sight.

import { el, asSentence, counted, humanSize, sentenceCase } from "/dom.js";

/** Adds what `parts()` returns to the page while it prints: `{before, after}`, elements above and below the rest. */
export function printWith(parts) {
  let added = [];
  addEventListener("beforeprint", () => {
    const { before, after } = parts();
    added = [before, after].map((content) => el("section", { class: "printed" }, ...content.filter(Boolean)));
    document.body.prepend(added[0]);
    document.body.append(added[1]);
  });
  addEventListener("afterprint", () => { for (const part of added) part.remove(); });
}

/** Lines of a journal as a table: a row for each message and each decision, and one for checks that only passed. */
export function journalTable(entries, { titleOf, clock }) {
  const cells = (...contents) => contents.map((content) => el("td", {}, content));
  const rows = [];
  let quiet = null;
  for (const entry of entries) {
    if (entry.tone === "quiet" && quiet?.by === entry.by && quiet.outcome === entry.outcome) {
      quiet.count += 1;
      const outcome = entry.outcome === "passed" ? "passed" : "not reached";
      quiet.words.textContent = `${counted(quiet.count, "check")} ${outcome}.`;
      continue;
    }
    quiet = null;
    if (entry.kind === "step") {
      rows.push(el("tr", {}, el("th", { colspan: 5, scope: "rowgroup" }, sentenceCase(entry.phrase))));
    } else if (entry.kind === "message") {
      const { readers, from, to, phrase, operation, size } = entry;
      rows.push(el("tr", {}, ...cells(clock(entry.time), titleOf(from), titleOf(to),
        `${phrase} (${operation}, ${humanSize(size)})`,
        readers.sealedFor ? `Sealed for ${titleOf(readers.sealedFor)}` : readers.message)));
    } else {
      const words = el("td", { colspan: 3 }, `${entry.title ? `${entry.title} ` : ""}${asSentence(entry.phrase)} `,
        entry.code && el("code", { class: "code" }, entry.code));
      if (entry.tone === "quiet") quiet = { by: entry.by, outcome: entry.outcome, count: 1, words };
      rows.push(el("tr", { class: "decided", "data-tone": entry.tone },
        ...cells(clock(entry.time), titleOf(entry.by)), words));
    }
  }
  return el("table", {}, el("thead", {}, el("tr", {},
    ...["Time", "From", "To", "Message", "Readers"].map((name) => el("th", { scope: "col" }, name)))),
  el("tbody", {}, ...rows));
}
