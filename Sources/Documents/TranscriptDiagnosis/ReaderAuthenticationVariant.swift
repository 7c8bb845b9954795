import CBOR
import Checks
import MobileDocument
import Primitives

/// A variant of the bytes that a reader signs around the transcript (ISO/IEC 18013-5 second edition draft, 12.5.4), in the order in
/// which they are tried.
public enum ReaderAuthenticationVariant: String, KnownMistake {
  case superseded = "reader-authentication.superseded"
  case perDocument = "reader-authentication.per-document"
  case all = "reader-authentication.all"
  case context = "reader-authentication.context"
  case itemsMissing = "reader-authentication.items-missing"
  case itemsNotInArray = "reader-authentication.items-not-in-array"
  case itemsNested = "reader-authentication.items-nested"
  case itemsNotEmbedded = "reader-authentication.items-not-embedded"
  case itemsByteString = "reader-authentication.items-byte-string"
  case itemsOrder = "reader-authentication.items-order"
  case informationNotEmbedded = "reader-authentication.request-info-not-embedded"
  case informationNull = "reader-authentication.request-info-null"
  case notEmbedded = "reader-authentication.not-embedded"
  case byteString = "reader-authentication.byte-string"
  case hashed = "reader-authentication.hashed"
  case unstructured = "reader-authentication.no-sig-structure"

  /// A human-readable description of the variant.
  public var message: String {
    switch self {
    case .superseded: "ReaderAuthenticationAll in its superseded form of 3 elements"
    case .perDocument: "readerAuthAll signs what readerAuth of one document signs"
    case .all: "readerAuth of a document signs what readerAuthAll signs"
    case .context: "the signed array has the name of the other kind of reader authentication"
    case .itemsMissing: "the items requests are missing in ReaderAuthenticationAll"
    case .itemsNotInArray: "the items requests are not in an array of their own"
    case .itemsNested: "the items requests are in an array too many"
    case .itemsNotEmbedded: "the items requests are not in tag 24"
    case .itemsByteString: "the items requests are in byte strings without tag 24"
    case .itemsOrder: "the items requests are in another order than the document requests"
    case .informationNotEmbedded: "the request information is not in tag 24"
    case .informationNull: "null instead of the request information"
    case .notEmbedded: "the signed array is not in tag 24"
    case .byteString: "the signed array is in a byte string without tag 24"
    case .hashed: "the digest of the signed array was signed as payload"
    case .unstructured: "the payload was signed without the Sig_structure around it"
    }
  }

