import COSE
import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DocumentFixtures
import JOSE
import JSON
import MobileDocument
import Primitives
import SDJWT
import TestSupport
import Testing
import X509

@testable import OpenID4VP

/// From the verifier's query to the verified claims, in each kind of request and both modes of response.
@Suite("An exchange with OpenID4VP", .crossChecked)
struct ExchangeTests {
  private static let origin = "https://verifier.example"
  private static let type = "https://spaceport.example/id"
  private static let nonce = "n-0123456789abcdef"
  private let port: Spaceport
  private let holderKey: P256.Signing.PrivateKey
  private let mdoc: HeldDocument
  private let credential: HeldSDJWT

  init() throws {
    port = try Spaceport.shared
    holderKey = try fixedKey(70)
    mdoc = try port.held()
    var draft = SDJWTDraft(
      type: Self.type, holderKey: COSEKey(holderKey.publicKey),
      claims: JSONValue(try json(#"{"name":"Kelly","places":["here","there"]}"#)),
      disclosable: [ClaimsPath([.member("name")]), ClaimsPath([.member("places"), .all])].compactMap(\.self))
    draft.decoys = 2
    var generator = SeededGenerator(seed: 21)
    credential = try HeldSDJWT(
      issued: draft.issued(by: port.signerKey, chain: [port.signer.derEncoded()]) { generator.bytes($0) },
      holderKey: COSEKey(holderKey.publicKey))
  }

  private func query() throws -> DCQLQuery {
    func path(_ parts: ClaimsPath.Component...) throws -> ClaimsPath { try #require(ClaimsPath(parts)) }
    let authority = TrustedAuthority(
      keyIdentifiers: [try port.issuer.root.subjectKeyIdentifier].compactMap(\.self))
    return try DCQLQuery([
      CredentialQuery(
        id: "mdoc", format: .mdoc, types: [Spaceport.documentType],
        claims: [
          ClaimsQuery(try path(.member(Spaceport.nameSpace), .member("age_over_21")), values: [.boolean(true)])
        ], trustedAuthorities: [authority]),
      CredentialQuery(
        id: "sd-jwt", format: .sdJWT, types: [Self.type],
        claims: [ClaimsQuery(try path(.member("name"))), ClaimsQuery(try path(.member("places"), .index(1)))],
        trustedAuthorities: [authority]),
    ])
  }

  private func encryption() throws -> ExpectedPresentations.Encryption {
    let key = try fixedAgreementKey(6)
    return .init(
      privateKey: key, key: JWK(COSEKey(key.publicKey), keyID: "s-1", use: "enc", algorithm: JWE.algorithm),
      encryptions: JWEEncryption.allCases)
  }

  /// What a wallet answers to an authenticated request.
  private func answer(
    to request: AuthenticatedPresentationRequest, from origin: String? = nil, changing nonce: String? = nil
  ) throws -> [UInt8] {
    let parameters = request.parameters
    let choice = parameters.responseMode == .encrypted ? parameters.metadata?.encryption() : nil
    let origin = origin ?? request.origin
    let nonce = nonce ?? parameters.nonce
    let transcript = OpenID4VPHandover.sessionTranscript(
      origin: origin, nonce: nonce, thumbprint: choice?.key.thumbprint)
    let binding = HeldSDJWT.KeyBinding(
      audience: ClientIdentifier.audience(of: origin), nonce: nonce, issuedAt: port.now)
    let answers = try parameters.query.credentials.map { query in
      let text =
        query.format == .mdoc
        ? try mdoc.presentation(
          of: query.match(DCQLCredential(mdoc)), over: transcript, signedWith: port.deviceKey)
        : try credential.presentation(
          of: query.match(DCQLCredential(credential)), binding: binding, signedWith: holderKey)
      return PresentationToken.Answer(id: query.id, presentations: [text])
    }
    guard let choice else { return PresentationResponse.plain(PresentationToken(answers)) }
    return try PresentationResponse.encrypted(
      PresentationToken(answers), to: choice.key, encryption: choice.encryption,
      ephemeralKey: fixedAgreementKey(7),
      initializationVector: [UInt8](repeating: 8, count: 12))
  }

  /// Verifies an answer and returns the names of the checks that refuse each presentation; nil for a verified one that
  /// answers its query without surplus.
  private func verify(_ data: [UInt8], expecting expected: ExpectedPresentations) async throws -> [String?] {
    guard case .token(let token) = try PresentationResponse(data: data, expecting: expected) else {
      throw MissingMember(description: "no token")
    }
    let trusted = TrustedCertificates([try port.issuer.root], for: .documentSigner)
    let transcript = OpenID4VPHandover.sessionTranscript(
      origin: Self.origin, nonce: Self.nonce, thumbprint: expected.thumbprint)
    var refused: [String?] = []
    for answer in token.answers {
      let query = try #require(expected.query.credential(answer.id))
      let verified: DCQLCredential
      if query.format == .mdoc {
        let bytes = try #require(Base64URL.decode(answer.presentations[0]))
        let report = await DeviceResponseVerifier(trustedIssuers: trusted).verify(
          bytes, over: transcript, requests: nil, at: port.now)
        guard let document = report.verified?.documents.first else {
          refused.append(report.failure?.check)
          continue
        }
        verified = DCQLCredential(document)
      } else {
        let binding = ExpectedKeyBinding(
          audience: ClientIdentifier.audience(of: Self.origin), nonce: Self.nonce, earliest: port.now)
        let report = await SDJWTVerifier(trustedIssuers: trusted).verify(
          answer.presentations[0], types: query.types, binding: binding, at: port.now)
        guard let found = report.verified else {
          refused.append(report.failure?.check)
          continue
        }
        verified = DCQLCredential(found)
      }
      _ = try query.match(verified, .asPresented)
      #expect(query.surplus(in: verified) == [])
      refused.append(nil)
    }
    return refused
  }

  private func authenticated(
    _ kind: OpenID4VPProtocol, isEncrypted: Bool
  ) async throws -> AuthenticatedPresentationRequest {
    let draft = PresentationRequestDraft(
      try query(), nonce: Self.nonce, expectedOrigins: [Self.origin],
      encryptionKey: isEncrypted ? try encryption().key : nil)
    let der = try port.reader.derEncoded()
    let signer = PresentationRequestDraft.Signer(
      clientID: ClientIdentifier(.hash, Base64URL.encode(SHA256.hash(data: der).bytes)), chain: [der],
      key: port.readerKey)
    let data =
      switch kind {
      case .unsigned: draft.unsigned
      case .signed: try draft.signed(by: signer)
      case .multisigned: try draft.signed(byEach: [signer, signer])
      }
    let report = await RequestAuthenticator(
      trustedReaders: TrustedCertificates([try port.readers.root], for: .reader)
    ).authenticate(protocol: kind.rawValue, data: data, origin: Self.origin, at: port.now)
    #expect(report.failure == nil)
    return try #require(report.request)
  }

  @Test("a credential is issued from its claims alone")
  func issuable() throws {
    let validity = MobileSecurityObject.Validity(
      signed: port.now, validFrom: port.now, validUntil: port.now.adding(days: 1))
    for (nameSpace, isIssued) in [("claims", true), ("org.iso.23220.1", false)] {
      let draft = DocumentDraft(
        documentType: "dc+sd-jwt urn:example:card",
        nameSpaces: [.init(nameSpace, [.init("given_name", .text("Kelly"))])],
        deviceKey: COSEKey(holderKey.publicKey), validity: validity)
      let found = Result { () throws(SDJWTError) in try IssuableCredential(draft) }
      #expect(((try? found.get()) != nil) == isIssued, "\(nameSpace)")
    }
  }

  @Test(
    "both formats verify in each kind of request and both modes", arguments: OpenID4VPProtocol.allCases, [true, false])
  func verifies(kind: OpenID4VPProtocol, isEncrypted: Bool) async throws {
    let request = try await authenticated(kind, isEncrypted: isEncrypted)
    let expected = ExpectedPresentations(query: try query(), encryption: isEncrypted ? try encryption() : nil)
    #expect(try await verify(answer(to: request), expecting: expected) == [nil, nil])
  }

  @Test("an answer for another origin or nonce is refused in both formats")
  func otherSession() async throws {
    let request = try await authenticated(.unsigned, isEncrypted: true)
    let expected = ExpectedPresentations(query: try query(), encryption: try encryption())
    #expect(
      try await verify(answer(to: request, from: Self.origin + "/"), expecting: expected)
        == [ResponseCheck.deviceSignature.id, SDJWTCheck.bindingAudience.id])
    #expect(
      try await verify(answer(to: request, changing: "other"), expecting: expected)
        == [ResponseCheck.deviceSignature.id, SDJWTCheck.bindingNonce.id])
  }

  @Test("an answer that was encrypted again to another key is visible in the mdoc alone")
  func encryptedAgain() async throws {
    let request = try await authenticated(.unsigned, isEncrypted: false)
    guard
      case .token(let token) = try PresentationResponse(
        data: answer(to: request), expecting: ExpectedPresentations(query: query()))
    else { throw MissingMember(description: "no token") }
    let data = try PresentationResponse.encrypted(
      token, to: encryption().key, encryption: .a256GCM,
      ephemeralKey: fixedAgreementKey(9),
      initializationVector: [UInt8](repeating: 1, count: 12))
    let expected = ExpectedPresentations(query: try query(), encryption: try encryption())
    #expect(try await verify(data, expecting: expected) == [ResponseCheck.deviceSignature.id, nil])
  }

  @Test("claims beyond the query are reported")
  func surplus() async throws {
    let query = try query().credentials[1]
    let all = try credential.presented(
      disclosing: [0, 1, 2],
      binding: .init(audience: ClientIdentifier.audience(of: Self.origin), nonce: Self.nonce, issuedAt: port.now),
      signedWith: holderKey)
    let report = await SDJWTVerifier(
      trustedIssuers: TrustedCertificates([try port.issuer.root], for: .documentSigner)
    ).verify(
      all, binding: ExpectedKeyBinding(audience: ClientIdentifier.audience(of: Self.origin), nonce: Self.nonce),
      at: port.now)
    #expect(query.surplus(in: DCQLCredential(try #require(report.verified))) == ["places[0]"])
    let elements = DCQLCredential(mdoc)
    #expect(try self.query().credentials[0].surplus(in: elements).contains("org.example level"))
  }
}
