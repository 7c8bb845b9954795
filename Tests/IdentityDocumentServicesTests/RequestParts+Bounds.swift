import CBOR
import Certificates
import Crypto
import Foundation
import MobileDocument
import Primitives
import Testing
import WebPresentment
import X509

extension RequestLimit {
  /// Indicates whether only the signed content of a request exceeds the limit.
  var isInside: Bool {
    switch self {
    case .nameSpaces, .elements, .name, .issuers, .issuer, .useCases, .documentSets, .documentSetMembers: true
    default: false
    }
  }
}

extension RequestParts {
  /// A valid request, signed by one reader, with exactly this number for a limit.
  static func reaching(_ number: Int, of bound: RequestLimit) throws -> RequestParts {
    var parts = try signed()
    switch bound {
    case .data: parts.padding = number - (try parts.data().count)
    case .encryptionInfo: parts.encryptionInfo = try encryptionInfo(characters: number)
    case .deviceRequest:
      let most = [UInt8](repeating: 0, count: number)
      // From 65,536 bytes on, the head of a byte string has the same length for all lengths used here.
      parts.more = [("padding", .bytes(most))]
      parts.more = [("padding", .bytes([UInt8](most.dropLast(try parts.deviceRequest().count - number))))]
    case .depth: parts.more = [("extension", nested(number - 1))]
    case .items:
      parts.more = [("extension", .array([]))]
      let others = count(CBORValue(try CBORReader.read(parts.deviceRequest(), readingEmbedded: false)))
      parts.more = [("extension", .array([CBORValue](repeating: .integer(0), count: number - others)))]
    case .documents: parts.items = [[UInt8]](repeating: items().encoded, count: number)
    case .readerSignatures: parts.readers = [[[UInt8]]](repeating: parts.readers[0], count: number)
    case .chainLength:
      // A root has signed itself, so it can follow itself.
      let root = try Readers.shared.first.root.derEncoded()
      parts.readers[0] += [[UInt8]](repeating: root, count: number - 1)
    case .certificate: parts.readers = [[try certificate(bytes: number)]]
    case .nameSpaces: parts.items = [items(spaces: spaces(number)).encoded]
    case .elements: parts.items = [items(spaces: spaces(1, elements: number)).encoded]
    case .name: parts.items = [items(type: .text(String(repeating: "n", count: number))).encoded]
    case .issuers: parts.items = [issuers([[UInt8]](repeating: [1], count: number)).encoded]
    case .issuer: parts.items = [issuers([[UInt8](repeating: 1, count: number)]).encoded]
    case .useCases: parts.information = useCases([[[Int]]](repeating: [[0]], count: number)).encoded
    case .documentSets: parts.information = useCases([[[Int]](repeating: [0], count: number)]).encoded
    case .documentSetMembers:
      parts.items = [[UInt8]](repeating: items().encoded, count: 8)
      let sets = stride(from: 0, to: number, by: 8).map { Array(0..<min(8, number - $0)) }
      parts.information = useCases([sets]).encoded
    }
    return parts
  }

  /// Encryption information with exactly this number of characters; meaningless in a length that base64url cannot have.
  static func encryptionInfo(characters: Int) throws -> String {
    let surplus = characters % 4
    let base = encryptionInfo(more: [("padding", .bytes([UInt8](repeating: 0, count: 256)))])
    let present = try #require(Base64URL.decode(base)).count
    let padding = (characters - surplus) / 4 * 3 - present + 256
    return encryptionInfo(more: [("padding", .bytes([UInt8](repeating: 0, count: padding)))])
      + String(repeating: "A", count: surplus)
  }

  /// A certificate of exactly this length in bytes, self-signed with the readers' key.
  static func certificate(bytes: Int) throws -> [UInt8] {
    let key = Certificate.PrivateKey(try Readers.shared.key)
    let name = try DistinguishedName { CommonName("rentals.example") }
    var padding = bytes
    // A signature has 70 to 72 bytes, so the required length may take several attempts.
    for _ in 0..<200 {
      let extra = Certificate.Extension(
        oid: [1, 3, 6, 1, 4, 1, 32473, 1], critical: false, value: ArraySlice(repeating: 0, count: padding))
      let certificate = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(bytes: [1]), publicKey: key.publicKey,
        notValidBefore: Readers.now.date, notValidAfter: Readers.now.adding(days: 1).date, issuer: name, subject: name,
        signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions([extra]), issuerPrivateKey: key)
      let encoded = try certificate.derEncoded()
      if encoded.count == bytes { return encoded }
      padding -= encoded.count - bytes
    }
    throw NoCertificate()
  }

  private struct NoCertificate: Error {}

  /// The number of items in a value, without those inside byte strings.
  private static func count(_ value: CBORValue) -> Int {
    switch value {
    case .array(let items): 1 + items.reduce(0) { $0 + count($1) }
    case .map(let entries): 1 + entries.reduce(0) { $0 + count($1.key) + count($1.value) }
    case .tagged(_, let content): 1 + count(content)
    default: 1
    }
  }
}