  /// The contents that are signed in this variant over an encoded transcript; none when it changes nothing, or does not
  /// exist for a signature of this coverage.
  public func contents(
    of parts: ReaderAuthenticationParts, over transcript: SessionTranscript
  ) -> [VariantAuthentication] {
    let tuple = ReaderTuple(parts, over: transcript)
    guard let right = tuple.right else { return [] }
    func wrong(_ arrays: [[UInt8]?], _ field: String, _ expected: String, _ found: String) -> [VariantAuthentication] {
      arrays.compactMap(\.self).filter { $0 != right }.map { array in
        VariantAuthentication(
          content: .payload(TranscriptParts.embedded(array)),
          explanation: Explanation(self, .field(field, expected: expected, found: found)))
      }
    }
    func surrounded(_ structure: AuthenticationStructure) -> [VariantAuthentication] {
      [structure.variant(self, of: right, tuple.name)]
    }
    switch (self, parts.coverage) {
    case (.notEmbedded, _): return surrounded(.notEmbedded)
    case (.byteString, _): return surrounded(.byteString)
    case (.hashed, _): return surrounded(.hashed)
    case (.unstructured, _): return surrounded(.unstructured)
    case (.itemsNotEmbedded, _):
      return wrong([tuple.replacingItems { $0 }], "items request", "24(<< ItemsRequest >>)", "ItemsRequest")
    case (.itemsByteString, _):
      return wrong(
        [tuple.replacingItems(TranscriptParts.byteString)], "items request", "24(<< ItemsRequest >>)",
        "<< ItemsRequest >>")
    case (.superseded, .all): return wrong([tuple.all(information: nil)], "elements", "4", "3")
    case (.perDocument, .all):
      return wrong(
        parts.itemsRequestBytes.map { tuple.document($0) }, "signed array",
        "[\"ReaderAuthenticationAll\", T, [items], information]", "[\"ReaderAuthentication\", T, items]")
    case (.context, .all):
      return wrong(
        [tuple.all(name: ReaderTuple.documentName), tuple.all(name: ReaderTuple.documentName, information: nil)],
        "name", ReaderTuple.allName, ReaderTuple.documentName)
    case (.itemsMissing, .all): return wrong([tuple.all(items: [])], "elements", "4", "3, without the items requests")
    case (.itemsNotInArray, .all):
      return wrong(
        [tuple.all(items: parts.itemsRequestBytes)], "items requests", "[ItemsRequestBytes, …]", "ItemsRequestBytes, …")
    case (.itemsNested, .all):
      return wrong(
        [tuple.all(items: [TranscriptParts.array([tuple.itemsArray])])], "items requests",
        "[ItemsRequestBytes, …]", "[[ItemsRequestBytes, …]]")
    case (.itemsOrder, .all):
      return wrong(
        [tuple.all(items: [TranscriptParts.array(parts.itemsRequestBytes.reversed())])], "items requests",
        "in the order of docRequests", "in the reverse order")
    case (.informationNotEmbedded, .all):
      let content = parts.deviceRequestInfoBytes.flatMap(AuthenticationStructure.content(ofEmbedded:))
      return wrong(
        [content.map { tuple.all(information: $0) }], "request information", "24(<< DeviceRequestInfo >>)",
        "DeviceRequestInfo")
    case (.informationNull, .all):
      return wrong(
        [tuple.all(information: TranscriptParts.null)], "request information", "DeviceRequestInfoBytes", "null")
    case (.all, .document):
      return wrong(
        [tuple.all(), tuple.all(information: nil)], "signed array", "[\"ReaderAuthentication\", T, items]",
        "[\"ReaderAuthenticationAll\", T, [items], information]")
    case (.context, .document(let position)):
      return wrong(
        [tuple.document(parts.itemsRequestBytes[position], name: ReaderTuple.allName)], "name",
        ReaderTuple.documentName, ReaderTuple.allName)
    default: return []
    }
  }
}

/// The arrays that readers sign, right and wrong.
private struct ReaderTuple {
  static let documentName = "ReaderAuthentication"
  static let allName = "ReaderAuthenticationAll"

  private let parts: ReaderAuthenticationParts
  private let transcript: [UInt8]

  init(_ parts: ReaderAuthenticationParts, over transcript: SessionTranscript) {
    self.parts = parts
    self.transcript = transcript.encoded
  }

  /// The name of the right array.
  var name: String { parts.coverage == .all ? Self.allName : Self.documentName }

  /// The right array; nil when the signature covers a document that is not there.
  var right: [UInt8]? {
    switch parts.coverage {
    case .all: all()
    case .document(let position):
      parts.itemsRequestBytes.indices.contains(position) ? document(parts.itemsRequestBytes[position]) : nil
    }
  }

  var itemsArray: [UInt8] { TranscriptParts.array(parts.itemsRequestBytes) }

  func document(_ items: [UInt8], name: String = documentName) -> [UInt8] {
    TranscriptParts.array([TranscriptParts.text(name), transcript, items])
  }

  /// The last element as it should be.
  private var information: [UInt8] { parts.deviceRequestInfoBytes ?? TranscriptParts.null }

  func all(name: String = allName, items: [[UInt8]]? = nil) -> [UInt8] {
    all(name: name, items: items ?? [itemsArray], information: information)
  }

  func all(name: String = allName, information: [UInt8]?) -> [UInt8] {
    all(name: name, items: [itemsArray], information: information)
  }

  private func all(name: String, items: [[UInt8]], information: [UInt8]?) -> [UInt8] {
    TranscriptParts.array([TranscriptParts.text(name), transcript] + items + (information.map { [$0] } ?? []))
  }

  /// The right array with every items request replaced by something made of its content; nil when one has none.
  func replacingItems(_ change: ([UInt8]) -> [UInt8]) -> [UInt8]? {
    let items = parts.itemsRequestBytes.compactMap(AuthenticationStructure.content(ofEmbedded:)).map(change)
    guard items.count == parts.itemsRequestBytes.count else { return nil }
    return ReaderTuple(
      ReaderAuthenticationParts(
        coverage: parts.coverage, itemsRequestBytes: items, deviceRequestInfoBytes: parts.deviceRequestInfoBytes),
      over: SessionTranscript(encoded: transcript)
    ).right
  }
}
