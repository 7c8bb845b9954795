import FoundationEssentials
import MobileDocument
import OpenID4VP
import Primitives

/// The documents that an app answers a request with, those that the person can choose instead, and what becomes of each
/// requested element: the content of an authorization view. The documents that the view shows when the person agrees are
/// the ones that the app presents.
///
/// ISO/IEC 18013-5 has no element that a document must have: a document answers with the elements that it has (8.3.2.1.2.2).
/// So a missing element excludes no document, and the view shows it as not held. A query of OpenID4VP says which claims a
/// credential must have, and another one does not answer (OpenID4VP, 6.4.1).
public struct DocumentChoice: Sendable {
  /// A document that can answer.
  public struct Option: Sendable, Equatable {
    /// The app's identifier of the document.
    public let documentIdentifier: String
    /// `DocType`.
    public let documentType: String
    /// The name of the issuing authority.
    public let issuerName: String
    /// Indicates whether the app answers with this document.
    public let isChosen: Bool
    /// The check for which the app would not present the document now, or nil.
    public let finding: ProviderFinding?

    /// The reason for which the app would not present the document now, or nil.
    public var problem: String? { finding?.message }
  }

  /// A requested element.
  public struct Element: Sendable, Hashable {
    /// The answer of the shown documents.
    public enum Disclosure: String, Sendable, CaseIterable {
      /// A shown document has the element.
      case given
      /// The shown document of its type does not have it.
      case notHeld
      /// No shown document answers the request for it: another document does in its place, or none can.
      case notNeeded
    }

    /// `DocType`.
    public let documentType: String
    /// `NameSpace`; of an SD-JWT credential `claims`.
    public let nameSpace: String
    /// `DataElementIdentifier`.
    public let identifier: String
    /// Indicates whether the requester intends to retain the element.
    public let isRetaining: Bool
    /// The answer.
    public let disclosure: Disclosure
  }

  /// The documents that can answer, in the app's order.
  public let options: [Option]
  /// The requested elements, each once. Dictionaries have no order, so theirs is alphabetical.
  public let elements: [Element]
  private let question: DocumentQuestion
  private let documents: [PresentableDocument]
  /// The identifiers of the documents that the person has chosen, the newest first.
  let preferred: [String]
  /// The time of the view, by which the app made its own choice.
  let moment: DateTime

  /// Creates the choice that the app makes itself: for each requested document the first that can be presented.
  ///
  /// - Parameters:
  ///   - request: The parsed request of the context.
  ///   - documents: The documents that the app holds, in the order in which it prefers them, each with an
  ///     identifier of its own.
  ///   - moment: The time at which documents and registrations must be valid.
  public init(for request: ISO18013MobileDocumentRequest, from documents: [PresentableDocument], at moment: Date) {
    self.init(for: DocumentQuestion(request), from: documents, preferring: [], at: DateTime(moment))
  }

  /// Creates the choice for a request in OpenID4VP.
  public init(for request: OpenID4VPRequest, from documents: [PresentableDocument], at moment: Date) {
    self.init(for: DocumentQuestion(request.query), from: documents, preferring: [], at: DateTime(moment))
  }

  /// Creates the choice for the request of a presentment.
  package init(
    for context: ISO18013MobileDocumentRequestContext, from documents: [PresentableDocument], at moment: Date
  ) {
    self =
      context.openID4VPRequest.map { Self(for: $0, from: documents, at: moment) }
      ?? Self(for: context.request, from: documents, at: moment)
  }

  private init(
    for question: DocumentQuestion, from documents: [PresentableDocument], preferring preferred: [String],
    at moment: DateTime
  ) {
    let requests = question.requests
    let assignment = DocumentAssignment(
      useCases: question.useCases, documents: documents, preferring: preferred, at: moment
    ) { requests[$0].isAnswered(by: $1) }
    let chosen = assignment.documents.map(\.document).uniqued()
    let candidates = documents.indices.filter { index in requests.contains { $0.isAnswered(by: documents[index]) } }
    options = candidates.map { index in
      let document = documents[index]
      return Option(
        documentIdentifier: document.documentIdentifier, documentType: document.mobileDocumentType,
        issuerName: document.issuerName, isChosen: chosen.contains(index),
        finding: document.refusal(at: moment)?.finding)
    }
    elements = Self.elements(
      of: requests, answeredBy: Dictionary(assignment.documents.map { ($0.request, documents[$0.document]) }) { $1 })
    (self.question, self.documents, self.preferred, self.moment) = (question, documents, preferred, moment)
  }

