import CBOR
import Certificates
import Checks
import Primitives
import X509

/// The checks of issuing country and jurisdiction against the signer certificate (ISO/IEC 18013-5, 7.2.1 and 9.3.1).
extension DocumentVerification {
  mutating func checkIssuingPlace() {
    // Every value counts, signed by the issuer or the device; one that is not text agrees with nothing.
    func values(_ identifier: String) -> [CBORValue] {
      document.elements.lazy.filter { $0.identifier == identifier && $0.nameSpace == "org.iso.18013.5.1" }.map(\.value)
    }
    // Without a signer certificate nothing can agree.
    guard let signer = chain.first?.certificate else { return }
    outcomes[.issuingCountry] = Self.country(values("issuing_country"), signer: signer)
    outcomes[.issuingJurisdiction] = Self.jurisdiction(values("issuing_jurisdiction"), signer: signer)
  }

  private static func country(_ countries: [CBORValue], signer: Certificate) -> Outcome {
    guard !countries.isEmpty else { return .notApplicable("the response has no issuing_country") }
    guard let other = countries.first(where: { value in signer.country.map { value != .text($0) } ?? true }) else {
      return .passed
    }
    let reason: ResponseCheck.Reason? =
      switch signer.country {
      case nil: .missing
      case let code?: CountryCodes.contains(code) ? nil : .unassigned
      }
    return .found(
      reason, nil, .field("country of the signer certificate", expected: signer.country, found: shown(other)))
  }

  /// The state if the certificate has one, and in any case the country that the code of a subdivision begins with (ISO
  /// 3166-2). Authorities are in the field that write the name of their state without a country.
  private static func jurisdiction(_ jurisdictions: [CBORValue], signer: Certificate) -> Outcome {
    guard !jurisdictions.isEmpty else { return .notApplicable("the response has no issuing_jurisdiction") }
    var found: [Outcome.Finding] = []
    if let certified = signer.state, let other = jurisdictions.first(where: { $0 != .text(certified) }) {
      found.append(
        .init(.state, nil, .field("state of the signer certificate", expected: certified, found: shown(other))))
    }
    let country = signer.country
    for case .text(let text) in jurisdictions where DataElementType.subdivisionCode.problem(with: .text(text)) == nil {
      guard let country, !text.utf8.starts(with: country.utf8) else { continue }
      found.append(.init(.country, nil, .field("country of the signer certificate", expected: country, found: text)))
    }
    guard found.isEmpty, signer.state == nil, country == nil else { return .findings(found) }
    return .notApplicable("the signer certificate names neither state nor country")
  }

  /// A value of the issuer's own, which is not a secret.
  private static func shown(_ value: CBORValue) -> String {
    if case .text(let text) = value { text } else { "a value that is not text" }
  }
}

/// The checks of a document against the one request that it answers.
extension DocumentVerification {
  /// - Parameters:
  ///   - position: The position of the request that the document answers; nil if it answers none.
  ///   - requests: The requested documents; nil leaves out the comparison.
  mutating func checkRequest(answering position: Int?, of requests: [RequestedElements]?) {
    guard let requests else {
      for check in ResponseCheck.ofRequest { outcomes[check] = .notApplicable("the request is not known") }
      return
    }
    guard let position, requests.indices.contains(position) else {
      let isSurplus = requests.contains { $0.request.documentType.isExactly(document.documentType) }
      outcomes[.documentRequested] = .found(
        isSurplus ? .surplus : .notRequested, nil,
        .field(
          "docType", expected: requests.map(\.request.documentType).joined(separator: ", "),
          found: document.documentType))
      return
    }
    let requested = requests[position]
    outcomes[.documentRequested] = .passed
    outcomes[.issuerRequested] = Self.issuer(requested.request, path: path)
    outcomes[.elementRequested] = .findings(
      requested.unasked(of: document.elements).map { element in
        // The device may sign elements that the issuer authorized, so such an element is not a leak of the document.
        .init(
          element.isDeviceSigned ? .deviceSigned : .notRequested, nil,
          [Self.place(element.nameSpace, element.identifier)])
      })
    // Withholding is the person's right; the site decides what to do without.
    outcomes[.elementReturned] = .findings(
      requested.missing(from: document.elements).map { element in
        let (nameSpace, identifier) = (element.nameSpace.text, element.identifier.text)
        return .init(
          nil, "\(identifier) was requested and not returned",
          .field("element", expected: "\(nameSpace) \(identifier)"))
      })
  }

