import CBOR
import Crypto

/// COSE_Mac0 as received (RFC 9052, 6.2), with HMAC 256/256 as the only algorithm.
public struct COSEMac0: Sendable {
  /// Both header buckets.
  public let headers: COSEHeaders
  /// The attached payload, not verified; nil when it is detached.
  public let unverifiedPayload: [UInt8]?
  /// The code as received.
  public let code: [UInt8]
  /// What was let pass in reading.
  public let deviations: [COSEDeviation]

  /// The tag of COSE_Mac0, absent in mdoc structures.
  public static let tag: UInt64 = 17

  /// Reads the structure. Tag 17 is accepted and reported as a deviation.
  /// - Throws: ``COSEError``.
  public init(_ item: CBORItem) throws(COSEError) {
    let parts = try COSEMessageParts(item, name: "COSE_Mac0", tag: Self.tag)
    headers = parts.headers
    unverifiedPayload = parts.payload
    code = parts.authenticator
    deviations = (parts.isTagged ? [.tagged] : []) + parts.headers.deviations
  }

  /// Checks the code in constant time.
  ///
  /// - Parameters:
  ///   - key: the shared key.
  ///   - detachedPayload: what was authenticated, when it does not travel in the structure.
  ///   - externalAAD: empty in every mdoc structure.
  ///   - source: which headers may name the algorithm.
  /// - Returns: the payload, now verified.
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
    guard let payload = detachedPayload ?? unverifiedPayload else {
      throw COSEError(.payload, "the payload is neither attached nor given")
    }
    if let unverifiedPayload, unverifiedPayload != payload {
      throw COSEError(.payload, "the attached payload differs from the one that should be authenticated")
    }
    let message = authenticatedStructure(
      context: "MAC0", protected: headers.protectedForSigning, externalAAD: externalAAD, payload: payload)
    guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key) else {
      throw COSEError(.mac, "the message authentication code does not verify")
    }
    return payload
  }

  /// Makes an untagged COSE_Mac0 with HMAC 256/256 over a detached payload.
  /// - Returns: the encoded structure.
  public static func authenticate(detachedPayload payload: [UInt8], with key: SymmetricKey) -> [UInt8] {
    let protected: [UInt8] = [0xa1, 0x01, 0x05]
    let message = authenticatedStructure(context: "MAC0", protected: protected, externalAAD: [], payload: payload)
    let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
    return CBORWriter.encode(capacity: 48) { writer in
      writer.array(4)
      writer.byteString(protected)
      writer.map(0)
      writer.null()
      writer.byteString(Array(code))
    }
  }
}
