import Foundation
import InteractiveWorlds
import LocatedYAML
import Messaging
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import ShippedScenarios
import Testing

extension InteractiveSample {
  /// The cases of a scenario, as plays run them.
  static func cases(_ name: String) throws -> [Scenario] {
    let problems = ProblemCollector()
    let read = ScenarioReader.read(folder + "/" + name + ".yaml", problems)
    return try #require(read, "\(problems.rendered())").map { $0.parsing(.inProcess) }
  }

  /// The headline with another text in its file.
  static func headline(_ change: (String) -> String) throws -> Scenario {
    let path = folder + "/headline.yaml"
    let problems = ProblemCollector()
    let text = change(try String(contentsOfFile: path, encoding: .utf8))
    let read = ScenarioReader.read(try SourceFile(path: path, text: text), problems)
    return try #require(read?.first, "\(problems.rendered())").parsing(.inProcess)
  }

  /// The headline with another text in place of one that its file has.
  static func headline(replacing old: String, with new: String) throws -> Scenario {
    try headline { text in
      #expect(text.contains(old))
      return text.replacing(old, with: new)
    }
  }
}

/// A result in words, to compare.
private func told(_ outcome: CaseResult.Outcome) -> [String] {
  switch outcome {
  case .passed: ["passed"]
  case .failed(let failure): ["failed", failure.headline, failure.code ?? ""]
  case .undecided(let message): ["undecided", message]
  case .skipped(let reason): ["skipped", reason]
  case .failedAsExpected(let failure, let reason): ["as expected", failure.headline, failure.code ?? "", reason]
  }
}

