import MobileDocument

/// Why an app is not offered, before it is known for a part of a selection.
struct Miss: Error {
  let reason: NearMiss
  let registration: String?
  let sentence: String
  let remedy: String

  init(_ reason: NearMiss, of registration: SelectedRegistration?, _ sentence: String? = nil, remedy: String) {
    self.reason = reason
    self.registration = registration?.documentIdentifier
    self.sentence = sentence ?? reason.sentence
    self.remedy = remedy
  }
}

extension SelectionCriteria {
  /// The registrations with which an app may answer, or why it may not.
  func decide(_ app: AppFacts) -> Result<[SelectedRegistration], Miss> {
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

  /// Whether an authorized app can answer with its candidates, whatever else it registered.
  public func canAnswer(with candidates: [AppFacts.Candidate]) -> Bool {
    let matching = candidates.filter(isAccepted)
    return !matching.isEmpty && unsatisfied(by: matching) == nil
  }

  private func isAccepted(_ candidate: AppFacts.Candidate) -> Bool {
    documentRequests.contains { $0.isMet(by: candidate) }
  }

  private func miss(of nearest: AppFacts.Nearest, app: String) -> Miss? {
    let registration = nearest.registration
    let authorities = nearest.authorityKeyIdentifiers
    guard let reason = firstFailure(of: registration, authorities: authorities, isEntitled: nearest.isEntitled) else {
      return nil
    }
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
        + authorities.map { hexadecimal($0) }.joined(separator: ", ") + ")"
    }
    return Miss(reason, of: registration, sentence, remedy: remedy)
  }

  private func canPresent(
    _ set: ISO18013MobileDocumentRequest.DocumentRequestSet, with candidates: [AppFacts.Candidate]
  ) -> Bool {
    !set.requests.isEmpty && set.requests.allSatisfy { request in candidates.contains { request.isMet(by: $0) } }
  }

  /// Which mandatory use case the candidates leave unsatisfied, in words; nil when they satisfy all, and one at least.
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

  /// The registrations that meet a document request of a set that can be presented whole.
  private func usable(of candidates: [AppFacts.Candidate]) -> [SelectedRegistration] {
    let requests = self.request.presentmentRequests.flatMap(\.documentRequestSets)
      .filter { canPresent($0, with: candidates) }.flatMap(\.requests)
    return candidates.filter { candidate in requests.contains { $0.isMet(by: candidate) } }.map(\.registration)
  }
}
