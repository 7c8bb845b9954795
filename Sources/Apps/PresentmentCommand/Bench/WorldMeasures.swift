import CHeap
import Ecosystem
import MeasuredWork

/// Measurements of whole worlds: making one ready, and a presentment in it.
struct WorldMeasures {
  /// The number of presentments in a batch, all in one world.
  private static let presentmentsInWorld = 20

  /// The sizes of the topic `growth`: one dimension at a time.
  static let sizes =
    [1, 2, 4, 8, 16, 32].map { MeasuredWorld(apps: $0) } + [2, 4, 8].map { MeasuredWorld(documents: $0) }
    + [28, 112].map { MeasuredWorld(elements: $0) }

  static let unconfined = "a presentment, its request parsed in this process, elapsed"
  static let confined = "a presentment, its request parsed in a confined process, elapsed"

  /// The measures of the topic `worlds`.
  static var all: [Measure] {
    let open = MeasuredWorld()
    let closed = MeasuredWorld(sandbox: .process)
    return [
      ready("make ready a world of two apps", open),
      presentments("a presentment signed for two apps, with its journal", open),
      presentments(
        "the same with OpenID4VP, several signatures", MeasuredWorld(exchangeProtocol: .openID4VPMultisigned)),
      presentments("the same with its request parsed in a confined process, this thread", closed),
      presentments("a presentment in person, signed for two apps, with its journal", MeasuredWorld(isInPerson: true)),
      traces("the trace of a presentment"),
      presentments(unconfined, open, .elapsed),
      presentments(confined, closed, .elapsed),
    ]
  }

  /// The measures of a size.
  static func measures(of size: MeasuredWorld) -> [Measure] {
    [ready("make ready: \(size.words)", size), presentments("a presentment: \(size.words)", size)]
  }

  /// Presentments in a world that already had many.
  static var laterPresentments: [Measure] {
    [1, 20, 240].map { earlier in
      Measure.timed("a presentment after \(earlier) in the same world") {
        let world = try MeasuredWorld().makeReady()
        defer { world.close() }
        for _ in 0..<earlier { try MeasuredWorld.present(in: world) }
        return try timePresentments(of: MeasuredWorld(), in: world, .thread)
      }
    }
  }

  private static func ready(_ name: String, _ size: MeasuredWorld) -> Measure {
    Measure(name) { try size.makeReady().close() }
  }

  private static func presentments(
    _ name: String, _ size: MeasuredWorld, _ clock: Stopwatch.Clock = .thread
  ) -> Measure {
    Measure.timed(name) {
      let world = try size.makeReady()
      defer { world.close() }
      // The first fills caches of the world.
      try present(size, in: world)
      return try timePresentments(of: size, in: world, clock)
    }
  }

  private static func present(_ size: MeasuredWorld, in world: World) throws {
    try size.isInPerson ? MeasuredWorld.presentInPerson(in: world) : MeasuredWorld.present(in: world)
  }

  private static func timePresentments(
    of size: MeasuredWorld, in world: World, _ clock: Stopwatch.Clock
  ) throws -> Measure.Batch {
    let time = try Stopwatch.time(clock) {
      for _ in 0..<presentmentsInWorld { try present(size, in: world) }
    }
    return Measure.Batch(microseconds: time, count: presentmentsInWorld)
  }

  private static func traces(_ name: String) -> Measure {
    Measure.timed(name) {
      let world = try MeasuredWorld().makeReady()
      defer { world.close() }
      for _ in 0..<presentmentsInWorld { try MeasuredWorld.present(in: world) }
      let time = Stopwatch.time { _ = world.journal.trace() }
      return Measure.Batch(microseconds: time, count: presentmentsInWorld)
    }
  }

  /// The memory of a world and of further presentments in it, in bytes.
  static func memory() throws -> [(name: String, bytes: Double)] {
    let world = try heap()
    let one = try MeasuredWorld().makeReady()
    defer { one.close() }
    try MeasuredWorld.present(in: one)
    let before = heap_bytes_in_use()
    let count = 100
    for _ in 0..<count { try MeasuredWorld.present(in: one) }
    let presentment = (Double(heap_bytes_in_use()) - Double(before)) / Double(count)
    return [("heap of a world of two apps", world), ("heap of a further presentment in one world", presentment)]
  }

  /// The memory of the program after presentments, each in a new world, in bytes.
  static func memoryAfterWorlds() throws -> [(name: String, bytes: Double)] {
    var done = 0
    return try [1_000, 10_000].map { count in
      while done < count {
        let world = try MeasuredWorld().makeReady()
        try MeasuredWorld.present(in: world)
        world.close()
        done += 1
      }
      return ("heap after \(count) presentments in new worlds", Double(heap_bytes_in_use()))
    }
  }

  /// The memory of one world among several, in bytes.
  private static func heap() throws -> Double {
    let count = 10
    // The first fills caches of the program. It stays open, so that the others do not get its databases.
    let first = try MeasuredWorld().makeReady()
    defer { first.close() }
    let before = heap_bytes_in_use()
    let worlds = try (0..<count).map { _ in try MeasuredWorld().makeReady() }
    let after = heap_bytes_in_use()
    for world in worlds { world.close() }
    return (Double(after) - Double(before)) / Double(count)
  }
}

extension MeasuredWorld {
  /// The size in words.
  var words: String {
    [(apps, "app"), (documents, "document"), (elements, "element")]
      .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }
}
