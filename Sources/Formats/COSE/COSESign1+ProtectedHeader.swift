import CBOR

extension COSESign1 {
  /// Makes a COSE_Sign1 in its tag with headers of one's own, as status lists have them (ISO/IEC 18013-5 second edition
  /// draft, 12.3.6).
  ///
  /// - Parameters:
  ///   - payload: what is signed; attached.
  ///   - protected: the encoded map of the protected header, with the algorithm ES256.
  ///   - unprotected: the encoded map of the unprotected header; empty where nothing departs.
  ///   - signer: makes the signature.
  /// - Returns: the encoded structure.
  /// - Throws: what the signer throws.
  public static func signTagged(
    payload: [UInt8], protectedHeader protected: [UInt8], unprotectedHeader unprotected: [UInt8] = [0xa0],
    with signer: some ES256Signer
  ) throws -> [UInt8] {
    let message = authenticatedStructure(
      context: "Signature1", protected: protected, externalAAD: [], payload: payload)
    let signature = try signer.signature(for: message)
    return CBORWriter.encode(capacity: protected.count + unprotected.count + payload.count + 96) { writer in
      writer.tag(tag)
      writer.array(4)
      writer.byteString(protected)
      writer.encoded(unprotected)
      writer.byteString(payload)
      writer.byteString(signature)
    }
  }
}
