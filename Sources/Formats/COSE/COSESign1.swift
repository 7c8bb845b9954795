import CBOR
import Crypto

/// COSE_Sign1 as received (RFC 9052, 4.2). Trust nothing in it before
/// ``verify(with:detachedPayload:externalAAD:algorithmFrom:)`` succeeds.
public struct COSESign1: Sendable {
  /// Both header buckets.
  public let headers: COSEHeaders
  /// The attached payload, not verified; nil if it is detached.
  public let unverifiedPayload: [UInt8]?
  /// The signature as received.
  public let signature: [UInt8]
  /// The accepted departures from the standard.
  public let deviations: [COSEDeviation]
  private let item: CBORItem

  /// The whole structure as received.
  public var encoded: [UInt8] { [UInt8](item.encoded) }

  /// The tag of COSE_Sign1, absent in mdoc structures and present in status lists.
  public static let tag: UInt64 = 18

  /// Reads the structure. Tag 18 is accepted and reported as a deviation.
  /// - Throws: ``COSEError``.
  public init(_ item: CBORItem) throws(COSEError) {
    let message = try COSEMessage(item, name: "COSE_Sign1", tag: Self.tag)
    headers = message.headers
    unverifiedPayload = message.payload
    signature = message.authenticator
    deviations = message.deviations
    self.item = item
  }

  /// Verifies the signature.
  ///
  /// - Parameters:
  ///   - key: The signer's public key.
  ///   - detachedPayload: The signed payload, if it is not part of the structure.
  ///   - externalAAD: Additional authenticated data; empty in every mdoc structure.
  ///   - source: The headers that may name the algorithm.
  /// - Returns: The verified payload.
  /// - Throws: ``COSEError``.
  @discardableResult
  public func verify(
    with key: VerificationKey, detachedPayload: [UInt8]? = nil, externalAAD: [UInt8] = [],
    algorithmFrom source: AlgorithmSource = .protectedHeader
  ) throws(COSEError) -> [UInt8] {
    let algorithm = try headers.algorithm(from: source)
    guard algorithm == key.algorithm else {
      throw COSEError(.algorithmKeyMismatch, "algorithm \(algorithm.rawValue) does not match the key's curve")
    }
    let payload = try COSEMessage.payload(attached: unverifiedPayload, detached: detachedPayload)
    guard key.verifies(signature, over: signedBytes(payload: payload, externalAAD: externalAAD)) else {
      guard key.isInForm(signature) else {
        throw COSEError(
          .signatureForm, "the signature of \(signature.count) bytes is not r and s of the key's curve")
      }
      throw COSEError(.signature, "the signature does not verify")
    }
    return payload
  }

  /// Returns the Sig_structure over a payload (RFC 9052, 4.4), with the protected header as received.
  public func signedBytes(payload: [UInt8], externalAAD: [UInt8] = []) -> [UInt8] {
    authenticatedStructure(
      context: "Signature1", protected: headers.protectedForSigning, externalAAD: externalAAD, payload: payload)
  }

  /// Returns an untagged COSE_Sign1 with ES256 in the protected header and the chain in the unprotected one.
  ///
  /// - Parameters:
  ///   - payload: The payload to sign.
  ///   - detached: Whether to leave the payload out of the structure.
  ///   - x5chain: DER certificates, leaf first. An empty array omits the header.
  ///   - signer: The signer.
  /// - Returns: The encoded structure.
  /// - Throws: The signer's error.
  public static func sign(
    payload: [UInt8], detached: Bool, x5chain: [[UInt8]] = [], with signer: some ES256Signer
  ) throws -> [UInt8] {
    let message = authenticatedStructure(context: "Signature1", protected: protectedES256, payload: payload)
    return COSEMessage.write(
      protected: protectedES256, unprotected: unprotectedHeader(x5chain: x5chain), payload: detached ? nil : payload,
      authenticator: try signer.signature(for: message))
  }

  /// Returns an untagged COSE_Sign1 with any algorithm in the protected header.
  ///
  /// - Parameters:
  ///   - detached: Whether to leave the payload out of the structure.
  ///   - x5chain: DER certificates, leaf first.
  ///   - signature: Returns the signature of a message.
  /// - Throws: What `signature` throws.
  package static func sign(
    payload: [UInt8], detached: Bool = false, algorithm: COSEAlgorithm, x5chain: [[UInt8]] = [],
    signature: ([UInt8]) throws -> [UInt8]
  ) throws -> [UInt8] {
    let protected = CBORWriter.encode(capacity: 8) { writer in
      writer.map(1)
      writer.member(COSEHeaderLabel.algorithm) { $0.integer(algorithm.rawValue) }
    }
    let message = authenticatedStructure(context: "Signature1", protected: protected, payload: payload)
    return COSEMessage.write(
      protected: protected, unprotected: unprotectedHeader(x5chain: x5chain), payload: detached ? nil : payload,
      authenticator: try signature(message))
  }

  /// Returns a tagged COSE_Sign1 with custom headers, as in status lists (ISO/IEC 18013-5 second edition draft,
  /// 12.3.6).
  ///
  /// - Parameters:
  ///   - payload: The payload to sign, which is attached.
  ///   - protected: The encoded map of the protected header, with the algorithm ES256.
  ///   - unprotected: The encoded map of the unprotected header; empty in a conforming structure.
  ///   - signer: The signer.
  /// - Returns: The encoded structure.
  /// - Throws: The signer's error.
  public static func signTagged(
    payload: [UInt8], protectedHeader protected: [UInt8], unprotectedHeader unprotected: [UInt8] = [0xa0],
    with signer: some ES256Signer
  ) throws -> [UInt8] {
    let message = authenticatedStructure(context: "Signature1", protected: protected, payload: payload)
    return COSEMessage.write(
      tag: tag, protected: protected, unprotected: unprotected, payload: payload,
      authenticator: try signer.signature(for: message))
  }

  /// Returns the untagged structure with a detached payload around an existing signature.
  package static func detached(signature: [UInt8], x5chain: [[UInt8]] = []) -> [UInt8] {
    COSEMessage.write(
      protected: protectedES256, unprotected: unprotectedHeader(x5chain: x5chain), payload: nil,
      authenticator: signature)
  }

  private static let protectedES256: [UInt8] = [0xa1, 0x01, 0x26]

  private static func unprotectedHeader(x5chain: [[UInt8]]) -> [UInt8] {
    guard !x5chain.isEmpty else { return [0xa0] }
    return CBORWriter.encode(capacity: x5chain.reduce(16) { $0 + $1.count + 4 }) { writer in
      writer.map(1)
      write(x5chain, to: &writer)
    }
  }

  /// Writes the header `x5chain`: the one certificate, or an array of several (RFC 9360, 2).
  package static func write(_ x5chain: [[UInt8]], to writer: inout CBORWriter) {
    writer.member(COSEHeaderLabel.x5chain) { writer in
      if x5chain.count > 1 { writer.array(x5chain.count) }
      for certificate in x5chain { writer.byteString(certificate) }
    }
  }
}
