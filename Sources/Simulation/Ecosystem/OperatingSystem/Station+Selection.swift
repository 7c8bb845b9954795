import Certificates
import DevicePlatform
import IdentityDocumentServices
import MobileDocument
import Primitives
import SimulationKernel
import X509

extension Station {
  /// Writes down a selection: what was asked and who signed, then a decision for each app.
  func record(
    _ selection: Selection, for request: ISO18013MobileDocumentRequest, from origin: String,
    reading: Selection.AuthorityReading
  ) {
    let signers = request.requestAuthentications.count
    record(
      .selector, code: .selectorRequest, outcome: "asked",
      message: signers == 0 ? "nobody signed the request" : "\(signers) signed the request",
      details: [Decision.Detail("origin", origin)] + request.askedDetails + request.signerDetails
        + [Decision.Detail("reading", reading.rawValue)])
    for offer in selection.offered {
      record(
        .selector, code: .selectorOffered, outcome: "offered", message: "\(offer.app) may answer",
        details: [Decision.Detail("app", offer.app)]
          + offer.registrations.flatMap { registration in
            [
              Decision.Detail("registration", registration.documentIdentifier),
              Decision.Detail("document type", registration.mobileDocumentType),
            ]
          })
    }
    for hidden in selection.hidden {
      record(
        .selector, code: hidden.reason.rawValue, outcome: "hidden", message: hidden.message,
        details: [Decision.Detail("app", hidden.app), Decision.Detail("remedy", hidden.remedy)])
    }
  }
}

extension ISO18013MobileDocumentRequest {
  /// Each document that is asked for with the issuers that are named for it, then the use cases.
  fileprivate var askedDetails: [Decision.Detail] {
    var documents: [[Decision.Detail]] = []
    for request in presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests) {
      let details =
        [Decision.Detail("document type", request.documentType)]
        + request.issuerKeyIdentifiers.map { Decision.Detail("issuer", hexadecimal($0)) }
      // A document that several use cases name is asked for once.
      if !documents.contains(details) { documents.append(details) }
    }
    let useCases = presentmentRequests.map { useCase in
      let sets = useCase.documentRequestSets.map { $0.requests.map(\.documentType).joined(separator: " and ") }
      return Decision.Detail(
        "use case", "\(useCase.isMandatory ? "mandatory" : "optional"): \(sets.joined(separator: ", or "))")
    }
    return documents.flatMap(\.self) + useCases
  }

  /// Each signer with the authority key identifiers of its chain, from the leaf on.
  fileprivate var signerDetails: [Decision.Detail] {
    requestAuthentications.map(\.authenticationCertificateChain).flatMap { chain in
      [Decision.Detail("signer", chain.first.map { $0.commonName ?? $0.subject.description } ?? "")]
        + chain.map { certificate in
          let identifier = certificate.authorityKeyIdentifier.map { hexadecimal($0) } ?? "no key identifier"
          return Decision.Detail(
            "authority", "\(identifier), \(certificate.issuerCommonName ?? certificate.issuer.description)")
        }
    }
  }
}
