import FoundationEssentials
import MobileDocument
import X509

/// An app on a device, as the selection sees it.
public struct InstalledApp: Sendable, Equatable {
  /// Its name.
  public let name: String
  /// Whether the person allows it to provide documents.
  public let isAuthorized: Bool
  /// Document types of its entitlement.
  public let entitledDocumentTypes: [String]
  /// Its registrations, in the order of their document identifiers.
  public let registrations: [MobileDocumentRegistration]

  /// An app from its parts.
  public init(
    name: String, isAuthorized: Bool, entitledDocumentTypes: [String], registrations: [MobileDocumentRegistration]
  ) {
    self.name = name
    self.isAuthorized = isAuthorized
    self.entitledDocumentTypes = entitledDocumentTypes
    self.registrations = registrations
  }
}

/// Which apps may answer a request and why the others may not.
public struct Selection: Sendable, Equatable {
  /// An app that may answer.
  public struct Offer: Sendable, Equatable {
    /// Its name.
    public let app: String
    /// The registrations that match, in the order of their document identifiers.
    public let registrations: [MobileDocumentRegistration]
  }

  /// An app that may not answer.
  public struct Hidden: Sendable, Equatable {
    /// Its name.
    public let app: String
    /// The first condition that did not hold, of the registration that came furthest.
    public let reason: NearMiss
    /// What was found, for a person to read.
    public let sentence: String
    /// What would make the app appear.
    public let remedy: String
  }

  /// How "a certificate issued by a root with this subject key identifier" is read when a chain has intermediates.
  public enum AuthorityReading: String, Sendable, CaseIterable {
    /// The list names roots: the issuer of a chain's topmost certificate.
    case root
    /// The list names any issuer in a chain: the authority key identifier of any of its certificates.
    case anyInChain = "any-in-chain"
  }

  /// Apps that may answer, in the order of their names.
  public let offered: [Offer]
  /// Apps that may not answer, in the order of their names.
  public let hidden: [Hidden]

  /// A selection from its parts.
  public init(offered: [Offer], hidden: [Hidden]) {
    self.offered = offered
    self.hidden = hidden
  }

  /// Decides about every app.
  ///
  /// - Parameters:
  ///   - moment: the time for which registrations and reader certificates must be valid.
  ///   - reading: how authority key identifiers are compared with chains.
  public static func decide(
    _ apps: [InstalledApp], for request: ISO18013MobileDocumentRequest, at moment: DateTime,
    reading: AuthorityReading = .root
  ) -> Selection {
    let matcher = Matcher(request: request, moment: moment, reading: reading)
    var offered: [Offer] = []
    var hidden: [Hidden] = []
    for app in apps.sorted(by: { $0.name < $1.name }) {
      switch matcher.match(app) {
      case .success(let registrations): offered.append(Offer(app: app.name, registrations: registrations))
      case .failure(let miss):
        hidden.append(Hidden(app: app.name, reason: miss.reason, sentence: miss.sentence, remedy: miss.remedy))
      }
    }
    return Selection(offered: offered, hidden: hidden)
  }
}

/// Holds what is the same for all apps.
private struct Matcher {
  struct Miss: Error {
    let reason: NearMiss
    let sentence: String
    let remedy: String

    init(_ reason: NearMiss, _ sentence: String? = nil, remedy: String) {
      self.reason = reason
      self.sentence = sentence ?? reason.sentence
      self.remedy = remedy
    }
  }

  let request: ISO18013MobileDocumentRequest
  let moment: DateTime
  /// Key identifiers of the authorities whose certificates signed and are valid now.
  let authorities: Set<Data>
  /// Sentences about signers whose certificates are not valid now.
  let outdated: [String]

