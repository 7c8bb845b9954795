import FoundationEssentials
import MobileDocument
import X509

extension ISO18013MobileDocumentRequest {
  /// Makes the part of an authenticated request that an authorization view needs.
  ///
  /// A request without use cases asks for all its documents at once, like a request with one mandatory use case.
  public init(_ request: AuthenticatedDeviceRequest) {
    self.init(
      documents: request.documentRequests.map(\.value), useCases: request.deviceRequestInfo?.useCases,
      chains: request.readersOfAll.map(\.chain))
  }

  /// Returns whether a raw request with unchecked signatures asks for the same with the same certificates.
  public func agrees(with contents: UnverifiedRequestContents) -> Bool {
    self
      == Self(
        documents: contents.documentRequests, useCases: contents.deviceRequestInfo?.useCases, chains: contents.chains)
  }

  private init(documents items: [ItemsRequest], useCases given: [DeviceRequestInfo.UseCase]?, chains: [[Certificate]]) {
    let documents = items.map { DocumentRequest($0) }
    var useCases = given ?? []
    if useCases.isEmpty { useCases = DeviceRequestInfo.all(documents: documents.count).useCases }
    self.init(
      presentmentRequests: useCases.map { useCase in
        PresentmentRequest(
          documentRequestSets: useCase.documentSets.map { set in
            DocumentRequestSet(requests: set.map { documents[$0] })
          },
          isMandatory: useCase.isMandatory)
      },
      requestAuthentications: chains.map { RequestAuthentication(authenticationCertificateChain: $0) })
  }
}

extension ISO18013MobileDocumentRequest.DocumentRequest {
  init(_ items: ItemsRequest) {
    var namespaces: [String: [String: ISO18013MobileDocumentRequest.ElementInfo]] = [:]
    for nameSpace in items.nameSpaces {
      for element in nameSpace.elements {
        namespaces[nameSpace.name, default: [:]][element.identifier] =
          ISO18013MobileDocumentRequest.ElementInfo(isRetaining: element.intentToRetain)
      }
    }
    self.init(
      documentType: items.documentType, namespaces: namespaces,
      issuerKeyIdentifiers: items.issuerIdentifiers.map { Data($0) })
  }
}

extension URL {
  /// The origin in a session transcript: the URL without a trailing slash.
  public var serializedOrigin: String {
    let text = absoluteString
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
