import CBOR
import COSE
import Certificates
import Crypto
import Foundation
import MobileDocument
import Primitives
import TestSupport
import WebPresentment
import X509

/// A request, well-formed or not, as real bytes with real signatures.
struct RequestParts {
  static let origin = "https://rentals.example"

  var version = "1.1"
  /// Encoded items, one for each document request.
  var items = [Self.items().encoded]
  /// Encoded request information.
  var information: [UInt8]?
  /// DER chains, one for each entry of `readerAuthAll`.
  var readers: [[[UInt8]]] = []
  /// The number of document requests with a `readerAuth`.
  var documentSignatures = 0
  /// Indicates whether the last signature covers other bytes.
  var isForged = false
  /// Replaces the protected header of the first signature.
  var protectedHeader: [UInt8]?
  /// Unknown members of the envelope.
  var more: [(String, CBORValue)] = []
  var encryptionInfo = Self.encryptionInfo()
  /// Spaces after the JSON.
  var padding = 0

  /// One reader, known to ``Readers``.
  static func signed() throws -> RequestParts {
    RequestParts(readers: [try Readers.shared.ofFirst.map { try $0.derEncoded() }])
  }

  /// Items with well-formed parts by default.
  static func items(
    type: CBORValue = .text(DocumentType.licence), spaces: CBORValue = spaces(1),
    more: [(String, CBORValue)] = []
  ) -> CBORValue {
    .textMap([("docType", type), ("nameSpaces", spaces)] + more)
  }

  static func spaces(_ count: Int, elements: Int = 1) -> CBORValue {
    let asked = CBORValue.textMap((0..<elements).map { ("element\($0)", .boolean(false)) })
    return .textMap((0..<count).map { ("space\($0)", asked) })
  }

  static func issuers(_ identifiers: [[UInt8]]) -> CBORValue {
    items(more: [("requestInfo", .textMap([("issuerIdentifiers", .array(identifiers.map { .bytes($0) }))]))])
  }

  /// Request information of use cases, each of document sets.
  static func useCases(_ useCases: [[[Int]]]) -> CBORValue {
    let encoded = useCases.map { sets in
      CBORValue.textMap([
        ("mandatory", .boolean(true)),
        ("documentSets", .array(sets.map { .array($0.map { .integer($0) }) })),
      ])
    }
    return .textMap([("useCases", .array(encoded))])
  }

  static func encryptionInfo(nonce: Int = 16, more: [(String, CBORValue)] = []) -> String {
    // The base point of the curve, a valid public key.
    let key = CBORValue.map([
      CBORValue.Entry(.integer(1), .integer(2)), CBORValue.Entry(.integer(-1), .integer(1)),
      CBORValue.Entry(.integer(-2), .bytes(Self.basePoint.x)), CBORValue.Entry(.integer(-3), .bytes(Self.basePoint.y)),
    ])
    let members = [("nonce", CBORValue.bytes([UInt8](repeating: 9, count: nonce))), ("recipientPublicKey", key)]
    return Base64URL.encode(CBORValue.array([.text("dcapi"), .textMap(members + more)]).encoded)
  }

  /// Nested arrays with this number of levels.
  static func nested(_ levels: Int) -> CBORValue {
    (1..<levels).reduce(.array([])) { inner, _ in .array([inner]) }
  }

  private static let basePoint: (x: [UInt8], y: [UInt8]) = (
    Hex.bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
    Hex.bytes("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
  )

  /// The device request with its signatures.
  func deviceRequest() throws -> [UInt8] {
    let transcript = EncryptionInfo.sessionTranscript(encryptionInfoText: encryptionInfo, origin: Self.origin)
    let itemsBytes = items.map { CBORValue.tagged(24, .bytes($0)) }
    let informationBytes = information.map { CBORValue.tagged(24, .bytes($0)) }
    let all = transcript.readerAuthenticationAllBytes(
      itemsRequestBytes: itemsBytes.map(\.encoded), deviceRequestInfoBytes: informationBytes?.encoded)
    let entries = try readers.enumerated().map { position, chain in
      let isHonest = !isForged || position + 1 < readers.count
      return try signature(over: isHonest ? all : [0], chain: chain, isFirst: position == 0)
    }
    let documents = try itemsBytes.enumerated().map { position, bytes in
      guard position < documentSignatures else { return CBORValue.textMap([("itemsRequest", bytes)]) }
      let signed = transcript.readerAuthenticationBytes(itemsRequestBytes: bytes.encoded)
      let chain = try Readers.shared.ofFirst.map { try $0.derEncoded() }
      return .textMap([
        ("itemsRequest", bytes), ("readerAuth", try signature(over: signed, chain: chain, isFirst: false)),
      ])
    }
    return CBORValue.textMap(
      [("version", .text(version)), ("docRequests", .array(documents))]
        + (informationBytes.map { [("deviceRequestInfo", $0)] } ?? [])
        + (entries.isEmpty ? [] : [("readerAuthAll", .array(entries))]) + more
    ).encoded
  }

  private func signature(over payload: [UInt8], chain: [[UInt8]], isFirst: Bool) throws -> CBORValue {
    let encoded = try COSESign1.sign(payload: payload, detached: true, x5chain: chain, with: Readers.shared.key)
    guard let protectedHeader, isFirst else { return CBORValue(try CBORReader.read(encoded)) }
    var parts = try CBORReader.read(encoded).array().map { CBORValue($0) }
    parts[0] = .bytes(protectedHeader)
    return .array(parts)
  }

  /// The JSON as a browser passes it on.
  func data() throws -> [UInt8] {
    RequestData(deviceRequest: Base64URL.encode(try deviceRequest()), encryptionInfo: encryptionInfo).json
      + [UInt8](repeating: 0x20, count: padding)
  }
}
