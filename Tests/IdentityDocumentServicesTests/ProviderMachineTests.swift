import TestSupport
import Testing

@testable import IdentityDocumentServices

private typealias Event = ProviderMachine.Event
private typealias Effect = ProviderMachine.Effect

private func view(_ number: Int, of presentment: Int) -> ProviderMachine.View {
  ProviderMachine.View(
    number, of: presentment, agreeing: ["Accept"], declining: ["Decline"], documents: ["second"])
}

@Suite("Provider app")
struct ProviderMachineTests {
  private func play(
    _ events: [Event], isInstalled: Bool = true
  ) -> (machine: ProviderMachine, effects: [[Effect]]) {
    var machine = ProviderMachine(isInstalled: isInstalled)
    let effects = events.map { machine.receive($0) }
    return (machine, effects)
  }

  private static let asking: [Event] = [.requested, .viewReady(view(1, of: 1))]

  @Test("Shows the view of a presentment and returns the decision", arguments: ["Accept", "Decline"])
  func decision(label: String) {
    let (machine, effects) = play(Self.asking + [.tapped(label)])
    #expect(
      effects == [
        [.start(presentment: 1)], [.show(view: 1)], [.decide(view: 1, label == "Accept" ? .agrees : .declines)],
      ])
    #expect(machine.presentment == 1)
  }

  @Test("A tap that is on no control of the view decides nothing", arguments: ["accept", "face-id", ""])
  func tapElsewhere(label: String) {
    let (machine, effects) = play(Self.asking + [.tapped(label), .tapped("Accept")])
    #expect(effects.suffix(2) == [[], [.decide(view: 1, .agrees)]] && machine.view == nil)
  }

  @Test("A changed view has other controls and stays open; another view cannot take its place so")
  func changed() {
    let passcode = ProviderMachine.View(1, of: 1, agreeing: ["passcode"], declining: ["Cancel"])
    let (machine, effects) = play(Self.asking + [.changed(passcode), .tapped("Accept")])
    #expect(effects.suffix(2) == [[.update(view: 1)], []] && machine.view == passcode)
    #expect(
      play(Self.asking + [.changed(passcode), .tapped("passcode", in: 2)]).effects.last == [.decide(view: 1, .agrees)])
    #expect(play(Self.asking + [.changed(view(2, of: 1))]).effects.last == [])
    #expect(play([.requested, .changed(passcode)]).effects.last == [])
  }

  @Test("The person chooses a document that the view on the screen offers; that decides nothing")
  func chooses() {
    let (machine, effects) = play(Self.asking + [.chose(document: "second"), .chose(document: "first")])
    #expect(effects.suffix(2) == [[.choose(view: 1, document: "second")], []] && machine.view == view(1, of: 1))
    #expect(play([.requested, .chose(document: "second")]).effects.last == [])
    #expect(play(Self.asking + [.tapped("Accept"), .chose(document: "second")]).effects.last == [])
  }

  @Test("A touch of a view that another one has replaced decides nothing, whatever it touched")
  func late() {
    let chosen = Self.asking + [.chose(document: "second"), .changed(view(1, of: 1))]
    for late: Event in [.tapped("Accept"), .tapped("Decline"), .chose(document: "second")] {
      let (machine, effects) = play(chosen + [late])
      #expect(effects.last == [] && machine.view != nil)
    }
    #expect(play(chosen + [.tapped("Accept", in: 2)]).effects.last == [.decide(view: 1, .agrees)])
    // The numbers go on in the next presentment.
    let next = Self.asking + [.requested, .viewReady(view(2, of: 2))]
    #expect(play(next + [.tapped("Accept")]).effects.last == [])
    #expect(play(next + [.tapped("Accept", in: 2)]).effects.last == [.decide(view: 2, .agrees)])
  }

  @Test("A decision is returned once; later taps have no effect")
  func tapsTwice() {
    #expect(play(Self.asking + [.tapped("Accept"), .tapped("Accept")]).effects.last == [])
    #expect(play([.requested, .tapped("Accept")]).effects.last == [])
    #expect(play([.tapped("Accept")]).effects.last == [])
  }

  @Test("The system's end of a presentment ends its view, and a view that is late is not shown")
  func ended() {
    let (machine, effects) = play(Self.asking + [.ended, .viewReady(view(2, of: 1))])
    #expect(effects.suffix(2) == [[.decide(view: 1, .ended)], [.decide(view: 2, .ended)]])
    #expect(machine.presentment == nil && machine.isInstalled)
  }

  @Test("A new presentment ends the view of the earlier one, whose code cannot show another")
  func another() {
    let (machine, effects) = play(
      Self.asking + [.requested, .viewReady(view(2, of: 1)), .viewReady(view(3, of: 2)), .tapped("Accept", in: 2)])
    #expect(
      effects.suffix(4) == [
        [.decide(view: 1, .ended), .start(presentment: 2)], [.decide(view: 2, .ended)], [.show(view: 3)],
        [.decide(view: 3, .agrees)],
      ])
    #expect(machine.presentment == 2)
  }

  @Test("Another view of a presentment takes the place of the first")
  func anotherView() {
    let (_, effects) = play(Self.asking + [.viewReady(view(2, of: 1)), .tapped("Decline", in: 2)])
    #expect(effects.suffix(2) == [[.decide(view: 1, .ended), .show(view: 2)], [.decide(view: 2, .declines)]])
  }

  @Test("A removed app ends its view, erases its documents and waits until it is on the device again")
  func removed() {
    let (machine, effects) = play(
      Self.asking + [.removed, .requested, .removed, .viewReady(view(2, of: 1)), .launched])
    #expect(
      effects.suffix(5) == [[.decide(view: 1, .ended), .erase], [], [], [.decide(view: 2, .ended)], [.open]])
    #expect(machine.isInstalled && machine.presentment == nil)
  }

  @Test("An app that is not installed opens when it is launched, and once")
  func launched() {
    let (machine, effects) = play([.requested, .tapped("Accept"), .ended, .launched, .launched], isInstalled: false)
    #expect(effects == [[], [], [], [.open], []] && machine.isInstalled)
    #expect(play([.launched]).effects == [[]])
  }

  /// The views that wait and the presentment in progress, from the events and effects alone.
  private struct Onlooker {
    var isInstalled = true
    var started = 0
    var isPresenting = false
    var shown: ProviderMachine.View?
    var decided: Set<Int> = []
    /// The number of times that a view was shown.
    var count = 0

    /// Returns the violated rule, or nil if all hold.
    mutating func see(_ event: Event, _ effects: [Effect]) -> String? {
      let (wasShown, wasInstalled) = (shown, isInstalled)
      if event == .removed { isInstalled = false }
      if event == .launched { isInstalled = true }
      if event == .removed || event == .ended { isPresenting = false }
      for effect in effects {
        switch effect {
        case .open: if wasInstalled || event != .launched { return "opened without a launch" }
        case .erase: if !wasInstalled || event != .removed { return "erased without a removal" }
        case .start(let presentment):
          guard event == .requested, isInstalled, presentment == started + 1 else { return "started wrongly" }
          (started, isPresenting) = (presentment, true)
        case .show(let number):
          guard case .viewReady(let view) = event, view.number == number, shown == nil else { return "shown wrongly" }
          guard isPresenting, view.presentment == started else { return "shown for another presentment" }
          shown = view
          count += 1
        case .update(let number):
          guard case .changed(let view) = event, view.number == number, number == wasShown?.number else {
            return "changed wrongly"
          }
          shown = view
          count += 1
        case .choose(let number, let document):
          guard event == .chose(document: document, in: count), number == shown?.number,
            shown?.documents.contains(document) ?? false
          else { return "chosen wrongly" }
        case .decide(let number, let decision):
          guard decided.insert(number).inserted else { return "decided twice" }
          if let error = judge(decision, of: number, event, wasShown) { return error }
          if shown?.number == number { shown = nil }
        }
      }
      if shown != nil, !isPresenting { return "a view is left without a presentment" }
      if event == .requested, isInstalled, started == 0 || !isPresenting { return "a request was not started" }
      return nil
    }

    private func judge(
      _ decision: ProviderMachine.Decision, of number: Int, _ event: Event, _ wasShown: ProviderMachine.View?
    ) -> String? {
      let isOnScreen = number == wasShown?.number
      return switch decision {
      case .agrees: event == .tapped("Accept", in: count) && isOnScreen ? nil : "agreed without a tap"
      case .declines: event == .tapped("Decline", in: count) && isOnScreen ? nil : "declined without a tap"
      case .ended:
        switch event {
        case .tapped: "a tap ended a view"
        case .chose: "a choice ended a view"
        default: nil
        }
      }
    }
  }

  private static func draw(
    _ views: inout Int, _ started: Int, shown: Int, using generator: inout SeededGenerator
  ) -> Event {
    // Mostly the newest view, sometimes the one before.
    let seen = shown - (Int.random(in: 0..<5, using: &generator) == 0 ? 1 : 0)
    switch Int.random(in: 0..<23, using: &generator) {
    case 0..<6: return .requested
    case 6..<13:
      views += 1
      // Mostly the newest presentment, sometimes an earlier or an unknown one.
      let presentment = started + (Int.random(in: 0..<5, using: &generator) == 0 ? [-1, 1][views % 2] : 0)
      return .viewReady(view(views, of: presentment))
    case 13..<16: return .tapped("Accept", in: seen)
    case 16: return .tapped("Decline", in: seen)
    case 17: return .ended
    case 18: return .removed
    case 19: return .changed(view(max(1, views), of: started))
    case 20, 21: return .chose(document: Bool.random(using: &generator) ? "second" : "first", in: seen)
    default: return .launched
    }
  }

  @Test("Each view is decided once and only the newest presentment's is shown, for random events", arguments: 0..<200)
  func drawn(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var machine = ProviderMachine(isInstalled: true)
    var onlooker = Onlooker()
    var views = 0
    for _ in 0..<120 {
      let event = Self.draw(&views, onlooker.started, shown: onlooker.count, using: &generator)
      let effects = machine.receive(event)
      if let error = onlooker.see(event, effects) {
        Issue.record("\(error); \(event) gave \(effects)")
        return
      }
      #expect(machine.isInstalled == onlooker.isInstalled)
      #expect(machine.presentment == (onlooker.isPresenting ? onlooker.started : nil))
    }
    // Every view that came is decided, except the one on the screen.
    #expect(onlooker.decided.count + (onlooker.shown == nil ? 0 : 1) == views)
  }
}
