import CBOR
import COSE
import Certificates
import Crypto
import DevicePlatform
import JOSE
import JSON
import MobileDocument
import Primitives
import SimulationKernel
import Synchronization
import Vocabulary
import WebPresentment
import X509

/// A document of twelve elements with everything around it, and the work of each party on it.
package struct MeasuredDocument {
  let issuerKey: DeterministicSigningKey
  let deviceKey: DeterministicSigningKey
  let root: Certificate
  let chain: [[UInt8]]
  private let draft: DocumentDraft
  let held: HeldDocument
  let request: ItemsRequest
  private let transcript: SessionTranscript
  /// The response that presents six elements of the document.
  package let response: [UInt8]
  let recipientKey: P256.KeyAgreement.PrivateKey
  let ephemeralKey: P256.KeyAgreement.PrivateKey
  let moment: DateTime
  private let server: Server

  /// The part of a verifier server that stays between two verifications.
  private final class Server: Sendable {
    let verifier: DeviceResponseVerifier
    let signers = Mutex(CertificateMemory())

    init(trusting root: Certificate) { verifier = DeviceResponseVerifier(trustedIssuers: [root]) }
  }

  private static let nameSpace = "org.iso.18013.5.1"
  static let names = [
    "family_name", "given_name", "issuing_authority", "document_number", "administrative_number", "birth_place",
    "resident_address", "resident_street", "resident_city", "resident_state", "resident_postal_code",
  ]

  /// - Parameter moment: The time of issuing and verifying; other implementations use the system's clock.
  package init(at moment: DateTime) throws {
    self.moment = moment
    var keys = Entropy(seed: 1).stream("measured")
    issuerKey = try DeterministicSigningKey(seededBy: { keys.bytes(32) })
    deviceKey = try DeterministicSigningKey(seededBy: { keys.bytes(32) })
    recipientKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: keys.bytes(32))
    ephemeralKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: keys.bytes(32))
    let rootKey = try DeterministicSigningKey(seededBy: { keys.bytes(32) })
    let terms = CertificateAuthority.Terms(
      from: moment.adding(days: -1), until: moment.adding(days: 400), serialNumber: keys.bytes(16))
    let name = CertificateName(country: "US", commonName: "Bench")
    let authority = try CertificateAuthority(
      name: name, contact: "https://issuer.example", terms: terms, signer: rootKey)
    root = try authority.root
    server = Server(trusting: root)
    chain = [
      try authority.documentSigner(
        name: name, publicKey: Certificate.PublicKey(issuerKey.publicKey), contact: "https://issuer.example",
        revocationList: "https://issuer.example/crl", terms: terms
      ).derEncoded()
    ]
    let portrait: [UInt8] = [0xff, 0xd8, 0xff] + keys.bytes(700)
    draft = DocumentDraft(
      documentType: DocumentType.drivingLicence,
      nameSpaces: [
        DocumentDraft.NameSpace(
          Self.nameSpace,
          Self.names.map { DocumentDraft.Element($0, .text("A value of \($0)")) }
            + [DocumentDraft.Element("portrait", .bytes(portrait))])
      ],
      deviceKey: COSEKey(deviceKey.publicKey),
      validity: MobileSecurityObject.Validity(
        signed: moment, validFrom: moment, validUntil: moment.adding(days: 300)))
    request = ItemsRequest(
      documentType: draft.documentType,
      nameSpaces: [
        ItemsRequest.NameSpace(
          Self.nameSpace,
          (Self.names.prefix(5) + ["portrait"]).map { ItemsRequest.Element($0, intentToRetain: false) })
      ])
    transcript = EncryptionInfo.sessionTranscript(encryptionInfoText: "bench", origin: "https://bench.example")
    var randomness = Entropy(seed: 2).stream("measured")
    let issued = try draft.issued(by: issuerKey, chain: chain, randomness: &randomness)
    held = try HeldDocument(issued: issued, deviceKey: COSEKey(deviceKey.publicKey))
    response = DeviceResponseWriter.encoded(documents: [
      try held.presented(held.answer(to: request).nameSpaces, over: transcript, signedWith: deviceKey)
    ])
  }

  /// Signs a message of one block with the issuer's key.
  package func sign() throws { let _: [UInt8] = try issuerKey.signature(for: Array("a message of one block".utf8)) }

  /// Reads the response as strict CBOR.
  package func readCBOR() throws { _ = try CBORReader.read(response) }

  /// Writes a call of the sandbox with the response in it as JSON.
  @discardableResult
  package func writeJSON() -> [UInt8] {
    JSONCoding.encode(ParseBody(origin: "https://bench.example", requestData: response))
  }

  /// Reads such a call.
  package func readJSON(_ json: [UInt8]) throws { _ = try JSONCoding.decode(ParseBody.self, from: json) }

  /// Issues the document.
  package func issue() throws {
    var randomness = Entropy(seed: 3).stream("issuing")
    _ = try draft.issued(by: issuerKey, chain: chain, randomness: &randomness)
  }

  /// Encrypts the response for the website's server.
  @discardableResult
  package func seal() throws -> EncryptedResponse {
    try EncryptedResponse(
      sealing: response, to: recipientKey.publicKey, transcript: transcript, ephemeralKey: ephemeralKey)
  }

  /// Decrypts the response.
  package func open(_ sealed: EncryptedResponse) throws {
    _ = try sealed.open(with: recipientKey, transcript: transcript)
  }

  /// Encrypts the response as JWE.
  @discardableResult
  package func sealJWE() throws -> String {
    try JWE.encrypt(
      response, to: JWK(COSEKey(recipientKey.publicKey)), encryption: .a256GCM, ephemeralKey: ephemeralKey,
      initializationVector: [UInt8](repeating: 1, count: JWE.vectorLength))
  }

  /// Decrypts such a text.
  package func openJWE(_ text: String) throws { _ = try JWE(compact: text).decrypt(with: recipientKey) }

  /// The document and its keys and certificates as files, for other implementations.
  /// - Throws: If a certificate cannot be written.
  package func files() throws -> [(name: String, bytes: [UInt8])] {
    let key = try P256.Signing.PrivateKey(rawRepresentation: issuerKey.rawRepresentation)
    let elements = CBORValue.textMap([
      ("docType", .text(draft.documentType)),
      (
        "nameSpaces",
        .textMap(draft.nameSpaces.map { ($0.name, .textMap($0.elements.map { ($0.identifier, $0.value) })) })
      ),
    ])
    return [
      ("response.cbor", response), ("transcript.cbor", transcript.encoded), ("elements.cbor", elements.encoded),
      ("root.pem", CertificateChain.pem([try root.derEncoded()])), ("signer.pem", CertificateChain.pem(chain)),
      ("signer-key.pem", Array(key.pemRepresentation.utf8)),
      ("device.pem", Array(deviceKey.publicKey.pemRepresentation.utf8)),
    ]
  }

  /// Verifies the response with every check, as a server that has verified a response of the same issuer before.
  package func verify() throws {
    let (server, response, transcript, request, moment) = (server, response, transcript, request, moment)
    try Self.run {
      var signers = server.signers.withLock { $0 }
      let report = await server.verifier.verify(
        response, over: transcript, requests: [request], at: moment, remembering: &signers)
      let known = signers
      server.signers.withLock { $0 = known }
      return report.failure?.name
    }
  }

  /// Reads the issuer's certificate and validates its path.
  package func validatePath() throws {
    let trusted = TrustedCertificates([root], for: .documentSigner)
    let (chain, moment) = (chain, moment)
    try Self.run {
      let read = (try? CertificateChain.read(chain)) ?? []
      if case .failure(let error) = await trusted.validate(read, at: moment) { return error.code.rawValue }
      return nil
    }
  }

  /// Runs a body on a scheduler of its own, as in a world, so that the call returns on this thread.
  /// - Throws: ``MeasuredWorkError`` with the failure that the body returns.
  static func run(_ body: @escaping @Sendable () async -> String?) throws {
    let scheduler = WorldScheduler(
      start: WorldClock.Instant(secondsSince1970: 0), choices: Entropy(seed: 0).stream("measured"))
    let failure = Mutex<String?>("not run")
    scheduler.spawn {
      let found = await body()
      failure.withLock { $0 = found }
    }
    _ = scheduler.drain()
    if let code = failure.withLock({ $0 }) { throw MeasuredWorkError("a measured check fails: \(code)") }
  }
}
