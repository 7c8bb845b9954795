import Foundation
import InteractiveWorlds
import Messaging
import ScenarioLanguage
import ScenarioRunner
import ShippedScenarios
import Telling
import Testing
import Vocabulary

/// A program that does by hand whatever it has not done yet.
private struct Hand {
  let world: InteractiveWorld
  let byHand: ByHand
  /// How often each step, and each verb, was done.
  private(set) var done: [String: Int]
  private var isAtScreen = true

  init(_ world: InteractiveWorld, after done: [String: Int]) throws {
    self.world = world
    self.done = done
    byHand = try #require(world.byHand)
  }

  /// The verb of a step, such as `installs`.
  static func verb(_ step: Step) -> String {
    let found = step.text.firstMatch(of: #/(?:person|app): \{ (?:name: (?:"[^"]*"|[^,]*), )?([a-z-]+):/#)
    return found.map { String($0.1) } ?? step.text
  }

  /// Does what was done least often so far: in turns what the screens ask for, and anything.
  mutating func act() throws -> Bool {
    let snapshot = try #require(world.snapshot)
    let deeds = world.scenario.world.devices.flatMap { byHand.deeds(on: $0.identifier, in: snapshot) }
    let asked = deeds.filter { $0.place == .screen }
    let news = deeds.filter { done[Self.verb($0.step)] == nil }
    isAtScreen.toggle()
    let chosen = !news.isEmpty ? news : isAtScreen && !asked.isEmpty ? asked : deeds
    let next = chosen.min { one, other in
      let (left, right) = (rank(one), rank(other))
      return left.lexicographicallyPrecedes(right)
    }
    guard let deed = next else { return false }
    done[deed.step.text, default: 0] += 1
    done[Self.verb(deed.step), default: 0] += 1
    try world.performAndWait(deed.asksText ? deed.step(with: text()) : deed.step)
    return true
  }

  /// In turns a text that is not the code of a client platform, and the code of one that has gone.
  private func text() -> String {
    let count = done["scans-text", default: 0]
    return count.isMultiple(of: 2)
      ? "FIDO:/0659158565283446969884143770661585681880191588041561461380449075288743021988291277984005640508073304980254"
        + "210104918118701423927906405130310781575901599757180361115540029562975" : "\u{00fc}: the menu, \"\(count)\""
  }

  private func rank(_ deed: ByHand.Deed) -> [Int] {
    [done[Self.verb(deed.step), default: 0], done[deed.step.text, default: 0]]
  }
}

@Suite("What a person does by hand") struct ByHandTests {
  /// Cases whose worlds have, together, everything that a person can do by hand.
  private static let cases = [
    "headline", "provider/first-registration-asks", "documents/two-licenses-in-one-app", "in-app/accepted",
    "cross-device/qr-code-on-a-laptop", "cross-device/nearby-two-iphones",
    "cross-device/another-device#an iPad with a document, and the person uses it",
    "browser/a-site-in-a-frame", "in-person/qr-code", "session/flight-mode#the phone cannot open a tunnel to a laptop",
  ]
  private static let stepCount = 70

  private static func world(_ name: String) throws -> InteractiveWorld {
    let parts = name.split(separator: "#").map(String.init)
    let cases = try InteractiveSample.cases(parts[0])
    let scenario = try #require(cases.first { parts.count == 1 || $0.caseName == parts[1] })
    return try InteractiveWorld(scenario, takenOverAfter: 0, clock: StandingClock())
  }

  @Test("Each thing that can be done is a step, and the file of the steps passes")
  func everyVerbIsDoneAndRecorded() throws {
    var done: [String: Int] = [:]
    var known: Set<String> = []
    for name in Self.cases {
      let world = try Self.world(name)
      defer { world.stop() }
      var hand = try Hand(world, after: done)
      for _ in 0..<Self.stepCount where try hand.act() {}
      #expect(world.recording.count >= Self.stepCount / 2, "\(name)\n\(world.recording.yaml)")
      let result = try InteractiveSample.replay(world.recording)
      #expect(result.outcome.verdict == .passed, "\(name): \(result.outcome)\n\(world.recording.yaml)")
      done = hand.done
      known.formUnion(Step.all("person", in: world.scenario, waits: [.seconds(1)]).map(Hand.verb))
      if world.scenario.world.isCrossDevice { known.insert("scans-text") }
    }
    let missing = known.subtracting(done.keys).sorted()
    #expect(known.count > 30 && missing == [], "\(missing)")
  }

