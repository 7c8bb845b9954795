import CBOR
import Certificates
import Checks
import JOSE
import JSON
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT

/// Verifies the presentations of one answer with OpenID4VP: each by the checks of its format, then against its query. One that
/// fails refuses the whole answer.
struct PresentationVerifier {
  let context: VerificationContext
  let request: OpenID4VPSession
  let origin: String
  /// True if the answer's protocol is that of drafts, whose presentations may be bound in another way.
  let isOfDraft: Bool
  /// Explains the first device signature that does not verify: each explanation tries many transcripts.
  var explainer: (any SignatureExplainer)?

  /// Verifies every presentation.
  /// - Parameter memory: The certificates of the verifications before.
  mutating func verify(
    _ token: PresentationToken, at moment: DateTime, remembering memory: inout CertificateMemory
  ) async -> (report: VerificationReport, verified: [VerifiedPresentation]) {
    let isOnlyOne = token.answers.count == 1 && token.answers[0].presentations.count == 1
    var checks: [CheckResult] = []
    var verified: [VerifiedPresentation] = []
    var agreed: [TransactionData] = []
    var isAccepted = true
    let signers = TransactionSigners(request.transactionData, in: token)
    for answer in token.answers {
      // The token's reading has found the query of each answer.
      guard let query = request.query.credential(answer.id) else { continue }
      for (place, text) in answer.presentations.enumerated() {
        let name = answer.presentations.count == 1 ? answer.id : "\(answer.id) \(place + 1)"
        let transactions = query.format == .mdoc ? [] : signers.transactions(of: text, answering: query)
        let presented =
          query.format == .mdoc
          ? await mdoc(text, at: moment, remembering: &memory)
          : await sdJWT(text, answering: query, transactions: transactions, at: moment, remembering: &memory)
        let run = CheckRun(PresentationResponseCheck.ofPresentation, policy: context.policy) {
          Self.outcome(of: $0, presented, answering: query)
        }
        let made = presented.checks + run.results
        checks += isOnlyOne ? made : made.map { $0.about(name) }
        guard run.isAccepted, !presented.documents.isEmpty else {
          isAccepted = false
          continue
        }
        agreed += transactions
        verified.append(VerifiedPresentation(id: answer.id, documents: presented.documents))
      }
    }
    let ofExchange = PresentationResponseCheck.ofExchange(hasTransactions: !request.transactionData.isEmpty)
    let exchange = CheckRun(ofExchange, policy: context.policy) { check in
      check == .profile ? profile : isAccepted ? agreement(to: agreed) : .notReached
    }
    let isVerified = isAccepted && exchange.isAccepted
    return (
      VerificationReport(
        checks: checks + exchange.results,
        verified: isVerified ? VerifiedDeviceResponse(presented: verified.flatMap(\.documents)) : nil),
      isVerified ? verified : []
    )
  }

  /// A presentation after the checks of its format.
  private struct Presented {
    var checks: [CheckResult]
    /// The verified documents, with the credentials that the query is compared with; none when a check failed.
    var documents: [VerifiedDocument] = []
    var credentials: [DCQLCredential] = []
    /// The outcome for the form of an mdoc.
    var form = CheckOutcome<PresentationResponseCheck>.notApplicable("the presentation is an SD-JWT")
  }

  private mutating func mdoc(
    _ text: String, at moment: DateTime, remembering memory: inout CertificateMemory
  ) async -> Presented {
    guard let bytes = Base64URL.decode(text) else {
      let checks = CheckRun(ResponseCheck.allCases) { _ in .notReached }.results
      return Presented(checks: checks, form: .found(.malformed))
    }
    let verifier = DeviceResponseVerifier(trustedIssuers: context.trustedIssuers, policy: context.policy)
    var report = await verifier.verify(
      bytes, over: request.sessionTranscript(origin: origin), requests: nil, at: moment, explainer: explainer,
      remembering: &memory)
    for clientID in draftClientIDs where report.verified == nil {
      let transcript = OpenID4VPHandover.draft24Transcript(origin: origin, clientID: clientID, nonce: request.nonce)
      let found = await verifier.verify(bytes, over: transcript, requests: nil, at: moment, remembering: &memory)
      // The report over the standard's transcript says what is wrong.
      if found.verified != nil { report = found }
    }
    guard let documents = report.verified?.documents else {
      explainer = nil
      return Presented(checks: report.checks, form: .notReached)
    }
    return Presented(
      checks: report.checks, documents: documents, credentials: documents.map { DCQLCredential($0) },
      form: documents.isEmpty
        ? .found(.empty)
        : .require(
          documents.count == 1, .several, nil, .field("documents", expected: "1", found: String(documents.count))))
  }

