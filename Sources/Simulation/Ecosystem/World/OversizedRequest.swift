import CBOR
import COSE
import Flaws
import MobileDocument
import Primitives
import WebPresentment

/// A real request that somebody made larger than the sandbox accepts, in a way that no website of a world does. Named
/// like the end of the code that the sandbox refuses it with.
public enum OversizedRequest: String, Sendable, CaseIterable {
  /// The device request is so long that the JSON around it is too long.
  case data = "too-large"
  /// The text of the encryption information is too long.
  case encryptionInfo = "encryption-info-too-large"
  /// The device request has an unknown member that makes it too long.
  case deviceRequest = "device-request-too-large"
  /// The device request has an unknown member of arrays in one another.
  case depth = "too-deep"
  /// The device request has an unknown member of many numbers.
  case items = "too-many-items"
  /// The last certificate of the first reader's chain is repeated.
  case chainLength = "chain-too-long"
  /// The first reader's certificate has bytes behind it.
  case certificate = "certificate-too-large"
  /// The first document request names many issuers.
  case issuers = "too-many-issuers"
  /// The first document request names an issuer by a long key identifier.
  case issuer = "issuer-too-long"

  /// The bound that the request exceeds.
  var bound: RequestLimit {
    switch self {
    case .data: .data
    case .encryptionInfo: .encryptionInfo
    case .deviceRequest: .deviceRequest
    case .depth: .depth
    case .items: .items
    case .chainLength: .chainLength
    case .certificate: .certificate
    case .issuers: .issuers
    case .issuer: .issuer
    }
  }

  /// Makes a request too large. What the signatures cover stays as it was, but for the issuers.
  /// - Throws: ``FlawDoesNotFit`` when there is nothing to enlarge, such as a chain in a request that nobody signed.
  func apply(to request: inout BegunPresentment.RequestMembers) throws {
    if self == .encryptionInfo { return request.encryptionInfo += String(repeating: "A", count: bound.maximum) }
    guard let bytes = Base64URL.decode(request.deviceRequest) else {
      throw FlawDoesNotFit("the request is no base64url")
    }
    let item = try CBORReader.read(bytes, readingEmbedded: false)
    request.deviceRequest = Base64URL.encode(try enlarged(CBORValue(item)).encoded)
  }

  private func enlarged(_ request: CBORValue) throws -> CBORValue {
    let limit = bound.maximum
    switch self {
    case .data, .encryptionInfo, .deviceRequest:
      return try request.adding("padding", .bytes([UInt8](repeating: 0, count: limit)))
    case .depth:
      return try request.adding("padding", (1..<limit).reduce(.array([])) { inner, _ in .array([inner]) })
    case .items:
      return try request.adding("padding", .array([CBORValue](repeating: .unsigned(0), count: limit)))
    case .chainLength:
      return try changingFirstChain(of: request) { chain in
        let last = [CBORValue](repeating: chain.last ?? .bytes([]), count: limit)
        return Array((chain + last).prefix(limit + 1))
      }
    case .certificate:
      return try changingFirstChain(of: request) { chain in
        guard case .bytes(let leaf)? = chain.first else { return chain }
        return [.bytes(leaf + [UInt8](repeating: 0, count: max(0, limit + 1 - leaf.count)))] + chain.dropFirst()
      }
    case .issuers:
      return try naming([CBORValue](repeating: .bytes([0]), count: limit + 1), in: request)
    case .issuer:
      return try naming([.bytes([UInt8](repeating: 0, count: limit + 1))], in: request)
    }
  }

  private func naming(_ issuers: [CBORValue], in request: CBORValue) throws -> CBORValue {
    let items: [CBORPlace] = [.member(.text("docRequests")), .element(0), .member(.text("itemsRequest")), .embedded]
    return try request.changing(items) {
      try $0.adding("requestInfo", .textMap([("issuerIdentifiers", .array(issuers))]))
    }
  }

  /// Changes the chain of the first entry of `readerAuthAll`, or where there is none of the first document's
  /// `readerAuth`.
  private func changingFirstChain(
    of request: CBORValue, _ change: ([CBORValue]) -> [CBORValue]
  ) throws -> CBORValue {
    let chain: [CBORPlace] = [.element(1), .member(.integer(COSEHeaderLabel.x5chain))]
    let ofAll: [CBORPlace] = [.member(.text("readerAuthAll")), .element(0)]
    let ofFirst: [CBORPlace] = [.member(.text("docRequests")), .element(0), .member(.text("readerAuth"))]
    func changed(_ value: CBORValue) -> CBORValue {
      var certificates = [value]
      if case .array(let several) = value { certificates = several }
      certificates = change(certificates)
      return certificates.count == 1 ? certificates[0] : .array(certificates)
    }
    do {
      return try request.changing(ofAll + chain, changed)
    } catch is FlawDoesNotFit {
      return try request.changing(ofFirst + chain, changed)
    }
  }
}
