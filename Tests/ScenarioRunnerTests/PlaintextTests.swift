import CBOR
import Primitives
import ShippedScenarios
import TestSupport
import Testing
import Vocabulary

@testable import Invariants
@testable import Messaging
@testable import ScenarioLanguage
@testable import ScenarioRunner

/// Leaks of values that are planted in a run, and honest runs of worlds whose names look like leaks.
@Suite("Elements in plaintext")
struct PlaintextTests {
  private static func headline() async throws -> AlteredJournal {
    let results = try await ShippedScenarios.results(of: ShippedScenarios.folder + "/headline.yaml")
    return AlteredJournal(try #require(results.first))
  }

  /// The item of an element, without its digest's number and its salt.
  private static func item(_ identifier: String, _ value: CBORValue) -> String {
    let item = CBORValue.textMap([
      ("digestID", .integer(1)), ("random", .bytes([1, 2, 3])), ("elementIdentifier", .text(identifier)),
      ("elementValue", value),
    ])
    return Base64URL.encode(item.encoded)
  }

  /// The date of birth in the documents of the headline's world.
  private static let birth = CBORValue.tagged(1004, .text("1990-07-14"))

  // MARK: Planted leaks

  @Test(
    "an element that can be read on the way to the website",
    arguments: [
      ("Rover", "value"), ("elementIdentifier", "name"), ("Um92ZXI", "value"), ("eHhSb3Zlcg", "value"),
      ("Mx Rover, aged 35", "value"), (#"{\"a\":[\"Rover\"]}"#, "value"), ("1990-07-14", "value"),
      (Base64URL.encode(CBORValue.array([.text("Rover"), .null]).encoded), "value"),
      (Base64URL.encode(Self.birth.encoded), "value"), (#"","given":"Rover"#, "value"),
      ("portrait", "name"), (Base64URL.encode(CBORValue.textMap([("portrait", .integer(1))]).encoded), "name"),
    ])
  func onTheWay(_ text: String, reason: String) async throws {
    for kind in [MessageKind.credential, .submitResponse] {
      var altered = try await Self.headline()
      // Both messages end with the member 'protocol' or another text, so that a member can follow.
      try altered.change(kind) { $0.dropLast() + Array(",\"x\":\"\(text)\"}".utf8) }
      #expect(altered.names == ["invariant.plaintext/\(reason)"], "\(kind)")
    }
  }

  @Test("an item, also one that is true or false, and also among other bytes")
  func items() async throws {
    for item in [
      Self.item("family_name", .text("Rover")), Self.item("age_over_21", .boolean(true)), Self.item("sex", .integer(2)),
    ] {
      var altered = try await Self.headline()
      try altered.change(.submitResponse) { $0.dropLast() + Array(",\"x\":\"\(item)\"}".utf8) }
      #expect(altered.names == ["invariant.plaintext/value", "invariant.plaintext/name"])
    }
    var altered = try await Self.headline()
    let bytes = try #require(Base64URL.decode(Self.item("family_name", .text("Rover"))))
    altered.append(.tunnelMessage, "application/octet-stream", [0xff, 0xff] + bytes + [0xff])
    #expect(altered.names.isSuperset(of: ["invariant.plaintext/value", "invariant.plaintext/name"]))
  }

  @Test(
    "a value that an app tells the system",
    arguments: [
      #","x":"Rover"}"#, #","x":["Um92ZXI="]}"#, #","family_name":"Rover"}"#, #","x":"family_name=Rover"}"#,
      #","x":"Kelly is from Mojave, and was born 1990-07-14","birth_date": "1990-07-14"}"#,
    ])
  func fromTheApp(_ end: String) async throws {
    var altered = try await Self.headline()
    try altered.change(.addRegistration) { $0.dropLast() + Array(end.utf8) }
    #expect(altered.names == ["invariant.plaintext/value"])
  }

  @Test("a value that a page tells the browser after it got it, which no page can do before")
  func fromThePage() async throws {
    let altered = try await Self.headline()
    let page = try #require(altered.entries[try altered.place(.getCredential)].event.message)
    let bytes = page.bytes.dropLast() + Array(#","x":"Rover"}"#.utf8)
    for (place, names) in [
      (try altered.place(.getCredential) + 1, Set<String>()), (altered.entries.count, ["invariant.plaintext/value"]),
    ] {
      var altered = altered
      altered.insert(.changePage, page.mediaType, Array(bytes), from: page.sender, to: page.recipient, at: place)
      #expect(altered.names.filter { $0.hasPrefix("invariant.plaintext") } == names)
    }
  }

  // MARK: Names of the world

  @Test("a value that the world says publicly is found with its name only")
  func publicValues() async throws {
    for (member, isFound) in [(#""x":"Rover""#, false), (#""family_name":"Rover""#, true)] {
      var altered = try await Self.headline()
      let brand = altered.world.websites[0].brand
      altered.world.websites[0].brand = .init(name: "Rover Rentals", icon: brand.icon)
      try altered.change(.submitResponse) { $0.dropLast() + Array(",\(member)}".utf8) }
      #expect(altered.names.contains("invariant.plaintext/value") == isFound, "\(altered.names)")
    }
  }

  @Test("a word of an app's view may be a value by chance, but not a name with its value")
  func views() async throws {
    for (member, isFound) in [(#""x":"Rover""#, false), (#""family_name":"Rover""#, true)] {
      var altered = try await Self.headline()
      try altered.change(.show, to: .operatingSystem) { $0.dropLast() + Array(",\(member)}".utf8) }
      #expect(altered.names.contains("invariant.plaintext/value") == isFound, "\(altered.names)")
    }
  }

  @Test("a short value in ciphertext is there by chance")
  func chance() async throws {
    var altered = try await Self.headline()
    let text = Base64URL.encode([UInt8](repeating: 0xb7, count: 40))
    try altered.change(.submitResponse) {
      $0.dropLast() + Array(",\"x\":\"\(text)Rover\(text)\",\"y\":\"\(text)portrait\(text)\"}".utf8)
    }
    altered.append(.tunnelMessage, "application/octet-stream", [0xff, 0xfe] + Array("Rover".utf8) + [0xff])
    #expect(!altered.names.contains { $0.hasPrefix("invariant.plaintext") }, "\(altered.names)")
  }

  @Test("texts that are read as words are the same with every seed, so none has a value by chance")
  func textsAreNotRandom() throws {
    let cases = try ShippedScenarios.cases().filter { $0.path.hasSuffix("headline.yaml") || Self.isFlow($0) }
    func texts(_ scenario: Scenario, seed: UInt64) -> Set<[UInt8]> {
      let journal = ScenarioRun.run(scenario.parsing(.inProcess), seed: seed).journal
      return journal.entries.compactMap(\.event.message).reduce(into: []) { texts, message in
        let found = MessageTexts(message.bytes).values
        // Elsewhere a short value is a whole text, which a sentence and a QR code are not.
        texts.formUnion(message.kind.carriesAnswer ? found : found.filter { $0.count < 64 })
      }
    }
    for scenario in cases {
      let first = texts(scenario, seed: 1)
      #expect(first.count > 20)
      // Times differ, because each seed has latencies of its own.
      let others = first.symmetricDifference(texts(scenario, seed: 2)).map { String(decoding: $0, as: UTF8.self) }
      #expect(others.filter { !$0.contains(#/^\d{4}-\d\d-\d\dT/#) } == [], "\(scenario.name)")
    }
  }

  // MARK: Honest runs

  private static func isFlow(_ scenario: Scenario) -> Bool {
    [
      "The person scans the QR code of a browser on another device: with an iPhone, and Wallet",
      "A Mac continues on its owner's nearby iPhone: with an ID in Wallet",
      "An app verifies an identity with Wallet: the elements of the app",
      "An app verifies an identity with Wallet: in the browser and in the app",
    ].contains(scenario.name)
  }

  /// Words that are names of people and places, and words of interfaces, protocols and codes.
  private static let words = [
    "California", "Mojave", "San Francisco", "Reading", "Nice", "Orange", "Wallet", "Photo", "First", "Name", "Share",
    "Accept", "Decline", "Cancel", "Continue", "Driving", "Rentals", "Spaceship", "Store", "stored", "Verify",
    "Identity",
    "Page", "Grant", "Will", "Mark", "Art", "Bill", "Chase", "Drew", "Rose", "Jack", "Dean", "data", "response",
    "request",
    "protocol", "session", "digital", "reason", "status", "origin", "portrait", "weight", "issuer", "value", "green",
    "Distinguishing Sign", "Date of Birth", "given_name", "org.iso.18013.5.1.mDL", "org-iso-mdoc", "https", "example",
    "東京", "Ελένη", "Наталья", "محمد", "Łódź", "Zoë", "Ö", "A", "1", "true", "null", "", " ", "-", "O'Brien", "a\"b",
    "{}",
  ]

  /// The words that a mobile driving license may have (ISO/IEC 18013-5, 7.2.1).
  private static let latin = words.filter { $0.unicodeScalars.allSatisfy { $0.value <= 0xff } }
  /// Elements that may be any of these; for the others, issuing authorities refuse them.
  private static let freeTexts: Set<String> = [
    "family_name", "given_name", "document_number", "resident_city", "resident_state",
  ]

  /// A case with drawn names of websites, authorities and apps, and with drawn texts in documents.
  private static func drawn(_ scenario: Scenario, _ generator: inout SeededGenerator) -> Scenario {
    var world = scenario.world
    func word(_ words: [String] = words) -> String { words.randomElement(using: &generator) ?? "" }
    func name() -> String {
      "\(word()) \(["Rentals", "Authority", "Office", "Shop"].randomElement(using: &generator) ?? "")"
    }
    for site in world.websites.indices {
      world.websites[site].brand = .init(name: name(), icon: world.websites[site].brand.icon)
    }
    for issuer in world.issuers.indices { world.issuers[issuer].name = name() }
    for reader in world.readerAuthorities.indices { world.readerAuthorities[reader].name = name() }
    for device in world.devices.indices {
      world.devices[device].sandbox = .inProcess
      for app in world.devices[device].apps.indices {
        for document in world.devices[device].apps[app].documents.indices {
          let spaces = world.devices[device].apps[app].documents[document].nameSpaces
          world.devices[device].apps[app].documents[document].nameSpaces = spaces.map { space in
            .init(
              space.name,
              space.elements.map { element in
                freeTexts.contains(element.identifier) ? .init(element.identifier, .text(word(latin))) : element
              })
          }
        }
      }
    }
    let steps = scenario.steps.filter { if case .expectation = $0.step.content { false } else { true } }
    return Scenario(
      name: scenario.name, path: scenario.path, caseName: nil, position: scenario.position, because: nil,
      seed: scenario.seed, isSeedFixed: false, clock: scenario.clock, world: world, steps: steps)
  }

  @Test("honest runs of worlds with names of their own have no finding", arguments: 0..<10)
  func ownNames(_ batch: UInt64) throws {
    var generator = SeededGenerator(seed: batch)
    let flows = try ShippedScenarios.cases().filter { $0.path.hasSuffix("headline.yaml") || Self.isFlow($0) }
    try #require(flows.count == 5)
    for number in 0..<20 {
      let scenario = Self.drawn(flows[number % flows.count], &generator)
      let result = ScenarioRun.run(scenario, seed: batch * 20 + UInt64(number))
      let found = Invariants.violations(in: result.journal, world: scenario.world)
      #expect(found.map(\.message) == [], "\(scenario.name), run \(number)")
      let verdicts = result.journal.entries.compactMap(\.event.message).filter { $0.kind == .verificationResult }
      #expect(!verdicts.isEmpty, "\(scenario.name), run \(number)")
    }
  }
}
