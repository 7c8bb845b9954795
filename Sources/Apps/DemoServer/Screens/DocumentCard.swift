import JSON
import MobileDocument
import Vocabulary

extension DeviceScreen.Authorization.Card {
  /// The card of a document in a view of an app.
  init(_ shown: AuthorizationScreen.Document, of app: WorldDescription.App?) {
    let document = app?.documents.first { $0.identifier == shown.identifier }
    (identifier, documentType, title) = (shown.identifier, shown.documentType, shown.title)
    (issuer, isChosen, problem) = (shown.issuer, shown.isChosen, shown.problem)
    hasPortrait = document?.nameSpaces.contains { $0.elements.contains { $0.identifier == "portrait" } } ?? false
  }
}

extension WorldDescription {
  /// The displayed name of the one reader authority that an app trusts and a website has a certificate of.
  func certifier(of website: Website?, for app: App?) -> String? {
    let shared = website?.signsFor.filter { app?.trustsReaders.contains($0) ?? false } ?? []
    guard shared.count == 1 else { return nil }
    return readerAuthorities.first { $0.identifier == shared[0] }?.name
  }
}

extension WorldDescription.Website {
  /// Sorts elements by the website's list; unlisted ones come last.
  func inOrder(_ elements: [AuthorizationScreen.Element]) -> [AuthorizationScreen.Element] {
    let listed = asks.flatMap { document in
      document.nameSpaces.flatMap { nameSpace in
        nameSpace.elements.map { [document.documentType, nameSpace.name, $0.identifier] }
      }
    }
    let places = elements.map { element in
      listed.firstIndex(of: [element.documentType, element.nameSpace, element.identifier]) ?? listed.count
    }
    return zip(elements, places).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
  }
}

extension DeviceScreen.Authorization.Card: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("documentType", documentType)
      json.member("hasPortrait", hasPortrait)
      json.member("identifier", identifier)
      json.member("isChosen", isChosen)
      json.member("issuer", issuer)
      json.member("problem", problem)
      json.member("title", title)
    }
  }
}
