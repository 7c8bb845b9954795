import Certificates
import FoundationEssentials
import IdentityDocumentServices
import MobileDocument
import Primitives
import X509

/// The demands of a request on a registration at a moment. They are the same for every app.
public final class SelectionCriteria: Sendable {
  /// The request.
  public let request: ISO18013MobileDocumentRequest
  /// The time at which registrations and reader certificates must be valid.
  public let moment: DateTime
  /// The first invalidation date that is not past. Fractions of a second are cut off.
  public let firstValidDate: Date
  /// The requested document types without repetition, in the order of the request.
  public let documentTypes: [String]
  /// Key identifiers of the authorities of the signatures whose certificates are all valid at the moment.
  public let authorityKeyIdentifiers: Set<Data>
  /// Key identifiers of the issuers that the request names for any document.
  public let issuerKeyIdentifiers: Set<Data>
  /// The document requests of every set of every use case.
  let documentRequests: [ISO18013MobileDocumentRequest.DocumentRequest]
  /// The signers whose certificates are all valid at the moment.
  let signers: [ValidSigner]
  /// The signers whose certificates are not valid at the moment.
  let outdated: [OutdatedSigner]
  private let signatures: Selection.AuthoritySignatures
  private let certified: CertifiedChains
  /// The names of the apps that do not answer requests in the protocol.
  let silentApps: Set<String>

  /// Creates the criteria of a request.
  /// - Parameters:
  ///   - request: The parsed request.
  ///   - moment: The time at which registrations and reader certificates must be valid.
  ///   - silentApps: The names of the apps that do not answer requests in the protocol.
  ///   - reading: The comparison of authority key identifiers with chains.
  ///   - signatures: The evidence that an authority certified a signature.
  ///   - certified: The chains that the device has compared with authorities before.
  public init(
    _ request: ISO18013MobileDocumentRequest, at moment: DateTime, reading: Selection.AuthorityReading = .root,
    signatures: Selection.AuthoritySignatures = .verified, silentApps: Set<String> = [],
    certified: CertifiedChains = CertifiedChains()
  ) {
    self.request = request
    self.silentApps = silentApps
    self.signatures = signatures
    self.certified = certified
    self.moment = moment
    firstValidDate = SelectionDates.firstValidDate(at: moment)
    documentRequests = request.documentRequests
    issuerKeyIdentifiers = Set(documentRequests.flatMap(\.issuerKeyIdentifiers))
    documentTypes = request.documentTypes
    var signers: [ValidSigner] = []
    var outdated: [OutdatedSigner] = []
    for chain in request.requestAuthentications.map(\.authenticationCertificateChain) {
      let authorities = Set(Self.authorities(of: chain, reading: reading))
      if let invalid = chain.first(where: { !$0.isValid(at: moment) }) {
        outdated.append(OutdatedSigner(invalid, at: moment, authorities: authorities))
      } else {
        signers.append(ValidSigner(chain: chain, authorityKeyIdentifiers: authorities))
      }
    }
    authorityKeyIdentifiers = signers.reduce(into: []) { $0.formUnion($1.authorityKeyIdentifiers) }
    self.signers = signers
    self.outdated = outdated
  }

  private static func authorities(of chain: [Certificate], reading: Selection.AuthorityReading) -> [Data] {
    switch reading {
    case .anyInChain: return chain.compactMap { $0.authorityKeyIdentifier.map { Data($0) } }
    case .root:
      guard let top = chain.last else { return [] }
      let identifier = top.isSelfIssued ? top.subjectKeyIdentifier : top.authorityKeyIdentifier
      return identifier.map { [Data($0)] } ?? []
    }
  }

  /// Returns the first check that fails for a registration of an authorized app, or nil if all pass. The checks of the
  /// issuer and of other documents are not included.
  ///
  /// - Parameters:
  ///   - registration: The registration.
  ///   - authorities: The required reader authorities.
  ///   - isEntitled: Whether the app's entitlement lists the registration's type.
  public func firstFailure(
    of registration: SelectedRegistration, authorities: RegisteredAuthorities, isEntitled: Bool
  ) -> SelectorFinding? {
    guard isEntitled else { return SelectorFinding(.entitlement) }
    guard documentTypes.contains(where: { $0.isExactly(registration.mobileDocumentType) }) else {
      return SelectorFinding(.documentType)
    }
    if let date = registration.invalidationDate, date < firstValidDate { return SelectorFinding(.registrationValidity) }
    guard !authorities.keyIdentifiers.isEmpty else { return nil }
    guard !request.requestAuthentications.isEmpty else { return SelectorFinding(.reader, .unsigned) }
    if authorities.keyIdentifiers.contains(where: authorityKeyIdentifiers.contains) {
      return isCertified(by: authorities) ? nil : SelectorFinding(.reader, .forged)
    }
    return SelectorFinding(.reader, outdated(for: authorities.keyIdentifiers).first?.reason ?? .untrusted)
  }

