import CBOR
import COSE
import Certificates
import JOSE
import JSON
import X509

/// The labels of a status token: COSE headers and CWT claims (RFC 9596, RFC 8392, Token Status List draft, 5.2).
package enum StatusTokenLabel {
  static let type = 16
  static let subject = 2
  static let expires = 4
  static let issuedAt = 6
  package static let status = 65_535
  package static let timeToLive = 65_534
  package static let statusList = 65_533
  package static let identifierList = 65_530
}

/// The two forms of a status token (Token Status List draft, 5).
public enum StatusTokenForm: Sendable {
  /// A CWT in COSE_Sign1, for documents of ISO/IEC 18013-5.
  case cwt
  /// A JWT, which SD-JWT verifiable credentials require (SD-JWT VC, 2.2.2.2).
  case jwt
}

/// A received token with a status list or an identifier list: a CWT in COSE_Sign1, or a JWT. It is untrusted, and its claims
/// are read only after its signature is verified.
public struct UnverifiedStatusToken: Sendable {
  /// The signer's certificate chain, leaf first. Empty if the token has none.
  let chain: [Certificate]
  /// The header `type`, or nil if it is missing or a number.
  let type: String?
  /// Human-readable descriptions of deviations from the standard's form.
  let deviations: [String]
  private let signature: Signature

  private enum Signature {
    case cose(COSESign1)
    case jose(JWS)
  }

  /// Reads a token within ``StatusLimits``.
  /// - Throws: `CBORError`, `COSEError`, `JOSEError` or `CertificateRuleError`.
  public init(_ bytes: [UInt8], form: StatusTokenForm = .cwt) throws {
    guard bytes.count <= StatusLimits.tokenLength else {
      throw CBORError(
        .tooLarge, at: StatusLimits.tokenLength,
        "the token has \(bytes.count) bytes, more than \(StatusLimits.tokenLength)")
    }
    guard form == .cwt else {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw JOSEError(.encoding, "the token is not text")
      }
      let jws = try JWS(compact: text)
      chain = try CertificateChain.read(jws.header.x5c ?? [])
      type = jws.header.type
      deviations = []
      signature = .jose(jws)
      return
    }
    let item = try CBORReader.read(bytes, leniency: .received)
    let signature = try COSESign1(item)
    chain = try CertificateChain.read(signature.headers.x5chain ?? [])
    let header = signature.headers.protectedBytes
    let type = header.isEmpty ? nil : try CBORReader.read(header, leniency: .received).map()[StatusTokenLabel.type]
    self.type = type?.kind == .text ? try type?.text() : nil
    deviations = Self.deviations(of: signature, item)
    self.signature = .cose(signature)
  }

  /// Returns the deviations of a token. Unlike in other signatures, the tag and a protected chain are required.
  private static func deviations(of signature: COSESign1, _ item: CBORItem) -> [String] {
    var found: [String] = []
    if !signature.deviations.contains(.tagged) { found.append("the token is not in tag \(COSESign1.tag)") }
    if signature.headers.x5chain != nil, !signature.deviations.contains(.chainInProtectedHeader) {
      found.append("the certificate chain is not in the protected header")
    }
    found += signature.deviations.filter { $0 != .tagged && $0 != .chainInProtectedHeader }.map(\.rawValue)
    return found + Set(item.deviations.map(\.code.rawValue)).sorted()
  }

  /// Verifies the signature with the key of the first certificate.
  /// - Throws: ``COSEError``, with code `cose.key` if the token does not have a certificate; `JOSEError` for a JWT.
  func verified() throws -> VerifiedStatusToken {
    guard let leaf = chain.first else { throw COSEError(.key, "the token has no certificate") }
    return try verified(with: try leaf.verificationKey())
  }

  /// Verifies the signature with a key that was found by other means.
  func verified(with key: VerificationKey) throws -> VerifiedStatusToken {
    switch signature {
    case .cose(let message): VerifiedStatusToken(payload: try message.verify(with: key), form: .cwt)
    case .jose(let jws): VerifiedStatusToken(payload: try jws.verify(with: key).payload, form: .jwt)
    }
  }
}

/// A token with a verified signature. Trust in its signer is checked separately. Only ``UnverifiedStatusToken`` creates
/// one.
struct VerifiedStatusToken: Sendable {
  private let payload: [UInt8]
  private let form: StatusTokenForm

  fileprivate init(payload: [UInt8], form: StatusTokenForm) {
    self.payload = payload
    self.form = form
  }

  /// Reads the claims of the token.
  /// - Parameter kind: The expected kind of list.
  /// - Throws: `CBORError` or `JOSEError`, or ``InflateError`` if the list cannot be inflated.
  func claims(_ kind: StatusListKind) throws -> StatusTokenClaims {
    switch form {
    case .cwt: try StatusTokenClaims(payload, kind: kind)
    case .jwt: try StatusTokenClaims(jwt: payload)
    }
  }
}

/// A status token to be signed.
public struct StatusTokenDraft: Sendable {
  /// The claims.
  public var claims: StatusTokenClaims
  /// The header `type`, by default the media type of the list.
  public var type: String

  /// Creates a draft of a token.
  public init(_ claims: StatusTokenClaims) {
    self.claims = claims
    type = claims.content.kind.mediaType
  }

  /// Signs the token with ES256: a COSE_Sign1 in tag 18 with algorithm, type and chain in the protected header
  /// (ISO/IEC 18013-5 second edition draft, 12.3.6).
  ///
  /// - Parameters:
  ///   - chain: The DER of the signer certificate and the intermediate certificates, leaf first.
  /// - Throws: The signer's error.
  public func signed(by signer: some ES256Signer, chain: [[UInt8]]) throws -> [UInt8] {
    let protected = CBORWriter.encode(capacity: 1024) { writer in
      writer.map(chain.isEmpty ? 2 : 3)
      writer.member(COSEHeaderLabel.algorithm) { $0.integer(COSEAlgorithm.es256.rawValue) }
      writer.member(StatusTokenLabel.type) { $0.text(type) }
      if !chain.isEmpty { COSESign1.write(chain, to: &writer) }
    }
    return try COSESign1.signTagged(payload: claims.encoded(), protectedHeader: protected, with: signer)
  }

  /// Signs the token with ES256 as a JWT, which has status lists only (Token Status List draft, 5.1).
  ///
  /// - Parameters:
  ///   - chain: The DER of the signer certificate and the intermediate certificates, leaf first.
  /// - Returns: The compact serialization; nil for an identifier list.
  /// - Throws: The signer's error.
  public func signedJWT(by signer: some ES256Signer, chain: [[UInt8]]) throws -> String? {
    guard let payload = claims.json else { return nil }
    return try JWS.sign(payload.bytes, header: JOSEHeaderDraft(type: StatusListKind.jwtType, x5c: chain), with: signer)
  }
}
