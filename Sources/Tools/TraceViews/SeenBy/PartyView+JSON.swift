import Inspection
import JSON
import Messaging
import MobileDocument
import Primitives
import Vocabulary

/// A view with the content in it, or with its index in a page with all contents.
struct PartyViewForm: JSONObjectWritable {
  private let view: PartyView
  private let index: Int?

  /// - Parameter index: The index of the content in a page with all contents; nil to write the content itself.
  init(_ view: PartyView, index: Int? = nil) { (self.view, self.index) = (view, index) }

  func writeMembers(to json: inout JSONWriter) {
    json.member("by", view.parties)
    if let index {
      json.member("content", index)
    } else if case .other(let message) = view.content {
      json.member("content", MessageContent(message, disclosures: view.disclosures))
    }
    json.member("message", view.message)
    json.member("release", view.release)
    json.member("way", view.way.rawValue)
  }
}

/// A disclosure with the display names of its elements.
extension DisclosedDocument: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("algorithm", digestAlgorithm)
    json.member("disclosed", disclosed)
    json.member("documentType", documentType)
    json.member("isHeldKnown", isHeldKnown)
    json.member("label", DataElementCatalogue.label(documentType: documentType))
    json.member("withheld", withheld)
  }
}

extension DisclosedDocument.Disclosed: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("identifier", identifier)
    if isDeviceSigned { json.member("isDeviceSigned", true) }
    json.member("label", DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier))
    json.member("nameSpace", nameSpace)
    json.member("value", PageScreen.Element.words(of: value, as: identifier))
  }
}

extension DisclosedDocument.Withheld: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("digest", hexadecimal(digest))
    json.member("identifier", identifier)
    json.member("label", identifier.map { DataElementCatalogue.label(nameSpace: nameSpace, identifier: $0) })
    json.member("nameSpace", nameSpace)
    json.member("number", digestID.flatMap { Int64(exactly: $0) })
  }
}
