import COSE
import Certificates
import Checks
import JOSE
import JSON
import Primitives
import StatusLists
import X509

/// The outcome of a check of an SD-JWT.
typealias Outcome = CheckOutcome<SDJWTCheck>

/// The checks of the issuer's part of a presentation.
struct IssuerPart {
  private(set) var outcomes = CheckOutcomes<SDJWTCheck>()
  /// The presentation; nil if it is not an SD-JWT.
  private(set) var received: UnverifiedSDJWT?
  private(set) var chain: [Certificate] = []
  private var fields: [CertificateFields] = []
  private(set) var path: ValidatedCertificatePath?
  /// The claims of the issuer; nil unless its signature verifies.
  private(set) var payload: JSONItem?
  private(set) var claims: DisclosedClaims?
  private(set) var credentialTypeName: String?
  private(set) var validUntil: DateTime?
  /// The holder's key.
  private(set) var key: JWK?
  private(set) var reference: StatusReference?
  /// What is wrong with the algorithm of a key binding JWT that has one outside the list; nil otherwise.
  private(set) var refusedBindingAlgorithm: String?

  init(
    _ text: String, verifier: SDJWTVerifier, types: [String]?, at moment: DateTime,
    remembering memory: inout CertificateMemory
  ) async {
    let received: UnverifiedSDJWT
    do {
      received = try UnverifiedSDJWT(compact: text)
    } catch {
      read(error)
      return
    }
    outcomes[.structure] = .passed
    self.received = received
    checkType(received.issuerJWT.header)
    guard readChain(received.issuerJWT, &memory) else { return }
    await checkTrust(verifier, at: moment)
    guard let verified = verify(received.issuerJWT) else { return }
    guard let payload = readPayload(verified) else { return }
    self.payload = payload
    disclose(payload, received.disclosures)
    checkCredentialType(payload, types: types)
    await requireTrustForType(verifier, at: moment)
    checkValidity(payload, at: moment)
    checkStatus(payload)
    checkHolderKey(payload)
  }

  /// Sorts the error of a text that cannot be read to the check that it belongs to.
  private mutating func read(_ error: SDJWTError) {
    let evidence = [error.evidence, error.location].compactMap(\.self).map { CheckResult.Evidence("found", found: $0) }
    switch error.code {
    case .issuerJWT where Self.isAboutAlgorithm(error):
      outcomes[.structure] = .passed
      outcomes[.algorithm] = .found(nil, error.message, evidence)
    case .keyBindingJWT where Self.isAboutAlgorithm(error):
      outcomes[.structure] = .passed
      refusedBindingAlgorithm = error.message
    case .disclosure:
      outcomes[.structure] = .passed
      outcomes[.disclosures] = .found(.malformed, error.message, evidence)
    default: outcomes[.structure] = .found(nil, "the presentation is not an SD-JWT: \(error.message)", evidence)
    }
  }

  private static func isAboutAlgorithm(_ error: SDJWTError) -> Bool {
    let codes: [JOSEErrorCode] = [.algorithmMissing, .algorithmUnsupported]
    return codes.contains { $0.rawValue == error.evidence }
  }

  private mutating func checkType(_ header: JOSEHeader) {
    let found = header.type ?? "none"
    outcomes[.type] = .require(
      found.isExactly(SDJWTType.credential), found.isExactly(SDJWTType.oldCredential) ? .old : nil, nil,
      .field("typ", expected: SDJWTType.credential, found: TerminalSafe.text(String(found.prefix(64)))))
  }

  private mutating func readChain(_ jws: JWS, _ memory: inout CertificateMemory) -> Bool {
    do {
      fields = try memory.fields(of: jws.header.x5c ?? [])
      chain = fields.compactMap(\.certificate)
    } catch {
      outcomes[.certificate] = .found(.malformed, "the signer certificate cannot be used: \(error.message)")
      return false
    }
    outcomes[.certificate] = .require(!chain.isEmpty, .missing)
    return !chain.isEmpty
  }

  /// - Parameter type: The type for which a certificate must be trusted; nil if it is not known yet.
  private mutating func checkTrust(_ verifier: SDJWTVerifier, for type: String? = nil, at moment: DateTime) async {
    var trusted = verifier.trustedIssuers
    if let type { trusted = trusted.trusting(type) }
    var found: [Outcome.Finding] = []
    if let profile = verifier.profileWithoutPurpose, chain.first?.hasPurposes == false {
      trusted = TrustedCertificates(trusted.anchors, for: profile)
      found = [.init(.purpose, nil, [])]
    }
    switch await trusted.validate(fields, at: moment, policy: verifier.policy) {
    case .success(let path):
      self.path = path
      outcomes[.trust] = .findings(found + path.findings.map { .init(.departs, $0.message, $0.evidence) })
    case .failure(let error):
      let reason: SDJWTCheck.Reason? =
        switch error.code {
        case .expired: .expired
        case .notYetValid: .notYetValid
        default: error.place == .leaf ? .invalid : nil
        }
      outcomes[.trust] = .found(reason, "the issuer is not trusted: \(error.message)", error.fields)
    }
  }

  private mutating func verify(_ jws: JWS) -> VerifiedJWS? {
    do {
      let key = try chain[0].verificationKey()
      return outcomes.verify(jws, .algorithm, .signature) { key }
    } catch {
      outcomes[.certificate] = .found(.malformed, "the signer certificate cannot be used: \(error)")
      return nil
    }
  }

