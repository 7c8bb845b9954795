import CBOR

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
    if let found = item.tag, found != tag {
      throw COSEError(.wrongTag, "\(name) has tag \(found), expected \(tag)")
    }
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
  context: String, protected: [UInt8], externalAAD: [UInt8] = [], payload: some Collection<UInt8>
) -> [UInt8] {
  CBORWriter.encode(capacity: payload.count + protected.count + externalAAD.count + 32) { writer in
    writer.array(4)
    writer.text(context)
    writer.byteString(protected)
    writer.byteString(externalAAD)
    writer.byteString(payload)
  }
}
