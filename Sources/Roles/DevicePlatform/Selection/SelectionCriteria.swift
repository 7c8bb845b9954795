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
  /// The signers whose certificates are not valid at the moment.
  let outdated: [OutdatedSigner]

  /// Makes the criteria of a request.
  /// - Parameter reading: The comparison of authority key identifiers with chains.
  public init(
    _ request: ISO18013MobileDocumentRequest, at moment: DateTime, reading: Selection.AuthorityReading = .root
  ) {
    self.request = request
    self.moment = moment
    firstValidDate = moment.adding(seconds: 1).date
    documentRequests = request.presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests)
    issuerKeyIdentifiers = Set(documentRequests.flatMap(\.issuerKeyIdentifiers))
    var types: [String] = []
    for documentRequest in documentRequests
    where !types.contains(where: { $0.isExactly(documentRequest.documentType) }) {
      types.append(documentRequest.documentType)
    }
    documentTypes = types
    var authorities: Set<Data> = []
    var outdated: [OutdatedSigner] = []
    for chain in request.requestAuthentications.map(\.authenticationCertificateChain) {
      if let invalid = chain.first(where: { !$0.isValid(at: moment) }) {
        let authorities = Self.authorities(of: chain, reading: reading)
        outdated.append(OutdatedSigner(invalid, at: moment, authorities: Set(authorities)))
        continue
      }
      authorities.formUnion(Self.authorities(of: chain, reading: reading))
    }
    authorityKeyIdentifiers = authorities
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
  ///   - authorities: Key identifiers of the required reader authorities.
  ///   - isEntitled: Whether the app's entitlement lists the registration's type.
  public func firstFailure(
    of registration: SelectedRegistration, authorities: [Data], isEntitled: Bool
  ) -> SelectorFinding? {
    guard isEntitled else { return SelectorFinding(.entitlement) }
    guard documentTypes.contains(where: { $0.isExactly(registration.mobileDocumentType) }) else {
      return SelectorFinding(.documentType)
    }
    if let date = registration.invalidationDate, date < firstValidDate {
      return SelectorFinding(.registrationValidity)
    }
    guard !authorities.isEmpty else { return nil }
    guard !request.requestAuthentications.isEmpty else { return SelectorFinding(.reader, .unsigned) }
    guard !authorities.contains(where: authorityKeyIdentifiers.contains) else { return nil }
    return SelectorFinding(.reader, outdated(for: authorities).first?.reason ?? .untrusted)
  }

  /// Returns the signers for some authorities whose certificates are not valid, those that have expired first.
  func outdated(for authorities: [Data]) -> [OutdatedSigner] {
    let signers = outdated.filter { signer in authorities.contains(where: signer.authorityKeyIdentifiers.contains) }
    return signers.filter { $0.reason == .expired } + signers.filter { $0.reason != .expired }
  }
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
