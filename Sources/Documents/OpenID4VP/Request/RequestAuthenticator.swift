import COSE
import Certificates
import Checks
import Crypto
import JOSE
import JSON
import Primitives
import X509

/// A party whose attestations of verifiers are trusted (OpenID4VP, 12).
public struct VerifierAttester: Sendable {
  /// The value of `iss`.
  public let issuer: String
  /// The key that signs the attestations.
  public let key: JWK

  /// Creates an attester.
  public init(issuer: String, key: JWK) {
    self.issuer = issuer
    self.key = key
  }
}

/// A verifier that signed a request, authenticated by the rule of its client identifier.
public struct PresentationRequester: Sendable {
  /// The whole client identifier.
  public let clientID: ClientIdentifier
  /// The signer's certificates as sent; empty for a client without certificates.
  public let chain: [Certificate]
  /// The path to a trusted reader authority; nil for a client without certificates.
  public let path: ValidatedCertificatePath?
  /// The information about the verifier in this signature's header.
  public let verifierInfo: [VerifierInfo]
}

/// The signer of a request: its signature verifies with the key that its client identifier names. Whether the signer is
/// trusted is not judged yet.
package struct PresentationSigner: Sendable {
  /// The whole client identifier.
  package let clientID: ClientIdentifier
  /// The signer's certificates; empty for a client without certificates.
  package let chain: [Certificate]
  /// The same in DER as received.
  package let encodedChain: [[UInt8]]
  /// The information about the verifier in this signature's header.
  package let verifierInfo: [VerifierInfo]
}

/// A request whose signatures verify, and whose parameters are well-formed. Only ``RequestAuthenticator`` makes one.
package struct SignedPresentationRequest: Sendable {
  /// The protocol.
  package let kind: OpenID4VPProtocol
  /// The origin that the platform reports, which the response is bound to.
  package let origin: String
  /// The parameters.
  package let parameters: PresentationParameters
  /// The signers; empty for an unsigned request.
  package let signers: [PresentationSigner]
  /// The signatures of several that do not verify, although another one does, each with its reason.
  package let rejectedSigners: [PresentationRequestFailure]
}

/// A request whose signatures, if it has any, are verified, and whose parameters are well-formed. Only
/// ``RequestAuthenticator`` makes one.
public struct AuthenticatedPresentationRequest: Sendable {
  /// The protocol.
  public let kind: OpenID4VPProtocol
  /// The origin that the platform reports, which the response is bound to.
  public let origin: String
  /// The parameters.
  public let parameters: PresentationParameters
  /// The authenticated signers; empty for an unsigned request.
  public let requesters: [PresentationRequester]
}

/// Every check of a request and, if none failed, the authenticated request.
public struct RequestReport: Sendable {
  /// The checks in the order in which they are made.
  public let checks: [CheckResult]
  /// The request; nil when a check failed.
  public let request: AuthenticatedPresentationRequest?
  /// The first check that failed; nil for an authenticated request.
  public let failure: PresentationRequestFailure?
  /// The signatures of several that were not authenticated, although another one was, each with its reason.
  public let rejectedSigners: [PresentationRequestFailure]
}

/// Authenticates requests as a wallet does: one page, in the order of OpenID4VP, 5 and A.
public struct RequestAuthenticator: Sendable {
  /// Certificates of the reader authorities that are trusted.
  public var trustedReaders: TrustedCertificates
  /// The trusted attesters of verifiers.
  public var attesters: [VerifierAttester] = []
  /// The types of transactions that are understood; nil for every type, of a request of one's own.
  public var transactionTypes: [TransactionType]? = []
  /// True if each of several signatures must have a `typ`. A printed example lacks it (OpenID4VP, A.3.2.2).
  public var requiresTypeOfEverySignature = true
  /// True if several signatures may lack `expected_origins`, as multipaz's requests do.
  public var acceptsMissingOriginsOfSeveral = false

  /// False to read what a request asks without its signatures.
  private var verifies = true

  /// The value of `typ` of signed requests (RFC 9101, 10.8), compared exactly.
  public static let type = "oauth-authz-req+jwt"
  /// The value of `typ` of attestations (OpenID4VP, 12).
  public static let attestationType = "verifier-attestation+jwt"

