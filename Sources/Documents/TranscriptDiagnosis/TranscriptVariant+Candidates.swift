import CBOR
import Checks
import MobileDocument
import Primitives
import WebPresentment

/// Variants of the origin.
extension TranscriptVariant {
  /// Paths that are guessed when no address of the page is known: under which verifiers often have their page.
  static let commonPaths = ["/verify", "/login", "/index.html"]

  func originTranscripts(from inputs: ReadTranscriptInputs) -> [VariantTranscript] {
    if self == .originAbsent { return [originTranscript(TranscriptParts.null, "null instead of text", inputs)] }
    let given = inputs.given
    return otherOrigins(than: given.origin, surroundings: given.surroundings, parts: inputs.originParts).map {
      originTranscript(TranscriptParts.text($0), $0.isEmpty ? "an empty text" : $0, inputs)
    }
  }

  /// The texts of this variant in place of an origin; none for a variant of another part.
  func otherOrigins(than origin: String, surroundings: TranscriptInputs.Surroundings) -> [String] {
    otherOrigins(than: origin, surroundings: surroundings, parts: OriginParts(origin))
  }

  private func otherOrigins(
    than origin: String, surroundings: TranscriptInputs.Surroundings, parts: OriginParts?
  ) -> [String] {
    origins(origin, surroundings, parts).filter { !$0.utf8.elementsEqual(origin.utf8) }
  }

  private func originTranscript(_ item: [UInt8], _ found: String, _ inputs: ReadTranscriptInputs) -> VariantTranscript {
    let info = TranscriptParts.info(TranscriptParts.text(inputs.given.encryptionInfoText), item)
    return VariantTranscript(
      self, encoded: TranscriptParts.transcript(handoverInfo: info),
      .field("origin", expected: inputs.given.origin, found: found))
  }

  /// The texts in place of the origin.
  private func origins(
    _ origin: String, _ surroundings: TranscriptInputs.Surroundings, _ parts: OriginParts?
  ) -> [String] {
    switch self {
    case .originSlashAdded: return origin.hasSuffix("/") ? [] : [origin + "/"]
    case .originSlashMissing: return origin.hasSuffix("/") ? [String(origin.dropLast())] : []
    case .originTopLevel: return surroundings.topLevelOrigins
    case .originFrame: return surroundings.frameOrigins
    case .originNull: return ["null"]
    case .originEmpty: return [""]
    case .originPath:
      let stem = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
      return surroundings.addresses + Self.commonPaths.map { stem + $0 }
    default: break
    }
    guard let parts else { return [] }
    switch self {
    case .originDefaultPort:
      let port = ["https": "443", "http": "80"][parts.scheme]
      return parts.port == nil ? port.map { ["\(parts.scheme)://\(parts.host):\($0)"] } ?? [] : []
    case .originPortMissing: return parts.port == nil ? [] : ["\(parts.scheme)://\(parts.host)"]
    case .originScheme:
      let other = ["https": "http", "http": "https"][parts.scheme]
      return other.map { ["\($0)://\(parts.host)\(parts.portSuffix)"] } ?? []
    case .originSchemeMissing: return [parts.host + parts.portSuffix] + (parts.port == nil ? [] : [parts.host])
    case .originLetterCase:
      let capitalized = parts.host.split(separator: ".", omittingEmptySubsequences: false)
        .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: ".")
      return [parts.host.uppercased(), parts.host.lowercased(), capitalized].map(parts.with(host:))
    case .originWWW:
      let mark = "www."
      return [parts.host.hasPrefix(mark) ? String(parts.host.dropFirst(mark.count)) : mark + parts.host]
        .map(parts.with(host:))
    case .originHostEncoding:
      return [Punycode.unicode(host: parts.host), Punycode.ascii(host: parts.host)].compactMap(\.self)
        .map(parts.with(host:))
    default: return []
    }
  }
}

