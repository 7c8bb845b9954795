import CBOR
import Certificates
import Checks
import Primitives
import X509

/// Agreement of a response with the signer's certificate and with what was requested.
extension DeviceResponseVerifier {
  /// Issuing country and jurisdiction against the signer's certificate (ISO/IEC 18013-5, 7.2.1 and 9.3.1).
  func checkIssuingPlace(
    _ document: UnverifiedDocument, signer: Certificate?, list: inout Checklist<ResponseCheck>
  ) {
    // Every one of them, whoever vouches for it; what is no text agrees with nothing.
    func values(_ identifier: String) -> [CBORValue] {
      document.elements.filter { $0.nameSpace == "org.iso.18013.5.1" && $0.identifier == identifier }.map(\.value)
    }
    // Without a signer's certificate there is nothing that could agree.
    guard let signer else { return }
    let countries = values("issuing_country")
    if countries.isEmpty {
      list.omit(.issuingCountry)
    } else {
      let others = countries.filter { value in signer.country.map { value != .text($0) } ?? true }
      list.require(
        others.isEmpty, .issuingCountry, nil,
        [
          CheckResult.Evidence(
            "country of the signer's certificate", expected: signer.country, found: others.first.map(Self.shown))
        ])
    }
    checkJurisdictions(values("issuing_jurisdiction"), signer: signer, list: &list)
  }

  /// The state where the certificate has one, and in any case the country that the code of a subdivision begins with (ISO
  /// 3166-2). Authorities are in the field that write the name of their state without a country.
  private func checkJurisdictions(
    _ jurisdictions: [CBORValue], signer: Certificate, list: inout Checklist<ResponseCheck>
  ) {
    guard !jurisdictions.isEmpty else { return list.omit(.issuingJurisdiction) }
    if let certified = signer.state, let other = jurisdictions.first(where: { $0 != .text(certified) }) {
      list.fail(
        .issuingJurisdiction, nil,
        [
          CheckResult.Evidence(
            "state of the signer's certificate", expected: certified, found: Self.shown(other))
        ])
    }
    let country = signer.country
    for case .text(let text) in jurisdictions where DataElementType.subdivisionCode.problem(with: .text(text)) == nil {
      guard let country, !text.utf8.starts(with: country.utf8) else { continue }
      list.fail(
        .issuingJurisdiction, "the issuing jurisdiction is one of another country than the signer certificate's",
        [CheckResult.Evidence("country of the signer's certificate", expected: country, found: text)])
    }
    if signer.state != nil || country != nil {
      list.pass(.issuingJurisdiction)
    } else {
      list.omit(.issuingJurisdiction)
    }
  }

  /// A value of the issuer's own, which is nobody's secret.
  private static func shown(_ value: CBORValue) -> String {
    if case .text(let text) = value { text } else { "a value that is no text" }
  }

  /// What was returned against the one request that it answers; nil requests leave out the comparison.
  func checkRequested(
    _ document: UnverifiedDocument, path: ValidatedCertificatePath?, answering position: Int?,
    of requests: [ItemsRequest]?, list: inout Checklist<ResponseCheck>
  ) {
    guard let requests else {
      for check in [
        ResponseCheck.documentRequested, .issuerRequested, .elementRequested, .elementReturned,
      ] {
        list.omit(check)
      }
      return
    }
    var types: CheckResult.Evidence {
      CheckResult.Evidence(
        "docType", expected: requests.map(\.documentType).joined(separator: ", "), found: document.documentType)
    }
    guard let position, requests.indices.contains(position) else {
      if requests.contains(where: { $0.documentType.isExactly(document.documentType) }) {
        list.replace(.documentRequested, with: .documentOnce)
        list.fail(.documentOnce, nil, [types])
      } else {
        list.fail(.documentRequested, nil, [types])
      }
      return
    }
    let request = requests[position]
    list.pass(.documentRequested)
    checkIssuerRequested(request, path: path, list: &list)
    let requested = RequestedElements(request)
    for element in requested.unasked(of: document.elements) {
      let place = [Self.place(element.nameSpace, element.identifier)]
      // What the issuer let a device say of itself is disclosed by the device, and nothing that the request withheld.
      if element.isDeviceSigned {
        list.deviate(.elementRequested, "the device added an element that nobody asked for", place)
      } else {
        list.fail(.elementRequested, nil, place)
      }
    }
    list.pass(.elementRequested)
    for element in requested.missing(from: document.elements) {
      // Withholding is the person's right and no fault of the response; the site decides what to do without.
      list.deviate(
        .elementReturned, "\(element.identifier) was requested and not returned",
        [CheckResult.Evidence("element", expected: "\(element.nameSpace) \(element.identifier)")])
    }
    list.pass(.elementReturned)
  }

  /// The issuer against those that the request names (ISO/IEC 18013-5 second edition draft, 10.2.4). Only certificates that
  /// lead to a trusted one say who issued: what else was sent along, anybody may have added.
  private func checkIssuerRequested(
    _ request: ItemsRequest, path: ValidatedCertificatePath?, list: inout Checklist<ResponseCheck>
  ) {
    let accepted = request.issuerIdentifiers
    guard !accepted.isEmpty else { return list.pass(.issuerRequested) }
    guard let path else { return }
    let found = path.certificates.compactMap(\.authorityKeyIdentifier)
    list.require(
      request.names(issuerOf: path), .issuerRequested, nil,
      [
        CheckResult.Evidence(
          "authority key identifier", expected: accepted.map(hexadecimal).joined(separator: " or "),
          found: found.map(hexadecimal).joined(separator: ", "))
      ])
  }

  /// Whether every document that is needed was returned; nil requests leave out the comparison.
  /// - Parameter answered: positions of the requests that a document answers.
  func checkDocumentsReturned(
    _ response: UnverifiedDeviceResponse, answered: [Int], of requests: [ItemsRequest]?,
    useCases: [DeviceRequestInfo.UseCase], list: inout Checklist<ResponseCheck>
  ) {
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
    let unmet = useCases.filter { useCase in
      !useCase.documentSets.contains { set in
        set.allSatisfy { index in requests == nil || answered.contains(index) }
      }
    }
    guard !unmet.contains(where: \.isMandatory) else {
      return fail("the documents of a mandatory use case are not all in the response")
    }
    // At least one must be met, also where each may be left out (ISO/IEC 18013-5 second edition draft, 10.2.5).
    guard useCases.isEmpty || unmet.count < useCases.count else {
      return fail("the documents of no use case are all in the response")
    }
    for (position, request) in (requests ?? []).enumerated() where !answered.contains(position) {
      list.deviate(.documentReturned, "\(request.documentType) was requested and is not in the response")
    }
    list.pass(.documentReturned)
  }
}
