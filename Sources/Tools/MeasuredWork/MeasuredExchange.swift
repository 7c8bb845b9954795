import COSE
import Certificates
import Crypto
import Foundation
import IdentityDocumentServices
import JOSE
import JSON
import MobileDocument
import OpenID4VP
import Primitives
import RelyingParty
import SDJWT
import SimulationKernel
import Synchronization
import WebPresentment
import X509

/// An exchange between a website and an app, in one of the protocols, and the work of each party on it: a signed request for
/// six elements, and the encrypted answer.
package struct MeasuredExchange {
  /// The protocol, and the format of the answer.
  package enum Form: CaseIterable, Sendable {
    case annexC, openID4VP, openID4VPWithSDJWT

    /// The name in figures.
    package var name: String {
      switch self {
      case .annexC: "annex C"
      case .openID4VP: "OpenID4VP"
      case .openID4VPWithSDJWT: "OpenID4VP with an SD-JWT"
      }
    }
  }

  private let form: Form
  private let document: MeasuredDocument
  private let credential: HeldSDJWT
  private let reader: DeviceRequestDraft.Reader
  private let responder: MobileDocumentResponder
  private let session: SessionRequest
  private let context: VerificationContext
  private let memory = Memory()

  /// The part of a verifier server that stays between two verifications.
  private final class Memory: Sendable { let signers = Mutex(CertificateMemory()) }

  private static let origin = "https://bench.example"
  private static let type = "urn:example:bench:1"

  /// Prepares the parties of an exchange on a document.
  package init(_ form: Form, on document: MeasuredDocument) throws {
    self.form = form
    self.document = document
    var keys = Entropy(seed: 4).stream("measured")
    let (readerKey, rootKey) = (
      try DeterministicSigningKey(seededBy: { keys.bytes(32) }),
      try DeterministicSigningKey(seededBy: { keys.bytes(32) })
    )
    let moment = document.moment
    let terms = CertificateAuthority.Terms(
      from: moment.adding(days: -1), until: moment.adding(days: 300), serialNumber: keys.bytes(16))
    let name = CertificateName(organization: "Bench", commonName: "bench.example")
    let authority = try CertificateAuthority(name: name, contact: Self.origin, terms: terms, signer: rootKey)
    let leaf = try authority.reader(
      name: name, domain: "bench.example", brand: nil, publicKey: Certificate.PublicKey(readerKey.publicKey),
      terms: terms
    )
    reader = DeviceRequestDraft.Reader(signer: readerKey, chain: [try leaf.derEncoded()])
    responder = MobileDocumentResponder(trustedReaders: TrustedCertificates([try authority.root], for: .reader))
    context = VerificationContext(trustedIssuers: TrustedCertificates([document.root], for: .documentSigner))
    let elements = document.request.nameSpaces.flatMap(\.elements).map(\.identifier)
    let holderKey = COSEKey(document.deviceKey.publicKey)
    var draft = SDJWTDraft(
      type: Self.type, holderKey: holderKey,
      claims: JSONValue(members: MeasuredDocument.names.map { ($0, .string("A value of \($0)")) }),
      disclosable: MeasuredDocument.names.compactMap { ClaimsPath([.member($0)]) })
    draft.validUntil = moment.adding(days: 300)
    credential = try HeldSDJWT(
      issued: try draft.issued(by: document.issuerKey, chain: document.chain) { keys.bytes($0) }, holderKey: holderKey)
    switch form {
    case .annexC:
      session = .annexC(
        AnnexCSession(
          asking: DeviceRequestDraft(documents: [document.request]), recipientKey: document.recipientKey,
          nonce: keys.bytes(AnnexCSession.nonceLength)))
    case .openID4VP, .openID4VPWithSDJWT:
      let asked =
        form == .openID4VP
        ? document.request
        : ItemsRequest(
          documentType: CredentialFormat.registeredType(Self.type, formatName: CredentialFormat.sdJWT.rawValue),
          nameSpaces: [
            ItemsRequest.NameSpace(
              CredentialFormat.claimsNameSpace,
              elements.filter { $0 != "portrait" }.map { ItemsRequest.Element($0, intentToRetain: false) })
          ])
      session = .openID4VP(
        OpenID4VPSession(
          .signed, asking: try DCQLQuery(asking: [asked]), nonce: keys.bytes(OpenID4VPSession.nonceLength),
          recipientKey: document.recipientKey, signedBy: [], at: moment))
    }
  }

  /// Signs and writes the request.
  /// - Returns: The `data` of the page's request.
  package func writeRequest() throws -> [UInt8] {
    switch session {
    case .annexC(let session):
      return try session.data(
        asking: DeviceRequestDraft(documents: [document.request]), signedBy: [reader], origin: Self.origin
      ).json
    case .openID4VP(let session):
      guard let signer = PresentationRequestDraft.Signer(reader) else {
        throw MeasuredWorkError("the reader has no client identifier")
      }
      return try session.data(origin: Self.origin, signedBy: [signer])
    }
  }

  /// Reads the request as an app does after the person agreed: every signature, and the path to a trusted authority.
  package func readRequest(_ data: [UInt8]) throws {
    let (responder, session, moment) = (responder, session, document.moment)
    try MeasuredDocument.run {
      do throws(ProviderRefusal) {
        switch session {
        case .annexC:
          _ = try await responder.validateRawRequest(
            IdentityDocumentWebPresentmentRawRequest(requestType: .iso18013MobileDocument, requestData: Data(data)),
            origin: URL(string: Self.origin), at: moment.date)
        case .openID4VP(let session):
          _ = try await responder.validateRawRequest(
            IdentityDocumentWebPresentmentRawRequest(requestType: .openID4VP(session.kind), requestData: Data(data)),
            openID4VP: session.kind, origin: URL(string: Self.origin), at: moment.date)
        }
        return nil
      } catch {
        return error.name
      }
    }
  }

  /// Signs the presentation as the holder's app does, and encrypts the answer.
  package func answer() throws -> SubmittedAnswer {
    switch session {
    case .annexC(let session):
      let transcript = session.sessionTranscript(origin: Self.origin)
      let held = document.held
      let response = DeviceResponseWriter.encoded(documents: [
        try held.presented(
          held.answer(to: document.request).nameSpaces, over: transcript, signedWith: document.deviceKey)
      ])
      let sealed = try EncryptedResponse(
        sealing: response, to: document.recipientKey.publicKey, transcript: transcript,
        ephemeralKey: document.ephemeralKey)
      return SubmittedAnswer(
        protocol: RequestData.protocolIdentifier,
        data: JSONValue(members: [("response", .string(Base64URL.encode(sealed.encoded)))]).bytes)
    case .openID4VP(let session):
      guard let encryption = session.encryption, let query = session.query.credentials.first else {
        throw MeasuredWorkError("the answer is not encrypted")
      }
      let token = PresentationToken([
        PresentationToken.Answer(id: query.id, presentations: [try presentation(answering: query, of: session)])
      ])
      return SubmittedAnswer(
        protocol: session.kind.rawValue,
        data: try PresentationResponse.encrypted(
          token, to: encryption.key, encryption: .a256GCM, ephemeralKey: document.ephemeralKey,
          initializationVector: [UInt8](repeating: 1, count: JWE.vectorLength)))
    }
  }

  private func presentation(answering query: CredentialQuery, of session: OpenID4VPSession) throws -> String {
    guard form == .openID4VPWithSDJWT else {
      return try document.held.presentation(
        of: query.match(DCQLCredential(document.held)), over: session.sessionTranscript(origin: Self.origin),
        signedWith: document.deviceKey)
    }
    return try credential.presentation(
      of: query.match(DCQLCredential(credential)),
      binding: HeldSDJWT.KeyBinding(
        audience: ClientIdentifier.audience(of: Self.origin), nonce: session.nonce, issuedAt: document.moment),
      signedWith: document.deviceKey)
  }

  /// An answer with OpenID4VP and what another implementation needs to verify it, as files.
  package func files() throws -> [(name: String, bytes: [UInt8])] {
    guard case .openID4VP(let session) = session else { return [] }
    let expected = JSONValue(members: [
      ("nonce", .string(session.nonce)), ("audience", .string(ClientIdentifier.audience(of: Self.origin))),
    ])
    let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: document.recipientKey.rawRepresentation)
    return [
      ("openid4vp-answer.json", try answer().data), ("openid4vp-expected.json", expected.bytes),
      ("recipient.pem", Array(key.pemRepresentation.utf8)),
    ]
  }

  /// Decrypts and verifies the answer with every check, as a server that has verified one of the same issuer before.
  package func verify(_ answer: SubmittedAnswer) throws {
    let (context, memory, moment) = (context, memory, document.moment)
    let session = VerifierSession(
      identifier: "bench", origin: Self.origin, requests: [session], expires: moment.adding(days: 1))
    try MeasuredDocument.run {
      var machine = VerificationMachine(
        of: .exchange(session), in: context, certificates: memory.signers.withLock { $0 })
      let verdict = await machine.run(.submitted(answer), now: { moment }, markUsed: { _ in true }) { _ in
        .unreachable("the document names no list")
      }
      let known = machine.certificates
      memory.signers.withLock { $0 = known }
      return verdict.failure?.name
    }
  }
}
