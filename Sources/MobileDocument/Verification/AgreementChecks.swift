import CBOR
import X509

/// Agreement of a response with the signer's certificate and with what was requested.
extension DeviceResponseVerifier {
  /// Issuing country and jurisdiction against the signer's certificate (ISO/IEC 18013-5, 7.2.1 and 9.3.1).
  func checkIssuingPlace(
    _ document: UnverifiedDocument, signer: Certificate?, list: inout Checklist<ResponseCheck>
  ) {
    func text(_ identifier: String) -> String? {
      let element = document.elements.first { $0.nameSpace == "org.iso.18013.5.1" && $0.identifier == identifier }
      guard case .text(let text)? = element?.value else { return nil }
      return text
    }
    // Without a signer's certificate there is nothing that could agree.
    guard let signer else { return }
    if let country = text("issuing_country") {
      list.require(
        country == signer.country, .issuingCountry, nil,
        [CheckResult.Evidence("country of the signer's certificate", expected: signer.country)])
    } else {
      list.omit(.issuingCountry)
    }
    if let jurisdiction = text("issuing_jurisdiction"), let certified = signer.state {
      list.require(
        jurisdiction == certified, .issuingJurisdiction, nil,
        [CheckResult.Evidence("state of the signer's certificate", expected: certified)])
    } else {
      list.omit(.issuingJurisdiction)
    }
  }

  /// What was returned against what was requested; nil requests leave out the comparison.
  func checkRequested(
    _ document: UnverifiedDocument, path: ValidatedCertificatePath?, requests: [ItemsRequest]?,
    list: inout Checklist<ResponseCheck>
  ) {
    guard let requests else {
      for check in [ResponseCheck.documentRequested, .issuerRequested, .elementRequested, .elementReturned] {
        list.omit(check)
      }
      return
    }
    let matching = requests.filter { $0.documentType == document.documentType }
    guard
      list.require(
        !matching.isEmpty, .documentRequested, nil,
        [
          CheckResult.Evidence(
            "docType", expected: requests.map(\.documentType).joined(separator: ", "), found: document.documentType)
        ])
    else { return }
    checkIssuerRequested(matching, path: path, list: &list)
    let requested = matching.flatMap { request in
      request.nameSpaces.flatMap { space in space.elements.map { (space.name, $0.identifier) } }
    }
    let returned = document.elements
    for element in returned where !requested.contains(where: { Self.isAsked(element, by: $0) }) {
      let place = [Self.place(element.nameSpace, element.identifier)]
      // What the issuer let a device say of itself is disclosed by the device, and nothing that the request withheld.
      if element.isDeviceSigned {
        list.deviate(.elementRequested, "the device added an element that nobody asked for", place)
      } else {
        list.fail(.elementRequested, nil, place)
      }
    }
    list.pass(.elementRequested)
    for element in requested where !returned.contains(where: { Self.answers($0, element) }) {
      // Withholding is the person's right and no fault of the response; the site decides what to do without.
      list.deviate(
        .elementReturned, "\(element.1) was requested and not returned",
        [CheckResult.Evidence("element", expected: "\(element.0) \(element.1)")])
    }
    list.pass(.elementReturned)
  }

  /// The issuer against those that the request names (ISO/IEC 18013-5 second edition draft, 10.2.4). Only certificates that
  /// lead to a trusted one say who issued: what else was sent along, anybody may have added.
  private func checkIssuerRequested(
    _ requests: [ItemsRequest], path: ValidatedCertificatePath?, list: inout Checklist<ResponseCheck>
  ) {
    guard !requests.contains(where: \.issuerIdentifiers.isEmpty) else { return list.pass(.issuerRequested) }
    guard let path else { return }
    let accepted = requests.flatMap(\.issuerIdentifiers)
    let found = path.certificates.compactMap(\.authorityKeyIdentifier)
    list.require(
      found.contains(where: accepted.contains), .issuerRequested, nil,
      [
        CheckResult.Evidence(
          "authority key identifier", expected: accepted.map(hexadecimal).joined(separator: " or "),
          found: found.map(hexadecimal).joined(separator: ", "))
      ])
  }

  /// Whether every document that is needed was returned; nil requests leave out the comparison.
  func checkDocumentsReturned(
    _ response: UnverifiedDeviceResponse, requests: [ItemsRequest]?, useCases: [DeviceRequestInfo.UseCase],
    list: inout Checklist<ResponseCheck>
  ) {
    func isReturned(_ request: ItemsRequest) -> Bool {
      response.documents.contains { $0.documentType == request.documentType }
    }
    func fail(_ sentence: String) {
      list.fail(
        .documentReturned, sentence,
        [
          CheckResult.Evidence(
            "documents", expected: requests?.map(\.documentType).joined(separator: ", "),
            found: response.documents.map(\.documentType).joined(separator: ", "))
        ])
    }
    guard !response.documents.isEmpty else {
      let others = response.unreadDocuments
      return fail(
        others.isEmpty
          ? "the response holds no document"
          : "the response holds no document but \(others.joined(separator: ", ")), which are not read here")
    }
    let isMet = useCases.filter(\.isMandatory).allSatisfy { useCase in
      useCase.documentSets.contains { set in
        set.allSatisfy { index in
          requests.map { $0.indices.contains(index) && isReturned($0[index]) } ?? true
        }
      }
    }
    guard isMet else { return fail("the documents of a mandatory use case are not all in the response") }
    for request in requests ?? [] where !isReturned(request) {
      list.deviate(.documentReturned, "\(request.documentType) was requested and is not in the response")
    }
    list.pass(.documentReturned)
  }

  /// Whether an element was asked for: itself, or an age where an age was asked for.
  private static func isAsked(_ element: VerifiedDocument.Element, by request: (String, String)) -> Bool {
    guard element.nameSpace == request.0 else { return false }
    return element.identifier == request.1
      || AgeOver.age(in: element.identifier) != nil && AgeOver.age(in: request.1) != nil
  }

  /// Whether an element answers a request: the same one, or an attestation of another age that says something about
  /// the one that was asked for (ISO/IEC 18013-5, 7.2.5).
  private static func answers(_ element: VerifiedDocument.Element, _ request: (String, String)) -> Bool {
    guard element.nameSpace == request.0 else { return false }
    if element.identifier == request.1 { return true }
    guard let held = AgeOver.age(in: element.identifier), let asked = AgeOver.age(in: request.1),
      case .boolean(let value) = element.value
    else { return false }
    return AgeOver.conclusion(about: asked, from: (held, value)) != nil
  }
}