  /// Returns the choice after the person has chosen a document; the same if it cannot answer.
  public func choosing(_ documentIdentifier: String) -> DocumentChoice {
    guard options.contains(where: { $0.documentIdentifier == documentIdentifier }) else { return self }
    let others = preferred.filter { $0 != documentIdentifier }
    return DocumentChoice(for: question, from: documents, preferring: [documentIdentifier] + others, at: moment)
  }

  /// Returns whether the app answers with a document.
  package func shows(_ documentIdentifier: String) -> Bool {
    options.contains { $0.isChosen && $0.documentIdentifier == documentIdentifier }
  }

  /// The documents of a list that the view showed.
  func shown(in documents: [PresentableDocument]) -> [PresentableDocument] {
    documents.filter { shows($0.documentIdentifier) }
  }

  /// Returns whether the shown documents are in a list with all that the view said about them.
  func isTrue(of documents: [PresentableDocument]) -> Bool {
    let again = DocumentChoice(for: question, from: shown(in: documents), preferring: preferred, at: moment)
    func chosen(_ choice: DocumentChoice) -> [Option] {
      choice.options.filter(\.isChosen).sorted { $0.documentIdentifier < $1.documentIdentifier }
    }
    guard again.elements == elements else { return false }
    return chosen(again).elementsEqual(chosen(self)) { found, shown in
      found.documentIdentifier == shown.documentIdentifier && found.documentType == shown.documentType
        && found.issuerName == shown.issuerName
    }
  }

  private static func elements(
    of requests: [DocumentQuestion.Request], answeredBy documents: [Int: PresentableDocument]
  ) -> [Element] {
    struct Name: Hashable {
      let documentType: String
      let nameSpace: String
      let identifier: String
      let isRetaining: Bool
    }
    let asked =
      requests.count == 1
      ? requests[0].elements(answeredBy: documents[0])
      : requests.enumerated().flatMap { $1.elements(answeredBy: documents[$0]) }
    var elements: [Element] = []
    elements.reserveCapacity(asked.count)
    var places = [Name: Int](minimumCapacity: asked.count)
    for element in asked {
      let name = Name(
        documentType: element.documentType, nameSpace: element.nameSpace, identifier: element.identifier,
        isRetaining: element.isRetaining)
      guard let place = places[name] else {
        places[name] = elements.count
        elements.append(element)
        continue
      }
      if elements[place].disclosure != .given, element.disclosure != .notNeeded { elements[place] = element }
    }
    return elements
  }
}

/// The documents that a request in either protocol asks for.
struct DocumentQuestion: Sendable {
  /// The request for one document.
  enum Request: Sendable {
    /// Of a request for mobile documents.
    case items(ItemsRequest)
    /// Of a query of OpenID4VP.
    case credential(CredentialQuery)

    /// Returns whether a document can answer.
    func isAnswered(by document: PresentableDocument) -> Bool {
      switch self {
      case .items(let items): document.answers(items)
      case .credential(let query): (try? query.match(document.credential.queried)) != nil
      }
    }

    /// Returns the requested elements and what becomes of each.
    /// - Parameter document: The document that answers; nil if none does.
    fileprivate func elements(answeredBy document: PresentableDocument?) -> [DocumentChoice.Element] {
      switch self {
      case .items(let items):
        struct Name: Hashable {
          let nameSpace: String
          let identifier: String
        }
        let missing = document?.held.map { held in
          HandfulSet(
            held.answer(to: items).missing.lazy.map {
              Name(nameSpace: $0.nameSpace, identifier: $0.identifier)
            })
        }
        var elements: [DocumentChoice.Element] = []
        elements.reserveCapacity(items.nameSpaces.reduce(0) { $0 + $1.elements.count })
        for space in items.nameSpaces {
          for element in space.elements {
            let isMissing = missing?.contains(Name(nameSpace: space.name, identifier: element.identifier))
            elements.append(
              DocumentChoice.Element(
                documentType: items.documentType, nameSpace: space.name, identifier: element.identifier,
                isRetaining: element.intentToRetain,
                disclosure: isMissing.map { $0 ? .notHeld : .given } ?? .notNeeded))
          }
        }
        return elements
      case .credential(let query):
        let match = document.flatMap { try? query.match($0.credential.queried) }
        let given = match?.claims ?? []
        let type =
          document?.mobileDocumentType
          ?? CredentialFormat.registeredType(query.types?.first ?? "", formatName: query.formatName)
        let asked = (query.claims ?? []).map { claim in
          let name = claim.listedName(in: query)
          return DocumentChoice.Element(
            documentType: type, nameSpace: name.nameSpace, identifier: name.identifier,
            isRetaining: claim.intentToRetain ?? false,
            disclosure: given.contains { $0.path == claim.path } ? .given : .notNeeded)
        }
        guard let match, case .sdJWT(let held)? = document?.credential else { return asked }
        return asked
          + held.unrequested(besides: match.selected).map { path in
            DocumentChoice.Element(
              documentType: type, nameSpace: CredentialFormat.claimsNameSpace, identifier: path, isRetaining: false,
              disclosure: .given)
          }
      }
    }
  }