  /// Creates an authenticator.
  /// - Parameter trustedReaders: Certificates trusted for ``CertificateProfile/reader``.
  public init(trustedReaders: TrustedCertificates) { self.trustedReaders = trustedReaders }

  /// Reads and authenticates a request.
  /// - Parameters:
  ///   - identifier: The protocol's identifier.
  ///   - data: The request, UTF-8 JSON.
  ///   - origin: The origin that the platform reports, never parsed.
  ///   - moment: The time for which certificates and attestations must be valid.
  public func authenticate(
    protocol identifier: String, data: [UInt8], origin: String, at moment: DateTime
  ) async -> RequestReport {
    let plan = PresentationRequestCheck.plan(for: OpenID4VPProtocol(identifier: identifier))
    do {
      let received = try UnverifiedPresentationRequest(protocol: identifier, data: data)
      let (request, rejected) = try await authenticate(received, origin: origin, at: moment)
      return RequestReport(
        checks: CheckRun(plan, stoppedBy: nil).results, request: request, failure: nil, rejectedSigners: rejected)
    } catch {
      return RequestReport(
        checks: CheckRun(plan, stoppedBy: error).results, request: nil, failure: error, rejectedSigners: [])
    }
  }

  private func authenticate(
    _ received: UnverifiedPresentationRequest, origin: String, at moment: DateTime
  ) async throws(PresentationRequestFailure) -> (AuthenticatedPresentationRequest, [PresentationRequestFailure]) {
    let signed = try verifySignatures(of: received, at: moment)
    var requesters: [PresentationRequester] = []
    var rejected = signed.rejectedSigners
    for signer in signed.signers {
      do throws(PresentationRequestFailure) { requesters.append(try await requester(signer, at: moment)) } catch {
        rejected.append(error)
      }
    }
    if requesters.isEmpty, let first = rejected.first { throw first }
    let request = try parse(signed, origin: origin, at: moment)
    return (
      AuthenticatedPresentationRequest(
        kind: received.kind, origin: origin, parameters: request.parameters, requesters: requesters), rejected
    )
  }

  /// Reads a request whose signatures verify, without a judgement of whom they are by: for a party that has neither a clock
  /// nor trusted authorities. A verifier attestation counts as not trusted.
  /// - Parameters:
  ///   - moment: The time for which the request must be valid; nil for a party without a clock.
  ///   - types: The types of transactions that are understood.
  /// - Throws: ``PresentationRequestFailure``.
  package static func read(
    protocol identifier: String, data: [UInt8], origin: String, at moment: DateTime? = nil,
    understanding types: [TransactionType] = []
  ) throws(PresentationRequestFailure) -> SignedPresentationRequest {
    var authenticator = RequestAuthenticator(trustedReaders: TrustedCertificates([], for: .reader))
    authenticator.transactionTypes = types
    let received = try UnverifiedPresentationRequest(protocol: identifier, data: data)
    return try authenticator.parse(authenticator.verifySignatures(of: received, at: nil), origin: origin, at: moment)
  }

  /// Reads a request whose signatures are not verified, to compare what it asks.
  /// - Parameter origin: The origin that a signed request must expect; nil for any.
  /// - Throws: ``PresentationRequestFailure``.
  package static func readUnverified(
    protocol identifier: String, data: [UInt8], origin: String? = nil, acceptingEveryTransaction: Bool = false
  ) throws(PresentationRequestFailure) -> SignedPresentationRequest {
    var authenticator = RequestAuthenticator(trustedReaders: TrustedCertificates([], for: .reader))
    authenticator.verifies = false
    if acceptingEveryTransaction { authenticator.transactionTypes = nil }
    let received = try UnverifiedPresentationRequest(protocol: identifier, data: data)
    return try authenticator.parse(authenticator.verifySignatures(of: received, at: nil), origin: origin, at: nil)
  }

  /// A request whose signatures verify, before its parameters are read.
  private struct Signed {
    let kind: OpenID4VPProtocol
    let payload: JSONItem
    let signers: [PresentationSigner]
    let rejectedSigners: [PresentationRequestFailure]
  }