  /// Compares the issuer with those that the request names (ISO/IEC 18013-5 second edition draft, 10.2.4). Only
  /// certificates that lead to a trusted one say who issued: others that were sent may come from anywhere.
  private static func issuer(_ request: ItemsRequest, path: ValidatedCertificatePath?) -> Outcome {
    let accepted = request.issuerIdentifiers
    guard !accepted.isEmpty else { return .passed }
    guard let path else { return .notReached }
    let found = path.certificates.compactMap(\.authorityKeyIdentifier)
    return .require(
      request.names(issuerOf: path), nil, nil,
      .field(
        "authority key identifier", expected: accepted.map(hexadecimal).joined(separator: " or "),
        found: found.map(hexadecimal).joined(separator: ", ")))
  }
}

extension DeviceResponseVerifier {
  /// Checks that every document that is needed was returned; nil requests leave out the comparison.
  /// - Parameter answered: Positions of the requests that a document answers.
  static func documentsReturned(
    _ response: UnverifiedDeviceResponse, answered: [Int], of requests: [ItemsRequest]?,
    useCases: [DeviceRequestInfo.UseCase]
  ) -> CheckOutcome<ResponseCheck> {
    var evidence: [CheckResult.Evidence] {
      .field(
        "documents", expected: requests?.map(\.documentType).joined(separator: ", "),
        found: response.documents.map(\.documentType).joined(separator: ", "))
    }
    guard !response.documents.isEmpty else {
      let others = response.unreadDocuments
      return .found(
        .noDocument,
        others.isEmpty
          ? nil : "the response holds no document but \(others.joined(separator: ", ")), which are not supported",
        evidence)
    }
    let unmet = useCases.filter { useCase in
      !useCase.documentSets.contains { set in set.allSatisfy { index in requests == nil || answered.contains(index) } }
    }
    guard !unmet.contains(where: \.isMandatory) else {
      return .found(.useCase, "the documents of a mandatory use case are not all in the response", evidence)
    }
    // At least one must be met, also if each may be left out (ISO/IEC 18013-5 second edition draft, 10.2.5).
    guard useCases.isEmpty || unmet.count < useCases.count else {
      return .found(.useCase, "the documents of no use case are all in the response", evidence)
    }
    return .findings(
      (requests ?? []).enumerated().filter { !answered.contains($0.offset) }.map { _, request in
        .init(.notReturned, "\(request.documentType) was requested and is not in the response")
      })
  }
}

/// The request that each document answers: one request for one document, as wallets answer them (ISO/IEC 18013-5,
/// 8.3.2.1).
struct RequestMatching {
  /// The request of each document, by position; nil for a document that answers none.
  private(set) var requests: [Int?]

  /// Assigns as many documents as possible to requests that they fit: of the accepted issuer, with requested elements
  /// only. A document that fits no request gets a remaining one of its type, so that a report can name the difference.
  init(_ candidates: [DocumentVerification], _ requests: [RequestedElements]) {
    self.requests = candidates.map { _ in nil }
    let fitting = candidates.map { candidate in
      requests.indices.filter {
        requests[$0].request.fits(candidate) && requests[$0].unasked(of: candidate.document.elements).isEmpty
      }
    }
    var documents: [Int?] = requests.map { _ in nil }
    // A chain of reassignments that frees a request for the document (Kuhn's algorithm).
    func place(_ document: Int, tried: inout HandfulSet<Int>) -> Bool {
      for request in fitting[document] where tried.insert(request) {
        if documents[request].map({ place($0, tried: &tried) }) ?? true {
          documents[request] = document
          return true
        }
      }
      return false
    }
    for document in candidates.indices {
      var tried = HandfulSet<Int>()
      _ = place(document, tried: &tried)
    }
    for (request, document) in documents.enumerated() {
      if let document { self.requests[document] = request }
    }
    for (position, candidate) in candidates.enumerated() where self.requests[position] == nil {
      guard
        let left = requests.indices.first(where: {
          documents[$0] == nil && requests[$0].request.documentType.isExactly(candidate.document.documentType)
        })
      else { continue }
      documents[left] = position
      self.requests[position] = left
    }
  }
}

extension ItemsRequest {
  /// Returns true if the request names the issuer of a path.
  func names(issuerOf path: ValidatedCertificatePath) -> Bool {
    path.certificates.compactMap(\.authorityKeyIdentifier).contains(where: issuerIdentifiers.contains)
  }

  /// Returns true if a document has the requested type and an accepted issuer.
  fileprivate func fits(_ candidate: DocumentVerification) -> Bool {
    guard documentType.isExactly(candidate.document.documentType) else { return false }
    guard !issuerIdentifiers.isEmpty else { return true }
    return candidate.path.map(names(issuerOf:)) ?? false
  }
}