  private mutating func readPayload(_ verified: VerifiedJWS) -> JSONItem? {
    do {
      let payload = try verified.claims()
      outcomes[.payload] = .passed
      return payload
    } catch {
      outcomes[.payload] = .found(nil, error.message)
      return nil
    }
  }

  private mutating func disclose(_ payload: JSONItem, _ sent: [Disclosure]) {
    do {
      let claims = try DisclosedClaims(payload, disclosures: sent)
      self.claims = claims
      outcomes[.hashAlgorithm] = .passed
      outcomes[.disclosures] = .passed
      checkRegisteredClaims(claims.root)
    } catch {
      let evidence = error.location.map { [CheckResult.Evidence("place", found: $0)] } ?? []
      guard error.code != .hashAlgorithm else {
        outcomes[.hashAlgorithm] = .found(nil, error.message, evidence)
        return
      }
      outcomes[.hashAlgorithm] = .passed
      let reason: SDJWTCheck.Reason =
        switch error.code {
        case .digestTwice: .twice
        case .unreferenced: .unreferenced
        case .place: .place
        case .claimName: .claim
        default: .malformed
        }
      outcomes[.disclosures] = .found(reason, error.message, evidence)
    }
  }

  private mutating func checkRegisteredClaims(_ root: ClaimNode) {
    let found = root.children.first { child in
      RegisteredClaim.isAlwaysVisible(child.name) && (child.disclosure != nil || !child.node.disclosuresBelow.isEmpty)
    }
    outcomes[.registeredClaims] = .require(
      found == nil, nil, nil, found.map { [CheckResult.Evidence("claim", found: $0.name)] } ?? [])
  }

  private mutating func checkCredentialType(_ payload: JSONItem, types: [String]?) {
    guard let type = try? payload.member("vct") as String else {
      outcomes[.credentialType] = .found(.missing)
      return
    }
    credentialTypeName = type
    guard let types else {
      outcomes[.credentialType] = .passed
      return
    }
    outcomes[.credentialType] = .require(
      types.contains { $0.isExactly(type) }, .notRequested, nil,
      .field("vct", expected: types.joined(separator: " or "), found: TerminalSafe.text(String(type.prefix(256)))))
  }

  /// A list can trust an issuer for some types alone. Another of the issuer's certificates may be listed for this one.
  private mutating func requireTrustForType(_ verifier: SDJWTVerifier, at moment: DateTime) async {
    guard let type = credentialTypeName.map(SDJWTType.registeredType), let first = path,
      let error = verifier.trustedIssuers.failure(of: first.certificates, signing: type)
    else { return }
    path = nil
    await checkTrust(verifier, for: type, at: moment)
    guard path == nil else { return }
    outcomes[.trust] = .found(.documentType, "the issuer is not trusted: \(error.message)", error.fields)
  }

  private mutating func checkValidity(_ payload: JSONItem, at moment: DateTime) {
    do {
      let from = try payload.dateMember("nbf")
      validUntil = try payload.dateMember("exp")
      _ = try payload.dateMember("iat")
      var found: [Outcome.Finding] = []
      if let validUntil, moment >= validUntil {
        found.append(
          .init(
            .expired, "the credential expired on \(validUntil)",
            .field("exp", expected: "after \(moment)", found: validUntil.description)))
      }
      if let from, moment < from {
        found.append(
          .init(
            .notYetValid, "the credential is valid from \(from)",
            .field("nbf", expected: "\(moment) or earlier", found: from.description)))
      }
      outcomes[.validity] = .findings(found)
    } catch {
      outcomes[.validity] = .found(.malformed, error.message)
    }
  }

  private mutating func checkStatus(_ payload: JSONItem) {
    do {
      reference = try StatusReference(credential: payload)
      // Other mechanisms may be used (Token Status List, 6.1), and HAIP demands a status list.
      let hasStatus = try payload.has("status")
      outcomes[.status] = .require(reference != nil || !hasStatus, .departs)
    } catch {
      outcomes[.status] = .found(nil, "the reference to the credential's status is malformed: \(error.message)")
    }
  }

  private mutating func checkHolderKey(_ payload: JSONItem) {
    do {
      key = try HolderKey.read(payload)
      outcomes[.holderKey] = .require(key != nil, .missing)
    } catch {
      outcomes[.holderKey] = .found(.malformed, "the holder's key cannot be used: \(error.message)")
    }
  }
}

extension CheckOutcomes<SDJWTCheck> {
  /// Verifies a signature, with an outcome for its algorithm and one for itself; nil if it does not verify.
  mutating func verify(
    _ jws: JWS, _ algorithm: SDJWTCheck, _ signature: SDJWTCheck, with key: () throws(JOSEError) -> VerificationKey
  ) -> VerifiedJWS? {
    do {
      let verified = try jws.verify(with: key())
      self[algorithm] = .passed
      self[signature] = .passed
      return verified
    } catch {
      switch error.code {
      case .algorithmKeyMismatch, .curveUnsupported:
        self[algorithm] = .found(nil, nil, .field("alg", found: jws.algorithm.rawValue))
      case .signatureForm:
        self[algorithm] = .passed
        self[signature] = .found(.malformed, error.message)
      default:
        self[algorithm] = .passed
        self[signature] = .found(.invalid)
      }
      return nil
    }
  }
}
