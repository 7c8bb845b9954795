import Certificates
import Checks
import Primitives
import X509

/// Looks one document up in one list: read the token, check who signed it, then what it says.
package struct StatusListVerification {
  /// What was found.
  package private(set) var list: StatusChecklist
  /// Until when the token may be used again; nil when something is wrong with it.
  package private(set) var usableUntil: DateTime?

  private let query: StatusQuery
  private let reference: StatusReference
  private let moment: DateTime
  private let place: CheckResult.Evidence

  package init(
    _ query: StatusQuery, _ reference: StatusReference, policy: RevocationPolicy, formPolicy: VerificationPolicy,
    at moment: DateTime
  ) {
    list = StatusChecklist(
      query, StatusCheck.ofList, kind: reference.kind, policy: policy, formPolicy: formPolicy)
    self.query = query
    self.reference = reference
    self.moment = moment
    place = CheckResult.Evidence("list", found: reference.uri)
  }

  /// Makes every check that what was fetched allows.
  package mutating func look(in answer: StatusListAnswer) async {
    guard StatusListLocation(reference.uri) != nil else { return list.find(.location, nil, [place]) }
    list.pass(.location)
    guard case .token(let bytes, let fetched) = answer else {
      if case .unreachable(let reason) = answer {
        list.find(.reachable, "the list cannot be fetched: \(reason)", [place])
      }
      return
    }
    list.pass(.reachable)
    guard let token = read(bytes) else { return }
    checkType(token)
    // Words that nobody answers for say nothing about the document.
    let isTrusted = await checkChain(token.chain)
    guard let signed = checkSignature(token), isTrusted else { return }
    guard let claims = readClaims(signed) else { return }
    let names = [CheckResult.Evidence("sub", expected: reference.uri, found: claims.subject)]
    let isNamed = list.require(claims.subject == reference.uri, .listSubject, nil, names)
    checkDates(claims, fetched: fetched)
    guard isNamed else { return }
    checkEntry(claims.content)
    // A copy of a faulty one would refuse for as long as it is kept, though the next answer may be better.
    if !list.isFaulty { usableUntil = min(claims.expires, cachedUntil(claims, fetched: fetched)) }
  }

  private mutating func read(_ bytes: [UInt8]) -> UnverifiedStatusToken? {
    do {
      let token = try UnverifiedStatusToken(bytes)
      for deviation in token.deviations { list.deviate(.listReadable, deviation) }
      list.pass(.listReadable)
      return token
    } catch {
      list.find(.listReadable, "what was fetched is no token with a list: \(error)", [place])
      return nil
    }
  }

  private mutating func checkType(_ token: UnverifiedStatusToken) {
    let kind = reference.kind
    if token.type == kind.typeInExample {
      list.deviate(.listType, "the type is spelt as in the example of the standard's draft: \(kind.typeInExample)")
    } else {
      list.require(
        token.type == kind.mediaType, .listType, nil,
        [CheckResult.Evidence("type", expected: kind.mediaType, found: token.type ?? "none")])
    }
  }

  /// The document signer's key is the one whose loss a list is to mend, so it must neither sign a list nor certify who
  /// does.
  private mutating func checkSigner(_ certificates: [Certificate]) {
    list.require(
      !certificates.contains { $0.publicKey == query.signer.publicKey }, .listSigner, nil,
      [CheckResult.Evidence("signer of the list", found: certificates.first?.subject.description)])
  }

  /// Path from the list's signer to the certificate that the document's own path ended in, or to the one that the
  /// document's entry names.
  /// - Returns: whether such a path leads from it, so that it is known who answers for the list.
  private mutating func checkChain(_ chain: [Certificate]) async -> Bool {
    guard !chain.isEmpty else {
      list.find(.listTrust, "the list is not signed under the document's issuing authority: it has no certificate")
      return false
    }
    var trusted = TrustedCertificates([query.root], for: .statusListSigner)
    do {
      if let named = reference.certificate { trusted = try TrustedCertificates(reading: [named], for: trusted.profile) }
    } catch {
      checkSigner(chain)
      list.find(.listTrust, "the certificate that the document's entry names cannot be read: \(error)")
      return false
    }
    switch await trusted.validate(chain, at: moment) {
    case .success(let path):
      checkSigner(chain + path.certificates)
      list.pass(.listTrust)
      for finding in path.findings { list.deviate(.listCertificate, finding.sentence) }
      list.pass(.listCertificate)
      return true
    case .failure(let error):
      checkSigner(chain)
      switch error.place {
      case .path:
        list.find(.listTrust, "\(StatusCheck.listTrust.sentence): \(error.sentence)", error.evidence)
        return false
      case .leaf:
        list.pass(.listTrust)
        list.find(.listCertificate, error.sentence, error.evidence)
        return true
      }
    }
  }

  private mutating func checkSignature(_ token: UnverifiedStatusToken) -> VerifiedStatusToken? {
    guard !token.chain.isEmpty else { return nil }
    do {
      let signed = try token.verified()
      list.pass(.listSignature)
      return signed
    } catch {
      list.find(.listSignature, "the signature of the list does not verify: \(error.sentence)", [place])
      return nil
    }
  }

  private mutating func readClaims(_ token: VerifiedStatusToken) -> StatusTokenClaims? {
    do {
      let claims = try token.claims(reference.kind)
      for deviation in claims.deviations { list.deviate(.listClaims, deviation) }
      list.pass(.listClaims)
      return claims
    } catch {
      list.find(.listClaims, "the claims of the list are malformed: \(error)", [place])
      return nil
    }
  }

  private mutating func checkDates(_ claims: StatusTokenClaims, fetched: DateTime) {
    let now = moment
    list.require(
      claims.issuedAt <= now, .listBegun, "the list is dated in the future: \(claims.issuedAt)",
      [CheckResult.Evidence("iat", expected: "\(now) or earlier", found: claims.issuedAt.description)])
    let cached = cachedUntil(claims, fetched: fetched)
    if moment > claims.expires {
      list.find(
        .listCurrent, "the list is out of date: it counted until \(claims.expires)",
        [CheckResult.Evidence("exp", expected: "\(moment) or later", found: claims.expires.description)])
    } else if moment > cached {
      list.find(
        .listCurrent, "the list is out of date: the copy of \(fetched) counted until \(cached)",
        [
          CheckResult.Evidence(
            "ttl", expected: "a copy fetched since \(moment.adding(seconds: -Self.lifetime(claims)))",
            found: "one fetched at \(fetched)")
        ])
    } else {
      list.pass(.listCurrent)
    }
  }

  private func cachedUntil(_ claims: StatusTokenClaims, fetched: DateTime) -> DateTime {
    fetched.adding(seconds: Self.lifetime(claims))
  }

  /// For how many seconds a copy counts.
  private static func lifetime(_ claims: StatusTokenClaims) -> Int64 {
    Int64(min(claims.timeToLive ?? .max, UInt64(StatusLimits.cachingSeconds)))
  }

  private mutating func checkEntry(_ content: StatusTokenClaims.Content) {
    switch (content, reference.entry) {
    case (.statusList(let statuses), .index(let index)):
      guard let value = statuses[index] else {
        return list.find(
          .entry, nil,
          [CheckResult.Evidence("idx", expected: "less than \(statuses.count)", found: String(index))])
      }
      list.pass(.entry)
      checkValue(value, in: statuses)
    case (.identifierList(let identifiers), .identifier(let identifier)):
      list.pass(.entry)
      list.pass(.valueKnown)
      let evidence = [place, CheckResult.Evidence("id", found: hexadecimal(identifier))]
      list.require(!identifiers.contains(identifier), .notRevoked, nil, evidence)
      list.pass(.notSuspended)
    default: return
    }
  }

  private mutating func checkValue(_ value: UInt8, in statuses: StatusList) {
    let evidence = [
      place, CheckResult.Evidence("status", expected: String(StatusValue.valid), found: String(value)),
    ]
    let isKnown = value <= StatusValue.suspended
    guard list.require(isKnown, .valueKnown, nil, evidence) else { return }
    list.require(value != StatusValue.invalid, .notRevoked, nil, evidence)
    list.require(value != StatusValue.suspended, .notSuspended, nil, evidence)
  }
}
