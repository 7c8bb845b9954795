import Checks

/// The reference page of the exceptions, generated from the profiles.
public enum ExceptionPage {
  /// docs/exceptions.md.
  public static var text: String { head + situations + profiles + advice }

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
    let rows = ExceptionSituation.all.map { situation in
      [situation.text, "`\(situation.finding.name)`"]
        + BrowserProfile.all.map { situation.exceptionName(in: $0).map { "`\($0.text)`" } ?? "does not occur" }
    }
    return table("Situations", ["situation", "code"] + BrowserProfile.all.map(\.name), rows) + "\n"
  }

  private static let profiles = """
    A signal that was aborted with a reason of its own rejects with that reason, in every browser. [checks.md](checks.md#browser)
    lists the checks, and the order in which each browser makes them is in `MediatorCheck`. The folder
    [causes](../scenarios/browser/causes) has a scenario for each situation that a world can bring about, with a case for each
    browser in which it occurs.


    """

  private static var advice: String {
    table("What to do", ["code", "advice"], ExceptionSituation.all.map { ["`\($0.finding.name)`", $0.advice] })
  }

  private static func table(_ heading: String, _ columns: [String], _ rows: [[String]]) -> String {
    let lines = ([columns, columns.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
    return "## \(heading)\n\n" + lines.joined(separator: "\n") + "\n"
  }
}
