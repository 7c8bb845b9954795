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
  /// In which ways its form departs.
  public var departures: Set<Departure> = []

  /// A way in which the form of a token departs without its meaning another thing.
  public enum Departure: Sendable {
    /// It is not in tag 18.
    case untagged
    /// Its chain is in the unprotected header.
    case unprotectedChain
    /// Its dates have fractional seconds.
    case fractionalSeconds
  }

  /// A token that says something.
  public init(_ claims: StatusTokenClaims) {
    self.claims = claims
    type = claims.content.kind.mediaType
  }

  /// Signs the token with ES256: a COSE_Sign1 in tag 18 with algorithm, type and chain in the protected header
  /// (ISO/IEC 18013-5 second edition draft, 12.3.6), but for its departures.
  ///
  /// - Parameters:
  ///   - chain: DER of the signer's certificate and of those between it and the root, leaf first.
  /// - Throws: what the signer throws.
  public func signed(by signer: some ES256Signer, chain: [[UInt8]]) throws -> [UInt8] {
    let hasProtectedChain = !chain.isEmpty && !departures.contains(.unprotectedChain)
    let protected = CBORWriter.encode(capacity: 1024) { writer in
      writer.map(hasProtectedChain ? 3 : 2)
      writer.integer(StatusTokenLabel.algorithm)
      writer.integer(COSEAlgorithm.es256.rawValue)
      writer.integer(StatusTokenLabel.type)
      writer.text(type)
      if hasProtectedChain { Self.write(chain, to: &writer) }
    }
    let unprotected = CBORWriter.encode(capacity: 1024) { writer in
      let hasChain = !chain.isEmpty && !hasProtectedChain
      writer.map(hasChain ? 1 : 0)
      if hasChain { Self.write(chain, to: &writer) }
    }
    let payload = claims.encoded(
      leavingOut: leavesOutExpiry ? StatusTokenLabel.expires : nil,
      hasFractions: departures.contains(.fractionalSeconds))
    let token = try COSESign1.signTagged(
      payload: payload, protectedHeader: protected, unprotectedHeader: unprotected, with: signer)
    // The head of the tag is one byte.
    return departures.contains(.untagged) ? Array(token.dropFirst()) : token
  }

  private static func write(_ chain: [[UInt8]], to writer: inout CBORWriter) {
    writer.integer(StatusTokenLabel.x5chain)
    if chain.count > 1 { writer.array(chain.count) }
    for certificate in chain { writer.byteString(certificate) }
  }
}
