import ScenarioLanguage
import Vocabulary

extension Judge {
  /// Judges the QR code on the screen of the device with the page.
  func judge(_ expected: QRCodeExpectation, view: PersonView) -> ExpectationFailure? {
    let screen = view.code(on: pageDevice)
    if let isShown = expected.isShown, isShown != (screen?.uri != nil) {
      return ExpectationFailure(
        at: StepPath("qr-code", "shown"), isShown ? "no QR code is on the screen" : "a QR code is on the screen",
        note: screen?.message, evidence: latestFailures())
    }
    for text in expected.mentions ?? [] where !(screen?.message.contains(text) ?? false) {
      return ExpectationFailure(
        at: StepPath("qr-code", "mentions", end: .item(text)), "the message does not contain '\(text)'",
        note: screen?.message ?? "the screen shows no QR code and no message in its place")
    }
    return nil
  }

  /// A QR code with another message.
  func corrected(_ expected: QRCodeExpectation, view: PersonView) throws(Uncorrectable) -> QRCodeExpectation {
    let screen = view.code(on: pageDevice)
    if let isShown = expected.isShown, isShown != (screen?.uri != nil) {
      throw .otherKind(isShown ? "no QR code is on the screen" : "a QR code is on the screen")
    }
    var corrected = expected
    corrected.mentions = try Self.corrected(expected.mentions, in: (screen?.message).map { [$0] } ?? [])
    return corrected
  }
}
