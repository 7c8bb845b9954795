import DevicePlatform
import MobileDocument
import OwnWallets

extension PartialRequestBody {
  /// The elements that the website wants to retain.
  var retainedElements: Set<DocumentElement> {
    var found: Set<DocumentElement> = []
    for document in useCases.flatMap(\.sets).joined() {
      for (space, elements) in document.nameSpaces {
        for (element, isRetained) in elements where isRetained {
          found.insert(DocumentElement(documentType: document.documentType, nameSpace: space, identifier: element))
        }
      }
    }
    return found
  }
}

extension PartialRequestText {
  /// The partial request as the system hands it out. It has each document in the sets of the use cases, here once.
  init(_ body: PartialRequestBody) {
    var documents: [ItemsRequest] = []
    let useCases = body.useCases.map { useCase in
      DeviceRequestInfo.UseCase(
        isMandatory: useCase.isMandatory,
        documentSets: useCase.sets.map { set in
          set.map { document in
            let items = ItemsRequest(document)
            if let place = documents.firstIndex(of: items) { return place }
            documents.append(items)
            return documents.count - 1
          }
        })
    }
    self.init(documents: documents, useCases: useCases, readers: body.chains.map { $0.map(\.bytes) })
  }
}

extension ItemsRequest {
  /// A requested document, its names in order.
  fileprivate init(_ document: PartialRequestBody.Document) {
    let spaces = document.nameSpaces.sorted { $0.key < $1.key }.map { space in
      let elements = space.value.sorted { $0.key < $1.key }
      return NameSpace(space.key, elements.map { Element($0.key, intentToRetain: $0.value) })
    }
    self.init(documentType: document.documentType, nameSpaces: spaces)
  }
}
