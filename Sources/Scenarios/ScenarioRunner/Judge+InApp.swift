import Messaging
import ScenarioLanguage
import Vocabulary

extension Judge {
  /// Judges the result in a requesting app.
  /// - Parameter app: The app opened last.
  func judge(_ expected: InAppExpectation, view: PersonView, app: String?) -> ExpectationFailure? {
    guard let name = expected.name ?? app else {
      return ExpectationFailure("the person has not opened a requesting app")
    }
    guard let screen = view.screen(ofRequestingApp: name, on: device) else {
      return ExpectationFailure(at: StepPath("in-app", "name"), "\(name) is empty")
    }
    if let isAvailable = expected.isAvailable {
      let found = recent.compactMap(\.event.note).last { $0.code == .requestingAppAvailability }?.value
      guard found == "\(isAvailable)" else {
        return ExpectationFailure(
          at: StepPath("in-app", "available"), "canRequestDocument returned something else", note: found ?? "nothing",
          evidence: latestFailures())
      }
    }
    if let error = expected.error, error != screen.error {
      return ExpectationFailure(
        at: StepPath("in-app", "throws"), "the request did not throw \(error)",
        note: screen.error.map { "it threw \($0)" } ?? screen.verdict.map { "the answer is \($0)" },
        evidence: latestFailures())
    }
    var result = WebsiteExpectation()
    result.verified = expected.verified
    result.refused = expected.refused
    result.without = expected.without
    return judge(result, on: screen, as: "in-app")
  }

  /// Another result of the same kind in a requesting app.
  /// - Parameter app: The app opened last.
  func corrected(
    _ expected: InAppExpectation, view: PersonView, app: String?
  ) throws(Uncorrectable) -> InAppExpectation {
    guard let name = expected.name ?? app else { throw Uncorrectable("no requesting app is open") }
    guard let screen = view.screen(ofRequestingApp: name, on: device) else { throw .otherKind("\(name) is empty") }
    if let isAvailable = expected.isAvailable {
      let found = recent.compactMap(\.event.note).last { $0.code == .requestingAppAvailability }?.value
      guard found == "\(isAvailable)" else { throw .otherKind("canRequestDocument returned \(found ?? "nothing")") }
    }
    var corrected = expected
    if expected.error != nil {
      guard let error = screen.error else { throw .otherKind(screen.result) }
      corrected.error = error
    }
    corrected.verified = try Self.corrected(expected.verified, on: screen)
    corrected.refused = try Self.corrected(refusal: expected.refused, on: screen)
    try Self.requireMissing(expected.without, on: screen)
    return corrected
  }
}
