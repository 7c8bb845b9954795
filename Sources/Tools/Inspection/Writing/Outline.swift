import Certificates
import Crypto
import HybridTransport
import MobileDocument
import Primitives

/// The output of an inspection: lines, each on its level.
struct Outline {
  /// One line.
  private struct Line {
    let level: Int
    let text: String
    let offset: Int?
    let source: Int?
    let range: Range<Int>?
  }

  /// The deepest level that is printed and opened. CBOR nests up to 32 levels, and an artifact in JSON in a trace adds a
  /// few; deeper input only serves to exhaust a reader.
  static let maximumLevel = 64

  let options: InspectionOptions
  /// The profile to check certificates against; nil for the profile that each seems to have.
  let profile: CertificateProfile?
  /// The key of sealed bytes; nil for other content, and after it has been used.
  private var seal: SealKey?
  /// The session in person whose messages are opened; nil without a key of it.
  var session: InPersonSession?
  /// The recipient's private key, which opens encrypted answers; nil without one.
  let recipientKey: P256.KeyAgreement.PrivateKey?
  /// The session transcript of the exchange file whose members are printed; nil outside of one with annex C.
  var transcript: SessionTranscript?
  /// The QR codes printed so far. They open the adverts after them in a trace.
  private(set) var qrCodes: [QRPayload] = []
  private var lines: [Line] = []
  private var notesOffsets = true
  /// True to keep the bytes that lines are about, for an ``Explanation``.
  let keepsSources: Bool
  private var sources: [Explanation.Source] = []
  /// The bytes that the next lines are about; nil for bytes that are not kept.
  private var source: Int?
  private(set) var level = 0

  init(
    options: InspectionOptions, profile: CertificateProfile? = nil, seal: SealKey? = nil,
    recipientKey: P256.KeyAgreement.PrivateKey? = nil, session: InPersonSession? = nil, keepsSources: Bool = false
  ) {
    self.keepsSources = keepsSources
    self.options = options
    self.profile = profile
    self.seal = seal
    self.recipientKey = recipientKey
    self.session = session
  }

  /// True to print long contents whole.
  var isFull: Bool { options.contains(.full) }

  /// True if another level may be opened.
  var canNest: Bool { level < Self.maximumLevel }

  /// Writes a line. ``Printed`` must have made the text safe.
  /// - Parameters:
  ///   - offset: The start of the CBOR item that the line is about.
  ///   - range: The bytes that the line is about, in a text.
  mutating func line(_ text: String, at offset: Int? = nil, in range: Range<Int>? = nil) {
    let start = offset.map { $0..<$0 }
    lines.append(
      Line(
        level: level, text: text, offset: notesOffsets ? offset : nil, source: source,
        range: source == nil ? nil : range ?? start))
  }

  /// Writes the lines of `body` without offsets: they are about bytes that the artifact has only as text, or sealed.
  mutating func withoutOffsets(of bytes: [UInt8], _ body: (inout Outline) -> Void) {
    let before = notesOffsets
    notesOffsets = false
    within(bytes, body)
    notesOffsets = before
  }

  /// Writes the lines of `body`, which are about other bytes than the lines before.
  /// - Parameter origin: The place of the bytes among those of the lines before; nil if it has no place there.
  mutating func within<Failure: Error>(
    _ bytes: [UInt8], from origin: (range: Range<Int>, encoding: Explanation.Encoding)? = nil,
    _ body: (inout Outline) throws(Failure) -> Void
  ) throws(Failure) {
    let before = source
    defer { source = before }
    enter(bytes, from: origin)
    try body(&self)
  }

  private mutating func enter(_ bytes: [UInt8], from origin: (range: Range<Int>, encoding: Explanation.Encoding)?) {
    guard keepsSources else { return }
    let place = origin.flatMap { origin in
      source.map { Explanation.Origin(source: $0, range: origin.range, encoding: origin.encoding) }
    }
    source = sources.count
    sources.append(Explanation.Source(bytes: bytes, origin: place))
  }

  /// Takes the key of sealed bytes: what they contain is not sealed again.
  mutating func takeSeal() -> SealKey? {
    defer { seal = nil }
    return seal
  }

  /// Keeps a QR code for adverts.
  mutating func keep(_ code: QRPayload) {
    if !qrCodes.contains(where: { $0.secret == code.secret }) { qrCodes.append(code) }
  }

