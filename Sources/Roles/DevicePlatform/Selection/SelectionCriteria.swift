import Certificates
import FoundationEssentials
import IdentityDocumentServices
import MobileDocument
import Primitives
import X509

/// What a request demands of a registration at a moment; the same for every app, and passed around for each.
public final class SelectionCriteria: Sendable {
  /// The request.
  public let request: ISO18013MobileDocumentRequest
  /// For when registrations and reader certificates must be valid.
  public let moment: DateTime
  /// The first invalidation date that is not past: a fraction of a second in a date is cut off, as everywhere.
  public let firstValidDate: Date
  /// The document types that the request asks for, each once, in its order.
  public let documentTypes: [String]
  /// Key identifiers of the authorities behind those signatures whose certificates are all valid at the moment, each
  /// once.
  public let authorityKeyIdentifiers: Set<Data>
  /// Key identifiers of the issuers that the request names for any document.
  public let issuerKeyIdentifiers: Set<Data>
  /// What is asked of each document, in every set of every use case.
  let documentRequests: [ISO18013MobileDocumentRequest.DocumentRequest]
  /// Sentences about signers whose certificates are not valid at the moment.
  let outdated: [String]

  /// Reads the criteria out of a request.
  /// - Parameter reading: how authority key identifiers are compared with chains.
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
    var outdated: [String] = []
    for chain in request.requestAuthentications.map(\.authenticationCertificateChain) {
      if let invalid = chain.first(where: { !$0.isValid(at: moment) }) {
        let validity = invalid.validity
        outdated.append(
          validity.until < moment
            ? "the certificate of \(invalid.subject) expired on \(validity.until)"
            : "the certificate of \(invalid.subject) is not valid before \(validity.from)")
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

  /// The first condition that does not hold for a registration of an app that is authorized, of those that concern
  /// neither the document's issuer nor other documents; nil when all hold.
  ///
  /// - Parameters:
  ///   - authorities: key identifiers of the reader authorities whose signatures it demands.
  ///   - isEntitled: whether the app's entitlement lists the registration's type.
  public func firstFailure(
    of registration: SelectedRegistration, authorities: [Data], isEntitled: Bool
  ) -> NearMiss? {
    guard isEntitled else { return .typeNotEntitled }
    guard documentTypes.contains(where: { $0.isExactly(registration.mobileDocumentType) }) else {
      return .typeNotRequested
    }
    if let date = registration.invalidationDate, date < firstValidDate { return .registrationInvalidated }
    guard !authorities.isEmpty else { return nil }
    guard !request.requestAuthentications.isEmpty else { return .readerUnsigned }
    return authorities.contains(where: authorityKeyIdentifiers.contains) ? nil : .readerNotTrusted
  }
}

extension ISO18013MobileDocumentRequest.DocumentRequest {
  /// Whether a candidate is of the type and of an issuer that are asked for.
  func isMet(by candidate: AppFacts.Candidate) -> Bool {
    documentType.isExactly(candidate.registration.mobileDocumentType)
      && (issuerKeyIdentifiers.isEmpty
        || issuerKeyIdentifiers.contains(where: candidate.issuerKeyIdentifiers.contains))
  }
}

extension String {
  /// The order of UTF-8, which is that of a database.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
