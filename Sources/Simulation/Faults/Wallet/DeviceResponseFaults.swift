import CBOR
import MobileDocument
import SimulationKernel

extension Fault {
  /// Faults of the device response as a whole.
  static let ofDeviceResponses: [Fault] = [
    response(
      "response-version", "The response is of version 2.0", .fails(.version),
      .value { try $0.changing([.member(.text("version"))]) { _ in .text("2.0") } }),
    response(
      "response-status", "The response reports a general error and returns documents", .fails(.status),
      .value { try $0.changing([.member(.text("status"))]) { _ in .integer(10) } }),
    response(
      "documents-of-another-kind", "The response also has a document of a kind that is not read",
      .deviates(.structure, .unreadDocuments),
      .value {
        let proof = CBORValue.textMap([("documentData", .tagged(24, .bytes([0xa0]))), ("proof", .bytes([]))])
        return try $0.adding("zkDocuments", .array([proof]))
      }),
    response(
      "other-kind-malformed", "The response has a malformed encrypted document", .fails(.structure, .malformed),
      .value {
        let document = CBORValue.textMap([("cipherText", .bytes([])), ("docRequestID", .integer(0))])
        return try $0.adding("encryptedDocuments", .array([document]))
      }),
    response(
      "document-errors-empty", "The response has an empty array of document errors",
      .deviates(.structure, .emptyDocumentErrors), .value { try $0.adding("documentErrors", .array([])) }),
    response(
      "document-error-for-two", "The response has one error for two documents", .fails(.structure, .malformed),
      .value {
        let error = CBORValue.textMap([("org.example.one", .integer(0)), ("org.example.other", .integer(0))])
        return try $0.adding("documentErrors", .array([error]))
      }),
    response(
      "empty-documents", "The response has an empty array of documents", .fails(.structure, .malformed),
      .value { try $0.changing([.member(.text("documents"))]) { _ in .array([]) } }),
    response(
      "not-well-formed", "The response begins with a reserved byte", .fails(.cbor, .malformed),
      .response { [0xbc] + $0.dropFirst() }),
    response(
      "text-not-utf8", "A text of the response is not UTF-8", .fails(.cbor, .malformed),
      .response { try replacing(Array("1.0".utf8), with: [0x31, 0xff, 0x30], in: $0) }),
    response(
      "unread-text-not-utf8", "A text of the response that nobody reads is not UTF-8", .fails(.cbor, .malformed),
      .response { response in
        let noted = try CBORValue(try CBORReader.read(response, readingEmbedded: false)).adding("note", .text("unread"))
        return try replacing(Array("unread".utf8), with: [0xff, 0xfe, 0xff, 0xfe, 0xff, 0xfe], in: noted.encoded)
      }),
    response(
      "map-key-twice", "The response has its status twice", .fails(.cbor, .duplicateKey),
      .value { .map(try $0.entries + $0.entries.suffix(1)) }),
    response(
      "byte-after-the-end", "A byte follows the response", .fails(.cbor, .trailingBytes), .response { $0 + [0] }),
    response(
      "too-deep", "The response is nested more deeply than the limit", .fails(.limits),
      .value {
        let nested = (0..<CBORLimits.standard.depth).reduce(CBORValue.null) { inner, _ in .array([inner]) }
        return try $0.adding("nested", nested)
      }),
    // The length of the first key, in four bytes that say more than there is.
    response(
      "length-beyond-the-end", "A length in the response exceeds its end", .fails(.cbor, .malformed),
      .response { $0.prefix(1) + [0x7a, 0x7f, 0xff, 0xff, 0xff] + $0.dropFirst(2) }),
    response(
      "member-missing", "The response lacks its version", .fails(.structure, .malformed),
      .value { try $0.removing(.text("version")) }),
    response(
      "head-longer-than-needed", "The response is not in its shortest encoding", .deviates(.encoding),
      .response { try withLongerHead($0) }),
    response(
      "indefinite-length", "The response is a map of indefinite length", .deviates(.encoding),
      .response { [0xbf] + $0.dropFirst() + [0xff] }),
    response(
      "indefinite-length-within", "The documents of the response are an array of indefinite length",
      .deviates(.encoding), .response { try withDocumentsOfIndefiniteLength(try CBORValue(received: $0)) }),
  ]

  private static func withDocumentsOfIndefiniteLength(_ response: CBORValue) throws -> [UInt8] {
    let entries = try response.entries
    return try entries.reduce(into: CBORValue.map(entries).encoded.prefix(1) + []) { bytes, entry in
      bytes += entry.key.encoded
      bytes +=
        entry.key == .text("documents")
        ? [0x9f] + (try entry.value.items.flatMap(\.encoded)) + [0xff] : entry.value.encoded
    }
  }

  private static func replacing(_ old: [UInt8], with new: [UInt8], in bytes: [UInt8]) throws -> [UInt8] {
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: old) }) else {
      throw SimulationError.notApplicable("the response has no text to replace")
    }
    return bytes[..<start] + new + bytes[(start + old.count)...]
  }
}

extension ResponseChange {
  /// Changes the value of the response.
  fileprivate static func value(_ change: @escaping @Sendable (CBORValue) throws -> CBORValue) -> ResponseChange {
    .response { try change(CBORValue(received: $0)).encoded }
  }
}

extension CBORValue {
  fileprivate init(received bytes: [UInt8]) throws {
    self.init(try CBORReader.read(bytes, leniency: .received, readingEmbedded: false))
  }
}