  /// Verifies each signature with the key that its client identifier names.
  private func verifySignatures(
    of received: UnverifiedPresentationRequest, at moment: DateTime?
  ) throws(PresentationRequestFailure) -> Signed {
    switch received.content {
    case .unsigned(let json): return Signed(kind: received.kind, payload: json, signers: [], rejectedSigners: [])
    case .signed(let jws):
      try requireType(jws)
      let payload = try Self.object(jws.unverifiedPayload)
      let signer = try signer(jws, clientID: Self.clientID(in: payload), at: moment)
      return Signed(kind: received.kind, payload: payload, signers: [signer], rejectedSigners: [])
    case .multisigned(let object):
      let payload = try Self.object(object.unverifiedPayload)
      guard ((try? payload.has("client_id")) ?? true) == false else {
        throw PresentationRequestFailure(.clientID, .inPayload)
      }
      let (signers, rejected) = signers(object, at: moment)
      if signers.isEmpty, let first = rejected.first { throw first }
      return Signed(kind: received.kind, payload: payload, signers: signers, rejectedSigners: rejected)
    }
  }

  /// Reads the parameters of a request whose signatures verify, if it is for an origin and a time.
  private func parse(
    _ signed: Signed, origin: String?, at moment: DateTime?
  ) throws(PresentationRequestFailure) -> SignedPresentationRequest {
    if signed.kind != .unsigned {
      if verifies { try checkValidity(signed.payload, at: moment) }
      if let origin { try checkOrigin(signed.payload, kind: signed.kind, origin: origin) }
    }
    return SignedPresentationRequest(
      kind: signed.kind, origin: origin ?? "",
      parameters: try PresentationParameters(signed.payload, types: transactionTypes), signers: signed.signers,
      rejectedSigners: signed.rejectedSigners)
  }

  /// Verifies each of several signatures by itself: a broken one does not spoil a good one, and is reported.
  private func signers(
    _ object: JWSJSONSerialization, at moment: DateTime?
  ) -> ([PresentationSigner], [PresentationRequestFailure]) {
    var verified: [PresentationSigner] = []
    var rejected: [PresentationRequestFailure] = []
    for signature in object.signatures {
      do throws(PresentationRequestFailure) {
        let jws: JWS
        do throws(JOSEError) { jws = try signature.jws.get() } catch {
          throw PresentationRequestFailure(check(of: error), because: error.message, found: error.evidence)
        }
        if requiresTypeOfEverySignature || jws.header.type != nil { try requireType(jws) }
        verified.append(try signer(jws, clientID: Self.clientID(in: jws.header.json), at: moment))
      } catch {
        rejected.append(error)
      }
    }
    return (verified, rejected)
  }

  private func requireType(_ jws: JWS) throws(PresentationRequestFailure) {
    do { try jws.header.require(type: Self.type) } catch {
      throw PresentationRequestFailure(.headerType, because: error.message, found: error.evidence)
    }
  }

  private static func object(_ payload: [UInt8]) throws(PresentationRequestFailure) -> JSONItem {
    do { return try JOSEText.object(payload, name: "the payload") } catch {
      throw PresentationRequestFailure(.payload, because: error.message, found: error.evidence)
    }
  }

  private static func clientID(in json: JSONItem) throws(PresentationRequestFailure) -> ClientIdentifier {
    guard let text = try? json.member("client_id") as String, !text.isEmpty else {
      throw PresentationRequestFailure(.clientID, .missing)
    }
    return ClientIdentifier(text)
  }

