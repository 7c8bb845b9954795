import Foundation
import InteractiveWorlds
import LocatedYAML
import Messaging
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Testing

/// A clock that stands still until it is set.
final class SetClock: InteractiveClock {
  private let time = Mutex(Duration.zero)

  var elapsed: Duration {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

enum InteractiveSample {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("scenarios").path

  /// The headline's world for interactive use.
  static func headline(changes: String? = nil) throws -> Scenario {
    try scenario(folder + "/headline.yaml", changes: try changes.map { [try YAMLValue(parsing: $0)] } ?? [])
  }

  static func scenario(_ path: String, changes: [YAMLValue] = []) throws -> Scenario {
    let problems = ProblemCollector()
    let read = ScenarioReader.readInteractive(path, changes: changes, problems)
    return try #require(read?.first, "\(problems.rendered())")
  }

  /// Runs a recording as a scenario, from a file.
  static func replay(_ recording: ScenarioRecording) throws -> CaseResult {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
    try recording.yaml.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let problems = ProblemCollector()
    let cases = ScenarioReader.read(file.path, problems)
    let scenario = try #require(cases?.first, "\(problems.rendered())")
    return ScenarioRun.run(scenario)
  }

  static func expectReplay(of world: InteractiveWorld) throws {
    let result = try replay(world.recording)
    guard case .passed = result.outcome else {
      Issue.record("the recording does not pass: \(result.outcome)")
      return
    }
    let isSame = result.journal.trace() == world.journal.trace()
    #expect(isSame)
  }
}

@Suite struct InteractiveWorldTests {
  @Test func failingStepIsRecordedAndShown() async throws {
    // The site asks for all that the app has, so that no other element is there to be returned.
    let changes = """
      websites: { spaceship-rentals: { asks: { org.iso.18013.5.1.mDL: { org.iso.18013.5.1: { issuing_country: show } } } } }
      devices:
        kellys-iphone:
          apps:
            Wallet:
              documents:
                - type: org.iso.18013.5.1.mDL
                  issuer: spaceport-dmv
                  elements:
                    family_name: Rover
                    given_name: Kelly
                    age_over_21: true
                    portrait: sample
                    driving_privileges: []
                    issuing_country: US
      """
    let world = try InteractiveWorld(InteractiveSample.headline(changes: changes), clock: SetClock())
    defer { world.stop() }
    try await world.perform(text: "fault: wallet.element-not-requested")
    try await world.perform(text: "person: { visits: spaceship-rentals }")
    try await world.perform(text: "person: { taps: Verify Identity }")
    try await world.perform(text: "person: { picks: Wallet }")
    let refusal = await #expect(throws: InteractiveWorldError.self) {
      try await world.perform(text: "person: { authorizes-with: face-id }")
    }
    #expect(refusal?.code == .impossible)
    #expect(world.snapshot?.view.authorization(on: "kellys-iphone") == nil)
    #expect(world.recording.yaml.contains("authorizes-with"))
    // It goes on, and what is put in now is not refused for the sake of what was put in before.
    try await world.perform(text: "fault: network.response-altered")
    try await world.perform(text: "person: { visits: spaceship-rentals }")
    try await world.perform(text: "person: { taps: Verify Identity }")
    try await world.perform(text: "person: { picks: Wallet }")
    await #expect(throws: InteractiveWorldError.self) {
      try await world.perform(text: "person: { authorizes-with: face-id }")
    }
    try await world.perform(text: "person: { visits: spaceship-rentals }")
    #expect(world.recording.yaml.components(separatedBy: "fails:").count == 3)
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func whatAPersonDoesIsDoneAgainByTheRecording() throws {
    let clock = SetClock()
    let world = try InteractiveWorld(InteractiveSample.headline(), clock: clock)
    defer { world.stop() }
    try world.performAndWait(text: "person: { visits: spaceship-rentals, on: kellys-iphone }")
    clock.elapsed = .milliseconds(4_321)
    try world.performAndWait(text: "person: { taps: Verify Identity }")
    #expect(world.snapshot?.view.selector(on: "kellys-iphone")?.offered.map(\.app).contains("Wallet") == true)
    clock.elapsed = .seconds(9)
    try world.performAndWait(text: "person: { picks: Wallet }")
    #expect(world.snapshot?.view.authorization(on: "kellys-iphone")?.requester == "Spaceship Rentals")
    try world.performAndWait(text: #"{ "person": { "authorizes-with": "face-id" } }"#)
    #expect(world.snapshot?.view.page(of: "spaceship-rentals", on: "kellys-iphone")?.verdict == "verified")
    try InteractiveSample.expectReplay(of: world)
  }

  /// A test of a page switches an app off, as a person can.
  @Test func whatAppsMayDoIsChangedAgainByTheRecording() throws {
    let world = try InteractiveWorld(InteractiveSample.headline(), clock: SetClock())
    defer { world.stop() }
    func offered() throws -> [String] {
      try world.performAndWait(text: "person: { visits: spaceship-rentals }")
      try world.performAndWait(text: "person: { taps: Verify Identity }")
      return world.snapshot?.view.selector(on: "kellys-iphone")?.offered.map(\.app) ?? []
    }
    #expect(try offered().contains("Wallet"))
    try world.performAndWait(text: "person: { switches-off: Wallet }")
    #expect(try !offered().contains("Wallet"))
    try world.performAndWait(text: "person: { switches-on: Wallet }")
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func faultsOfItsScenarioArePutInAndRecorded() throws {
    let world = try InteractiveWorld(
      InteractiveSample.scenario(InteractiveSample.folder + "/faults/network/response-altered.yaml"))
    defer { world.stop() }
    try world.performAndWait(text: "person: { visits: spaceship-rentals }")
    try world.performAndWait(text: "person: { taps: Verify Identity }")
    try world.performAndWait(text: "person: { picks: Wallet }")
    try world.performAndWait(text: "person: { authorizes-with: face-id }")
    let page = world.snapshot?.view.page(of: "spaceship-rentals", on: "kellys-iphone")
    #expect(page?.verdict == "refused")
    #expect(page?.code == "response.decryption/unexplained")
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func impossibleStepIsRefusedAndNotRecorded() throws {
    let world = try InteractiveWorld(InteractiveSample.headline(), clock: SetClock())
    defer { world.stop() }
    let refused: [(String, InteractiveWorldError.Code)] = [
      ("person: { picks: Wallet }", .impossible), ("person: { taps: Nothing }", .impossible),
      ("person: { jumps: high }", .unreadable), ("", .unreadable), ("[", .unreadable),
      ("selector: { shows: [Wallet] }", .unsuitable),
      ("{ person: { picks: Wallet }, fails: no selector }", .unsuitable),
      ("server: { restarts: spaceship-rentals }", .unsuitable),
      ("page: { name: spaceship-rentals, sends: POST /presentments, body: '[]' }", .unreadable),
    ]
    for (step, code) in refused {
      #expect(throws: InteractiveWorldError.self, "\(step)") { try world.performAndWait(text: step) }
      do { try world.performAndWait(text: step) } catch { #expect(error.code == code, "\(step): \(error)") }
    }
    #expect(world.recording.count == 0)
  }

  @Test func waitsOfMoreThanACenturyAreRefusedAndTheWorldGoesOn() throws {
    let clock = SetClock()
    let world = try InteractiveWorld(InteractiveSample.headline(), clock: clock)
    defer { world.stop() }
    try world.performAndWait(text: "person: { waits: 36500 days }")
    for wait in ["1 s", "36525 days"] {
      #expect(throws: InteractiveWorldError.self) { try world.performAndWait(text: "person: { waits: \(wait) }") }
    }
    clock.elapsed = .seconds(5)
    try world.performAndWait(text: "person: { visits: spaceship-rentals }")
    #expect(world.recording.count == 2)
  }

  @Test func endedWorldRefusesSteps() throws {
    let world = try InteractiveWorld(InteractiveSample.headline(), clock: SetClock())
    try world.performAndWait(text: "person: { visits: spaceship-rentals }")
    world.stop()
    #expect(throws: InteractiveWorldError.self) { try world.performAndWait(text: "person: { taps: Verify Identity }") }
  }

  @Test func worldBeyondItsLimitsEndsWithAReason() async throws {
    let newborn = try InteractiveWorld(InteractiveSample.headline(), clock: SetClock())
    newborn.stop()
    let begun = newborn.journal.entries.count
    let bytes = newborn.journal.entries.reduce(0) { sum, entry in
      if case .message(let message) = entry.event { sum + message.bytes.count } else { sum }
    }
    for limits in [InteractiveWorldLimits(lines: begun + 10), InteractiveWorldLimits(bytes: bytes + 1_000)] {
      let world = try InteractiveWorld(InteractiveSample.headline(), clock: SetClock(), limits: limits)
      let (endings, ended) = AsyncStream.makeStream(of: Bool.self)
      _ = world.watch({ _ in }, ended: { ended.finish() })
      // The step that goes too far is done.
      var done = 0
      let refusal = await #expect(throws: InteractiveWorldError.self) {
        while true {
          try await world.perform(text: "person: { visits: spaceship-rentals }")
          done += 1
        }
      }
      for await _ in endings {}
      #expect(refusal?.code == .ended && (1...20).contains(done))
      #expect(world.snapshot?.failure?.code == .full && world.hasEnded)
      #expect(world.recording.count == done)
      try InteractiveSample.expectReplay(of: world)
    }
  }

  @Test func recordingThatIsTooLongBeginsWithANotice() throws {
    let world = try InteractiveWorld(
      InteractiveSample.headline(changes: "websites: { spaceship-rentals: { script: external } }"), clock: SetClock())
    defer { world.stop() }
    let body = String(repeating: "x", count: 600_000)
    for isTooLong in [false, true] {
      try world.performAndWait(
        text: "page: { name: spaceship-rentals, sends: POST /presentments/response, body: \(body) }")
      #expect(world.recording.isTooLong == isTooLong)
      #expect(world.recording.yaml.hasPrefix("# This recording cannot be run") == isTooLong)
    }
  }

  @Test func concurrentStepsAreAllDone() async throws {
    let world = try InteractiveWorld(InteractiveSample.headline())
    defer { world.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await world.perform(text: "person: { visits: spaceship-rentals }") } }
      try await group.waitForAll()
    }
    let visits = world.recording.yaml.components(separatedBy: "visits").count - 1
    #expect(visits == 20)
    try InteractiveSample.expectReplay(of: world)
  }
}