  /// Whether a verified presentation has the holder's signature of each transaction. Each that is expected to has it, or its
  /// own checks fail; here a transaction is found that none was expected to sign.
  private func agreement(to agreed: [TransactionData]) -> CheckOutcome<PresentationResponseCheck> {
    let open = request.transactionData.filter { entry in !agreed.contains { $0.text.isExactly(entry.text) } }
    return .findings(
      open.map { entry in
        .init(
          nil, nil,
          .field(
            "signed by", expected: entry.credentialIDs.joined(separator: " or "), found: "no credential of the answer"))
      })
  }

  private func sdJWT(
    _ text: String, answering query: CredentialQuery, transactions: [TransactionData], at moment: DateTime,
    remembering memory: inout CertificateMemory
  ) async -> Presented {
    let verifier = context.credentialVerifier
    func verified(for audience: String, remembering memory: inout CertificateMemory) async -> SDJWTReport {
      await verifier.verify(
        text, types: query.types,
        binding: ExpectedKeyBinding(
          audience: audience, nonce: request.nonce, earliest: request.begun,
          transactionData: transactions.map(\.text),
          transactionDataHashes: SDJWTHash.allCases.filter { hash in
            transactions.allSatisfy { ($0.hashes ?? [.sha256]).contains(hash) }
          }, namesTransactionHash: transactions.contains { $0.hashes != nil }),
        isBindingRequired: query.requiresHolderBinding, at: moment, remembering: &memory)
    }
    var report = await verified(for: ClientIdentifier.audience(of: origin), remembering: &memory)
    for clientID in draftClientIDs where report.verified == nil {
      let found = await verified(for: clientID, remembering: &memory)
      if found.verified != nil { report = found }
    }
    guard let verified = report.verified else { return Presented(checks: report.checks) }
    let credential = DCQLCredential(verified)
    // A credential that does not answer its query has no elements, and the check of the query refuses it.
    let match = try? query.match(credential, .asPresented, acceptsNoElements: true)
    return Presented(checks: report.checks, documents: [VerifiedDocument(verified, match)], credentials: [credential])
  }

  /// The client identifiers that drafts until 24 bind a presentation to, as audience and in the transcript; none unless a
  /// lenient policy accepts drafts.
  private var draftClientIDs: [String] {
    guard isOfDraft, context.policy == .lenient else { return [] }
    return [ClientIdentifier(.webOrigin, origin).text] + request.clientIDs.map(\.text)
  }

  private static func outcome(
    of check: PresentationResponseCheck, _ presented: Presented, answering query: CredentialQuery
  ) -> CheckOutcome<PresentationResponseCheck> {
    switch check {
    case .documents: return presented.form
    case .query:
      guard !presented.credentials.isEmpty else { return .notReached }
      return .findings(presented.credentials.compactMap { mismatch(of: $0, with: query) })
    case .surplus:
      guard !presented.credentials.isEmpty else { return .notReached }
      let surplus = presented.credentials.flatMap { query.surplus(in: $0) }
      return .require(
        surplus.isEmpty, .claim, nil,
        .field(
          "claims", expected: "those of the query",
          found: TerminalSafe.text(String(surplus.joined(separator: ", ").prefix(512)))))
    default: return .notReached
    }
  }

  private static func mismatch(
    of credential: DCQLCredential, with query: CredentialQuery
  ) -> CheckOutcome<PresentationResponseCheck>.Finding? {
    do {
      _ = try query.match(credential, .asPresented, acceptsNoElements: true)
      return nil
    } catch {
      switch error {
      case .format: return .init(.format, nil, [])
      case .type:
        return .init(
          .type, nil,
          .field(
            "type", expected: (query.types ?? []).joined(separator: " or "),
            found: TerminalSafe.text(String(credential.type.prefix(256)))))
      case .holderBinding: return .init(.holderBinding, nil, [])
      case .authority: return .init(.authority, nil, [])
      case .claim(let path): return .init(.claim, nil, .field("claim", expected: path))
      case .noElements: return .init(.claim, nil, [])
      }
    }
  }

  /// The demands of HAIP on the request, which a strict policy makes.
  private var profile: CheckOutcome<PresentationResponseCheck> {
    guard context.policy == .strict else { return .notApplicable("the policy does not demand HAIP") }
    var found: [CheckOutcome<PresentationResponseCheck>.Finding] = []
    if let encryption = request.encryption {
      let listed = encryption.encryptions.map(\.rawValue)
      if !JWEEncryption.allCases.allSatisfy(encryption.encryptions.contains) {
        found.append(.init(.encryptions, nil, .field("enc", found: listed.joined(separator: ", "))))
      }
    } else {
      found.append(.init(.plain, nil, []))
    }
    for clientID in request.clientIDs where clientID.prefix != .hash {
      found.append(
        .init(.clientIdentifier, nil, .field("client_id", expected: "x509_hash:…", found: clientID.description)))
    }
    return .findings(found)
  }
}

/// The presentations of one answer that have the holder's agreement to transactions: for each transaction one of the
/// credentials that it names (OpenID4VP, 5.1), and further ones as the wallet likes.
private struct TransactionSigners {
  private let entries: [(entry: TransactionData, signer: String?)]
  /// The digests of transactions in each presentation, which is not verified.
  private let digests: [ExactText: [String]]