/// Variants of the text of the encryption information.
extension TranscriptVariant {
  func encryptionInfoTranscripts(from inputs: ReadTranscriptInputs) -> [VariantTranscript] {
    let text = inputs.given.encryptionInfoText
    switch self {
    case .encryptionInfoPadded: return [Self.padded(text)].map { textTranscript($0, inputs) }
    case .encryptionInfoStandardBase64:
      let standard = String(decoding: text.utf8.map(Self.standardCharacter), as: UTF8.self)
      // The one that has its padding is what a standard encoder writes; without any of the other characters only padding
      // differs, which is the variant before this one.
      return [Self.padded(standard), standard].filter { $0 != text && $0 != Self.padded(text) }
        .map { textTranscript($0, inputs) }
    case .encryptionInfoBytes:
      guard let parsed = inputs.parsed else { return [] }
      return [itemTranscript(TranscriptParts.byteString(parsed.bytes), "\(parsed.bytes.count) bytes", inputs)]
    case .encryptionInfoItem:
      guard let parsed = inputs.parsed else { return [] }
      return [
        itemTranscript(parsed.bytes, "an array", inputs),
        itemTranscript(TranscriptParts.embedded(parsed.bytes), "\(parsed.bytes.count) bytes in tag 24", inputs),
      ]
    case .encryptionInfoReencoded:
      guard let parsed = inputs.parsed else { return [] }
      return Self.encodings(of: parsed.value).map { textTranscript(Base64URL.encode($0), inputs) }
    default: return []
    }
  }

  /// A character of base64url in the standard alphabet.
  private static func standardCharacter(_ character: UInt8) -> UInt8 {
    switch Unicode.Scalar(character) {
    case "-": UInt8(ascii: "+")
    case "_": UInt8(ascii: "/")
    default: character
    }
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  /// Other encodings of the same value: in the order sent with minimal heads, with sorted keys, and in the orders that
  /// programs write who take the value apart.
  private static func encodings(of value: CBORValue) -> [[UInt8]] {
    [
      value, value.deterministic, value.reversingMaps(atDepth: 1), value.reversingMaps(atDepth: 2),
      value.sortingByNumber,
    ]
    .map(\.encoded)
  }

  private func textTranscript(_ text: String, _ inputs: ReadTranscriptInputs) -> VariantTranscript {
    itemTranscript(TranscriptParts.text(text), Self.difference(of: text, from: inputs.given.encryptionInfoText), inputs)
  }

  private func itemTranscript(_ item: [UInt8], _ found: String, _ inputs: ReadTranscriptInputs) -> VariantTranscript {
    let info = TranscriptParts.info(item, TranscriptParts.text(inputs.given.origin))
    return VariantTranscript(
      self, encoded: TranscriptParts.transcript(handoverInfo: info),
      .field(
        "encryption information",
        expected: "the text as sent, \(inputs.given.encryptionInfoText.utf8.count) characters", found: found))
  }

  /// A text by its length and where it departs from another.
  private static func difference(of text: String, from other: String) -> String {
    let pair = zip(text.utf8, other.utf8).enumerated().first { $0.element.0 != $0.element.1 }
    let offset = pair?.offset ?? min(text.utf8.count, other.utf8.count)
    let shown = String(decoding: text.utf8.dropFirst(offset).prefix(12), as: UTF8.self)
    return "\(text.utf8.count) characters, another from character \(offset + 1) on: \(shown)…"
  }
}

extension CBORValue {
  /// The value with the entries of every map reversed that is this deep inside arrays and maps, the value itself at 0.
  fileprivate func reversingMaps(atDepth depth: Int) -> CBORValue {
    guard depth >= 0 else { return self }
    switch self {
    case .array(let items): return .array(items.map { $0.reversingMaps(atDepth: depth - 1) })
    case .map(let entries):
      let inner = entries.map { Entry($0.key, $0.value.reversingMaps(atDepth: depth - 1)) }
      return .map(depth == 0 ? inner.reversed() : inner)
    default: return self
    }
  }

  /// The value with the integer keys of every map in numerical order, as a sorted dictionary has them.
  fileprivate var sortingByNumber: CBORValue {
    switch self {
    case .array(let items): .array(items.map(\.sortingByNumber))
    case .map(let entries):
      .map(
        entries.map { Entry($0.key, $0.value.sortingByNumber) }.enumerated().sorted { left, right in
          guard let first = left.element.key.number, let second = right.element.key.number, first != second else {
            return left.offset < right.offset
          }
          return first < second
        }.map(\.element))
    default: self
    }
  }

