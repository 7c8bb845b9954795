import Certificates
import Checks
import JOSE
import Primitives
import X509

/// Looks one document up in one list: read the token, check its signer, then the entry.
package struct StatusListVerification {
  private typealias Outcome = CheckOutcome<StatusCheck>

  private var outcomes = CheckOutcomes<StatusCheck>()
  /// The lifetime of a token with readable claims.
  private var lifetime: DateTime?

  private let query: StatusQuery
  private let reference: StatusReference
  private let moment: DateTime
  private let place: CheckResult.Evidence

  /// Creates every check that the answer allows.
  package init(
    _ query: StatusQuery, _ reference: StatusReference, in answer: StatusListAnswer, at moment: DateTime
  ) async {
    self.query = query
    self.reference = reference
    self.moment = moment
    place = CheckResult.Evidence("list", found: reference.uri)
    await look(in: answer)
  }

  /// The outcome of one check.
  package func outcome(of check: StatusCheck) -> CheckOutcome<StatusCheck> { outcomes[check] }

  /// The time until which the token may be used again; nil if a check found a fault in it. What the list says of the
  /// document is not a fault. A copy of a faulty list would refuse for as long as it is kept, though the next answer may
  /// be better.
  package func usableUntil(under formPolicy: VerificationPolicy) -> DateTime? {
    let isFaulty = StatusCheck.ofList.contains { check in
      check != .revocation
        && outcome(of: check).findings.contains { formPolicy == .strict || $0.severity(of: check) == .failure }
    }
    return isFaulty ? nil : lifetime
  }

  private mutating func look(in answer: StatusListAnswer) async {
    outcomes[.location] = .require(StatusListLocation(reference.uri) != nil, nil, nil, [place])
    guard outcomes[.location].findings.isEmpty else { return }
    let bytes: [UInt8]
    let time: DateTime
    switch answer {
    case .unreachable(let reason):
      outcomes[.fetched] = .found(nil, "the list cannot be fetched: \(reason)", [place])
      return
    case .token(let token, let fetched): (bytes, time) = (token, fetched)
    }
    outcomes[.fetched] = .passed
    guard let token = read(bytes) else { return }
    checkType(token)
    // Claims without a trusted signer say nothing about the document.
    let isTrusted = await checkChain(token.chain)
    guard let signed = checkSignature(token), isTrusted, let claims = readClaims(signed) else { return }
    outcomes[.listSubject] = .require(
      claims.subject == reference.uri, nil, nil, .field("sub", expected: reference.uri, found: claims.subject))
    checkDates(claims, fetched: time)
    guard outcomes[.listSubject].findings.isEmpty else { return }
    checkEntry(claims.content)
    lifetime = min(claims.expires, cachedUntil(claims, fetched: time))
  }

  private mutating func read(_ bytes: [UInt8]) -> UnverifiedStatusToken? {
    do {
      let token = try UnverifiedStatusToken(bytes, form: query.form)
      outcomes[.listStructure] = .findings(token.deviations.map { .init(.departs, $0) })
      return token
    } catch {
      outcomes[.listStructure] = .found(.malformed, "the fetched data is not a token with a list: \(error)", [place])
      return nil
    }
  }

  private mutating func checkType(_ token: UnverifiedStatusToken) {
    let kind = reference.kind
    guard query.form == .cwt else {
      outcomes[.listType] = .require(
        token.type == StatusListKind.jwtType, .otherType, nil,
        .field("typ", expected: StatusListKind.jwtType, found: token.type ?? "none"))
      return
    }
    outcomes[.listType] =
      token.type == kind.typeInExample
      ? .found(.departs, "the type is spelt as in the example of the standard's draft: \(kind.typeInExample)")
      : .require(
        token.type == kind.mediaType, .otherType, nil,
        .field("type", expected: kind.mediaType, found: token.type ?? "none"))
  }

  /// A list limits the damage of a lost document signer's key, so that key must neither sign a list nor certify its
  /// signer.
  private mutating func checkSigner(_ certificates: [Certificate]) {
    outcomes[.listSigner] = .require(
      !certificates.contains { $0.publicKey == query.signer.publicKey }, nil, nil,
      .field("signer of the list", found: certificates.first?.subject.description))
  }

  /// Path from the list's signer to the certificate that the document's own path ended in, or to the one that the
  /// document's entry names.
  /// - Returns: Whether there is such a path, so that it is known who signed the list.
  private mutating func checkChain(_ chain: [Certificate]) async -> Bool {
    if query.form == .jwt, chain.first == query.signer {
      // The status issuer may be the credential's issuer, with the same key and certificates (Token Status List, 11.3).
      outcomes[.listSigner] = .notApplicable("the credential's own signer signed the list")
      outcomes[.listTrust] = .passed
      outcomes[.listCertificate] = .passed
      return true
    }
    guard !chain.isEmpty else {
      outcomes[.listTrust] = .found(
        nil, "the list is not signed under the document's issuing authority: it has no certificate")
      return false
    }
    var trusted = TrustedCertificates([query.root], for: .statusListSigner)
    do {
      if let named = reference.certificate { trusted = try TrustedCertificates(reading: [named], for: trusted.profile) }
    } catch {
      checkSigner(chain)
      outcomes[.listTrust] = .found(
        nil, "the certificate that the document's entry names cannot be read: \(error.message)")
      return false
    }
    switch await trusted.validate(chain, at: moment) {
    case .success(let path):
      checkSigner(chain + path.certificates)
      outcomes[.listTrust] = .passed
      outcomes[.listCertificate] = .findings(path.findings.map { .init(.profile, $0.message) })
      return true
    case .failure(let error):
      checkSigner(chain)
      switch error.place {
      case .path:
        outcomes[.listTrust] = .found(
          nil, "the list is not signed under the document's issuing authority: \(error.message)", error.fields)
        return false
      case .leaf:
        outcomes[.listTrust] = .passed
        outcomes[.listCertificate] = .found(.invalid, error.message, error.fields)
        return true
      }
    }
  }

  private mutating func checkSignature(_ token: UnverifiedStatusToken) -> VerifiedStatusToken? {
    guard !token.chain.isEmpty else { return nil }
    do {
      let signed = try token.verified()
      outcomes[.listSignature] = .passed
      return signed
    } catch {
      outcomes[.listSignature] = .found(
        nil, "the signature of the list does not verify: \(Self.message(of: error))", [place])
      return nil
    }
  }

  /// The message of an error of COSE or JOSE.
  private static func message(of error: any Error) -> String { (error as? any CodedError)?.message ?? "\(error)" }

  private mutating func readClaims(_ token: VerifiedStatusToken) -> StatusTokenClaims? {
    do {
      let read = try token.claims(reference.kind)
      outcomes[.listClaims] = .findings(read.deviations.map { .init(.departs, $0) })
      return read
    } catch {
      let detail = error is InflateError ? "the list cannot be inflated: \(error)" : "\(error)"
      outcomes[.listClaims] = .found(.malformed, "the claims of the list are malformed: \(detail)", [place])
      return nil
    }
  }

  private mutating func checkDates(_ claims: StatusTokenClaims, fetched: DateTime) {
    var found: [Outcome.Finding] = []
    if claims.issuedAt > moment.adding(seconds: JOSELimits.clockSkew) {
      found.append(
        .init(
          .notYetValid, "the list is dated in the future: \(claims.issuedAt)",
          .field("iat", expected: "\(moment) or earlier", found: claims.issuedAt.description)))
    }
    let cached = cachedUntil(claims, fetched: fetched)
    if moment >= claims.expires {
      found.append(
        .init(
          .stale, "the list is out of date: it expired on \(claims.expires)",
          .field("exp", expected: "after \(moment)", found: claims.expires.description)))
    } else if moment > cached {
      found.append(
        .init(
          .stale, "the list is out of date: the copy of \(fetched) expired on \(cached)",
          .field(
            "ttl", expected: "a copy fetched since \(moment.adding(seconds: -Self.lifetime(claims)))",
            found: "one fetched at \(fetched)")))
    }
    outcomes[.listValidity] = .findings(found)
  }

  private func cachedUntil(_ claims: StatusTokenClaims, fetched: DateTime) -> DateTime {
    fetched.adding(seconds: Self.lifetime(claims))
  }

  /// The number of seconds that a copy may be used.
  private static func lifetime(_ claims: StatusTokenClaims) -> Int64 {
    Int64(min(claims.timeToLive ?? .max, UInt64(StatusLimits.cachingSeconds)))
  }

  private mutating func checkEntry(_ content: StatusTokenClaims.Content) {
    switch (content, reference.entry) {
    case (.statusList(let statuses), .index(let index)):
      guard let found = statuses[index] else {
        outcomes[.entry] = .found(
          nil, nil, .field("idx", expected: "less than \(statuses.count)", found: String(index)))
        return
      }
      outcomes[.entry] = .passed
      let evidence = [
        place, CheckResult.Evidence("status", expected: String(StatusValue.valid), found: String(found)),
      ]
      outcomes[.value] = .require(found <= StatusValue.suspended, nil, nil, evidence)
      guard outcomes[.value].findings.isEmpty else { return }
      outcomes[.revocation] =
        switch found {
        case StatusValue.invalid: .found(.revoked, nil, evidence)
        case StatusValue.suspended: .found(.suspended, nil, evidence)
        default: .passed
        }
    case (.identifierList(let identifiers), .identifier(let identifier)):
      outcomes[.entry] = .passed
      outcomes[.value] = .passed
      outcomes[.revocation] = .require(
        !identifiers.contains(identifier), .revoked, nil,
        [place, CheckResult.Evidence("id", found: hexadecimal(identifier))])
    default: outcomes[.entry] = .found(nil, "the list is of another kind than the document's entry")
    }
  }
}
