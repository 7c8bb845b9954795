import CBOR
import MobileDocument
import SimulationKernel

/// Faults of the response as a whole.
extension ResponseFault {
  package static let responseVersion = ResponseFault(
    "response-version", "The response is of version 2.0", .fails("response.version"))
  package static let responseStatus = ResponseFault(
    "response-status", "The response reports a general error and returns documents", .fails("response.status"))
  package static let documentsOfAnotherKind = ResponseFault(
    "documents-of-another-kind", "The response also has a document of a kind that is not read",
    .deviates("response.structure/unread-documents"))
  package static let otherKindMalformed = ResponseFault(
    "other-kind-malformed", "The response has a malformed encrypted document", .fails("response.structure/malformed"))
  package static let documentErrorsEmpty = ResponseFault(
    "document-errors-empty", "The response has an empty array of document errors",
    .deviates("response.structure/empty-document-errors"))
  package static let documentErrorForTwo = ResponseFault(
    "document-error-for-two", "The response has one error for two documents", .fails("response.structure/malformed"))
  package static let emptyDocuments = ResponseFault(
    "empty-documents", "The response has an empty array of documents", .fails("response.structure/malformed"))
  package static let notWellFormed = ResponseFault(
    "not-well-formed", "The response begins with a reserved byte", .fails("response.cbor/malformed"))
  package static let textNotUTF8 = ResponseFault(
    "text-not-utf8", "A text of the response is not UTF-8", .fails("response.cbor/malformed"))
  package static let mapKeyTwice = ResponseFault(
    "map-key-twice", "The response has its status twice", .fails("response.cbor/duplicate-key"))
  package static let byteAfterTheEnd = ResponseFault(
    "byte-after-the-end", "A byte follows the response", .fails("response.cbor/trailing-bytes"))
  package static let tooDeep = ResponseFault(
    "too-deep", "The response is nested more deeply than the limit", .fails("response.limits"))
  package static let lengthBeyondTheEnd = ResponseFault(
    "length-beyond-the-end", "A length in the response exceeds its end", .fails("response.cbor/malformed"))
  package static let memberMissing = ResponseFault(
    "member-missing", "The response lacks its version", .fails("response.structure/malformed"))
  package static let headLongerThanNeeded = ResponseFault(
    "head-longer-than-needed", "The response is not in its shortest encoding", .deviates("response.encoding"))
  package static let indefiniteLength = ResponseFault(
    "indefinite-length", "The response is a map of indefinite length", .deviates("response.encoding"))
  package static let indefiniteLengthWithin = ResponseFault(
    "indefinite-length-within", "The documents of the response are an array of indefinite length",
    .deviates("response.encoding"))

  static let ofResponses: [ResponseFault] = [
    .responseVersion, .responseStatus, .documentsOfAnotherKind, .otherKindMalformed, .documentErrorsEmpty,
    .documentErrorForTwo, .emptyDocuments, .notWellFormed, .textNotUTF8, .mapKeyTwice, .byteAfterTheEnd, .tooDeep,
    .lengthBeyondTheEnd, .memberMissing, .headLongerThanNeeded, .indefiniteLength, .indefiniteLengthWithin,
  ]
}

/// Changes to the response as a whole.
extension FaultyResponse {
  /// Faults of `DeviceResponse`.
  func changedResponse(_ bytes: [UInt8]) throws -> [UInt8] {
    // Read only where it is changed: a fault of the document may have left it unreadable.
    func value() throws -> CBORValue {
      CBORValue(try CBORReader.read(bytes, leniency: .received, readingEmbedded: false))
    }
    switch fault {
    case .responseVersion: return try value().changing([.member(.text("version"))]) { _ in .text("2.0") }.encoded
    case .responseStatus: return try value().changing([.member(.text("status"))]) { _ in .integer(10) }.encoded
    case .emptyDocuments: return try value().changing([.member(.text("documents"))]) { _ in .array([]) }.encoded
    case .documentErrorsEmpty: return try value().adding("documentErrors", .array([])).encoded
    case .documentErrorForTwo:
      let error = CBORValue.textMap([("org.example.one", .integer(0)), ("org.example.other", .integer(0))])
      return try value().adding("documentErrors", .array([error])).encoded
    case .otherKindMalformed:
      let document = CBORValue.textMap([("cipherText", .bytes([])), ("docRequestID", .integer(0))])
      return try value().adding("encryptedDocuments", .array([document])).encoded
    case .documentsOfAnotherKind:
      let proof = CBORValue.textMap([("documentData", .tagged(24, .bytes([0xa0]))), ("proof", .bytes([]))])
      return try value().adding("zkDocuments", .array([proof])).encoded
    case .memberMissing: return try value().removing(.text("version")).encoded
    case .notWellFormed: return [0xbc] + bytes.dropFirst()
    case .textNotUTF8: return try Self.replacing(Array("1.0".utf8), with: [0x31, 0xff, 0x30], in: bytes)
    case .mapKeyTwice:
      let entries = try value().entries
      return CBORValue.map(entries + entries.suffix(1)).encoded
    case .byteAfterTheEnd: return bytes + [0]
    case .tooDeep:
      let nested = (0..<CBORLimits.standard.depth).reduce(CBORValue.null) { inner, _ in .array([inner]) }
      return try value().adding("nested", nested).encoded
    // The length of the first key, in four bytes that say more than there is.
    case .lengthBeyondTheEnd: return bytes.prefix(1) + [0x7a, 0x7f, 0xff, 0xff, 0xff] + bytes.dropFirst(2)
    case .headLongerThanNeeded: return try withLongerHead(bytes)
    case .indefiniteLength: return [0xbf] + bytes.dropFirst() + [0xff]
    case .indefiniteLengthWithin: return try Self.withDocumentsOfIndefiniteLength(try value())
    default: return bytes
    }
  }

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
