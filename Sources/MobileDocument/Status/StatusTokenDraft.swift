import CBOR
import COSE

/// A status token to be signed.
public struct StatusTokenDraft: Sendable {
  /// What it says.
  public var claims: StatusTokenClaims
  /// Header `type`; the media type of the list unless somebody makes a mistake.
  public var type: String
  /// Whether `exp` is left out, which ISO/IEC 18013-5 does not allow.
  public var leavesOutExpiry = false

  /// A token that says something.
  public init(_ claims: StatusTokenClaims) {
    self.claims = claims
    type = claims.content.kind.mediaType
  }

  /// Signs the token with ES256: a COSE_Sign1 in tag 18 with algorithm, type and chain in the protected header
  /// (ISO/IEC 18013-5 second edition draft, 12.3.6).
  ///
  /// - Parameters:
  ///   - chain: DER of the signer's certificate and of those between it and the root, leaf first.
  /// - Throws: what the signer throws.
  public func signed(by signer: some ES256Signer, chain: [[UInt8]]) throws -> [UInt8] {
    let header = CBORWriter.encode(capacity: 1024) { writer in
      writer.map(chain.isEmpty ? 2 : 3)
      writer.integer(StatusTokenLabel.algorithm)
      writer.integer(COSEAlgorithm.es256.rawValue)
      writer.integer(StatusTokenLabel.type)
      writer.text(type)
      if !chain.isEmpty {
        writer.integer(StatusTokenLabel.x5chain)
        if chain.count > 1 { writer.array(chain.count) }
        for certificate in chain { writer.byteString(certificate) }
      }
    }
    return try COSESign1.signTagged(
      payload: claims.encoded(leavingOut: leavesOutExpiry ? StatusTokenLabel.expires : nil), protectedHeader: header,
      with: signer)
  }
}
