import CBOR
import Crypto

/// COSE_Sign1 as received (RFC 9052, 4.2). Nothing in it may be believed before ``verify(with:detachedPayload:externalAAD:algorithmFrom:)``.
public struct COSESign1: Sendable {
  /// Both header buckets.
  public let headers: COSEHeaders
  /// The attached payload, not verified; nil when it is detached.
  public let unverifiedPayload: [UInt8]?
  /// The signature as received.
  public let signature: [UInt8]
  /// What was let pass in reading.
  public let deviations: [COSEDeviation]
  /// The whole structure as received.
  public let encoded: [UInt8]

  /// The tag of COSE_Sign1, absent in mdoc structures and present in status lists.
  public static let tag: UInt64 = 18

  /// Reads the structure. Tag 18 is accepted and reported as a deviation.
  /// - Throws: ``COSEError``.
  public init(_ item: CBORItem) throws(COSEError) {
    let parts = try COSEMessageParts(item, name: "COSE_Sign1", tag: Self.tag)
    headers = parts.headers
    unverifiedPayload = parts.payload
    signature = parts.authenticator
    deviations = (parts.isTagged ? [.tagged] : []) + parts.headers.deviations
    encoded = [UInt8](item.encoded)
  }

  /// Checks the signature.
  ///
  /// - Parameters:
  ///   - key: whose signature it should be.
  ///   - detachedPayload: what was signed, when it does not travel in the structure.
  ///   - externalAAD: empty in every mdoc structure.
  ///   - source: which headers may name the algorithm.
  /// - Returns: the payload, now verified.
  /// - Throws: ``COSEError``.
  @discardableResult
  public func verify(
    with key: VerificationKey, detachedPayload: [UInt8]? = nil, externalAAD: [UInt8] = [],
    algorithmFrom source: AlgorithmSource = .protectedHeader
  ) throws(COSEError) -> [UInt8] {
    let algorithm = try headers.algorithm(from: source)
    guard algorithm == key.algorithm else {
      throw COSEError(.algorithmKeyMismatch, "algorithm \(algorithm.rawValue) does not go with the key's curve")
    }
    let payload: [UInt8]
    switch (unverifiedPayload, detachedPayload) {
    case (let attached?, nil): payload = attached
    case (let attached?, let detached?) where attached != detached:
      throw COSEError(.payload, "the attached payload differs from the one that should be signed")
    case (_, let detached?): payload = detached
    case (nil, nil): throw COSEError(.payload, "the payload is neither attached nor given")
    }
    let message = signedBytes(payload: payload, externalAAD: externalAAD)
    guard key.verifies(signature, over: message) else {
      guard key.isInForm(signature) else {
        throw COSEError(
          .signatureForm, "the signature of \(signature.count) bytes is not r and s of the key's curve")
      }
      throw COSEError(.signature, "the signature does not verify")
    }
    return payload
  }

  /// The Sig_structure over a payload (RFC 9052, 4.4), with the protected header as received.
  public func signedBytes(payload: [UInt8], externalAAD: [UInt8] = []) -> [UInt8] {
    authenticatedStructure(
      context: "Signature1", protected: headers.protectedForSigning, externalAAD: externalAAD, payload: payload)
  }

  /// Makes an untagged COSE_Sign1 with ES256 in the protected header and the chain in the unprotected one.
  ///
  /// - Parameters:
  ///   - payload: what is signed.
  ///   - detached: whether the payload stays out of the structure.
  ///   - x5chain: DER certificates, leaf first; none leaves the header out.
  ///   - signer: makes the signature.
  /// - Returns: the encoded structure.
  /// - Throws: what the signer throws.
  public static func sign(
    payload: [UInt8], detached: Bool, x5chain: [[UInt8]] = [], with signer: some ES256Signer
  ) throws -> [UInt8] {
    let message = authenticatedStructure(
      context: "Signature1", protected: protectedES256, externalAAD: [], payload: payload)
    return write(payload: detached ? nil : payload, x5chain: x5chain, signature: try signer.signature(for: message))
  }

  /// The same structure around a signature that was made otherwise.
  package static func detached(signature: [UInt8], x5chain: [[UInt8]] = []) -> [UInt8] {
    write(payload: nil, x5chain: x5chain, signature: signature)
  }

  private static let protectedES256: [UInt8] = [0xa1, 0x01, 0x26]

  private static func write(payload: [UInt8]?, x5chain: [[UInt8]], signature: [UInt8]) -> [UInt8] {
    CBORWriter.encode(capacity: 96 + (payload?.count ?? 0)) { writer in
      writer.array(4)
      writer.byteString(protectedES256)
      writer.map(x5chain.isEmpty ? 0 : 1)
      if !x5chain.isEmpty {
        writer.integer(COSEHeaderLabel.x5chain)
        if x5chain.count > 1 { writer.array(x5chain.count) }
        for certificate in x5chain { writer.byteString(certificate) }
      }
      if let payload { writer.byteString(payload) } else { writer.null() }
      writer.byteString(signature)
    }
  }
}
