import Certificates
import Checks
import DevicePlatform
import IdentityDocumentServices
import Messaging
import MobileDocument
import Primitives
import X509

extension Station {
  /// Records a selection: the conditions of the request, then an event for each app.
  func record(
    _ selection: Selection, for request: ISO18013MobileDocumentRequest, from origin: String,
    reading: Selection.AuthorityReading
  ) {
    record(
      .selection(
        .asked(
          request: SelectionEvent.Request(
            origin: origin, documents: request.documents, useCases: request.useCases, signers: request.signers,
            reading: reading.rawValue))))
    for offer in selection.offered {
      let registrations = offer.registrations.map {
        SelectionEvent.Registration(identifier: $0.documentIdentifier, documentType: $0.mobileDocumentType)
      }
      record(.selection(.offered(app: offer.app, registrations: registrations)))
    }
    for hidden in selection.hidden {
      let finding = CheckFailure(hidden.finding, hidden.message).result
      record(.selection(.hidden(app: hidden.app, finding: finding, remedy: hidden.remedy)))
    }
  }
}

extension ISO18013MobileDocumentRequest {
  /// The requested documents. A document of several use cases is listed once.
  fileprivate var documents: [SelectionEvent.Document] {
    var documents: [SelectionEvent.Document] = []
    for request in presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests) {
      let document = SelectionEvent.Document(
        documentType: request.documentType, issuers: request.issuerKeyIdentifiers.map { hexadecimal($0) })
      if !documents.contains(document) { documents.append(document) }
    }
    return documents
  }

  fileprivate var useCases: [SelectionEvent.UseCase] {
    presentmentRequests.map { useCase in
      SelectionEvent.UseCase(
        isMandatory: useCase.isMandatory,
        documentSets: useCase.documentRequestSets.map { $0.requests.map(\.documentType) })
    }
  }

  fileprivate var signers: [SelectionEvent.Signer] {
    requestAuthentications.map(\.authenticationCertificateChain).map { chain in
      SelectionEvent.Signer(
        name: chain.first.map { $0.commonName ?? $0.subject.description } ?? "",
        authorities: chain.map { certificate in
          SelectionEvent.Authority(
            name: certificate.issuerCommonName ?? certificate.issuer.description,
            keyIdentifier: certificate.authorityKeyIdentifier.map { hexadecimal($0) })
        })
    }
  }
}
