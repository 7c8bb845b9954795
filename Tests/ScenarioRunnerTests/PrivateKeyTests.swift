import Crypto
import Messaging
import Primitives
import ShippedScenarios
import SimulationKernel
import Testing
import Vocabulary
import WireSearch

@testable import ScenarioLanguage
@testable import ScenarioRunner

/// A world's keys come from its seed, so a test can draw them again and look for them in the messages.
@Suite("Private keys stay with their parties")
struct PrivateKeyTests {
  /// A key that a party may have drawn.
  struct Drawn {
    /// The party and the use of the key.
    let name: String
    let privateKey: [UInt8]
    /// The first coordinate of the public key, which every form of it contains.
    let publicKey: [UInt8]
  }

  /// The keys of a party's stream: its first keys, in each of its first lives.
  private static func keys(
    of party: Party, for purpose: String, seed: UInt64,
    drawing draw: (inout EntropyStream) throws -> (privateKey: [UInt8], publicKey: [UInt8])
  ) rethrows -> [Drawn] {
    try [(1, 1, 4), (1, 2, 2), (2, 1, 2)].flatMap { start, boot, count in
      let life = Station.Life(worldStart: start, boot: boot)
      var stream = Entropy(seed: seed).stream("\(party)/\(purpose)\(life.suffix)")
      return try (0..<count).map { _ in
        let key = try draw(&stream)
        return Drawn(
          name: "\(party) \(purpose)", privateKey: key.privateKey, publicKey: Array(key.publicKey.prefix(32)))
      }
    }
  }

  private static func agreementKey(_ stream: inout EntropyStream) -> (privateKey: [UInt8], publicKey: [UInt8]) {
    let key = stream.keyAgreementKey()
    return (Array(key.rawRepresentation), Array(key.publicKey.rawRepresentation))
  }

  private static func signingKey(_ stream: inout EntropyStream) throws -> (privateKey: [UInt8], publicKey: [UInt8]) {
    let key = try stream.signingKey()
    return (key.rawRepresentation, Array(key.publicKey.rawRepresentation))
  }

  /// The keys that open answers, seal them, prove the possession of documents, and sign requests.
  static func keys(of result: CaseResult) throws -> [Drawn] {
    let world = result.scenario.world
    let servers = world.websites.map { Party(.server, $0.identifier) }
    let apps = world.devices.flatMap { device in
      device.apps.map { Party(.app, "\(device.identifier)/\($0.name)") }
    }
    return try servers.flatMap { server in
      keys(of: server, for: "recipient keys", seed: result.seed, drawing: agreementKey)
        + (try keys(of: server, for: "reader keys", seed: result.seed, drawing: signingKey))
        + (try keys(of: server, for: "merchant keys", seed: result.seed, drawing: signingKey))
    }
      + apps.flatMap { app in
        keys(of: app, for: "ephemeral keys", seed: result.seed, drawing: agreementKey)
          + (try keys(of: app, for: "device keys", seed: result.seed, drawing: signingKey))
      }
  }

  /// The names of the keys of which a message contains the chosen half.
  private static func found(_ half: KeyPath<Drawn, [UInt8]>, of keys: [Drawn], in messages: [Message]) -> Set<String> {
    let wanted = WireSearch.WantedSet(keys.map { WireSearch.Wanted($0[keyPath: half]) })
    return messages.reduce(into: []) { names, message in
      names.formUnion(WireSearch(message.bytes).found(wanted).map { keys[$0].name })
    }
  }

  @Test("no message contains a private key of a server or an app", arguments: ShippedScenarios.files)
  func noPrivateKeyTravels(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) where result.scenario.skip == nil {
      let found = Self.found(\.privateKey, of: try Self.keys(of: result), in: SecrecyTests.messages(of: result))
      #expect(found.isEmpty, "\(found.sorted()) in \(file)")
    }
  }

  @Test(
    "the public halves of the same keys are in the messages",
    arguments: [
      (
        "headline.yaml",
        [
          "server:spaceship-rentals recipient keys", "server:spaceship-rentals reader keys",
          "app:kellys-iphone/Wallet device keys", "app:kellys-iphone/Wallet ephemeral keys",
        ]
      ),
      ("in-app/accepted.yaml", ["server:rocket-rides merchant keys"]),
    ])
  func theKeysAreThose(file: String, names: [String]) async throws {
    let results = try await ShippedScenarios.results(of: "\(ShippedScenarios.folder)/\(file)")
    let result = try #require(results.first)
    let found = Self.found(\.publicKey, of: try Self.keys(of: result), in: SecrecyTests.messages(of: result))
    #expect(found.isSuperset(of: names), "\(found.sorted())")
  }

  @Test("the search finds a private key in raw bytes, hexadecimal and base64")
  func searchFinds() throws {
    let keys = try Self.keys(of: ScenarioRun.run(try ShippedScenarios.headline()))
    let key = try #require(keys.first)
    let hexadecimal = key.privateKey.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let base64 = Base64URL.encode(key.privateKey)
    for bytes in [[1] + key.privateKey + [2], Array(hexadecimal.utf8), Array(#"{"d":"\#(base64)"}"#.utf8)] {
      let wanted = WireSearch.WantedSet(keys.map { WireSearch.Wanted($0.privateKey) })
      #expect(WireSearch(bytes).found(wanted) == [0])
    }
  }
}
