import MobileDocument

/// Why an app is not offered, before it is known for a part of a selection.
struct Miss: Error {
  let reason: NearMiss
  let registration: String?
  let sentence: String
  let remedy: String

  init(_ reason: NearMiss, of registration: MobileDocumentRegistration?, _ sentence: String? = nil, remedy: String) {
    self.reason = reason
    self.registration = registration?.documentIdentifier
    self.sentence = sentence ?? reason.sentence
    self.remedy = remedy
  }
}

extension SelectionCriteria {
  /// The registrations with which an app may answer, or why it may not.
  func decide(_ app: AppFacts) -> Result<[MobileDocumentRegistration], Miss> {
    guard app.isAuthorized else {
      return .failure(Miss(.appNotAuthorized, of: nil, remedy: "allow \(app.name) in Settings"))
    }
    let matching = app.candidates.filter(isAccepted)
    // Of the others the one that came furthest, if there is any other.
    func furthestMiss() -> Miss? {
      guard let refused = app.candidates.filter({ !isAccepted($0) }).lastingLongest else {
        return app.nearest.flatMap { miss(of: $0, app: app.name) }
      }
      return Miss(
        .issuerNotAccepted, of: refused,
        remedy: "accept the issuer of the document, or name no issuers in the request")
    }
    guard let furthest = matching.lastingLongest else {
      return .failure(furthestMiss() ?? Miss(.noRegistration, of: nil, remedy: "add a document to \(app.name)"))
    }
    if let unmet = unsatisfied(by: matching) {
      // Where another registration of the app fell short, that is why the documents do not come together.
      let detail = furthestMiss().map { "; \($0.sentence)" } ?? ""
      return .failure(
        Miss(
          .useCaseUnsatisfied, of: furthest, "\(NearMiss.useCaseUnsatisfied.sentence): \(unmet)\(detail)",
          remedy: "add the missing document to \(app.name), or make the use case optional"))
    }
    return .success(usable(of: matching))
  }

  private func isAccepted(_ registration: MobileDocumentRegistration) -> Bool {
    documentRequests.contains { $0.isMet(by: registration) }
  }

  private func miss(of nearest: AppFacts.Nearest, app: String) -> Miss? {
    let registration = nearest.registration
    guard let reason = firstFailure(of: registration, isEntitled: nearest.isEntitled) else { return nil }
    var sentence: String?
    let remedy: String
    switch reason {
    case .typeNotEntitled: remedy = "add \(registration.mobileDocumentType) to the entitlement of \(app)"
    case .typeNotRequested: remedy = "ask for \(registration.mobileDocumentType)"
    case .registrationInvalidated:
      if let date = registration.invalidationDate { sentence = "\(reason.sentence), \(DateTime(date))" }
      remedy = "let \(app) register the document with a later date"
    case .readerUnsigned: remedy = "sign the request for an authority that \(app) trusts"
    default:
      if !outdated.isEmpty { sentence = "\(reason.sentence): \(outdated.joined(separator: "; "))" }
      remedy =
        "sign the request with a valid certificate of an authority that \(app) trusts ("
        + registration.supportedAuthorityKeyIdentifiers.map { hexadecimal($0) }.joined(separator: ", ") + ")"
    }
    return Miss(reason, of: registration, sentence, remedy: remedy)
  }

  private func canPresent(
    _ set: ISO18013MobileDocumentRequest.DocumentRequestSet, with registrations: [MobileDocumentRegistration]
  ) -> Bool {
    !set.requests.isEmpty && set.requests.allSatisfy { request in registrations.contains { request.isMet(by: $0) } }
  }

  /// Which mandatory use case the registrations leave unsatisfied, in words; nil when they satisfy all, and one at least.
  private func unsatisfied(by registrations: [MobileDocumentRegistration]) -> String? {
    var isAnySatisfied = false
    for useCase in request.presentmentRequests {
      let isSatisfied = useCase.documentRequestSets.contains { canPresent($0, with: registrations) }
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

  /// The registrations that meet a document request of a set that can be presented whole.
  private func usable(of registrations: [MobileDocumentRegistration]) -> [MobileDocumentRegistration] {
    let requests = self.request.presentmentRequests.flatMap(\.documentRequestSets)
      .filter { canPresent($0, with: registrations) }.flatMap(\.requests)
    return registrations.filter { registration in requests.contains { $0.isMet(by: registration) } }
  }
}