  /// Finds the signer of each transaction: of the answered credentials that it names the first that has its digest, or else
  /// the first, whose checks then say that the digest is missing.
  init(_ entries: [TransactionData], in token: PresentationToken) {
    var digests: [ExactText: [String]] = [:]
    for text in entries.isEmpty ? [] : token.answers.flatMap(\.presentations) {
      digests[ExactText(text)] = Self.digests(in: text)
    }
    self.digests = digests
    self.entries = entries.map { entry in
      let named = entry.credentialIDs.compactMap { id in token.answers.first { $0.id.isExactly(id) } }
      let signer = named.first { $0.presentations.contains { Self.has(entry, digests[ExactText($0)]) } } ?? named.first
      return (entry, signer?.id)
    }
  }

  /// The transactions that a presentation must have the digests of, and no others.
  func transactions(of text: String, answering query: CredentialQuery) -> [TransactionData] {
    entries.filter { entry, signer in
      guard let signer, entry.credentialIDs.contains(where: { $0.isExactly(query.id) }) else { return false }
      return signer.isExactly(query.id) || Self.has(entry, digests[ExactText(text)])
    }.map(\.entry)
  }

  private static func has(_ entry: TransactionData, _ digests: [String]?) -> Bool {
    SDJWTHash.allCases.contains { hash in
      let digest = hash.digest(of: entry.text)
      return digests?.contains { $0.isExactly(digest) } ?? false
    }
  }

  private static func digests(in text: String) -> [String]? {
    guard let jwt = try? UnverifiedSDJWT(compact: text).keyBindingJWT,
      let claims = try? JSONReader.item(jwt.unverifiedPayload, limits: .message)
    else { return nil }
    return try? claims.optionalMember("transaction_data_hashes")
  }
}

extension CheckResult {
  /// The result as one about a part: its own part, if it has one, follows.
  fileprivate func about(_ name: String) -> CheckResult {
    CheckResult(
      check, reason: reason, subject: subject.map { "\(name), \($0)" } ?? name, status, message: message,
      evidence: evidence)
  }
}

extension VerificationContext {
  /// Verifies an SD-JWT credential without a presentation: the issuer's data are genuine, at most.
  func verify(issued text: String, at moment: DateTime) async -> VerificationReport {
    let issuerPart = text.lastIndex(of: "~").map { String(text[...$0]) } ?? text
    let report = await credentialVerifier.verify(
      issuerPart, binding: ExpectedKeyBinding(audience: "", nonce: ""), isBindingRequired: false, at: moment)
    let documents = report.verified.map { verified in
      let named = verified.claims.children.filter { !SDJWTDraft.isAboutCredential($0.name) }
      return [VerifiedDocument(verified, named.map { ([.member($0.name)], $0.node) })]
    }
    return VerificationReport(
      checks: Array(report.checks.prefix(SDJWTCheck.ofIssuer.count)), verified: nil,
      issuerData: documents.map { IssuerData(documents: $0) })
  }
}

extension VerifiedDocument {
  /// A verified SD-JWT credential as a document: its elements are the claims that answer the query.
  fileprivate init(_ verified: VerifiedSDJWT, _ match: DCQLMatch?) {
    self.init(verified, (match?.selected ?? []).map { ($0.place, $0.node) })
  }

  /// A verified SD-JWT credential as a document: its elements are claims, by their paths.
  fileprivate init(_ verified: VerifiedSDJWT, _ claims: [(place: [ClaimsPath.Component], node: ClaimNode)]) {
    self.init(
      documentType: CredentialFormat.registeredType(verified.type, formatName: CredentialFormat.sdJWT.rawValue),
      elements: claims.compactMap { claim in
        guard let path = ClaimsPath(claim.place) else { return nil }
        let written = claim.node.value
        let value = CBORValue(written)
        return Element(
          nameSpace: CredentialFormat.claimsNameSpace, identifier: path.text, value: value, isDeviceSigned: false,
          written: JSONValue(value) == written ? nil : written.bytes)
      },
      issuer: verified.issuer, presentedKeyIdentifiers: verified.issuerKeyIdentifiers, validUntil: verified.validUntil,
      statusQuery: verified.statusQuery, isOfTestProgramme: verified.isOfTestProgramme)
  }
}

extension CBORValue {
  /// A claim's value as an element value.
  fileprivate init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .string(let text): self = .text(text)
    case .number(let digits):
      if let number = UInt64(digits) {
        self = .unsigned(number)
      } else if let number = Int64(digits), number < 0 {
        self = .negative(UInt64(-(number + 1)))
      } else {
        self = .float(Double(digits) ?? .nan)
      }
    case .array(let elements): self = .array(elements.map { CBORValue($0) })
    case .object(let members): self = .map(members.map { .init(.text($0.name), CBORValue($0.value)) })
    }
  }
}