  /// Returns whether a signature names an authority of a list and, as far as the system can know, was certified by it.
  public func isCertified(by authorities: RegisteredAuthorities) -> Bool {
    let named = signers.filter { !$0.authorityKeyIdentifiers.isDisjoint(with: authorities.keyIdentifiers) }
    guard signatures == .verified, !authorities.certificates.isEmpty else { return !named.isEmpty }
    return named.contains { signer in
      authorities.certificates.contains { certified.contains(signer.chain, certifiedBy: $0) }
    }
  }

  /// Indicates whether the certificates of authorities are needed for this request.
  public var needsCertificates: Bool { signatures == .verified && !signers.isEmpty }

  /// Returns the signers for some authorities whose certificates are not valid, those that have expired first.
  func outdated(for authorities: [Data]) -> [OutdatedSigner] {
    let signers = outdated.filter { signer in authorities.contains(where: signer.authorityKeyIdentifiers.contains) }
    return signers.filter { $0.reason == .expired } + signers.filter { $0.reason != .expired }
  }
}

/// The dates that change the selection for a request.
public struct SelectionDates {
  /// The first invalidation date that is not past. Fractions of a second are cut off.
  public let firstValidDate: Date
  /// The requested document types without repetition, in the order of the request.
  public let documentTypes: [String]
  /// The next time at which a reader certificate becomes valid or expires, or nil if none does.
  public let nextCertificateChange: DateTime?

  /// Creates the dates of a request after a moment.
  public init(of request: ISO18013MobileDocumentRequest, after moment: DateTime) {
    firstValidDate = Self.firstValidDate(at: moment)
    documentTypes = request.documentTypes
    nextCertificateChange = request.requestAuthentications.flatMap(\.authenticationCertificateChain)
      .flatMap { [$0.validity.from, $0.validity.until.adding(seconds: 1)] }
      .filter { $0 > moment }.min()
  }

  static func firstValidDate(at moment: DateTime) -> Date { moment.adding(seconds: 1).date }
}

extension ISO18013MobileDocumentRequest {
  /// The document requests of every set of every use case.
  fileprivate var documentRequests: [DocumentRequest] {
    presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests)
  }

  /// The requested document types without repetition, in the order of the request.
  fileprivate var documentTypes: [String] {
    var types: [String] = []
    for request in documentRequests where !types.contains(where: { $0.isExactly(request.documentType) }) {
      types.append(request.documentType)
    }
    return types
  }
}

/// A signer whose certificates are all valid at the moment of the selection.
struct ValidSigner: Sendable {
  /// The chain, leaf first.
  let chain: [Certificate]
  /// Key identifiers of the authorities that the chain names.
  let authorityKeyIdentifiers: Set<Data>
}

/// A signer with a certificate that is not valid at the moment of the selection.
struct OutdatedSigner: Sendable, Equatable {
  /// Key identifiers of the authorities of the signer's chain.
  let authorityKeyIdentifiers: Set<Data>
  /// The reason: expired, or not yet valid.
  let reason: SelectorCheck.Reason
  /// A human-readable description of the certificate that is not valid.
  let description: String

  init(_ certificate: Certificate, at moment: DateTime, authorities: Set<Data>) {
    authorityKeyIdentifiers = authorities
    let validity = certificate.validity
    let hasExpired = validity.until < moment
    reason = hasExpired ? .expired : .notYetValid
    description =
      hasExpired
      ? "the certificate of \(certificate.subject) expired on \(validity.until)"
      : "the certificate of \(certificate.subject) is not valid before \(validity.from)"
  }
}

