import COSE
import Certificates
import Checks
import Crypto
import DocumentFixtures
import JOSE
import JSON
import OpenID4VPVectors
import Primitives
import TestSupport
import X509

@testable import SDJWT

/// Reads JSON that a test wrote.
func json(_ text: String) throws -> JSONItem { try JSONReader.item(Array(text.utf8)) }

/// A path of names and indices; "*" stands for null.
func path(_ parts: Any...) throws -> ClaimsPath {
  let components = parts.map { part -> ClaimsPath.Component in
    if let index = part as? Int { return .index(index) }
    let name = "\(part)"
    return name == "*" ? .all : .member(name)
  }
  guard let path = ClaimsPath(components) else { throw MissingMember(description: "no path") }
  return path
}

/// An issuer, a holder and a credential for tests.
struct Bureau {
  static let type = "https://bureau.example/id"
  static let audience = "origin:https://verifier.example"
  let port: Spaceport
  let signerKey: P256.Signing.PrivateKey
  let signer: Certificate
  let holderKey: P256.Signing.PrivateKey

  init() throws {
    port = try Spaceport.shared
    signerKey = port.signerKey
    signer = port.signer
    holderKey = try fixedKey(50)
  }

  var trusted: TrustedCertificates {
    get throws { TrustedCertificates([try port.issuer.root], for: .documentSigner) }
  }

  func draft() throws -> SDJWTDraft {
    let claims = try json(
      #"{"given_name":"Kelly","address":{"street":"1 Main","country":"US"},"nationalities":["US","DE"],"age":{"18":true}}"#
    )
    var draft = SDJWTDraft(
      type: Self.type, holderKey: COSEKey(holderKey.publicKey), claims: JSONValue(claims),
      disclosable: [
        try path("given_name"), try path("address"), try path("address", "street"), try path("nationalities", "*"),
      ])
    draft.issuedAt = port.now.adding(days: -1)
    draft.validUntil = port.now.adding(days: 30)
    return draft
  }

  func issued(_ change: (inout SDJWTDraft) throws -> Void = { _ in }) throws -> String {
    var draft = try draft()
    try change(&draft)
    var generator = SeededGenerator(seed: 9)
    return try draft.issued(by: signerKey, chain: [signer.derEncoded()]) { generator.bytes($0) }
  }

  func held(_ change: (inout SDJWTDraft) throws -> Void = { _ in }) throws -> HeldSDJWT {
    try HeldSDJWT(issued: issued(change), holderKey: COSEKey(holderKey.publicKey))
  }

  var binding: HeldSDJWT.KeyBinding { .init(audience: Self.audience, nonce: "n-1", issuedAt: port.now) }

  func report(
    _ text: String, types: [String]? = [type], isBindingRequired: Bool = true, policy: VerificationPolicy = .standard,
    change: (inout ExpectedKeyBinding) -> Void = { _ in }
  ) async throws -> SDJWTReport {
    var expected = ExpectedKeyBinding(audience: Self.audience, nonce: "n-1", earliest: port.now)
    change(&expected)
    return await SDJWTVerifier(trustedIssuers: try trusted, policy: policy).verify(
      text, types: types, binding: expected, isBindingRequired: isBindingRequired, at: port.now)
  }
}