  /// The requests, by the numbers of the use cases' sets.
  let requests: [Request]
  /// The use cases.
  let useCases: [DeviceRequestInfo.UseCase]

  /// The question of a request for mobile documents. Each request of a set has a number of its own.
  init(_ request: ISO18013MobileDocumentRequest) {
    var count = 0
    useCases = request.presentmentRequests.map { useCase in
      DeviceRequestInfo.UseCase(
        isMandatory: useCase.isMandatory,
        documentSets: useCase.documentRequestSets.map { set in
          defer { count += set.requests.count }
          return Array(count..<count + set.requests.count)
        })
    }
    requests = request.presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests)
      .map { .items(ItemsRequest($0)) }
  }

  /// The question of a query: each set of credentials is a use case.
  init(_ query: DCQLQuery) {
    requests = query.credentials.map(Request.credential)
    func numbers(_ option: [String]) -> [Int] {
      option.compactMap { id in query.credentials.firstIndex { $0.id.isExactly(id) } }
    }
    useCases =
      query.credentialSets?.map { set in
        DeviceRequestInfo.UseCase(isMandatory: set.isRequired, documentSets: set.options.map(numbers))
      } ?? DeviceRequestInfo.all(documents: query.credentials.count).useCases
  }
}

extension ItemsRequest {
  /// Creates the request for the elements of a parsed request. Dictionaries have no order, so theirs is alphabetical.
  fileprivate init(_ request: ISO18013MobileDocumentRequest.DocumentRequest) {
    self.init(
      documentType: request.documentType,
      nameSpaces: request.namespaces.sorted { $0.key < $1.key }.map { name, elements in
        NameSpace(
          name,
          elements.sorted { $0.key < $1.key }.map { Element($0.key, intentToRetain: $0.value.isRetaining) })
      },
      issuerIdentifiers: request.issuerKeyIdentifiers.map { [UInt8]($0) })
  }
}

/// The documents that satisfy the use cases of a request: of every mandatory use case one set, and of each optional one
/// that can be satisfied (ISO/IEC 18013-5 second edition draft, 10.2.5).
struct DocumentAssignment {
  /// Each answered request with its document, by their positions, in the order of the requests. Empty if a mandatory use
  /// case cannot be satisfied.
  let documents: [(request: Int, document: Int)]

  /// Assigns documents to requests.
  ///
  /// - Parameters:
  ///   - preferred: Identifiers of documents that come before all others, the most important first. A set with such a
  ///     document comes before other sets of its use case.
  ///   - moment: A document that can be presented at this time comes before one that cannot.
  ///   - answers: Returns whether a document can answer the request at a position.
  init(
    useCases: [DeviceRequestInfo.UseCase], documents: [PresentableDocument], preferring preferred: [String],
    at moment: DateTime, answers: (_ request: Int, _ document: PresentableDocument) -> Bool
  ) {
    let isPresentable = documents.map { $0.refusal(at: moment) == nil }
    func rank(of document: Int) -> Int {
      preferred.firstIndex(of: documents[document].documentIdentifier) ?? preferred.count
    }
    func holder(of request: Int) -> Int? {
      let holders = documents.indices.filter { answers(request, documents[$0]) }
      return holders.min { left, right in
        (rank(of: left), isPresentable[left] ? 0 : 1, left) < (rank(of: right), isPresentable[right] ? 0 : 1, right)
      }
    }
    var chosen: [Int: Int] = [:]
    for useCase in useCases {
      let sets = useCase.documentSets.compactMap { set -> (rank: Int, holders: [(Int, Int)])? in
        let holders = set.compactMap { request in holder(of: request).map { (request, $0) } }
        guard holders.count == set.count else { return nil }
        return (holders.map { rank(of: $0.1) }.min() ?? preferred.count, holders)
      }
      let best = sets.enumerated().min { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }?.element
      if let best {
        for (request, document) in best.holders { chosen[request] = document }
      } else if useCase.isMandatory {
        self.documents = []
        return
      }
    }
    self.documents = chosen.sorted { $0.key < $1.key }.map { (request: $0.key, document: $0.value) }
  }
}
