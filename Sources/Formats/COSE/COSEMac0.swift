import CBOR
import Crypto

/// COSE_Mac0 as received (RFC 9052, 6.2), with HMAC 256/256 as the only algorithm.
public struct COSEMac0: Sendable {
  /// Both header buckets.
  public let headers: COSEHeaders
  /// The attached payload, not verified; nil if it is detached.
  public let unverifiedPayload: [UInt8]?
  /// The message authentication code as received.
  public let code: [UInt8]
  /// The accepted departures from the standard.
  public let deviations: [COSEDeviation]

  /// The tag of COSE_Mac0, absent in mdoc structures.
  public static let tag: UInt64 = 17

  private static let protectedHMAC256: [UInt8] = [0xa1, 0x01, 0x05]

  /// Reads the structure. Tag 17 is accepted and reported as a deviation.
  /// - Throws: ``COSEError``.
  public init(_ item: CBORItem) throws(COSEError) {
    let message = try COSEMessage(item, name: "COSE_Mac0", tag: Self.tag)
    headers = message.headers
    unverifiedPayload = message.payload
    code = message.authenticator
    deviations = message.deviations
  }

  /// Verifies the code in constant time.
  ///
  /// - Parameters:
  ///   - key: The shared key.
  ///   - detachedPayload: The authenticated payload, if it is not part of the structure.
  ///   - externalAAD: Additional authenticated data; empty in every mdoc structure.
  ///   - source: The headers that may name the algorithm.
  /// - Returns: The verified payload.
  /// - Throws: ``COSEError``.
  @discardableResult
  public func verify(
    with key: SymmetricKey, detachedPayload: [UInt8]? = nil, externalAAD: [UInt8] = [],
    algorithmFrom source: AlgorithmSource = .protectedHeader
  ) throws(COSEError) -> [UInt8] {
    let algorithm = try headers.algorithm(from: source)
    guard algorithm == .hmac256 else {
      throw COSEError(.algorithmUnsupported, "algorithm \(algorithm.rawValue) is not HMAC 256/256")
    }
    let payload = try COSEMessage.payload(attached: unverifiedPayload, detached: detachedPayload)
    let message = authenticatedStructure(
      context: "MAC0", protected: headers.protectedForSigning, externalAAD: externalAAD, payload: payload)
    guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key) else {
      throw COSEError(.mac, "the message authentication code does not verify")
    }
    return payload
  }

  /// Makes an untagged COSE_Mac0 with HMAC 256/256 over a detached payload.
  /// - Returns: The encoded structure.
  public static func authenticate(detachedPayload payload: [UInt8], with key: SymmetricKey) -> [UInt8] {
    let message = authenticatedStructure(context: "MAC0", protected: protectedHMAC256, payload: payload)
    let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
    return COSEMessage.write(protected: protectedHMAC256, payload: nil, authenticator: Array(code))
  }
}