  private var number: Int? {
    switch self {
    case .unsigned(let value): Int(exactly: value)
    case .negative(let argument): Int(exactly: argument).map { -1 - $0 }
    default: nil
    }
  }
}

/// Variants of the structure of handover and transcript.
extension TranscriptVariant {
  /// Markers that are taken for the one of the handover: protocol identifiers and spellings of the same word.
  static let otherMarkers = ["org-iso-mdoc", "org.iso.mdoc", "DCAPI", "dc-api", "DCAPIHandover"]

  func structureTranscripts(from inputs: ReadTranscriptInputs) -> [VariantTranscript] {
    let right = inputs.sessionTranscript
    let text = TranscriptParts.text(inputs.given.encryptionInfoText)
    let origin = TranscriptParts.text(inputs.given.origin)
    let info = TranscriptParts.info(text, origin)
    let digest = TranscriptParts.digest(info)
    switch self {
    case .tagged:
      return [whole(TranscriptParts.embedded(right), "[null, null, Handover]", "24(<< [null, null, Handover] >>)")]
    case .byteString:
      return [whole(TranscriptParts.byteString(right), "[null, null, Handover]", "<< [null, null, Handover] >>")]
    case .hashed:
      let hashed = TranscriptParts.digest(right)
      let found = "its SHA-256, 32 bytes"
      return [whole(TranscriptParts.byteString(hashed), info: hashed, "\(right.count) bytes", found)]
    case .handoverOnly:
      return [whole(TranscriptParts.handover(TranscriptParts.byteString(digest)), "[null, null, Handover]", "Handover")]
    case .absent: return [whole(TranscriptParts.null, info: [], "\(right.count) bytes", "nothing")]
    case .infoSwapped:
      let swapped = TranscriptParts.info(origin, text)
      return [
        VariantTranscript(
          self, encoded: TranscriptParts.transcript(handoverInfo: swapped),
          .field("dcapiInfo", expected: "[encryption information, origin]", found: "[origin, encryption information]"))
      ]
    case .infoNotHashed:
      return [info, TranscriptParts.byteString(info)].map { item in
        handover(
          TranscriptParts.handover(item), "[\"dcapi\", SHA-256 of dcapiInfo]",
          item == info ? "[\"dcapi\", dcapiInfo]" : "[\"dcapi\", << dcapiInfo >>]")
      }
    case .digestAsText:
      return [
        (hexadecimal(digest), "hexadecimal"), (Base64URL.encode(digest), "base64url"),
        (hexadecimal(digest).uppercased(), "upper-case hexadecimal"),
      ].map { text, name in
        handover(
          TranscriptParts.handover(TranscriptParts.text(text)), "[\"dcapi\", 32 bytes]",
          "[\"dcapi\", \(text.utf8.count) characters of \(name)]")
      }
    case .marker:
      return Self.otherMarkers.map { marker in
        handover(
          TranscriptParts.handover(marker: marker, TranscriptParts.byteString(digest)), "[\"dcapi\", …]",
          "[\"\(marker)\", …]")
      }
    case .encryptionParameters:
      guard let parsed = inputs.parsed else { return [] }
      let transcript = TranscriptParts.transcript(
        handover: TranscriptParts.handover(TranscriptParts.byteString(digest)),
        second: TranscriptParts.embedded(parsed.parameters))
      return [whole(transcript, "[null, null, Handover]", "[null, EncryptionParametersBytes, Handover]")]
    case .anotherSession:
      return inputs.given.otherSessions.map { session in
        VariantTranscript(
          self,
          encoded: EncryptionInfo.sessionTranscript(
            encryptionInfoText: session.encryptionInfoText, origin: session.origin
          ).encoded,
          .field("session", expected: "this one", found: session.identifier))
      }
    default: return []
    }
  }

  private func whole(
    _ encoded: [UInt8], info: [UInt8]? = nil, _ expected: String, _ found: String
  ) -> VariantTranscript {
    VariantTranscript(
      self, encoded: encoded, info: info, .field("session transcript", expected: expected, found: found))
  }

  private func handover(_ encoded: [UInt8], _ expected: String, _ found: String) -> VariantTranscript {
    VariantTranscript(
      self, encoded: TranscriptParts.transcript(handover: encoded),
      .field("handover", expected: expected, found: found))
  }
}