  init(request: ISO18013MobileDocumentRequest, moment: DateTime, reading: Selection.AuthorityReading) {
    self.request = request
    self.moment = moment
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
    self.authorities = authorities
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

  func match(_ app: InstalledApp) -> Result<[MobileDocumentRegistration], Miss> {
    guard app.isAuthorized else {
      return .failure(Miss(.appNotAuthorized, remedy: "allow \(app.name) in Settings"))
    }
    guard !app.registrations.isEmpty else {
      return .failure(Miss(.noRegistration, remedy: "add a document to \(app.name)"))
    }
    var furthest: Miss?
    var matching: [MobileDocumentRegistration] = []
    for registration in app.registrations {
      switch match(registration, of: app) {
      case .success: matching.append(registration)
      case .failure(let miss):
        if let known = furthest, position(known.reason) >= position(miss.reason) { continue }
        furthest = miss
      }
    }
    guard !matching.isEmpty else {
      return .failure(furthest ?? Miss(.noRegistration, remedy: "add a document to \(app.name)"))
    }
    if let unmet = unsatisfied(by: matching) {
      // Where another registration of the app fell short, that is why the documents do not come together.
      let detail = furthest.map { "; \($0.sentence)" } ?? ""
      return .failure(
        Miss(
          .useCaseUnsatisfied, "\(NearMiss.useCaseUnsatisfied.sentence): \(unmet)\(detail)",
          remedy: "add the missing document to \(app.name), or make the use case optional"))
    }
    return .success(matching)
  }

  private func position(_ reason: NearMiss) -> Int { NearMiss.allCases.firstIndex(of: reason) ?? 0 }

  private func match(
    _ registration: MobileDocumentRegistration, of app: InstalledApp
  ) -> Result<Void, Miss> {
    let type = registration.mobileDocumentType
    guard app.entitledDocumentTypes.contains(type) else {
      return .failure(Miss(.typeNotEntitled, remedy: "add \(type) to the entitlement of \(app.name)"))
    }
    let requests = documentRequests.filter { $0.documentType == type }
    guard !requests.isEmpty else {
      return .failure(Miss(.typeNotRequested, remedy: "ask for \(type)"))
    }
    if let date = registration.invalidationDate, DateTime(date) <= moment {
      return .failure(
        Miss(
          .registrationInvalidated, "the registration is past its invalidation date, \(DateTime(date))",
          remedy: "let \(app.name) register the document with a later date"))
    }
    let demanded = registration.supportedAuthorityKeyIdentifiers
    if !demanded.isEmpty {
      guard !request.requestAuthentications.isEmpty else {
        return .failure(Miss(.readerUnsigned, remedy: "sign the request for an authority that \(app.name) trusts"))
      }
      guard demanded.contains(where: authorities.contains) else {
        let detail = outdated.isEmpty ? "" : ": " + outdated.joined(separator: "; ")
        return .failure(
          Miss(
            .readerNotTrusted, NearMiss.readerNotTrusted.sentence + detail,
            remedy: "sign the request with a valid certificate of an authority that \(app.name) trusts ("
              + demanded.map { hexadecimal($0) }.joined(separator: ", ") + ")"))
      }
    }
    guard requests.contains(where: { isAccepted(registration, by: $0) }) else {
      return .failure(
        Miss(.issuerNotAccepted, remedy: "accept the issuer of the document, or name no issuers in the request"))
    }
    return .success(())
  }

  private func isAccepted(
    _ registration: MobileDocumentRegistration, by request: ISO18013MobileDocumentRequest.DocumentRequest
  ) -> Bool {
    request.issuerKeyIdentifiers.isEmpty
      || request.issuerKeyIdentifiers.contains { registration.supportedIssuerKeyIdentifiers.contains($0) }
  }

  private var documentRequests: [ISO18013MobileDocumentRequest.DocumentRequest] {
    request.presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests)
  }

  /// Which mandatory use case the registrations leave unsatisfied, in words; nil when they satisfy all.
  private func unsatisfied(by registrations: [MobileDocumentRegistration]) -> String? {
    func canPresent(_ set: ISO18013MobileDocumentRequest.DocumentRequestSet) -> Bool {
      set.requests.allSatisfy { request in
        registrations.contains { $0.mobileDocumentType == request.documentType && isAccepted($0, by: request) }
      }
    }
    var isAnySatisfied = false
    for useCase in request.presentmentRequests {
      let isSatisfied = useCase.documentRequestSets.contains(where: canPresent)
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
}