  /// Writes the lines of `body` one level deeper.
  mutating func nested(_ body: (inout Outline) -> Void) {
    level += 1
    body(&self)
    level -= 1
  }

  /// Writes a title and under it the lines of `body`, or nothing if `body` throws.
  mutating func under<Failure: Error>(
    _ title: String, at offset: Int? = nil, in range: Range<Int>? = nil,
    _ body: (inout Outline) throws(Failure) -> Void
  ) throws(Failure) {
    let written = lines.count
    let kept = sources.count
    let before = level
    defer { level = before }
    line(title, at: offset, in: range)
    level += 1
    do throws(Failure) { try body(&self) } catch {
      lines.removeSubrange(written...)
      sources.removeSubrange(kept...)
      throw error
    }
  }

  /// The lines as text, with offsets at the left if the options say so.
  var rendered: String {
    let shows = options.contains(.offsets)
    let width = lines.compactMap(\.offset).max().map { String($0).utf8.count } ?? 0
    var text = ""
    for line in lines {
      if shows && width > 0 {
        let number = line.offset.map(String.init) ?? ""
        text += String(repeating: " ", count: width - number.utf8.count) + number + "  "
      }
      text += String(repeating: "  ", count: line.level) + line.text + "\n"
    }
    return text
  }
}

extension Outline {
  /// The lines and the bytes that they are about.
  var explanation: Explanation {
    let extents = sources.map { CBORExtents($0.bytes) }
    var ranges = lines.map { line in
      line.source.flatMap { source in line.range.map { $0.isEmpty ? extents[source].range(at: $0.lowerBound) : $0 } }
    }
    // A line is also about the bytes of the lines under it: an element is not its value alone.
    var above: [Int] = []
    for (index, line) in lines.enumerated() {
      above.removeAll { lines[$0].level >= line.level }
      if let range = ranges[index] {
        for outer in above where lines[outer].source == line.source {
          ranges[outer] = ranges[outer].map {
            min($0.lowerBound, range.lowerBound)..<max($0.upperBound, range.upperBound)
          }
        }
      }
      above.append(index)
    }
    return Explanation(
      sources: sources,
      lines: zip(lines, ranges).map { line, range in
        Explanation.Line(level: line.level, text: line.text, source: line.source, range: range)
      })
  }
}

/// The printed form of bytes and texts.
enum Printed {
  /// The most bytes that are printed whole: a digest, a coordinate, a key identifier.
  static let wholeBytes = 32
  /// The most characters that are printed whole: two lines of a terminal.
  static let wholeCharacters = 160
  /// The number of bytes or characters that are printed of each end of longer contents.
  static let endBytes = 8
  static let endCharacters = 40

  /// Returns bytes in the notation of RFC 8949: long ones by length and both ends, private keys by length alone.
  static func bytes(_ bytes: some BidirectionalCollection<UInt8>, full: Bool) -> String {
    if bytes.first == 0x30, PrivateKeyMaterial.holdsKey(der: Array(bytes)) {
      return PrivateKeyMaterial.notShown(byteCount: bytes.count)
    }
    if full || bytes.count <= wholeBytes { return "h'\(hexadecimal(bytes))'" }
    return "h'\(hexadecimal(bytes.prefix(endBytes)))...\(hexadecimal(bytes.suffix(endBytes)))' (\(bytes.count) bytes)"
  }

  /// Returns text in double quotes that stays on its line; long text by length and both ends.
  static func quoted(_ text: String, full: Bool) -> String {
    if PrivateKeyMaterial.mayBeIn(text) { return "a text with a private key, not shown" }
    let scalars = text.unicodeScalars
    if full || scalars.count <= wholeCharacters { return "\"\(TerminalSafe.escaped(scalars, quotes: true))\"" }
    let start = TerminalSafe.escaped(scalars.prefix(endCharacters), quotes: true)
    let end = TerminalSafe.escaped(scalars.suffix(endCharacters), quotes: true)
    return "\"\(start)...\(end)\" (\(scalars.count) characters)"
  }

  /// Returns a number as written; long numbers by length and both ends.
  static func number(_ spelling: String, full: Bool) -> String {
    if full || spelling.utf8.count <= wholeCharacters { return spelling }
    return "\(spelling.prefix(endCharacters))...\(spelling.suffix(endCharacters)) (\(spelling.utf8.count) characters)"
  }

  /// Returns text without quotes that stays on its line.
  static func onOneLine(_ text: String) -> String { TerminalSafe.text(text) }
}
