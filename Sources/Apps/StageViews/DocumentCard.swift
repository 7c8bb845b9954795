import JSON
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

extension DeviceScreen.Authorization.Card: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("documentType", documentType)
    json.member("hasPortrait", hasPortrait)
    json.member("identifier", identifier)
    json.member("isChosen", isChosen)
    json.member("issuer", issuer)
    json.member("problem", problem)
    json.member("title", title)
  }
}
