import CBOR
import Faults
import MobileDocument
import ShippedScenarios
import SimulationKernel
import TestSupport
import Testing

/// A document and a request that it answers.
private struct Exchange {
  let document: [DocumentDraft.NameSpace]
  let request: ItemsRequest

  /// The elements that the answer has, in its order.
  struct Returned: Equatable {
    let nameSpace: String
    let identifier: String
    let value: CBORValue
  }

  /// The elements of the answer with a change.
  func returned(_ change: ResponseChange?, by parties: Parties) throws -> [Returned] {
    let document = try parties.document(nil, of: request.documentType, nameSpaces: document)
    let response = FaultyResponse(
      change, to: request, with: document, deviceKey: parties.deviceKey, anotherKey: parties.deviceKey)
    let bytes = try response.deviceResponse(over: parties.information.sessionTranscript(origin: parties.origin))
    return try #require(UnverifiedDeviceResponse(bytes).documents.first).issuerSigned.nameSpaces.flatMap { space in
      space.items.map {
        Returned(nameSpace: space.name, identifier: $0.value.elementIdentifier, value: $0.value.elementValue)
      }
    }
  }
}

@Suite("Changed values")
struct ChangedValueTests {
  /// The faults, each with the place of the changed element in an answer of a number of elements.
  private static let places: [(fault: String, place: @Sendable (Int) -> Int)] = [
    ("wallet.value-changed", { _ in 0 }), ("wallet.second-value-changed", { _ in 1 }),
    ("wallet.last-value-changed", { $0 - 1 }),
  ]

  /// Compares the answers with and without each fault.
  private func check(_ exchange: Exchange) async throws {
    let parties = try Parties(requesting: exchange.request)
    let genuine = try exchange.returned(nil, by: parties)
    for (id, place) in Self.places {
      let change = try #require(FaultCatalogue.fault(id)?.responseChange)
      guard genuine.count > (id == "wallet.value-changed" ? 0 : 1) else {
        #expect(throws: SimulationError.self, "\(id)") { try exchange.returned(change, by: parties) }
        continue
      }
      let faulty = try exchange.returned(change, by: parties)
      let changed = genuine.indices.filter { genuine[$0] != faulty[$0] }
      #expect(faulty.count == genuine.count && changed == [place(genuine.count)], "\(id) of \(genuine)")
      for (before, after) in zip(genuine, faulty) {
        #expect(before.nameSpace == after.nameSpace && before.identifier == after.identifier)
        #expect(Kind(before.value) == Kind(after.value), "\(id) of \(before)")
      }
      let document = try parties.document(
        nil, of: exchange.request.documentType, nameSpaces: exchange.document)
      let verdict = try await parties.verdict(try parties.answer(change, with: document))
      let failed = verdict.checks.filter { $0.status == .failed }.map(\.name)
      #expect(failed.contains("element.digest") && !failed.contains { $0.hasPrefix("element.dates") }, "\(failed)")
    }
  }

  @Test("the shipped documents have exactly the named value changed in their answers to the shipped requests")
  func shipped() async throws {
    var seen: Set<String> = []
    for world in try ShippedScenarios.cases().map(\.world) {
      let requests = world.websites.flatMap(\.asks) + world.terminals.flatMap(\.asksInAll)
      for document in world.devices.flatMap(\.apps).flatMap(\.documents) where document.outside == nil {
        for request in requests where request.documentType == document.documentType {
          guard seen.insert("\(document.nameSpaces) \(request)").inserted else { continue }
          try await check(Exchange(document: document.nameSpaces, request: request))
        }
      }
    }
    #expect(seen.count > 20)
  }

  @Test("drawn documents have exactly the named value changed in their answers to drawn requests", arguments: 1...40)
  func drawn(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let spaces = (0...Int.random(in: 0...2, using: &random)).map { space in
      DocumentDraft.NameSpace(
        space == 0 ? Parties.nameSpace : "org.example.\(space)",
        (0...Int.random(in: 0...3, using: &random)).map { element in
          DocumentDraft.Element("element_\(element)", Self.values.randomElement(using: &random) ?? .null)
        })
    }
    let asked = spaces.shuffled(using: &random).compactMap { space in
      let elements = space.elements.shuffled(using: &random).filter { _ in Bool.random(using: &random) }
      return elements.isEmpty
        ? nil
        : ItemsRequest.NameSpace(
          space.name, elements.map { ItemsRequest.Element($0.identifier, intentToRetain: false) })
    }
    let all = ItemsRequest.NameSpace(
      spaces[0].name, spaces[0].elements.map { ItemsRequest.Element($0.identifier, intentToRetain: false) })
    try await check(
      Exchange(
        document: spaces,
        request: ItemsRequest(documentType: Parties.documentType, nameSpaces: asked.isEmpty ? [all] : asked)))
  }

  /// A value of each kind.
  private static let values: [CBORValue] = [
    .text(""), .text("Kelly"), .boolean(true), .boolean(false), .unsigned(0), .unsigned(.max), .negative(3),
    .bytes([]), .bytes([0xff, 0xd8, 0xff, 0xd9]), .tagged(1004, .text("2025-01-31")),
    .tagged(1004, .text("2024-02-29")), .tagged(1004, .text("2025-03-01")), .tagged(0, .text("2025-02-01T10:00:00Z")),
    .array([]), .array([.textMap([("vehicle_category_code", .text("B"))])]), .textMap([]), .float(0), .float(1.5),
    .tagged(9, .unsigned(1)),
  ]
}

/// The kind of a value.
private enum Kind {
  case number, bytes, text, array, map, tagged, boolean, null, float

  init(_ value: CBORValue) {
    self =
      switch value {
      case .unsigned, .negative: .number
      case .bytes: .bytes
      case .text: .text
      case .array: .array
      case .map: .map
      case .tagged: .tagged
      case .boolean: .boolean
      case .null, .undefined, .simple: .null
      case .float: .float
      }
  }
}
