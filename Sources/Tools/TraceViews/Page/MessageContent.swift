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
private struct AskerForm: JSONWritable {
  let order: [Int]
  let certifiedBy: String?

  init?(of message: Message, in world: WorldDescription) {
    guard message.kind == .show, let view = message.body(AuthorizationScreen.self) else { return nil }
    let asker = Asker(of: view, in: world)
    let device = world.devices.first { $0.identifier == message.sender.device }
    order = asker.order(of: view.elements)
    certifiedBy =
      view.isRequesterCertified ? asker.certifier(for: device?.apps.first { $0.name == view.app }) : nil
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("certifiedBy", certifiedBy)
      json.member("order", order)
    }
  }
}

/// An object with short names, since a page has thousands: `a` asker, `s` sources, `l` lines, `p` protections, `e`
/// elements, `v` drawing, `w` words, `d` disclosures; and the readers and the views. Bytes that another source has in an
/// encoding are given by their place there.
extension MessageContent: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("a", asker)
      if !disclosures.isEmpty { json.member("d", disclosures.map(DisclosureForm.init)) }
      json.member("e", explanation.elements)
      json.member("l", explanation.lines.map(LineForm.init))
      json.member("p", explanation.protections.map(ProtectionForm.init))
      json.member("readers", readers)
      json.member("s", explanation.sources.map(SourceForm.init))
      json.member("v", drawing)
      if !views.isEmpty { json.member("views", views.map { PartyViewForm($0) }) }
      json.member("w", words)
    }
  }
}

private struct LineForm: JSONWritable {
  let line: Explanation.Line

  init(_ line: Explanation.Line) { self.line = line }

  /// Level and text; then the source, and then start and end, if the line has them.
  func write(to json: inout JSONWriter) {
    var numbers: [Part] = [.number(line.level), .text(line.text)]
    if let source = line.source {
      numbers.append(.number(source))
      if let range = line.range { numbers += [.number(range.lowerBound), .number(range.upperBound)] }
    }
    json.array(numbers)
  }
}

private enum Part: JSONWritable {
  case number(Int)
  case text(String)

  func write(to json: inout JSONWriter) {
    switch self {
    case .number(let number): number.write(to: &json)
    case .text(let text): json.string(text)
    }
  }
}

private struct SourceForm: JSONWritable {
  let source: Explanation.Source

  init(_ source: Explanation.Source) { self.source = source }

  func write(to json: inout JSONWriter) {
    json.object { json in
      guard let origin = source.origin else { return json.member("bytes", base64: source.bytes) }
      json.member("encoding", origin.encoding.rawValue)
      json.member("range", RangeForm(origin.range))
      json.member("source", origin.source)
    }
  }
}

private struct ProtectionForm: JSONWritable {
  let protection: Protection

  init(_ protection: Protection) { self.protection = protection }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("covered", protection.covered.map(RangeForm.init))
      json.member("elsewhere", protection.elsewhere)
      json.member("kind", protection.kind.rawValue)
      json.member("mark", RangeForm(protection.mark))
      json.member("meaning", protection.meaning)
      json.member("name", protection.name)
      json.member("source", protection.source)
    }
  }
}

private struct RangeForm: JSONWritable {
  let range: Range<Int>

  init(_ range: Range<Int>) { self.range = range }

  func write(to json: inout JSONWriter) { json.array([range.lowerBound, range.upperBound]) }
}