@Suite("Plays of scenarios") struct PlaybackTests {
  @Test("A play has the result and the journal of a run", arguments: ShippedScenarios.files)
  func playsAsItRuns(_ file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      let scenario = result.scenario.parsing(.inProcess)
      guard ScenarioRun.obstacle(to: scenario) == nil else { continue }
      let play = Playback(scenario)
      #expect(told(play.result.outcome) == told(result.outcome), "\(scenario.name)")
      #expect(play.result.seed == result.seed)
      try StagePlay(play).expectTruth(of: result)
      let isSame = play.result.journal.trace() == result.journal.trace()
      #expect(isSame, "\(scenario.name) has another journal")

      #expect(play.steps.map(\.step) == scenario.steps.map(\.step))
      #expect(play.steps.allSatisfy { !$0.words.isEmpty })
      expectDevices(of: play)
      // The lines of the steps follow one another, after those of the set-up.
      for (step, next) in zip(play.steps, play.steps.dropFirst()) {
        #expect(step.lines.upperBound == next.lines.lowerBound, "\(scenario.name)")
      }
      guard scenario.skip == nil else { continue }
      // The end of a world adds lines about what still waits.
      #expect(play.steps.allSatisfy { $0.lines.upperBound <= result.journal.entries.count })
      #expect(play.steps.map(\.moment) == play.steps.map(\.moment).sorted())
      #expect(play.steps.allSatisfy { play.moments.indices.contains($0.moment) })
    }
  }

  /// Expects that the device of each step is the one that its text names, or else the one that got the person's message.
  private func expectDevices(of play: Playback) {
    let journal = play.result.journal.entries
    for step in play.steps where step.step.text.hasPrefix("person: ") || step.step.text.hasPrefix("{ person: ") {
      let verb = step.step.text.firstMatch(of: /person: \{ ([a-z-]+):/).map { String($0.1) } ?? ""
      let isOfADevice = [
        "visits", "opens", "taps", "picks", "authorizes-with", "scans", "scans-text", "closes", "cancels", "uploads",
      ].contains(verb)
      let named = step.step.text.firstMatch(of: /, (?:on|with): "?([a-z-]+)"? \}/).map { String($0.1) }
      let sent = journal[step.lines.clamped(to: journal.indices)].lazy.compactMap(\.event.message)
      let used = step.stop == nil ? sent.first { $0.sender.role == .person }?.recipient.device : nil
      let words: Comment = "\(play.result.scenario.name): \(step.words)"
      if isOfADevice, step.isReached { #expect(step.device != nil, words) }
      guard let device = step.device, let expected = named ?? used else { continue }
      #expect(device == expected, words)
    }
  }

  @Test("A step after the end of a run has the device that it names, or that was used last")
  func devicesOfStepsThatWereNotReached() throws {
    let cases = try InteractiveSample.cases("cross-device/nearby-restarts")
    let scenario = try #require(cases.first)
    let text = try String(contentsOfFile: scenario.path, encoding: .utf8)
      .replacing("notification: { on: kellys-iphone, mac: kellys-mac }", with: "notification: { mentions: [nothing] }")
      .replacing(
        "person: { restarts: kellys-mac }",
        with: "person: { visits: spaceship-rentals }\n      - person: { closes: qr-code, on: kellys-iphone }")
    let problems = ProblemCollector()
    let read = ScenarioReader.read(try SourceFile(path: scenario.path, text: text), problems)
    let play = Playback(try #require(read?.first, "\(problems.rendered())").parsing(.inProcess))
    let left = play.steps.filter { !$0.isReached && $0.device != nil }.map(\.device)
    #expect(left == ["kellys-mac", "kellys-iphone"])
  }

  @Test func theHeadlineIsToldStepByStep() throws {
    let play = Playback(try InteractiveSample.cases("headline")[0])
    #expect(
      play.steps.map(\.words) == [
        "Kelly opens Spaceship Rentals on Kelly\u{2019}s iPhone", "Kelly taps Verify Identity",
        "The selector offers Wallet and Local Driving Authority, and hides Other Wallet", "Kelly picks Wallet",
        "The consent sheet names Spaceship Rentals, says that the name is certified, asks for First Name, "
          + "Last Name, Age over 21, Photo and Driving Privileges, says that First Name and Last Name will be "
          + "stored, and shows the icon of Spaceship Rentals",
        "Kelly authorizes with Face ID",
        "The website has verified First Name, Last Name, Age over 21, Photo and Driving Privileges",
      ])
    let views = play.steps.map { play.moments[$0.moment].view }
    #expect(views[0].page(of: "spaceship-rentals", on: "kellys-iphone")?.buttons.contains("Verify Identity") == true)
    #expect(views[1].selector(on: "kellys-iphone") != nil && views[2] == views[1])
    #expect(views[3].authorization(on: "kellys-iphone")?.requester == "Spaceship Rentals")
    #expect(views[5].page(of: "spaceship-rentals", on: "kellys-iphone")?.verdict == "verified")
    // An expectation changes nothing on the screens.
    #expect(play.steps[2].moment == play.steps[1].moment && play.steps[2].lines.isEmpty)
  }

  @Test(arguments: [
    (
      "attacks/phishing-site", "Kelly opens Spaceship Rentals (spaceship-rentels.example) on Kelly\u{2019}s iPhone"
    ),
    ("cross-device/qr-code-on-a-laptop", "Kelly opens Spaceship Rentals on Kelly\u{2019}s laptop"),
    ("in-app/accepted", "Kelly opens Rocket Rides"),
    ("onboarding/certificate-revoked", "Apple Business Connect revokes the certificates of Spaceship Rentals"),
    (
      "cross-device/phishing-relays-the-code", "Kelly opens Spaceship Rentals on Mallory\u{2019}s laptop"
    ),
    ("session/server-restarted", "The server of Spaceship Rentals ends and begins again"),
  ])
  func wordsHaveTitles(_ name: String, _ words: String) throws {
    let play = Playback(try #require(try InteractiveSample.cases(name).first))
    #expect(play.steps.map(\.words).contains(words), "\(play.steps.map(\.words))")
    let actions = play.steps.filter { if case .action = $0.step.content { true } else { false } }
    for step in actions { #expect(!step.words.contains(/spaceship-rentals|kellys-/), "\(step.words)") }
  }

  @Test func aFailureIsAtItsStepAndTheStepsAfterItAreNotReached() throws {
    let scenario = try InteractiveSample.headline(
      replacing: "shows: [Wallet, Local Driving Authority]", with: "shows: [Wallet]")
    let play = Playback(scenario)
    #expect(play.result.isFailed)
    #expect(play.steps.map(\.isReached) == [true, true, true, false, false, false, false])
    #expect(play.steps.map { $0.stop != nil } == [false, false, true, false, false, false, false])
    guard case .failed(let failure)? = play.steps[2].stop, case .failed(let whole) = play.result.outcome else {
      Issue.record("the step does not fail")
      return
    }
    #expect(failure.headline == whole.headline && failure.position == whole.position && failure.position != nil)
    #expect(play.steps[3].lines == play.result.journal.entries.count..<play.result.journal.entries.count)
  }

  @Test func aFaultComesFirstAndFailsIfItNeverActs() throws {
    let configuration = DemoConfiguration(
      path: InteractiveSample.folder + "/headline.yaml",
      faults: [try #require(DemoFault.named("network.response-altered"))])
    let altered = Playback(try configuration.playedScenario().parsing(.inProcess))
    #expect(altered.steps.count == 8 && altered.steps[0].words.hasPrefix("A fault begins: "))
    #expect(altered.result.isFailed && altered.steps[0].stop == nil && altered.steps[7].stop != nil)

    // The person leaves at the selector, so nothing is there to alter.
    let play = Playback(
      try InteractiveSample.headline { text in
        let kept = text.components(separatedBy: "  - person: { picks")[0]
        return kept.replacing("steps:", with: "faults: [network.response-altered]\nsteps:")
      })
    #expect(play.steps.allSatisfy(\.isReached) && play.steps.count == 4)
    #expect(play.result.isFailed && play.steps.map { $0.stop != nil } == [true, false, false, false])
  }

  @Test func theSeedIsThatOfTheRun() throws {
    let scenario = try InteractiveSample.cases("headline")[0]
    let play = Playback(scenario, seed: 11)
    #expect(play.result.seed == 11)
    #expect(play.result.journal.trace() == ScenarioRun.run(scenario, seed: 11).journal.trace())
    #expect(play.result.journal.trace() != Playback(scenario).result.journal.trace())
  }
}

@Suite("Taking over a scenario") struct TakingOverTests {
  /// Does the rest of a scenario in a world that has done the first steps.
  private func rest(of scenario: Scenario, after count: Int) throws -> [UInt8] {
    let world = try InteractiveWorld(scenario, takenOverAfter: count, clock: StandingClock())
    defer { world.stop() }
    for step in scenario.steps.dropFirst(count).map(\.step) {
      if case .expectation = step.content { continue }
      try world.performAndWait(text: step.text)
    }
    return world.journal.trace()
  }

  @Test(arguments: 0...7) func theRestOfTheHeadlineGivesTheSameJournal(_ count: Int) throws {
    let scenario = try InteractiveSample.cases("headline")[0]
    let isSame = try rest(of: scenario, after: count) == ScenarioRun.run(scenario).journal.trace()
    #expect(isSame)
  }

  @Test(arguments: [
    "revocation/revoked", "session/server-restarted", "provider/reboot", "browser/page-aborts",
    "cross-device/qr-code-on-a-laptop", "attacks/response-replayed", "consent/face-id", "in-person/rent-and-pick-up",
  ])
  func everyKindOfStepCanBeDone(_ name: String) throws {
    let scenario = try InteractiveSample.cases(name)[0]
    let trace = ScenarioRun.run(scenario).journal.trace()
    for count in [0, scenario.steps.count / 2] {
      let isSame = try rest(of: scenario, after: count) == trace
      #expect(isSame, "after \(count) steps")
    }
  }

  @Test func onlyWaitsLetTimePass() async throws {
    let world = try InteractiveWorld(
      try InteractiveSample.cases("headline")[0], takenOverAfter: 2, clock: StandingClock())
    defer { world.stop() }
    let before = try #require(world.snapshot)
    try await world.perform(text: "person: { waits: 3 s }")
    let after = try #require(world.snapshot)
    #expect(after.now.secondsSince1970 - before.now.secondsSince1970 == 3)
  }

  @Test func anExpectationIsJudgedByThePresentState() async throws {
    let scenario = try InteractiveSample.headline(
      replacing: "verified: { given_name: Kelly", with: "verified: { given_name: Robin")
    let world = try InteractiveWorld(scenario, takenOverAfter: 2, clock: StandingClock())
    defer { world.stop() }
    let lines = world.journal.entries.count
    #expect(try await world.judge(step: 2) == nil)
    #expect(try await world.judge(step: 4)?.headline == "no app asks for consent")
    #expect(world.journal.entries.count == lines)
    for step in [3, 5] { try await world.perform(text: scenario.steps[step].step.text) }
    guard case .failed(let failure) = ScenarioRun.run(scenario).outcome else {
      Issue.record("the wrong expectation holds")
      return
    }
    let judged = try #require(try await world.judge(step: 6))
    #expect(judged.headline == failure.headline && judged.position == failure.position)
  }

  @Test(arguments: [-1, 0, 7, Int.max]) func onlyExpectationsOfTheScenarioAreJudged(_ step: Int) async throws {
    let world = try InteractiveWorld(
      try InteractiveSample.cases("headline")[0], takenOverAfter: 1, clock: StandingClock())
    defer { world.stop() }
    let refusal = await #expect(throws: InteractiveWorldError.self) { try await world.judge(step: step) }
    #expect(refusal?.code == .unsuitable)
  }

  @Test(arguments: [-1, 8, Int.max]) func stepsThatTheScenarioDoesNotHaveAreRefused(_ count: Int) throws {
    let scenario = try InteractiveSample.cases("headline")[0]
    let refusal = #expect(throws: InteractiveWorldError.self) {
      try InteractiveWorld(scenario, takenOverAfter: count, clock: StandingClock())
    }
    #expect(refusal?.code == .unsuitable)
  }

  @Test func aStepThatFailedDoesNotKeepAPersonFromTakingOver() throws {
    let scenario = try InteractiveSample.headline(replacing: "picks: Wallet", with: "picks: Other Wallet")
    let world = try InteractiveWorld(scenario, takenOverAfter: 4, clock: StandingClock())
    defer { world.stop() }
    #expect(world.snapshot?.view.selector(on: "kellys-iphone") != nil)
    try world.performAndWait(text: "person: { picks: Wallet }")
    #expect(world.snapshot?.view.authorization(on: "kellys-iphone") != nil)
  }

  @Test func anExpectationIsNotAStepToDo() throws {
    let world = try InteractiveWorld(
      try InteractiveSample.cases("headline")[0], takenOverAfter: 2, clock: StandingClock())
    defer { world.stop() }
    let refusal = #expect(throws: InteractiveWorldError.self) {
      try world.performAndWait(text: "selector: { shows: [Wallet] }")
    }
    #expect(refusal?.code == .unsuitable)
  }
}
