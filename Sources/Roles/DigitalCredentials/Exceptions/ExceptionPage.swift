import Checks

/// The reference page of the exceptions, generated from the profiles.
public enum ExceptionPage {
  /// docs/exceptions.md.
  public static var text: String {
    head + situations + profiles + advice
  }

  private static let head = """
    # Exceptions

    A call of `navigator.credentials.get()` ends with a credential or with one exception. The name depends on the browser,
    and one name has several causes. This page has every situation of the simulated browsers, the most likely first.
    `presentment why NAME` prints the causes of one exception, `presentment why NAME --profile PROFILE` those in one browser.
    `make reference` writes this page from the profiles.

    A page cannot tell some causes apart, by design: a person who declines and a document that is missing look the same. Have
    another way ready for every name, and look at the code in the trace of a run to learn the cause.


    """

  private static var situations: String {
    let names = BrowserProfile.all.map(\.name)
    var lines = [
      "## Situations", "", "| situation | code | \(names.joined(separator: " | ")) |",
      "| --- | --- |\(String(repeating: " --- |", count: names.count))",
    ]
    for situation in ExceptionSituation.all {
      let cells = BrowserProfile.all.map { profile in
        situation.exceptionName(in: profile).map { "`\($0.text)`" } ?? "does not occur"
      }
      lines.append("| \(situation.text) | `\(situation.finding.name)` | \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private static var profiles: String {
    let note = """
      A signal that was aborted with a reason of its own rejects with that reason, in every browser. [checks.md](checks.md#browser)
      lists the checks, and the order in which each browser makes them is in `MediatorCheck`. The folder
      [causes](../scenarios/browser/causes) has a scenario for each situation that a world can bring about, with a case for each
      browser in which it occurs.


      """
    return note
  }

  private static var advice: String {
    var lines = ["## What to do", "", "| code | advice |", "| --- | --- |"]
    for situation in ExceptionSituation.all {
      lines.append("| `\(situation.finding.name)` | \(situation.advice) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
