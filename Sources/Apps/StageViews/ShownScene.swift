import JSON
import Telling

/// A scene that is worth showing first: a shipped scenario with a sentence about it, and its outcome.
package struct ShownScene: Sendable {
  /// The catalogue's name of the scenario, or of a case.
  package var name: String
  /// The story in a sentence.
  var sentence: String
  /// The meaning of the outcome.
  var tone: Conclusion.Tone
  /// The outcome in a sentence, as the stage concludes.
  var outcome: String

  private init(_ name: String, _ sentence: String, _ tone: Conclusion.Tone, _ outcome: String) {
    (self.name, self.sentence, self.tone, self.outcome) = (name, sentence, tone, outcome)
  }

  /// The scenes, in the order of the menu.
  package static let all = [
    ShownScene(
      "headline", "Kelly rents a spaceship: her phone shows the site five facts of her license, and nothing else.",
      .good,
      "Verified: it is Kelly."),
    ShownScene("consent/declined-in-wallet", "Kelly reads who asks for what, and declines.", .calm, "Kelly said no."),
    ShownScene(
      "cross-device/qr-code-on-a-laptop#with an iPhone, and Wallet",
      "A laptop asks Kelly\u{2019}s phone with a QR code.", .good, "Verified: it is Kelly."),
    ShownScene(
      "cross-device/nearby-iphone#with an ID in Wallet", "A Mac continues on the iPhone next to it.", .good,
      "Verified: it is Kelly."),
    ShownScene(
      "in-app/accepted#the elements of the app", "An app asks Wallet for an ID, without a browser.", .good,
      "Verified, with less than the app asked for."),
    ShownScene(
      "browser/a-site-in-a-frame#the person continues after the warning",
      "A shop asks in a frame of another site\u{2019}s page, and the browser warns.", .good, "Verified: it is Kelly."),
    ShownScene(
      "selector/unsigned-request", "A site asks without a signature, and no app may answer.", .bad,
      "No app may answer."),
    ShownScene(
      "attacks/phishing-site#a signed request", "A phishing site passes off another site\u{2019}s request as its own.",
      .bad, "The sandbox noticed."),
    ShownScene("attacks/cloned-document", "A license was copied from another phone.", .bad, "The server noticed."),
    ShownScene(
      "attacks/response-replayed#to the same session", "A genuine answer is sent a second time.", .bad,
      "The server noticed."),
    ShownScene(
      "cross-device/phishing-relays-the-code#the laptop is far away",
      "A phishing page shows the QR code of a laptop that is far away.", .bad, "The client platform noticed."),
    ShownScene(
      "faults/issuer/deviations#root in chain",
      "An authority departs from the standard, in a way that the site accepts.", .warning,
      "The server noticed, and accepted it."),
  ]

  /// The sentence about a scenario, or about a case.
  static func sentence(of name: String) -> String? { all.first { $0.name == name }?.sentence }
}

extension ShownScene: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("outcome", outcome)
    json.member("sentence", sentence)
    json.member("tone", tone)
  }
}
