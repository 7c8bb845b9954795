import DevicePlatform
import TestSupport
import Testing

@testable import IdentityDocumentServices

/// A person, a system and an app with two documents, each behind queues, so that touches and views cross on their way.
private struct CrossingTouches {
  /// A view on its way, with the document that it shows.
  struct Shown {
    let number: Int
    let document: String
  }

  /// A touch on its way, with the document that the person saw. The parties see the rest alone.
  struct Touch {
    let label: String
    let number: Int
    let saw: String
  }

  static let documents = ["first", "second"]

  var generator: SeededGenerator
  var app = ProviderMachine(isInstalled: true)
  var screen = ViewOnScreen()
  /// The document that the app gives.
  var document = "first"
  /// The document of the view that the system has on the screen.
  var onScreen = "first"
  var seen: Shown?
  var toSystem: [Shown] = []
  var toPerson: [Shown] = []
  var touches: [Touch] = []
  var toApp: [Touch] = []
  var views = 0
  var answers = 0
  var late = 0
  var fault: String?

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    begin()
  }

  private mutating func begin() {
    for case .start(let presentment) in app.receive(.requested) {
      views += 1
      document = "first"
      perform(app.receive(.viewReady(view(views, of: presentment))), after: nil)
    }
  }

  private func view(_ number: Int, of presentment: Int) -> ProviderMachine.View {
    ProviderMachine.View(
      number, of: presentment, agreeing: ["Accept"], declining: ["Decline"],
      documents: Self.documents.filter { $0 != document })
  }

  private mutating func perform(_ effects: [ProviderMachine.Effect], after touch: Touch?) {
    for effect in effects {
      switch effect {
      case .show, .update: toSystem.append(Shown(number: app.shown, document: document))
      case .choose(let number, let chosen):
        guard let presentment = app.presentment else { continue }
        document = chosen
        perform(app.receive(.changed(view(number, of: presentment))), after: touch)
      case .decide(_, .agrees):
        answers += 1
        if touch?.saw != document {
          fault = "the app gives \(document) after an agreement to \(touch?.saw ?? "nothing")"
        }
      case .decide, .start, .open, .erase: continue
      }
    }
  }

  mutating func step() {
    switch generator.below(10) {
    case 0, 1, 2:
      // A person does not touch faster than views come.
      guard let seen, touches.count < 3 else { return }
      let others = Self.documents.filter { $0 != seen.document }
      let label = ["Accept", "Accept", others[0]][generator.below(3)]
      touches.append(Touch(label: label, number: seen.number, saw: seen.document))
    case 3, 4:
      guard !toSystem.isEmpty else { return }
      let shown = toSystem.removeFirst()
      onScreen = shown.document
      toPerson.append(Shown(number: screen.show(shown.number, of: "Wallet"), document: shown.document))
    case 5:
      guard !toPerson.isEmpty else { return }
      seen = toPerson.removeFirst()
    case 6, 7:
      guard !touches.isEmpty else { return }
      let touch = touches.removeFirst()
      guard let number = screen.touched(touch.number, of: "Wallet") else {
        late += 1
        return
      }
      if touch.saw != onScreen { fault = "the system takes a touch of \(touch.saw) for one of \(onScreen)" }
      toApp.append(Touch(label: touch.label, number: number, saw: touch.saw))
    default:
      guard !toApp.isEmpty else { return }
      let touch = toApp.removeFirst()
      let isChoice = Self.documents.contains(touch.label)
      perform(
        app.receive(
          isChoice
            ? .chose(document: touch.label, in: touch.number) : .tapped(touch.label, in: touch.number)),
        after: touch)
      // The next presentment begins while touches of this one are on their way.
      if app.view == nil { begin() }
    }
  }
}

@Suite("Agreements that a new view overtakes")
struct OvertakenAgreementTests {
  @Test("An app gives the document that the person saw when they agreed, for random events", arguments: 0..<100)
  func drawn(seed: UInt64) {
    var run = CrossingTouches(seed: seed)
    for _ in 0..<400 {
      run.step()
      if let fault = run.fault {
        Issue.record("\(fault)")
        return
      }
    }
    #expect(run.answers > 0)
  }

  @Test("The drawn events reach touches that come too late at the system")
  func reaches() {
    var late = 0
    for seed in 0..<20 as Range<UInt64> {
      var run = CrossingTouches(seed: seed)
      for _ in 0..<400 { run.step() }
      late += run.late
    }
    #expect(late > 20)
  }

  @Test("The system numbers views itself, and takes a touch of the newest view of the app on the screen only")
  func numbers() {
    var screen = ViewOnScreen()
    #expect(screen.touched(1, of: "Wallet") == nil)
    #expect(screen.show(7, of: "Wallet") == 1)
    #expect(screen.touched(1, of: "Wallet") == 7 && screen.touched(7, of: "Wallet") == nil)
    #expect(screen.touched(1, of: "Atlas") == nil)
    // An app that gives two views the same number.
    #expect(screen.show(7, of: "Wallet") == 2)
    #expect(screen.touched(1, of: "Wallet") == nil && screen.touched(2, of: "Wallet") == 7)
    screen.close()
    #expect(screen.touched(2, of: "Wallet") == nil)
    #expect(screen.show(1, of: "Atlas") == 3)
  }
}
