import CHeap
import Certificates
import DigitalCredentials
import Ecosystem
import IdentityDocumentServices
import InteractiveWorlds
import MobileDocument
import Primitives

/// Measurements of whole worlds: making one ready, and a presentment in it.
struct WorldMeasures {
  private static let origin = "https://spaceship-rentals.example"
  private static let nameSpace = "org.iso.18013.5.1"
  private static let start = DateTime(secondsSince1970: 1_757_955_600)
  /// The number of presentments in a batch, all in one world.
  private static let presentmentsInWorld = 20

  private static let notVerified = ProgramError(.measurement, "a world does not verify its presentment")

  /// The size of a world.
  struct Size {
    var apps = 2
    /// The number of documents of each app.
    var documents = 1
    /// The number of elements of each document.
    var elements = 7

    /// The size in words.
    var description: String {
      [(apps, "app"), (documents, "document"), (elements, "element")]
        .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }

    /// Making such a world ready, and a presentment in it.
    var measures: [Measure] {
      [
        WorldMeasures.ready("make ready: \(description)", self),
        WorldMeasures.presentments("a presentment: \(description)", self, .inProcess),
      ]
    }

    /// The memory of such a world.
    func memory() throws -> [(name: String, bytes: Double)] {
      [("heap of a world: \(description)", try WorldMeasures.heap(of: self))]
    }
  }

  /// The sizes of the topic `growth`: one dimension at a time.
  static let sizes =
    [1, 2, 4, 8, 16, 32].map { Size(apps: $0) } + [2, 4, 8].map { Size(documents: $0) }
    + [28, 112].map { Size(elements: $0) }

  private static func description(_ size: Size, sandbox: WorldDescription.SandboxPlace) throws -> WorldDescription {
    var world = WorldDescription()
    world.issuers = [WorldDescription.Issuer(identifier: "dmv", name: "DMV", country: "US")]
    world.readerAuthorities = ["one", "two"].map { WorldDescription.ReaderAuthority(identifier: $0, name: $0) }
    var website = WorldDescription.Website(
      identifier: "site", origin: try Origin(serialized: origin),
      brand: BrandIdentity(name: "Spaceship Rentals", icon: "spaceship.svg"))
    website.signsFor = ["one", "two"]
    website.acceptsIssuers = ["dmv"]
    let identifiers = ["family_name", "given_name", "document_number", "resident_city", "resident_state"]
    website.asks = [
      ItemsRequest(
        documentType: DocumentType.drivingLicence,
        nameSpaces: [
          ItemsRequest.NameSpace(nameSpace, identifiers.map { ItemsRequest.Element($0, intentToRetain: false) })
        ])
    ]
    world.websites = [website]
    let further = ["birth_place", "resident_street"] + (0..<max(0, size.elements - 7)).map { "element_\($0)" }
    let elements = (identifiers + further).map { DocumentDraft.Element($0, .text($0)) }
    let documents = (0..<size.documents).map { number in
      WorldDescription.Document(
        identifier: "mDL-\(number)",
        documentType: number == 0 ? DocumentType.drivingLicence : "org.example.document.\(number)", issuer: "dmv",
        nameSpaces: [DocumentDraft.NameSpace(nameSpace, elements)])
    }
    let apps = (0..<size.apps).map { number in
      WorldDescription.App(
        name: number == 0 ? "Wallet" : "App \(number)", style: number == 0 ? .wallet : .custom,
        trustsReaders: [number == 0 ? "one" : "two"], documents: documents)
    }
    world.devices = [WorldDescription.Device(identifier: "phone", sandbox: sandbox, apps: apps)]
    return world
  }

  private static func makeReady(
    _ size: Size = Size(), sandbox: WorldDescription.SandboxPlace = .inProcess
  ) throws -> World {
    let world = try World(description(size, sandbox: sandbox), seed: 1, start: start)
    guard world.prepare() == .quiet else { throw notVerified }
    return world
  }

  private static func present(in world: World) throws {
    let actions: [Action.ByPerson] = [
      .visit(website: "site", device: nil), .tap("Verify Identity"), .pick(app: "Wallet"), .tap("face-id"),
    ]
    for action in actions { _ = try world.perform(.person(action)) }
    guard world.view().page(of: "site", on: "phone")?.verdict == "verified" else { throw notVerified }
  }

  static let unconfined = "a presentment, its request parsed in this process, elapsed"
  static let confined = "a presentment, its request parsed in a confined process, elapsed"

  /// The measures of the topic `worlds`.
  static var all: [Measure] {
    [
      ready("make ready a world of two apps", Size()),
      presentments("a presentment signed for two apps, with its journal", Size(), .inProcess),
      presentments("the same with its request parsed in a confined process, this thread", Size(), .process),
      traces("the trace of a presentment"),
      presentments(unconfined, Size(), .inProcess, .elapsed),
      presentments(confined, Size(), .process, .elapsed),
    ]
  }

  /// Presentments in a world that already had many.
  static var laterPresentments: [Measure] {
    [1, 20, 240].map { earlier in
      Measure.timed("a presentment after \(earlier) in the same world") {
        let world = try makeReady()
        defer { world.close() }
        for _ in 0..<earlier { try present(in: world) }
        return try timePresentments(in: world, .thread)
      }
    }
  }

  private static func ready(_ name: String, _ size: Size) -> Measure {
    Measure(name) { try makeReady(size).close() }
  }

  private static func presentments(
    _ name: String, _ size: Size, _ sandbox: WorldDescription.SandboxPlace, _ clock: Stopwatch.Clock = .thread
  ) -> Measure {
    Measure.timed(name) {
      let world = try makeReady(size, sandbox: sandbox)
      defer { world.close() }
      // The first fills caches of the world.
      try present(in: world)
      return try timePresentments(in: world, clock)
    }
  }

  private static func timePresentments(in world: World, _ clock: Stopwatch.Clock) throws -> Measure.Batch {
    let time = try Stopwatch.time(clock) {
      for _ in 0..<presentmentsInWorld { try present(in: world) }
    }
    return Measure.Batch(microseconds: time, count: presentmentsInWorld)
  }

  private static func traces(_ name: String) -> Measure {
    Measure.timed(name) {
      let world = try makeReady()
      defer { world.close() }
      for _ in 0..<presentmentsInWorld { try present(in: world) }
      let time = Stopwatch.time { _ = world.journal.trace() }
      return Measure.Batch(microseconds: time, count: presentmentsInWorld)
    }
  }

  /// The memory of a world and of further presentments in it, in bytes.
  static func memory() throws -> [(name: String, bytes: Double)] {
    let world = try heap(of: Size())
    let one = try makeReady()
    defer { one.close() }
    try present(in: one)
    let before = heap_bytes_in_use()
    let count = 100
    for _ in 0..<count { try present(in: one) }
    let presentment = (Double(heap_bytes_in_use()) - Double(before)) / Double(count)
    return [("heap of a world of two apps", world), ("heap of a further presentment in one world", presentment)]
  }

  /// The memory of one world among several of a size, in bytes.
  private static func heap(of size: Size) throws -> Double {
    // The first fills caches of the program.
    try makeReady(size).close()
    let before = heap_bytes_in_use()
    let count = 10
    let worlds = try (0..<count).map { _ in try makeReady(size) }
    let after = heap_bytes_in_use()
    for world in worlds { world.close() }
    return (Double(after) - Double(before)) / Double(count)
  }
}
