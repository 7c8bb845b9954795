import ScenarioLanguage
import Vocabulary

extension Judge {
  /// Judges the notification for another device.
  func judge(_ expected: NotificationExpectation, view: PersonView) -> ExpectationFailure? {
    let found = view.notification(on: device)
    if expected.isShown == false {
      return found.map {
        ExpectationFailure(
          at: StepPath("notification", "shown"), "\(device) shows a notification", note: "it says: \($0.title)")
      }
    }
    guard let found else { return ExpectationFailure("\(device) shows no notification", evidence: latestFailures()) }
    if let origin = expected.origin, origin != found.origin {
      return ExpectationFailure(
        at: StepPath("notification", "origin"), "the notification has another origin", note: "it has \(found.origin)")
    }
    if let mac = expected.mac, mac != found.mac {
      return ExpectationFailure(
        at: StepPath("notification", "mac"), "the notification is for another Mac", note: "it is for \(found.mac)")
    }
    return judge(mentions: expected.mentions, of: "notification", in: [found.title, found.model], "notification")
  }

  /// A notification with other contents.
  func corrected(
    _ expected: NotificationExpectation, view: PersonView
  ) throws(Uncorrectable) -> NotificationExpectation {
    guard let found = view.notification(on: device) else { throw .otherKind("\(device) shows no notification") }
    if expected.isShown == false { throw .otherKind("\(device) shows a notification") }
    var corrected = expected
    if expected.origin != nil { corrected.origin = found.origin }
    if expected.mac != nil { corrected.mac = found.mac }
    corrected.mentions = try Self.corrected(expected.mentions, in: [found.title, found.model])
    return corrected
  }
}
