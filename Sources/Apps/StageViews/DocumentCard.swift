import JSON
import Vocabulary

/// A document that a view of an app offers, as a card shows it.
struct DocumentCard: JSONObjectWritable {
  let shown: AuthorizationScreen.Document
  let app: WorldDescription.App?

  private var hasPortrait: Bool {
    let document = app?.documents.first { $0.identifier == shown.identifier }
    return document?.nameSpaces.contains { $0.elements.contains { $0.identifier == "portrait" } } ?? false
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("documentType", shown.documentType)
    json.member("hasPortrait", hasPortrait)
    json.member("identifier", shown.identifier)
    json.member("isChosen", shown.isChosen)
    json.member("issuer", shown.issuer)
    json.member("problem", shown.problem)
    json.member("title", shown.title)
  }
}
