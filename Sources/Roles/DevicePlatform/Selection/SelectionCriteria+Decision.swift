import IdentityDocumentServices
import MobileDocument

extension SelectionCriteria {
  /// Returns the registrations with which an app may answer, or the reason why it may not.
  func decide(_ app: AppFacts) -> Selection.Decision {
    typealias Hidden = Selection.Hidden
    guard app.isAuthorized else { return .hidden(Hidden(app.name, SelectorFinding(.appAuthorization))) }
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
    let authorities = nearest.authorityKeyIdentifiers
    return firstFailure(of: nearest.registration, authorities: authorities, isEntitled: nearest.isEntitled).map {
      var hidden = Selection.Hidden(app, $0, nearest: nearest.registration)
      hidden.authorities = authorities
      hidden.outdated = outdated(for: authorities).map(\.description)
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
