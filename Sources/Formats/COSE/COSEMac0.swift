import CBOR
import Crypto

/// The array of four that COSE_Sign1 and COSE_Mac0 share, as received (RFC 9052, 4.2 and 6.2).
struct COSEMessage {
  let headers: COSEHeaders
  /// The attached payload, not verified; nil if it is detached.
  let payload: [UInt8]?
  /// The signature or message authentication code.
  let authenticator: [UInt8]
  let deviations: [COSEDeviation]

  /// Reads the array. The message's own tag is accepted and reported as a deviation.
  init(_ item: CBORItem, name: String, tag: UInt64) throws(COSEError) {
    if let found = item.tag, found != tag { throw COSEError(.wrongTag, "\(name) has tag \(found), expected \(tag)") }
    do {
      let array = try item.withoutTag(tag).array(count: 4)
      let payloadItem = try array.at(2)
      payload = payloadItem.isNull ? nil : try payloadItem.bytes()
      authenticator = try array.at(3).bytes()
      headers = try COSEHeaders(protectedItem: try array.at(0), unprotectedItem: try array.at(1))
    } catch let error as COSEError {
      throw error
    } catch {
      throw COSEError(.structure, "\(name) is malformed: \(error)")
    }
    deviations = (item.tag == nil ? [] : [.tagged]) + headers.deviations
  }

  /// Returns the payload that is authenticated: the attached or the detached one, which must not differ.
  static func payload(attached: [UInt8]?, detached: [UInt8]?) throws(COSEError) -> [UInt8] {
    guard let payload = detached ?? attached else {
      throw COSEError(.payload, "the payload is missing: neither attached nor detached")
    }
    if let attached, attached != payload {
      throw COSEError(.payload, "the attached payload differs from the detached payload")
    }
    return payload
  }

  /// Writes a message.
  ///
  /// - Parameters:
  ///   - tag: The tag; nil for an untagged message.
  ///   - protected: The encoded map of the protected header.
  ///   - unprotected: The encoded map of the unprotected header.
  ///   - payload: The attached payload; nil if it is detached.
  ///   - authenticator: The signature or message authentication code.
  static func write(
    tag: UInt64? = nil, protected: [UInt8], unprotected: [UInt8] = [0xa0], payload: [UInt8]?, authenticator: [UInt8]
  ) -> [UInt8] {
    CBORWriter.encode(capacity: 96 + protected.count + unprotected.count + (payload?.count ?? 0)) { writer in
      if let tag { writer.tag(tag) }
      writer.array(4)
      writer.byteString(protected)
      writer.encoded(unprotected)
      if let payload { writer.byteString(payload) } else { writer.null() }
      writer.byteString(authenticator)
    }
  }
}

/// Returns the array that a signature or message authentication code is computed over (RFC 9052, 4.4 and 6.3).
package func authenticatedStructure(
  context: String, protected: [UInt8], externalAAD: [UInt8] = [], payload: [UInt8]
) -> [UInt8] {
  CBORWriter.encode(capacity: payload.count + protected.count + externalAAD.count + 32) { writer in
    writer.array(4)
    writer.text(context)
    writer.byteString(protected)
    writer.byteString(externalAAD)
    writer.byteString(payload)
  }
}

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

  /// Returns an untagged COSE_Mac0 with HMAC 256/256 over a detached payload.
  /// - Returns: The encoded structure.
  public static func authenticate(detachedPayload payload: [UInt8], with key: SymmetricKey) -> [UInt8] {
    let message = authenticatedStructure(context: "MAC0", protected: protectedHMAC256, payload: payload)
    let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
    return COSEMessage.write(protected: protectedHMAC256, payload: nil, authenticator: Array(code))
  }
}
