import CBOR
import Foundation
import JSON
import Messaging
import MobileDocument
import Primitives
import ShippedScenarios
import Testing
import Vocabulary
import WebPresentment
import WireSearch

@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Who sees what")
struct SecrecyTests {
  /// A value from a person's document, in every form in which it could be sent.
  struct Secret {
    let name: String
    let forms: [WireSearch.Wanted]
  }

  /// The parties between the holder's app and the website's server.
  static let between: Set<Party.Role> = [
    .page, .browser, .operatingSystem, .sandbox, .requestingApp, .portal, .nearby,
    .clientPlatform, .authenticator, .tunnelService, .bluetooth, .nfc, .mdoc,
  ]

  /// Names of issuing authorities and places are public: certificates contain them.
  static let publicElements: Set<String> = ["issuing_authority", "issuing_jurisdiction", "issuing_country"]

  /// The values of all documents in the world, each as CBOR and as text.
  static func values(in scenario: Scenario) -> [Secret] {
    let documents = scenario.world.devices.flatMap(\.apps).flatMap(\.documents)
    return documents.flatMap(\.nameSpaces).flatMap(\.elements).compactMap { element in
      // Flags and numbers occur in any message, so only the whole item is searched for.
      switch element.value {
      case .boolean, .unsigned: return nil
      default: break
      }
      if publicElements.contains(element.identifier) { return nil }
      var forms = [element.value.encoded, Array(DisplayValue.text(of: element.value).utf8)].filter { $0.count >= 5 }
      if case .bytes(let picture) = element.value { forms = [Array(picture.suffix(40))] }
      return forms.isEmpty ? nil : Secret(name: element.identifier, forms: forms.map(WireSearch.Wanted.init))
    }
  }

  /// Returns whether a message carries an answer that is not encrypted: one that a website asks for in OpenID4VP, or one
  /// of a wallet at fault.
  static func isInTheClear(_ message: Message, in result: CaseResult) -> Bool {
    if message.carriesPlainAnswer { return true }
    guard [.response, .credential, .submitResponse].contains(message.kind) else { return false }
    return result.journal.entries.contains { entry in entry.event.fault?.fault == "wallet.not-encrypted" }
  }

  /// The items that were issued in a run: each element with its salt, and the salt alone.
  static func items(in result: CaseResult) throws -> [Secret] {
    try provisioned(result).flatMap { message in
      try UnverifiedIssuerSigned(CBORReader.read(message.bytes, leniency: .received)).nameSpaces.flatMap(\.items).map {
        item in
        Secret(
          name: "item \(item.value.elementIdentifier)",
          forms: [item.bytes, item.value.random].map(WireSearch.Wanted.init))
      }
    }
  }

  static func provisioned(_ result: CaseResult) -> [Message] {
    messages(of: result).filter { $0.sender.role == .issuer && $0.mediaType == MediaType.cbor }
  }

  static func messages(of result: CaseResult) -> [Message] {
    result.journal.entries.compactMap { if case .message(let sent) = $0.event { sent } else { nil } }
  }