  @Test func clerksDoWhatTheirTerminalAsks() throws {
    let cases = try InteractiveSample.cases("in-person/the-person-at-the-counter")
    let scenario = try #require(cases.first)
    let place = try #require(
      scenario.steps.firstIndex { if case .action(.clerk) = $0.step.content { true } else { false } })
    for (steps, count) in [(0, 0), (place, 2)] {
      let world = try InteractiveWorld(scenario, takenOverAfter: steps, clock: StandingClock())
      defer { world.stop() }
      let snapshot = try #require(world.snapshot)
      let deeds = try #require(world.byHand).deeds(on: "kellys-iphone", in: snapshot).filter { deed in
        if case .action(.clerk) = deed.step.content { true } else { false }
      }
      #expect(deeds.count == count && deeds.allSatisfy { $0.place == .terminal("hangar-desk") }, "\(deeds)")
      guard let first = deeds.first else { continue }
      try world.performAndWait(first.step)
      #expect(try InteractiveSample.replay(world.recording).outcome.verdict == .passed)
    }
  }

  @Test("A phone is held to a terminal by its code only while it shows one, and by NFC at any time")
  func holding() throws {
    let world = try Self.world("in-person/qr-code")
    defer { world.stop() }
    let byHand = try #require(world.byHand)
    func words(_ place: ByHand.Place) throws -> [String] {
      let snapshot = try #require(world.snapshot)
      return byHand.deeds(on: "kellys-iphone", in: snapshot).filter { $0.place == place }.map(\.words)
    }
    let desk = ByHand.Place.terminal("hangar-desk")
    let byNFC = "holds the phone to the terminal of Hangar Desk, by NFC"
    #expect(try words(desk) == [byNFC])
    #expect(try words(.home).contains("shows the phone's code"))
    try world.performAndWait(.person(.showCode))
    #expect(try words(desk) == ["holds the phone to the terminal of Hangar Desk", byNFC])
    #expect(try words(.screen).contains("closes the QR code"))
    try world.performAndWait(.person(.hold(terminal: "hangar-desk")))
    #expect(try words(desk) == [byNFC])
    let away = "carries Kelly\u{2019}s iPhone to the dock"
    let back = "carries Kelly\u{2019}s iPhone to the hangar"
    // Who walks away during the session is out of reach, and can come back.
    for (place, (offered, other)) in [("dock", (away, back)), ("hangar", (back, away))] {
      #expect(try words(.person).contains(offered) && !words(.person).contains(other))
      try world.performAndWait(.person(.carry(device: "kellys-iphone", place: place)))
    }
    try world.performAndWait(.person(.hold(terminal: "hangar-desk", by: .nfc)))
    #expect(world.snapshot?.view.selector(on: "kellys-iphone") != nil)
    try InteractiveSample.expectReplay(of: world)
  }

  /// Does a step, and returns true if it unlocked a part of a device.
  private static func unlocks(_ step: Step, in world: InteractiveWorld) throws -> Bool {
    let lines = try world.performAndWait(step)
    return world.journal.entries.dropFirst(lines).contains { entry in
      if case .message(let message) = entry.event {
        message.kind == .unlocked && message.sender.role == .operatingSystem
      } else {
        false
      }
    }
  }

  /// Takes a shipped case over at its end, and returns how many devices were unlocked, and how often one was carried.
  private static func unlockAndCarry(in scenario: Scenario) throws -> (unlocked: Int, carried: Int) {
    let world = try InteractiveWorld(scenario, takenOverAfter: scenario.steps.count, clock: StandingClock())
    defer { world.stop() }
    let byHand = try #require(world.byHand)
    func offered(_ device: String) throws -> [Action.ByPerson] {
      byHand.deeds(on: device, in: try #require(world.snapshot)).compactMap { deed in
        if case .action(.person(let action)) = deed.step.content { action } else { nil }
      }
    }
    let (title, devices) = (scenario.name, scenario.world.devices.map(\.identifier))
    var (unlocked, carried) = (0, 0)
    for device in devices {
      for isRestarted in [false, true] {
        if isRestarted { try world.performAndWait(.person(.restart(device: device))) }
        let isOffered = try offered(device).contains(.unlock(device: device))
        let isUnlocked = try unlocks(.person(.unlock(device: device)), in: world)
        #expect(isOffered == isUnlocked, "\(title): \(device)")
        #expect(try !offered(device).contains(.unlock(device: device)), "\(title): \(device)")
        unlocked += isUnlocked ? 1 : 0
      }
      for place in Set(scenario.world.bluetooth.places.map(\.name)).sorted() {
        let carry = Action.ByPerson.carry(device: device, place: place)
        guard try offered(device).contains(carry) else { continue }
        let before = world.snapshot?.contents[device]?.place
        try world.performAndWait(.person(carry))
        #expect(world.snapshot?.contents[device]?.place == place && before != place, "\(title): \(device)")
        #expect(try !offered(device).contains(carry), "\(title): \(device)")
        carried += 1
      }
    }
    return (unlocked, carried)
  }

  @Test("In every shipped world a device is unlocked only while it is locked, and carried only to where it is not")
  func nothingWithoutEffectIsOffered() throws {
    let cases = try ShippedScenarios.cases().filter(\.world.hasBluetooth)
    var (unlocked, carried) = (0, 0)
    for scenario in cases {
      let found = try Self.unlockAndCarry(in: scenario)
      (unlocked, carried) = (unlocked + found.unlocked, carried + found.carried)
    }
    #expect(cases.count > 100 && unlocked > 100 && carried > 100, "\(cases.count) \(unlocked) \(carried)")
  }

  @Test("The way to a place is told as people say it")
  func places() throws {
    let world = try Self.world("cross-device/nearby-two-iphones")
    defer { world.stop() }
    let described = world.scenario.world
    let names = described.names
    func words(_ place: String) -> String {
      Step.person(.carry(device: described.devices[0].identifier, place: place))
        .words(in: Focus(website: "", device: ""), names)
    }
    let endings = [
      "here": " here", "home": " home", "far-away": " far away", "lounge": " to the lounge", "Dublin": " to Dublin",
    ]
    for (place, ending) in endings {
      let told = words(place)
      #expect(told.hasPrefix("Kelly carries ") && told.hasSuffix(ending), "\(told)")
    }
    #expect(!words("here").contains(" to "))
  }

  @Test func whatIsNotThereCannotBeDone() throws {
    let world = try Self.world("headline")
    defer { world.stop() }
    let byHand = try #require(world.byHand)
    func words(_ place: ByHand.Place) throws -> [String] {
      let snapshot = try #require(world.snapshot)
      return byHand.deeds(on: "kellys-iphone", in: snapshot).filter { $0.place == place }.map(\.words)
    }
    #expect(try words(.store).contains("removes Wallet") && !(try words(.store)).contains("installs Wallet"))
    #expect(try words(.settings).contains("switches Wallet off in Settings"))
    #expect(try words(.app("Wallet")).contains { $0.hasPrefix("deletes ") })
    try world.performAndWait(.person(.touch(.switchApp("Wallet", isOn: false))))
    #expect(try words(.settings).contains("switches Wallet on in Settings"))
    #expect(!(try words(.settings)).contains("switches Wallet off in Settings"))
    try world.performAndWait(.person(.touch(.remove(app: "Wallet"))))
    #expect(try words(.store).contains("installs Wallet") && (try words(.app("Wallet"))).isEmpty)
    #expect(!(try words(.settings)).contains { $0.hasPrefix("switches Wallet ") })
    // The app store needs a connection to the internet.
    try world.performAndWait(.person(.touch(.turn(.flightMode, isOn: true))))
    #expect(try !words(.store).contains("installs Wallet") && words(.store).contains("removes Other Wallet"))
    #expect(try words(.settings).contains("turns flight mode off in Settings"))
    #expect(try !words(.settings).contains("turns flight mode on in Settings"))
    try InteractiveSample.expectReplay(of: world)
  }
}
