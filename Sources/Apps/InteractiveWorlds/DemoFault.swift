import Ecosystem
import JSON

/// Something to go wrong in a demonstration: faults that are put into the world at its beginning, or a change to it.
public struct DemoFault: Sendable, Equatable {
  /// Where it goes wrong.
  public enum Place: String, Sendable, CaseIterable {
    case request = "The request"
    case way = "On the way"
    case document = "The document"
    case answer = "The phone's answer"
  }

  /// Its name, as it stands in addresses.
  public let name: String
  /// What it is, in a few words.
  public let label: String
  /// Where it goes wrong.
  public let place: Place
  /// The step of the scenario language that puts it in; nil when it is a change to the world.
  public let step: String?
  private let change: Change?

  private enum Change: Sendable, Equatable {
    case unsigned
    case signedForAnother
  }

  private init(_ name: String, _ label: String, _ place: Place, step: String) {
    self.name = name
    self.label = label
    self.place = place
    self.step = step
    change = nil
  }

  private init(_ name: String, _ label: String, _ place: Place, change: Change) {
    self.name = name
    self.label = label
    self.place = place
    step = nil
    self.change = change
  }

  /// Every fault that a demonstration offers, in the order in which it is offered.
  public static let all = [
    DemoFault("unsigned", "Nobody vouches for the site", .request, change: .unsigned),
    DemoFault("another-authority", "Another authority vouches for the site", .request, change: .signedForAnother),
    DemoFault(
      "reader-signature-altered", "The site's signature is altered", .request,
      step: "fault: { alters: reader-signature }"),
    DemoFault(
      "origin-lied-about", "The browser lies about the origin", .way,
      step: "fault: { origin: 'https://attacker.example' }"),
    DemoFault(
      "raw-request-replaced", "The system releases another request", .way, step: "fault: { alters: raw-request }"),
    DemoFault("response-altered", "The answer is altered on its way", .way, step: "fault: { alters: response }"),
    DemoFault(
      "value-changed", "A value is changed after it was signed", .document, step: "fault: { answer: value-changed }"),
    DemoFault("document-expired", "The document has expired", .document, step: "fault: { document: expired }"),
    DemoFault(
      "signer-of-another-root", "A stranger has issued the document", .document,
      step: "fault: { document: signer-of-another-root }"),
    DemoFault("not-signed", "Nobody has signed the document", .document, step: "fault: { document: not-signed }"),
    DemoFault(
      "cloned-document", "The document was copied to another phone", .answer,
      step: "fault: { answer: another-device-key }"),
    DemoFault(
      "another-nonce", "The answer is to another question", .answer, step: "fault: { answer: another-nonce }"),
    DemoFault(
      "trailing-slash", "The app signs the origin with a slash too many", .answer,
      step: "fault: { app-transcript: transcript.origin.trailing-slash }"),
  ]

  /// The fault of a name.
  public static func named(_ name: String) -> DemoFault? { all.first { $0.name == name } }

  /// The change to a world, as a scenario writes it; nil when there is none to make.
  /// - Throws: ``LiveRefusal`` when it cannot be written.
  public func changes(to world: WorldDescription) throws(LiveRefusal) -> String? {
    guard let change else { return nil }
    var websites: [String: [String: [String]]] = [:]
    for website in world.websites {
      switch change {
      case .unsigned: websites[website.identifier] = ["signs-for": []]
      case .signedForAnother:
        let others = world.readerAuthorities.map(\.identifier).filter { !website.signsFor.contains($0) }
        websites[website.identifier] = ["signs-for": Array(others.prefix(1))]
      }
    }
    return JSONCoding.text(["websites": websites])
  }
}