  /// Finds the signer's key by the rule of the client identifier, and verifies the signature. A key in the header (`jwk`,
  /// `jku`, `x5u`) is never used.
  private func signer(
    _ jws: JWS, clientID: ClientIdentifier, at moment: DateTime?
  ) throws(PresentationRequestFailure) -> PresentationSigner {
    let found = [CheckResult.Evidence("client_id", found: TerminalSafe.text(String(clientID.text.prefix(256))))]
    var chain: [Certificate] = []
    let key: VerificationKey
    switch clientID.prefix {
    case .sanDNS?, .hash?:
      chain = try Self.chain(jws, of: clientID)
      do { key = try chain[0].verificationKey() } catch {
        throw PresentationRequestFailure(.key, .certificate, because: error.message)
      }
    case .decentralized?: key = try Self.decentralizedKey(jws, of: clientID)
    case .attestation?: key = try attestedKey(jws, of: clientID, at: moment)
    case .redirectURI?, .origin?, .webOrigin?: throw PresentationRequestFailure(.clientID, .reserved, evidence: found)
    case .federation?, nil: throw PresentationRequestFailure(.clientID, .unknown, evidence: found)
    }
    if verifies {
      do { _ = try jws.verify(with: key) } catch {
        throw PresentationRequestFailure(check(of: error), because: error.message, found: error.evidence)
      }
    }
    let information = (try? jws.header.json.optionalItem("verifier_info")) ?? nil
    return PresentationSigner(
      clientID: clientID, chain: chain, encodedChain: chain.isEmpty ? [] : jws.header.x5c ?? [],
      verifierInfo: try information.map(VerifierInfo.read) ?? [])
  }

  /// Verifies the certificate path of a signer.
  private func requester(
    _ signer: PresentationSigner, at moment: DateTime
  ) async throws(PresentationRequestFailure) -> PresentationRequester {
    var path: ValidatedCertificatePath?
    if !signer.chain.isEmpty {
      switch await trustedReaders.validate(signer.chain, at: moment) {
      case .success(let validated): path = validated
      case .failure(let error): throw PresentationRequestFailure(.trust, adding: error.message, evidence: error.fields)
      }
    }
    return PresentationRequester(
      clientID: signer.clientID, chain: signer.chain, path: path, verifierInfo: signer.verifierInfo)
  }

  /// Returns the certificates of a signature whose first one has the client identifier.
  private static func chain(
    _ jws: JWS, of clientID: ClientIdentifier
  ) throws(PresentationRequestFailure) -> [Certificate] {
    guard let encoded = jws.header.x5c, let leaf = encoded.first else {
      throw PresentationRequestFailure(.key, .certificate, because: "'x5c' is missing")
    }
    let chain: [Certificate]
    do { chain = try CertificateChain.read(encoded) } catch {
      throw PresentationRequestFailure(.key, .certificate, because: error.message)
    }
    let expected = clientID.name
    let fits: Bool
    if clientID.prefix == .hash {
      fits = Base64URL.encode(SHA256.hash(data: leaf).bytes).isExactly(expected)
    } else {
      // A wildcard would identify other websites too, so neither side may have one.
      let domain = expected.utf8.contains(UInt8(ascii: "*")) ? nil : CertificateDomain(expected)
      fits = domain.map(chain[0].domains.contains) ?? false
    }
    guard fits else {
      throw PresentationRequestFailure(
        .clientID, .mismatch,
        evidence: .field(
          clientID.prefix == .hash ? "x509_hash" : "dNSName",
          expected: clientID.prefix == .hash
            ? Base64URL.encode(SHA256.hash(data: leaf).bytes)
            : chain[0].domains.map(\.description).joined(separator: " or "),
          found: TerminalSafe.text(String(expected.prefix(256)))))
    }
    return chain
  }

  /// Returns the key of a decentralized identifier of the method `jwk`, the only one that resolves without a network.
  private static func decentralizedKey(
    _ jws: JWS, of clientID: ClientIdentifier
  ) throws(PresentationRequestFailure) -> VerificationKey {
    let method = "did:jwk:"
    guard clientID.name.utf8.starts(with: method.utf8) else {
      throw PresentationRequestFailure(.key, .identifier, because: "the method is not supported, which did:jwk is")
    }
    // A DID URL of the one key that the method has.
    guard let keyID = jws.header.keyID, keyID.isExactly("\(clientID.name)#0") else {
      throw PresentationRequestFailure(.key, .identifier, because: "'kid' is not the key of the client identifier")
    }
    do {
      let bytes = try JOSEText.decode(clientID.name.dropFirst(method.count), name: "the identifier")
      return try JWK(json: JOSEText.object(bytes, name: "the identifier")).verificationKey()
    } catch {
      throw PresentationRequestFailure(.key, .identifier, because: error.message, found: error.evidence)
    }
  }

