import CrossCheckTrait
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import TestSupport
import Testing

@Suite("Choosing documents", .crossChecked)
struct DocumentChoiceTests {
  private typealias UseCase = DeviceRequestInfo.UseCase

  private static let url = URL(string: Exchange.origin)

  /// Documents of two types, of two issuers, before, in and after their validity and that of their registrations.
  private static let pool = Result { () throws -> [PresentableDocument] in
    let exchange = try Exchange.shared
    let now = Readers.now
    return [
      try exchange.document(identifier: "0"), try exchange.document(by: exchange.otherIssuer, identifier: "1"),
      try exchange.document(identifier: "2", until: 0),
      try exchange.document(identifier: "3", from: 2),
      try exchange.document(identifier: "4", registeredUntil: now.adding(days: -1)),
      try exchange.document(DocumentType.photo, identifier: "5"),
      try exchange.document(DocumentType.photo, by: exchange.otherIssuer, identifier: "6", registeredUntil: now),
      try exchange.document(DocumentType.photo, identifier: "7", from: -9, until: -1),
    ]
  }

  /// A request as the view gets it and as the app answers it.
  private struct Request {
    let items: [ItemsRequest]
    let useCases: [UseCase]
    let validated: ValidatedMobileDocumentRequest
    let shown: ISO18013MobileDocumentRequest

    init(_ items: [ItemsRequest], _ useCases: [UseCase]) async throws {
      (self.items, self.useCases) = (items, useCases)
      let raw = try Exchange.shared.rawRequest(.second, items, useCases: useCases)
      validated = try await Exchange.responder(answersUntrustedReaders: true)
        .validateRawRequest(raw, origin: url, at: Readers.now.date)
      shown = ISO18013MobileDocumentRequest(validated.request)
    }

    /// The identifiers of the documents that the app presents with a choice, or the name of the refusal.
    func presented(
      from documents: [PresentableDocument], _ choice: DocumentChoice?, at moment: DateTime = Readers.now
    ) throws -> [String] {
      do {
        return try Exchange.responder()
          .choose(from: documents, choosing: choice, for: validated.request, at: moment)
          .map { $1.documentIdentifier }
      } catch let refusal as ProviderRefusal {
        return [refusal.name]
      }
    }
  }

  private static func chosen(_ choice: DocumentChoice) -> [String] {
    choice.options.filter(\.isChosen).map(\.documentIdentifier)
  }

