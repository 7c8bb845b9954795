import JSON
import MobileDocument
import Primitives

/// A message to a wallet of one's own. With a number it is a line of the program's standard input.
package enum WalletMessage: Sendable {
  /// The wallet makes a device key for a document. The lists are the reader authorities', of revoked certificates.
  case provision(Document, readerRoots: [[UInt8]], issuerRoots: [[UInt8]], revocationLists: [[UInt8]] = [])
  /// The issuing authority has signed the document for that key.
  case store(Document, issued: [UInt8])
  /// The person deleted a document.
  case delete(Document)
  /// The system takes the wallet's registrations.
  case registrations
  /// The part of a request that a view may show. The system may not say the origin.
  case request(origin: String?, PartialRequestText)
  /// The person agreed to the view of the request with a number; the raw request follows.
  case agree(to: Int, raw: String)
  /// The person declined, or the view closed without a decision.
  case decline(to: Int)

  /// A document's place in a wallet.
  package struct Document: Sendable {
    /// `DocType`.
    package let type: String
    /// The name of the document, which is also that of its registration.
    package let identifier: String

    /// Creates a place.
    package init(type: String, identifier: String) {
      self.type = type
      self.identifier = identifier
    }

    fileprivate var members: [(String, JSONValue)] {
      [("documentType", .string(type)), ("documentIdentifier", .string(identifier))]
    }
  }

  /// The word that names the message.
  package var word: String {
    switch self {
    case .provision: "provision"
    case .store: "store"
    case .delete: "delete"
    case .registrations: "registrations"
    case .request: "request"
    case .agree: "agree"
    case .decline: "decline"
    }
  }

  private var members: [(String, JSONValue)] {
    switch self {
    case .provision(let document, let readerRoots, let issuerRoots, let revocationLists):
      document.members + [("readerRoots", .bytes(readerRoots)), ("issuerRoots", .bytes(issuerRoots))]
        + (revocationLists.isEmpty ? [] : [("revocationLists", .bytes(revocationLists))])
    case .store(let document, let issued): document.members + [("document", .string(Base64URL.encode(issued)))]
    case .delete(let document): document.members
    case .registrations: []
    case .request(let origin, let partial):
      (origin.map { [("origin", .string($0))] } ?? []) + [("partial", partial.json)]
    case .agree(let request, let raw): [("to", .number("\(request)")), ("raw", .string(raw))]
    case .decline(let request): [("to", .number("\(request)"))]
    }
  }

  /// The message without a number.
  package var encoded: [UInt8] { JSONValue(members: [("do", .string(word))] + members).bytes }

  /// Adds a number to an encoded message.
  package static func numbered(_ message: [UInt8], _ number: Int) -> [UInt8] {
    Array("{\"id\":\(number),".utf8) + message.dropFirst()
  }
}

/// A partial request in the words of the protocol.
package struct PartialRequestText: Sendable, Equatable {
  /// The requested documents.
  package let documents: [ItemsRequest]
  /// The use cases, whose sets name documents by their place.
  package let useCases: [DeviceRequestInfo.UseCase]
  /// The certificate chain of each reader, leaf first.
  package let readers: [[[UInt8]]]

  /// Creates a partial request. Without a use case it asks for all documents at once.
  package init(documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase], readers: [[[UInt8]]]) {
    self.documents = documents
    self.useCases = useCases.isEmpty ? DeviceRequestInfo.all(documents: documents.count).useCases : useCases
    self.readers = readers
  }

  /// The partial request as JSON.
  package var json: JSONValue {
    JSONValue(members: [
      ("documents", .array(documents.map(Self.json))),
      (
        "useCases",
        .array(
          useCases.map { useCase in
            JSONValue(members: [
              ("mandatory", .boolean(useCase.isMandatory)),
              ("sets", .array(useCase.documentSets.map { .array($0.map { .number("\($0)") }) })),
            ])
          })
      ),
      ("readers", .array(readers.map(JSONValue.bytes))),
    ])
  }

  private static func json(_ document: ItemsRequest) -> JSONValue {
    let spaces = document.nameSpaces.map { space in
      (space.name, JSONValue(members: space.elements.map { ($0.identifier, .boolean($0.intentToRetain)) }))
    }
    return JSONValue(
      members: [("documentType", .string(document.documentType)), ("elements", JSONValue(members: spaces))])
  }
}

extension JSONValue {
  /// A list of byte strings in base64url.
  fileprivate static func bytes(_ list: [[UInt8]]) -> JSONValue { .array(list.map { .string(Base64URL.encode($0)) }) }
}