  /// Returns the key that a trusted attester attests (OpenID4VP, 12).
  private func attestedKey(
    _ jws: JWS, of clientID: ClientIdentifier, at moment: DateTime?
  ) throws(PresentationRequestFailure) -> VerificationKey {
    func failure(_ message: String, _ found: String? = nil) -> PresentationRequestFailure {
      PresentationRequestFailure(.key, .attestation, because: message, found: found)
    }
    guard let text = try? jws.header.json.member("jwt") as String else { throw failure("'jwt' is missing") }
    do {
      let attestation = try JWS(compact: text)
      let unverified = try JOSEText.object(attestation.unverifiedPayload, name: "the attestation")
      let issuer = try unverified.reading("iss") { (json) throws(JSONError) in try json.member("iss") as String }
      guard let moment, let attester = attesters.first(where: { $0.issuer.isExactly(issuer) }) else {
        throw failure("the attester is not trusted", TerminalSafe.text(String(issuer.prefix(128))))
      }
      let claims = try attestation.verify(with: attester.key.verificationKey(), type: Self.attestationType).claims()
      guard let expires = try claims.dateMember("exp") else { throw failure("'exp' is missing") }
      guard moment < expires else { throw failure("the attestation expired on \(expires)") }
      if let from = try claims.dateMember("nbf"), moment < from {
        throw failure("the attestation is valid from \(from)")
      }
      let subject = try claims.reading("sub") { (json) throws(JSONError) in try json.member("sub") as String }
      guard subject.isExactly(clientID.name) else {
        throw failure(
          subject.isExactly(clientID.text)
            ? "'sub' has the prefix, which it must not have" : "'sub' is of another client",
          TerminalSafe.text(String(subject.prefix(128))))
      }
      let item = try claims.reading("cnf") { (json) throws(JSONError) in try json.item("cnf").item("jwk") }
      return try JWK(json: item).verificationKey()
    } catch let error as PresentationRequestFailure {
      throw error
    } catch let error as JOSEError {
      throw failure(error.message, error.evidence)
    } catch {
      throw failure("\(error)")
    }
  }

  /// Checks the times of a signed request, which it may lack (RFC 9101, 4; RFC 7519, 4.1.4 and 4.1.5).
  private func checkValidity(_ payload: JSONItem, at moment: DateTime?) throws(PresentationRequestFailure) {
    let (expires, from): (DateTime?, DateTime?)
    do { (expires, from) = (try payload.dateMember("exp"), try payload.dateMember("nbf")) } catch {
      throw PresentationRequestFailure(.validity, .malformed, adding: error.message)
    }
    guard let moment else { return }
    let skew = JOSELimits.clockSkew
    if let expires, moment >= expires.adding(seconds: skew) {
      throw PresentationRequestFailure(
        .validity, .expired, evidence: .field("exp", expected: "after \(moment)", found: "\(expires)"))
    }
    if let from, moment < from.adding(seconds: -skew) {
      throw PresentationRequestFailure(
        .validity, .notYetValid, evidence: .field("nbf", expected: "\(moment) or earlier", found: "\(from)"))
    }
  }

  /// Compares the expected origins with the platform's one as strings: nothing is parsed, folded or completed.
  private func checkOrigin(
    _ payload: JSONItem, kind: OpenID4VPProtocol, origin: String
  ) throws(PresentationRequestFailure) {
    let item = (try? payload.optionalItem("expected_origins")) ?? nil
    if item == nil, kind == .multisigned, acceptsMissingOriginsOfSeveral { return }
    guard let expected = item.flatMap({ try? [String](json: $0) }), !expected.isEmpty,
      expected.count <= OpenID4VPLimits.origins
    else { throw PresentationRequestFailure(.origin, .missing) }
    guard !expected.contains(where: { $0.isExactly("null") }) else {
      throw PresentationRequestFailure(.origin, .opaque)
    }
    guard expected.contains(where: { $0.isExactly(origin) }) else {
      throw PresentationRequestFailure(
        .origin, .notExpected,
        evidence: .field(
          "origin", expected: TerminalSafe.text(String(expected.joined(separator: " or ").prefix(512))), found: origin))
    }
  }
}