extension ISO18013MobileDocumentRequest.DocumentRequest {
  /// Returns whether a candidate has the requested type and an accepted issuer.
  func isMet(by candidate: AppFacts.Candidate) -> Bool {
    documentType.isExactly(candidate.registration.mobileDocumentType)
      && (issuerKeyIdentifiers.isEmpty
        || issuerKeyIdentifiers.contains(where: candidate.issuerKeyIdentifiers.contains))
  }
}

extension String {
  /// Returns whether the text is before another one in the order of UTF-8, which is the order of the database.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension SelectionCriteria {
  /// Returns the registrations with which an app may answer, or the reason why it may not.
  func decide(_ app: AppFacts) -> Selection.Decision {
    typealias Hidden = Selection.Hidden
    guard app.isAuthorized else { return .hidden(Hidden(app.name, SelectorFinding(.appAuthorization))) }
    guard !silentApps.contains(app.name) else { return .hidden(Hidden(app.name, SelectorFinding(.exchangeProtocol))) }
    let matching = app.candidates.filter(isAccepted)
    // The nearest of the other registrations, if any.
    func nearestOther() -> Hidden? {
      guard let refused = app.candidates.filter({ !isAccepted($0) }).lastingLongest else {
        return app.nearest.flatMap { hidden(app.name, $0) }
      }
      return Hidden(app.name, SelectorFinding(.issuer), nearest: refused)
    }
    guard let furthest = matching.lastingLongest else {
      return .hidden(nearestOther() ?? Hidden(app.name, SelectorFinding(.registration)))
    }
    if let unmet = unsatisfied(by: matching) {
      var hidden = Hidden(app.name, SelectorFinding(.useCase), nearest: furthest)
      // The failure of another registration explains why the documents do not complete a set.
      hidden.unmet = unmet + (nearestOther().map { "; \($0.message)" } ?? "")
      return .hidden(hidden)
    }
    return .offered(Selection.Offer(app: app.name, registrations: usable(of: matching)))
  }

  /// Returns whether an authorized app can answer with its candidates alone.
  public func canAnswer(with candidates: [AppFacts.Candidate]) -> Bool {
    let matching = candidates.filter(isAccepted)
    return !matching.isEmpty && unsatisfied(by: matching) == nil
  }

  private func isAccepted(_ candidate: AppFacts.Candidate) -> Bool {
    documentRequests.contains { $0.isMet(by: candidate) }
  }

  private func hidden(_ app: String, _ nearest: AppFacts.Nearest) -> Selection.Hidden? {
    let authorities = nearest.authorities
    return firstFailure(of: nearest.registration, authorities: authorities, isEntitled: nearest.isEntitled).map {
      var hidden = Selection.Hidden(app, $0, nearest: nearest.registration)
      hidden.authorities = authorities.keyIdentifiers
      hidden.outdated = $0.reason == .forged ? [] : outdated(for: authorities.keyIdentifiers).map(\.description)
      return hidden
    }
  }

  private func canPresent(
    _ set: ISO18013MobileDocumentRequest.DocumentRequestSet, with candidates: [AppFacts.Candidate]
  ) -> Bool {
    !set.requests.isEmpty && set.requests.allSatisfy { request in candidates.contains { request.isMet(by: $0) } }
  }

  /// A description of the first mandatory use case that the candidates do not satisfy, or nil if they satisfy all, and at
  /// least one use case.
  private func unsatisfied(by candidates: [AppFacts.Candidate]) -> String? {
    var isAnySatisfied = false
    for useCase in request.presentmentRequests {
      let isSatisfied = useCase.documentRequestSets.contains { canPresent($0, with: candidates) }
      isAnySatisfied = isAnySatisfied || isSatisfied
      if useCase.isMandatory && !isSatisfied {
        let sets = useCase.documentRequestSets.map { set in
          set.requests.map(\.documentType).joined(separator: " and ")
        }
        return "it asks for " + sets.joined(separator: ", or for ")
      }
    }
    return isAnySatisfied ? nil : "none of the optional use cases can be met"
  }

  /// The registrations that meet a document request of a set that the app can present completely.
  private func usable(of candidates: [AppFacts.Candidate]) -> [SelectedRegistration] {
    let requests = self.request.presentmentRequests.flatMap(\.documentRequestSets)
      .filter { canPresent($0, with: candidates) }.flatMap(\.requests)
    return candidates.filter { candidate in requests.contains { $0.isMet(by: candidate) } }.map(\.registration)
  }
}
