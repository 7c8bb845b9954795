// Checks by family: the part of a code before its first period, for example `issuer` of `issuer.signature`.

import { el, symbol, counted } from "/dom.js";

const OUTCOMES = [["failed", "failed"], ["deviates", "accepted with a deviation"], ["passed", "passed"],
  ["not-reached", "not reached"]];

/** The outcomes of checks in words, as "7 passed, 2 not reached". */
export const outcomes = (checks) => OUTCOMES
  .map(([outcome, words]) => [checks.filter((check) => check.outcome === outcome).length, words])
  .filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`).join(", ");

/**
 * The families of checks, folded; one that says more than "passed" is unfolded. `row` makes the list item of a check. A
 * check without others of its family stands alone.
 */
export function familiesView(checks, row) {
  return el("ul", { class: "families" }, ...[...Map.groupBy(checks, ({ code }) => code.split(".")[0])]
    .map(([family, members]) => {
      if (members.length === 1) return row(members[0]);
      const isQuiet = members.every(({ outcome }) => outcome === "passed" || outcome === "not-reached");
      const isPassed = members.every(({ outcome }) => outcome === "passed");
      return el("li", {}, el("details", { class: "family", open: !isQuiet },
        el("summary", {}, symbol(isPassed ? "check" : isQuiet ? "next" : "alert"), " ",
          el("code", { class: "code" }, family),
          `: ${isPassed ? counted(members.length, "check") : outcomes(members)}`),
        el("ul", {}, ...members.map(row))));
    }));
}
