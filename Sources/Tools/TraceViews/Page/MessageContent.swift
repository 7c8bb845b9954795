import Inspection
import JSON
import Messaging
import QRCode
import Telling
import Vocabulary

/// The content of a message for web pages: its bytes, its lines with the bytes of each, and its protections.
package struct MessageContent {
  private let explanation: Explanation
  /// The drawing of the QR code that the message shows; nil without one.
  private let drawing: String?
  /// The words of the screen that its content does not have; nil without one.
  private let words: String?
  /// The parties that can read the message; nil if they are written elsewhere.
  private let readers: TimelineReaders?
  private let views: [PartyView]
  private let disclosures: [DisclosedDocument]
  /// The facts about the requester that an app's view does not have; nil for other messages.
  private let asker: AskerForm?

  /// - Parameters:
  ///   - readers: The parties that can read the message; nil if they are written elsewhere.
  ///   - views: The views of the parties; empty if they are written elsewhere, or if all are the same.
  ///   - disclosures: The disclosed and the withheld elements, if the message is a device response.
  ///   - world: The world of the message, which knows the requester behind an app's view; nil without one.
  package init(
    _ message: Message, readers: TimelineReaders? = nil, views: [PartyView] = [], disclosures: [DisclosedDocument] = [],
    world: WorldDescription? = nil
  ) {
    asker = world.flatMap { AskerForm(of: message, in: $0) }
    self.readers = readers
    self.views = views
    self.disclosures = disclosures
    explanation = Inspector.explanation(of: message)
    switch message.kind {
    case .showCode:
      let screen = try? JSONCoding.decode(QRCodeScreen.self, from: message.bytes)
      (drawing, words) = (screen?.uri.flatMap { try? QRSymbol($0) }?.svg, screen?.title)
    case .showSelector:
      (drawing, words) = (nil, (try? JSONCoding.decode(SelectorScreen.self, from: message.bytes))?.asker)
    default: (drawing, words) = (nil, nil)
    }
  }
}

/// The order of the elements in an app's view, and the reader authority that certified the requester, as the stage shows
/// them.
private struct AskerForm: JSONObjectWritable {
  let order: [Int]
  let certifiedBy: String?

  init?(of message: Message, in world: WorldDescription) {
    guard message.kind == .show, let view = message.body(AuthorizationScreen.self) else { return nil }
    let asker = Asker(of: view, in: world)
    let device = world.devices.first { $0.identifier == message.sender.device }
    order = asker.order(of: view.elements)
    certifiedBy = view.isRequesterCertified ? asker.certifier(for: device?.apps.first { $0.name == view.app }) : nil
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("certifiedBy", certifiedBy)
    json.member("order", order)
  }
}

/// An object with short names, since a page has thousands: `a` asker, `s` sources, `l` lines, `p` protections, `e`
/// elements, `v` drawing, `w` words, `d` disclosures; and the readers and the views. Bytes that another source has in an
/// encoding are given by their place there.
extension MessageContent: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("a", asker)
    if !disclosures.isEmpty { json.member("d", disclosures) }
    json.member("e", explanation.elements)
    json.member("l", explanation.lines)
    json.member("p", explanation.protections)
    json.member("readers", readers)
    json.member("s", explanation.sources)
    json.member("v", drawing)
    if !views.isEmpty { json.member("views", views.map { PartyViewForm($0) }) }
    json.member("w", words)
  }
}

extension Explanation.Line: JSONWritable {
  /// Level and text; then the source, and then start and end, if the line has them.
  package func write(to json: inout JSONWriter) {
    let numbers = source.map { [$0] + (range?.ends ?? []) } ?? []
    json.array([JSONValue.number("\(level)"), .string(text)] + numbers.map { JSONValue.number("\($0)") })
  }
}

extension Explanation.Source: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    guard let origin else { return json.member("bytes", base64: bytes) }
    json.member("encoding", origin.encoding.rawValue)
    json.member("range", origin.range.ends)
    json.member("source", origin.source)
  }
}

extension Protection: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("covered", covered.map(\.ends))
    json.member("elsewhere", elsewhere)
    json.member("kind", kind.rawValue)
    json.member("mark", mark.ends)
    json.member("meaning", meaning)
    json.member("name", name)
    json.member("source", source)
  }
}

extension Range<Int> {
  /// The first number, and the one after the last.
  fileprivate var ends: [Int] { [lowerBound, upperBound] }
}
