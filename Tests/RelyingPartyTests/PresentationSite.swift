import COSE
import Certificates
import Checks
import Crypto
import DocumentFixtures
import JOSE
import JSON
import MobileDocument
import Primitives
import RelyingParty
import SDJWT
import TestSupport
import Testing
import WebPresentment

@testable import OpenID4VP

/// A site that asks in both protocols, and a wallet with an mdoc and an SD-JWT credential that answers with OpenID4VP.
struct PresentationSite {
  static let origin = "https://spaceport.example"
  static let type = "https://spaceport.example/id"

  let port: Spaceport
  let holderKey: P256.Signing.PrivateKey
  let mdoc: HeldDocument
  let credential: HeldSDJWT
  let annexC: AnnexCSession
  var asked: OpenID4VPSession
  var context: VerificationContext

  init(
    _ kind: OpenID4VPProtocol = .unsigned, isEncrypted: Bool = true, multiple: Bool = false,
    identifiedBy prefix: ClientIdentifier.Prefix = .hash, name: String = #""Kelly""#
  ) throws {
    port = try Spaceport.shared
    holderKey = try fixedKey(70)
    mdoc = try port.held()
    let claims = #"{"name":\#(name),"address":{"locality":"Pad 9","street":"Ring"},"places":["here","there"]}"#
    var draft = SDJWTDraft(
      type: Self.type, holderKey: COSEKey(holderKey.publicKey),
      claims: JSONValue(try JSONReader.item(Array(claims.utf8))),
      disclosable: [
        ClaimsPath([.member("name")]), ClaimsPath([.member("address"), .member("locality")]),
        ClaimsPath([.member("address"), .member("street")]), ClaimsPath([.member("places"), .all]),
      ].compactMap(\.self))
    draft.decoys = 1
    var generator = SeededGenerator(seed: 21)
    credential = try HeldSDJWT(
      issued: draft.issued(by: port.signerKey, chain: [port.signer.derEncoded()]) { generator.bytes($0) },
      holderKey: COSEKey(holderKey.publicKey))
    annexC = AnnexCSession(
      asking: DeviceRequestDraft(documents: [Spaceport.request(["age_over_21"])]),
      recipientKey: try fixedAgreementKey(),
      nonce: [UInt8](repeating: 9, count: AnnexCSession.nonceLength))
    asked = OpenID4VPSession(
      kind, asking: try Self.query(multiple: multiple),
      nonce: [UInt8](repeating: 4, count: OpenID4VPSession.nonceLength),
      recipientKey: isEncrypted ? try fixedAgreementKey(6) : nil,
      signedBy: kind == .unsigned ? [] : [try Self.signer(port, prefix)], at: port.now)
    context = VerificationContext(
      trustedIssuers: TrustedCertificates([try port.issuer.root], for: .documentSigner))
  }

  static func signer(
    _ port: Spaceport, _ prefix: ClientIdentifier.Prefix
  ) throws -> PresentationRequestDraft.Signer {
    let reader = DeviceRequestDraft.Reader(signer: port.readerKey, chain: [try port.reader.derEncoded()])
    return try #require(PresentationRequestDraft.Signer(reader, identifiedBy: prefix))
  }

  static func query(multiple: Bool = false) throws -> DCQLQuery {
    func path(_ parts: ClaimsPath.Component...) throws -> ClaimsPath { try #require(ClaimsPath(parts)) }
    return try DCQLQuery([
      CredentialQuery(
        id: "mdoc", format: .mdoc, types: [Spaceport.documentType],
        claims: [
          ClaimsQuery(try path(.member(Spaceport.nameSpace), .member("age_over_21")), values: [.boolean(true)])
        ], allowsMultiple: multiple),
      CredentialQuery(
        id: "sd-jwt", format: .sdJWT, types: [type],
        claims: [
          ClaimsQuery(try path(.member("name"))), ClaimsQuery(try path(.member("address"), .member("locality"))),
        ]),
    ])
  }

  var session: VerifierSession { session(of: [.annexC(annexC), .openID4VP(asked)]) }

  func session(of requests: [SessionRequest], identifier: String = "7") -> VerifierSession {
    VerifierSession(
      identifier: identifier, origin: Self.origin, requests: requests, expires: port.now.adding(seconds: 600))
  }

  /// How the wallet answers.
  struct Answering {
    var origin = PresentationSite.origin
    var nonce: String?
    var audience: String?
    var transcript: SessionTranscript?
    var issuedAt: DateTime?
    /// The disclosures of the SD-JWT; nil for those of the query.
    var disclosing: Set<Int>?
    var isPlain = false
    var key: JWK?
    var change: (inout [PresentationToken.Answer]) -> Void = { _ in }
  }

  func token(_ how: Answering = Answering()) throws -> PresentationToken {
    let nonce = how.nonce ?? asked.nonce
    let transcript =
      how.transcript
      ?? OpenID4VPHandover.sessionTranscript(
        origin: how.origin, nonce: nonce, thumbprint: asked.encryption?.key.thumbprint)
    let binding = HeldSDJWT.KeyBinding(
      audience: how.audience ?? ClientIdentifier.audience(of: how.origin), nonce: nonce,
      issuedAt: how.issuedAt ?? port.now)
    var answers = try asked.query.credentials.map { query in
      let text: String
      if query.format == .mdoc {
        text = try mdoc.presentation(
          of: query.match(DCQLCredential(mdoc)), over: transcript, signedWith: port.deviceKey)
      } else if let disclosing = how.disclosing {
        text = try credential.presented(disclosing: disclosing, binding: binding, signedWith: holderKey)
      } else {
        text = try credential.presentation(
          of: query.match(DCQLCredential(credential)), binding: binding, signedWith: holderKey)
      }
      return PresentationToken.Answer(id: query.id, presentations: [text])
    }
    how.change(&answers)
    return PresentationToken(answers)
  }

  func answer(_ how: Answering = Answering(), protocol identifier: String? = nil) throws -> SubmittedAnswer {
    let token = try token(how)
    let data =
      if let encryption = asked.encryption, !how.isPlain {
        try PresentationResponse.encrypted(
          token, to: how.key ?? encryption.key, encryption: .a256GCM, ephemeralKey: fixedAgreementKey(7),
          initializationVector: [UInt8](repeating: 8, count: 12))
      } else {
        PresentationResponse.plain(token)
      }
    return SubmittedAnswer(protocol: identifier ?? asked.kind.rawValue, data: data)
  }

  func verdict(
    on answer: SubmittedAnswer, to session: VerifierSession? = nil, others: [VerifierSession] = []
  ) async -> VerificationVerdict {
    await context.verdict(
      on: answer, to: session ?? self.session, explaining: ExchangeContext(otherSessions: { others }),
      now: { port.now }, markUsed: { _ in true }, fetch: { _ in .unreachable("not asked") })
  }
}