  @Test(
    "the parties between the holder's app and the website's server see no disclosed value",
    arguments: ShippedScenarios.files)
  func valuesStaySealed(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) where result.scenario.skip == nil {
      let secrets = try Self.values(in: result.scenario) + Self.items(in: result)
      try #require(secrets.count > 10)
      let wanted = WireSearch.WantedSet(secrets.flatMap(\.forms))
      let names = secrets.flatMap { secret in secret.forms.map { _ in secret.name } }
      var looked = 0
      for message in Self.messages(of: result) {
        guard Self.between.contains(message.sender.role) || Self.between.contains(message.recipient.role) else {
          continue
        }
        // The server's result for its own page or app, and their view of it, contain the values by design.
        if message.mediaType == MediaType.verificationResult { continue }
        if [.page, .requestingApp].contains(message.sender.role) && message.recipient.role == .person { continue }
        looked += 1
        if Self.isInTheClear(message, in: result) { continue }
        for position in WireSearch(message.bytes).found(wanted) {
          Issue.record(
            "\(names[position]) in \(message.kind.rawValue), \(message.sender) -> \(message.recipient), \(file)")
        }
      }
      #expect(looked > 5)
    }
  }

  @Test(
    "a tunnel service sees no origin and no request, and only lengths of handshakes and padded messages",
    arguments: ShippedScenarios.files)
  func tunnelServiceSeesLengths(file: String) async throws {
    var relayed = 0
    for result in try await ShippedScenarios.results(of: file) {
      let messages = Self.messages(of: result)
      let origins = result.scenario.world.websites.compactMap(\.origin.host).map { Array($0.utf8) }
      let requests = messages.filter { $0.kind == .presentmentBegun }.flatMap(Self.rawParts)
      let wanted = WireSearch.WantedSet((origins + requests).map(WireSearch.Wanted.init))
      for message in messages {
        guard message.sender.role == .tunnelService || message.recipient.role == .tunnelService else { continue }
        #expect(WireSearch(message.bytes).found(wanted).isEmpty, "\(message.kind.rawValue) in \(file)")
        guard message.kind == .tunnelMessage else { continue }
        relayed += 1
        let isPadded = message.bytes.count > 16 && (message.bytes.count - 16).isMultiple(of: 32)
        #expect(message.bytes.count == 81 || isPadded, "\(message.bytes.count) bytes in \(file)")
      }
    }
    if file.contains("cross-device/qr-code") { #expect(relayed > 8) }
  }

  @Test("the search finds values in messages that contain them")
  func searchFinds() throws {
    let scenario = try ShippedScenarios.headline()
    let result = ScenarioRun.run(scenario)
    let provisioned = try #require(Self.provisioned(result).first)
    let search = WireSearch(provisioned.bytes)
    let searches = Self.provisioned(result).map { WireSearch($0.bytes) }
    for secret in Self.values(in: scenario) {
      #expect(secret.forms.contains { form in searches.contains { $0.finds(form) } }, "\(secret.name)")
    }
    let firstItem = try #require(try Self.items(in: result).first)
    #expect(firstItem.forms.allSatisfy(search.finds))
    func finds(_ wanted: String, in bytes: [UInt8]) -> Bool {
      WireSearch(bytes).finds(WireSearch.Wanted(Array(wanted.utf8)))
    }
    let wrapped = try JSONEncoder().encode(["response": Base64URL.encode(provisioned.bytes)])
    #expect(finds("Kelly", in: [UInt8](wrapped)))
    for padding in ["", "x", "xy", "xyz"] {
      let unaligned = Array((padding + Base64URL.encode([1, 2] + Array("Kelly Rover".utf8) + [3])).utf8)
      #expect(finds("Kelly Rover", in: unaligned))
    }
    #expect(finds("Kelly", in: Array("4b656c6c79".utf8)))
    #expect(!finds("Nobody", in: provisioned.bytes))
  }

  @Test(
    "an app gets the raw request only after the person touched a control of its view that agrees",
    arguments: ShippedScenarios.files)
  func rawRequestIsWithheld(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      var raw: [WireSearch.Wanted] = []
      var released: Set<Party> = []
      var agreeing: [Party: [String]] = [:]
      var agreed: Set<Party> = []
      for entry in result.journal.entries {
        guard case .message(let message) = entry.event else { continue }
        if message.kind == .presentmentBegun { raw += Self.rawParts(of: message).map(WireSearch.Wanted.init) }
        if message.kind == .show, message.sender.role == .app {
          let screen = try JSONCoding.decode(AuthorizationScreen.self, from: message.bytes)
          agreeing[message.sender] = screen.agreeing
          agreed.remove(message.sender)
        }
        guard message.recipient.role == .app else { continue }
        if message.kind == .tap, let tap = try? JSONDecoder().decode(Tap.self, from: Data(message.bytes)),
          agreeing[message.recipient, default: []].contains(tap.label)
        {
          agreed.insert(message.recipient)
        }
        if message.kind == .rawRequest {
          #expect(agreed.contains(message.recipient), "\(file)")
          released.insert(message.recipient)
        } else if !released.contains(message.recipient) {
          let search = WireSearch(message.bytes)
          #expect(!raw.contains(where: search.finds), "\(message.kind.rawValue) in \(file)")
        }
        if message.kind == .authorize { agreed.remove(message.recipient) }
      }
    }
  }

  @Test(
    "a request, parsed or raw, goes to the app that the person picked, and to no other",
    arguments: ShippedScenarios.files)
  func requestGoesToThePickedApp(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      var picked: [String: String] = [:]
      for message in Self.messages(of: result) {
        if message.kind == .tap, message.recipient.role == .operatingSystem, message.sender.role == .person,
          let pick = try? JSONDecoder().decode(Pick.self, from: Data(message.bytes)), pick.target == "pickApp"
        {
          picked[message.recipient.name] = "\(message.recipient.name)/\(pick.label)"
        }
        guard [.authorize, .rawRequest].contains(message.kind), message.recipient.role == .app else { continue }
        let device = String(message.recipient.name.prefix { $0 != "/" })
        #expect(message.recipient.name == picked[device], "\(message.kind.rawValue) in \(file)")
      }
    }
  }

  private struct Pick: Decodable {
    let label: String
    let target: String
  }

  @Test("a server draws a new nonce for each request of a page", arguments: ShippedScenarios.files)
  func noncesAreNew(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      let begun = Self.messages(of: result).filter { $0.kind == .presentmentBegun && $0.sender.role == .server }
      let nonces = begun.compactMap { message -> [UInt8]? in
        guard let text = try? JSONDecoder().decode(Begun.self, from: Data(message.bytes)).data.encryptionInfo else {
          return nil
        }
        return try? EncryptionInfo(text: text).nonce
      }
      #expect(Set(nonces).count == nonces.count, "\(file)")
      if file.hasSuffix("session/verified-twice.yaml") { #expect(nonces.count == 2) }
    }
  }

  @Test(
    "no message to or from the operating system contains the raw request", arguments: ShippedScenarios.files)
  func rawRequestStaysWithTheBrowser(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      let messages = Self.messages(of: result)
      let raw = messages.filter { $0.kind == .requestData || $0.kind == .presentmentBegun }
        .flatMap { Self.rawParts(of: $0) }.filter { $0.count >= Self.shortestPart }
      let wanted = WireSearch.WantedSet(raw.map(WireSearch.Wanted.init))
      for message in messages {
        guard [message.sender.role, message.recipient.role].contains(.operatingSystem) else { continue }
        let search = WireSearch(message.bytes)
        #expect(search.found(wanted).isEmpty, "\(message.kind.rawValue) in \(file)")
      }
    }
  }

  private struct Tap: Decodable { let label: String }

  /// The shortest part of a request that is searched for: shorter ones come from malformed requests and occur by chance.
  static let shortestPart = 8

  @Test("the search finds the raw request in the messages that contain it")
  func searchFindsRawRequests() throws {
    let messages = Self.messages(of: ScenarioRun.run(try ShippedScenarios.headline()))
    let collected = try #require(messages.first { $0.kind == .requestData })
    let raw = Self.rawParts(of: collected).map(WireSearch.Wanted.init)
    try #require(raw.count > 5)
    for kind in [MessageKind.getCredential, .requestData, .rawRequest] {
      let search = try WireSearch(#require(messages.first { $0.kind == kind }).bytes)
      #expect(raw.contains(where: search.finds), "\(kind.rawValue)")
    }
  }

  private struct Members: Decodable {
    let deviceRequest: String
    let encryptionInfo: String
  }

  private struct Begun: Decodable { let data: Members }

  /// The parts of a request that a view does not need: its signatures, the nonce, the encoded items, the whole request.
  private static func rawParts(of message: Message) -> [[UInt8]] {
    struct Collected: Decodable { let requestData: String }
    let decoder = JSONDecoder()
    let bytes = Data(message.bytes)
    let members =
      (try? decoder.decode(Begun.self, from: bytes))?.data
      ?? (try? decoder.decode(Collected.self, from: bytes)).flatMap {
        try? decoder.decode(Members.self, from: Data($0.requestData.utf8))
      }
    guard let members, let request = Base64URL.decode(members.deviceRequest),
      let info = Base64URL.decode(members.encryptionInfo),
      let map = try? CBORReader.read(request).map()
    else { return [] }
    var parts = [request, info, Array(members.encryptionInfo.utf8)]
    if let all = try? map["readerAuthAll"]?.array() {
      parts += all.compactMap { try? $0.array()[3]?.bytes() }
    }
    if let documents = try? map["docRequests"]?.array() {
      parts += documents.compactMap { (try? $0.map())?["itemsRequest"].map { Array($0.encoded) } }
    }
    return parts
  }
}