  @Test("Shows the first document that can be presented, and the person chooses another one")
  func first() async throws {
    let pool = try Self.pool.get()
    let request = try await Request([Exchange.items(elements: ["given_name", "hair_colour"])], [])
    let documents = [pool[3], pool[4], pool[0], pool[1]]
    let choice = DocumentChoice(for: request.shown, from: documents, at: Readers.now.date)
    #expect(choice.options.map(\.documentIdentifier) == ["3", "4", "0", "1"] && Self.chosen(choice) == ["0"])
    #expect(choice.options.map(\.issuerName) == ["issuer", "issuer", "issuer", "elsewhere"])
    #expect(
      choice.options.map(\.problem) == [
        ProviderFinding(.document, .notYetValid).message, ProviderFinding(.document, .registrationEnded).message, nil,
        nil,
      ])
    #expect(choice.elements.map(\.identifier) == ["given_name", "hair_colour"])
    #expect(choice.elements.map(\.disclosure) == [.given, .notHeld])
    #expect(try request.presented(from: documents, choice) == ["0"])
    #expect(try request.presented(from: documents, choice.choosing("1")) == ["1"])
    #expect(try request.presented(from: documents, choice.choosing("3")) == ["provider.document/not-yet-valid"])
    #expect(try request.presented(from: documents, choice.choosing("4")) == ["provider.document/registration-ended"])
    #expect(Self.chosen(choice.choosing("7")) == ["0"], "a document that cannot answer is not chosen")
  }

  @Test("A date that passes after the view refuses the shown document, and puts no other in its place")
  func dates() async throws {
    let pool = try Self.pool.get()
    let request = try await Request([Exchange.items()], [])
    for (document, moment, finding) in [
      (pool[2], Readers.now.adding(seconds: 1), "provider.document/expired"), (pool[2], Readers.now, nil),
      (pool[0], Readers.now.adding(days: 30), nil),
      (pool[0], Readers.now.adding(days: 31), "provider.document/expired"),
    ] as [(PresentableDocument, DateTime, String?)] {
      let documents = [document, pool[1]]
      let choice = DocumentChoice(for: request.shown, from: documents, at: Readers.now.date)
      #expect(Self.chosen(choice) == [document.documentIdentifier])
      #expect(
        try request.presented(from: documents, choice, at: moment) == [finding ?? document.documentIdentifier])
    }
  }

  @Test("A document that the view did not show is not presented")
  func changed() async throws {
    let exchange = try Exchange.shared
    let pool = try Self.pool.get()
    let request = try await Request([Exchange.items()], [])
    let choice = DocumentChoice(for: request.shown, from: [pool[0], pool[1]], at: Readers.now.date)
    #expect(try request.presented(from: [pool[1]], choice) == ["provider.document/differs"])
    #expect(try request.presented(from: [], choice) == ["provider.document/differs"])
    let other = try exchange.document(by: exchange.otherIssuer, identifier: "0")
    #expect(try request.presented(from: [other, pool[1]], choice) == ["provider.document/differs"])
    #expect(try request.presented(from: [pool[0]], choice) == ["0"])
    let none = DocumentChoice(for: request.shown, from: [], at: Readers.now.date)
    #expect(none.options.isEmpty && none.elements.map(\.disclosure) == [.notNeeded])
    #expect(try request.presented(from: [pool[0]], none) == ["provider.document"])
  }

  /// Returns whether a document can answer a request, from their descriptions alone.
  private static func answers(_ items: ItemsRequest, _ document: PresentableDocument) -> Bool {
    document.mobileDocumentType == items.documentType
      && (items.issuerIdentifiers.isEmpty
        || items.issuerIdentifiers.contains { document.issuerKeyIdentifiers.contains(Data($0)) })
  }

  /// Returns whether a document is in its validity and that of its registration, from its number in the pool.
  private static func isPresentable(_ document: String) -> Bool { !["3", "4", "7"].contains(document) }

  private static func draw(using generator: inout SeededGenerator) async throws -> Request {
    let exchange = try Exchange.shared
    let kinds = [
      Exchange.items(), Exchange.items(DocumentType.photo), Exchange.items(elements: ["given_name", "portrait"]),
      Exchange.items(issuers: [exchange.otherIssuer.keyIdentifier]),
      Exchange.items(DocumentType.photo, issuers: [exchange.issuer.keyIdentifier]),
    ]
    let items = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      kinds.randomElement(using: &generator) ?? kinds[0]
    }
    var useCases: [UseCase] = []
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let sets = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        let set = items.indices.filter { _ in Bool.random(using: &generator) }
        return set.isEmpty ? [0] : set
      }
      useCases.append(UseCase(isMandatory: Bool.random(using: &generator), documentSets: sets))
    }
    return try await Request(items, useCases)
  }

  @Test("The app presents what the view shows, for random documents, requests and choices", arguments: 0..<60)
  func drawn(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let request = try await Self.draw(using: &generator)
    let documents = try Self.pool.get().filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
      .shuffled(using: &generator)
    let useCases =
      request.useCases.isEmpty ? DeviceRequestInfo.all(documents: request.items.count).useCases : request.useCases
    func holders(_ index: Int) -> [String] {
      documents.filter { Self.answers(request.items[index], $0) }.map(\.documentIdentifier)
    }
    func canBeMet(_ set: [Int]) -> Bool { set.allSatisfy { !holders($0).isEmpty } }
    let isMet = useCases.allSatisfy { !$0.isMandatory || $0.documentSets.contains(where: canBeMet) }

    var choice = DocumentChoice(for: request.shown, from: documents, at: Readers.now.date)
    for step in 0..<6 {
      let chosen = Self.chosen(choice)
      let presented = try request.presented(from: documents, choice)
      if !chosen.isEmpty, chosen.allSatisfy(Self.isPresentable) {
        #expect(Set(presented) == Set(chosen), "the view shows \(chosen)")
      } else {
        #expect(presented.count == 1 && presented[0].hasPrefix("provider.document"), "\(presented)")
      }
      #expect(isMet || chosen.isEmpty, "a mandatory use case is not met")
      #expect(Set(choice.elements.map(\.identifier)).isSubset(of: ["given_name", "portrait"]))
      #expect(choice.elements.contains { $0.disclosure == .given } == !chosen.isEmpty)
      if step == 0 {
        // The app's own choice leaves a document that it would not present to the person, if another one answers.
        for one in chosen where !Self.isPresentable(one) {
          #expect(
            request.items.indices.contains {
              holders($0).contains(one) && !holders($0).contains(where: Self.isPresentable)
            })
        }
      }
      let missing = documents.filter { $0.documentIdentifier != chosen.first }
      if let first = chosen.first {
        #expect(try request.presented(from: missing, choice) == ["provider.document/differs"], "\(first) is gone")
      }
      let option = choice.options.randomElement(using: &generator)?.documentIdentifier ?? "none"
      choice = choice.choosing(option)
      let isPossible = useCases.flatMap(\.documentSets).contains { set in
        canBeMet(set) && set.contains { holders($0).contains(option) }
      }
      #expect(Self.chosen(choice).contains(option) == (isMet && isPossible), "the person chose \(option)")
    }
  }
}
