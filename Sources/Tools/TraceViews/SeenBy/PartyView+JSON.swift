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
  init(_ view: PartyView, index: Int? = nil) {
    (self.view, self.index) = (view, index)
  }

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
struct DisclosureForm: JSONObjectWritable {
  private let disclosure: DisclosedDocument

  init(_ disclosure: DisclosedDocument) { self.disclosure = disclosure }

  func writeMembers(to json: inout JSONWriter) {
    json.member("algorithm", disclosure.digestAlgorithm)
    json.member("disclosed", disclosure.disclosed.map(ElementForm.init))
    json.member("documentType", disclosure.documentType)
    json.member("isHeldKnown", disclosure.isHeldKnown)
    json.member("label", DataElementCatalogue.label(documentType: disclosure.documentType))
    json.member("withheld", disclosure.withheld.map(ElementForm.init))
  }
}

private struct ElementForm: JSONObjectWritable {
  private let nameSpace: String
  private let identifier: String?
  private var value: String?
  private var isDeviceSigned: Bool?
  private var digest: String?
  private var number: Int64?

  init(_ element: DisclosedDocument.Disclosed) {
    (nameSpace, identifier) = (element.nameSpace, element.identifier)
    value = PageScreen.Element.words(of: element.value, as: element.identifier)
    isDeviceSigned = element.isDeviceSigned ? true : nil
  }

  init(_ element: DisclosedDocument.Withheld) {
    (nameSpace, identifier) = (element.nameSpace, element.identifier)
    digest = hexadecimal(element.digest)
    number = element.digestID.flatMap { Int64(exactly: $0) }
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("digest", digest)
    json.member("identifier", identifier)
    json.member("isDeviceSigned", isDeviceSigned)
    json.member("label", identifier.map { DataElementCatalogue.label(nameSpace: nameSpace, identifier: $0) })
    json.member("nameSpace", nameSpace)
    json.member("number", number)
    json.member("value", value)
  }
}
