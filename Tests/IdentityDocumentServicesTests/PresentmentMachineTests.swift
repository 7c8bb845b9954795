import Foundation
import MobileDocument
import Primitives
import TestSupport
import Testing

@testable import DevicePlatform

private typealias Event = PresentmentMachine.Event
private typealias Effect = PresentmentMachine.Effect

private let now = DateTime(secondsSince1970: 1_757_955_600)
private let origin = "https://rentals.example"
private let partial = PartialRequest(
  request: .asking([([[Request.document(DocumentType.licence)]], true)]), chains: [], findings: [])
private let selection = Selection(
  offered: ["Atlas", "Wallet"].map { Selection.Offer(app: $0, registrations: [SelectedRegistration(registration())]) },
  hidden: [Selection.Hidden("Hidden", SelectorFinding(.reader, .unsigned))])
private let noneOffered = Selection(offered: [], hidden: selection.hidden)
private let withoutWallet = Selection(
  offered: [Selection.Offer(app: "Atlas", registrations: [SelectedRegistration(registration())])],
  hidden: [Selection.Hidden("Wallet", SelectorFinding(.appAuthorization))])
private let noticeAboutWallet = PresentmentNotice(
  kind: .noLonger(app: "Wallet", SelectorFinding(.appAuthorization)),
  message: "Wallet can no longer answer: \(SelectorFinding(.appAuthorization).message).")
private let refused = SandboxRefusal(.deviceRequest)

@Suite("Presentment")
struct PresentmentMachineTests {
  private static let noneLeft = PresentmentNotice(
    kind: .noneLeft, message: "No app on this device can answer any longer.")

  private func play(_ events: [Event]) -> (machine: PresentmentMachine, effects: [[Effect]]) {
    var machine = PresentmentMachine()
    let effects = events.map { machine.receive($0) }
    return (machine, effects)
  }

  private static let requested = Event.requested(1, protocol: "org-iso-mdoc", origin: origin)
  private static let toSelector: [Event] = [requested, .parsed(1, partial, selection)]
  private static let toApp: [Event] =
    toSelector + [.picked(app: "Wallet", at: now), .shown(app: "Wallet", agreeing: ["Accept"])]
  private static let released: [Event] =
    toApp + [.interacted(app: "Wallet", control: "Accept"), .rawRequestAsked(app: "Wallet")]

  @Test("Plays a presentment from the request to the reply")
  func reply() {
    let (machine, effects) = play(Self.released + [.responded(app: "Wallet", response: [9])])
    #expect(
      effects == [
        [.parseInSandbox(1, origin: origin)], [.present(selection, partial, origin: origin)],
        [.hand(partial, origin: origin, to: "Wallet")], [], [], [.release(1, to: "Wallet")],
        [.dismissInterface(), .reply(1, response: [9])],
      ])
    #expect(machine.isIdle)
  }

  @Test("A refusal of the sandbox ends the presentment before the selector")
  func sandboxRefuses() {
    let (machine, effects) = play([Self.requested, .refused(1, refused)])
    #expect(effects.last == [.fail(1, .invalidRequest(refused))] && machine.isIdle)
  }

  @Test("Ignores the sandbox's answer to an earlier request")
  func lateAnswer() {
    let start: [Event] = [
      Self.requested, .dismissed(1), .requested(2, protocol: "org-iso-mdoc", origin: origin),
    ]
    for late in [Event.parsed(1, partial, selection), .refused(1, refused)] {
      let (machine, effects) = play(start + [late])
      #expect(effects.last == [] && !machine.isIdle)
    }
    #expect(
      play(start + [.parsed(2, partial, selection)]).effects.last == [.present(selection, partial, origin: origin)])
  }

  @Test("Fails without a selector if no app can answer")
  func noApp() {
    let (machine, effects) = play([Self.requested, .parsed(1, partial, noneOffered)])
    #expect(effects.last == [.fail(1, .noApp(noneOffered))] && machine.isIdle)
  }

  @Test(
    "Refuses a request in another protocol, in every state", arguments: ["openid4vp-v1-signed", "ORG-ISO-MDOC", ""])
  func unsupportedProtocol(name: String) {
    for events in [[], [Self.requested], Self.toSelector, Self.released] {
      let before = play(events).machine.isIdle
      let (machine, effects) = play(events + [.requested(2, protocol: name, origin: origin)])
      #expect(effects.last == [.fail(2, .unsupportedProtocol(name))] && machine.isIdle == before)
    }
  }

  @Test(
    "Refuses a request from a text that is not a serialized origin, in every state",
    arguments: [
      "https://rentals.example/", "https://rentals.example:443", "HTTPS://rentals.example", "rentals.example", "null",
      "",
      "https://user@rentals.example",
    ])
  func malformedOrigin(text: String) {
    let refusal = SandboxRefusal(.origin, nil, "\(text) is not a serialized origin")
    for events in [[], [Self.requested], Self.toSelector, Self.released] {
      let before = play(events).machine.isIdle
      let (machine, effects) = play(events + [.requested(2, protocol: "org-iso-mdoc", origin: text)])
      #expect(effects.last == [.fail(2, .invalidRequest(refusal))] && machine.isIdle == before)
    }
  }

  private static let requestedHere = Event.requested(1, protocol: "org-iso-mdoc", origin: origin, canAskAnother: true)
  private static let elsewhere: [Event] = [requestedHere, .parsed(1, partial, noneOffered)]

  @Test("Asks another device at once if no app can answer, and passes its end on")
  func asksAnotherDevice() {
    let (machine, effects) = play(Self.elsewhere)
    #expect(effects.last == [.askAnotherDevice(1)] && !machine.isIdle && machine.comparison == nil)
    let ended = play(Self.elsewhere + [.endedElsewhere(2), .endedElsewhere(1)])
    #expect(ended.effects.suffix(2) == [[], [.passOnEnd(1)]] && ended.machine.isIdle)
    let next = play(Self.elsewhere + [.requested(2, protocol: "org-iso-mdoc", origin: origin)])
    #expect(next.effects.last == [.fail(2, .requestInProgress)])
    let dismissed = play(Self.elsewhere + [.dismissed(1)])
    #expect(dismissed.effects.last == [.stopAskingAnotherDevice(1)] && dismissed.machine.isIdle)
  }

  @Test("Asks another device in a protocol that no app answers")
  func anotherProtocol() {
    let (_, effects) = play([.requested(1, protocol: "openid4vp-v1-signed", origin: origin, canAskAnother: true)])
    #expect(effects == [[.askAnotherDevice(1)]])
    let malformed = play([.requested(1, protocol: "openid4vp-v1-signed", origin: "null", canAskAnother: true)])
    let refusal = SandboxRefusal(.origin, nil, "null is not a serialized origin")
    #expect(malformed.effects == [[.fail(1, .invalidRequest(refusal))]])
  }

  @Test("Offers another device beside the apps only if one can be asked, and the person chooses")
  func anotherDeviceInTheSelector() {
    let offered = play([Self.requestedHere, .parsed(1, partial, selection), .anotherDevicePicked])
    #expect(
      offered.effects.suffix(2) == [
        [.present(selection, partial, origin: origin, offersAnotherDevice: true)],
        [.dismissInterface(), .askAnotherDevice(1)],
      ])
    let alone = play(Self.toSelector + [.anotherDevicePicked])
    #expect(alone.effects.suffix(2) == [[.present(selection, partial, origin: origin)], []])
    let app = play([
      Self.requestedHere, .parsed(1, partial, selection), .picked(app: "Wallet", at: now), .anotherDevicePicked,
    ])
    #expect(app.effects.suffix(2) == [[.hand(partial, origin: origin, to: "Wallet")], []])
  }

  @Test("An open selector keeps another device when its last app goes")
  func noneLeftButAnotherDevice() {
    let (machine, effects) = play([Self.requestedHere, .parsed(1, partial, selection), .reselected(noneOffered)])
    #expect(
      effects.last == [
        .present(
          noneOffered, partial, origin: origin, notice: Self.noneLeft, offersAnotherDevice: true)
      ])
    #expect(machine.isSelecting)
  }

  @Test("Fails as cancelled if the person closes the selector")
  func selectorCancelled() {
    let (machine, effects) = play(Self.toSelector + [.selectorCancelled])
    #expect(effects.last == [.dismissInterface(), .fail(1, .cancelled)] && machine.isIdle)
  }

  @Test("Fails as cancelled if the person declines in the app, before or after the release", arguments: [false, true])
  func declined(isReleased: Bool) {
    let (machine, effects) = play((isReleased ? Self.released : Self.toApp) + [.cancelledByApp(app: "Wallet")])
    #expect(effects.last == [.dismissInterface(), .fail(1, .cancelled)] && machine.isIdle)
  }

  @Test("Reports the reason of an app that fails")
  func appFailed() {
    let (machine, effects) = play(Self.released + [.abandonedByApp(app: "Wallet", reason: "no key")])
    let notice = PresentmentNotice(kind: .didNotAnswer(app: "Wallet"), message: "Wallet did not answer: no key.")
    #expect(effects.last == [.dismissInterface(notice: notice), .fail(1, .appFailed("no key"))] && machine.isIdle)
  }

  @Test("The browser can dismiss its request in every state")
  func dismissed() {
    let stages: [([Event], [Effect])] = [
      ([Self.requested], []), (Self.toSelector, [.dismissInterface()]),
      (Self.toApp, [.dismissInterface(), .endApp("Wallet")]),
      (Self.released, [.dismissInterface(), .endApp("Wallet")]),
    ]
    for (events, effects) in stages {
      let other = play(events + [.dismissed(2)])
      #expect(other.effects.last == [] && !other.machine.isIdle)
      let played = play(events + [.dismissed(1)])
      #expect(played.effects.last == effects && played.machine.isIdle)
    }
  }

  @Test("Refuses a second request in every state and continues the first")
  func requestInProgress() {
    for events in [[Self.requested], Self.toSelector, Self.toApp, Self.released] {
      let (machine, effects) = play(events + [.requested(2, protocol: "org-iso-mdoc", origin: origin)])
      #expect(effects.last == [.fail(2, .requestInProgress)] && !machine.isIdle)
    }
    let (_, effects) = play(
      Self.released + [
        .requested(2, protocol: "org-iso-mdoc", origin: origin), .responded(app: "Wallet", response: [9]),
      ])
    #expect(effects.last == [.dismissInterface(), .reply(1, response: [9])])
  }

  @Test("Withholds the raw request until the person acts in the app's view")
  func withheld() {
    let early = play(Self.toApp + [.rawRequestAsked(app: "Wallet")])
    #expect(early.effects.last == [.withhold(from: "Wallet")] && !early.machine.isIdle)
    let otherActed = play(Self.toApp + [.interacted(app: "Atlas", control: "Accept"), .rawRequestAsked(app: "Wallet")])
    #expect(otherActed.effects.last == [.withhold(from: "Wallet")])
    let otherAsks = play(Self.toApp + [.interacted(app: "Wallet", control: "Accept"), .rawRequestAsked(app: "Atlas")])
    #expect(otherAsks.effects.last == [.withhold(from: "Atlas")])
    let twice = play(Self.released + [.rawRequestAsked(app: "Wallet")])
    #expect(twice.effects.last == [.withhold(from: "Wallet")])
    for events in [[], [Self.requested], Self.toSelector] {
      #expect(play(events + [.rawRequestAsked(app: "Wallet")]).effects.last == [.withhold(from: "Wallet")])
    }
  }

  @Test("Drops a response of an app without the raw request")
  func unreleasedResponse() {
    let (machine, effects) = play(
      Self.toApp + [.interacted(app: "Wallet", control: "Accept"), .responded(app: "Wallet", response: [9])])
    #expect(effects.last == [.withhold(from: "Wallet")] && !machine.isIdle)
    let other = play(Self.released + [.responded(app: "Atlas", response: [9])])
    #expect(other.effects.last == [.withhold(from: "Atlas")] && !other.machine.isIdle)
  }

  @Test("Ignores a pick of an app that is unknown", arguments: ["Unknown", ""])
  func picked(name: String) {
    let (machine, effects) = play(Self.toSelector + [.picked(app: name, at: now)])
    #expect(effects.last == [] && machine.appOnScreen == nil && !machine.isIdle)
  }

  @Test("A pick of an app that has just disappeared from the selector shows the reason")
  func pickedLate() {
    let (machine, effects) = play(Self.toSelector + [.reselected(withoutWallet), .picked(app: "Wallet", at: now)])
    #expect(
      effects.suffix(2) == [
        [.present(withoutWallet, partial, origin: origin)],
        [.present(withoutWallet, partial, origin: origin, notice: noticeAboutWallet)],
      ])
    #expect(machine.appOnScreen == nil && machine.isSelecting)
  }

  @Test("The selector is shown again only if it changed, and closes when no app is left")
  func reselected() {
    #expect(play(Self.toSelector + [.reselected(selection)]).effects.last == [])
    let (machine, effects) = play(Self.toSelector + [.reselected(noneOffered)])
    #expect(
      effects.last == [.dismissInterface(notice: Self.noneLeft), .fail(1, .noApp(noneOffered))] && machine.isIdle)
  }

  @Test("The view of an app that may no longer answer closes with the reason", arguments: [false, true])
  func unavailable(isReleased: Bool) {
    let start = isReleased ? Self.released : Self.toApp
    #expect(play(start + [.reselected(selection)]).effects.last == [])
    let (machine, effects) = play(start + [.reselected(withoutWallet), .rawRequestAsked(app: "Wallet")])
    #expect(
      effects.suffix(2) == [
        [
          .dismissInterface(notice: noticeAboutWallet), .endApp("Wallet"),
          .fail(1, .appUnavailable(app: "Wallet", reason: noticeAboutWallet.message)),
        ], [.withhold(from: "Wallet")],
      ])
    #expect(machine.isIdle)
  }

  @Test("A comparison with the registrations is for the time of the pick while a view is open")
  func comparison() {
    #expect(play([Self.requested]).machine.comparison == nil)
    let selector = play(Self.toSelector).machine.comparison
    #expect(selector?.request == partial && selector?.origin == origin && selector?.moment == nil)
    #expect(play(Self.toApp).machine.comparison?.moment == now)
  }

  @Test("A tap that is not on a control that agrees releases nothing", arguments: ["Decline", "accept", "Cancel", ""])
  func tapElsewhere(control: String) {
    let events = Self.toApp + [.interacted(app: "Wallet", control: control), .rawRequestAsked(app: "Wallet")]
    #expect(play(events).effects.last == [.withhold(from: "Wallet")])
  }

  @Test("A tap before the app's view is shown, or in an earlier view, releases nothing")
  func earlierView() {
    let tap = Event.interacted(app: "Wallet", control: "Accept")
    let early = Self.toSelector + [.picked(app: "Wallet", at: now), tap, .rawRequestAsked(app: "Wallet")]
    #expect(play(early).effects.last == [.withhold(from: "Wallet")])
    let changed = Self.toApp + [tap, .shown(app: "Wallet", agreeing: ["OK"]), .rawRequestAsked(app: "Wallet")]
    #expect(play(changed).effects.last == [.withhold(from: "Wallet")])
    let others = Self.toApp + [.shown(app: "Atlas", agreeing: []), tap, .rawRequestAsked(app: "Wallet")]
    #expect(play(others).effects.last == [.release(1, to: "Wallet")])
  }

  @Test("The picked app is on the screen until the end")
  func onScreen() {
    #expect(play(Self.toSelector).machine.appOnScreen == nil)
    #expect(play(Self.toApp).machine.appOnScreen == "Wallet")
    #expect(play(Self.released).machine.appOnScreen == "Wallet")
    #expect(play(Self.released + [.responded(app: "Wallet", response: [])]).machine.appOnScreen == nil)
  }

  @Test("Events that do not fit the state have no effect")
  func outOfPlace() {
    let late: [Event] = [
      .parsed(1, partial, selection), .refused(1, refused), .picked(app: "Wallet", at: now), .selectorCancelled,
      .interacted(app: "Wallet", control: "Accept"), .cancelledByApp(app: "Wallet"),
      .abandonedByApp(app: "Wallet", reason: ""),
      .dismissed(1),
    ]
    for event in late { #expect(play([event]).effects == [[]]) }
    let inApp: [Event] = [
      .parsed(1, partial, selection), .refused(1, refused), .picked(app: "Atlas", at: now), .selectorCancelled,
      .cancelledByApp(app: "Atlas"), .abandonedByApp(app: "Atlas", reason: ""), .dismissed(2),
    ]
    for event in inApp {
      let played = play(Self.toApp + [event])
      #expect(played.effects.last == [] && played.machine.appOnScreen == "Wallet")
    }
  }
}

extension PresentmentMachineTests {
  private static func draw(_ next: inout Int, using generator: inout SeededGenerator) -> Event {
    // Mostly the latest request, sometimes an earlier one.
    let answered = max(1, next - (Int.random(in: 0..<6, using: &generator) == 0 ? 1 : 0))
    let name = ["Wallet", "Wallet", "Atlas", "Hidden"].randomElement(using: &generator) ?? "Wallet"
    switch Int.random(in: 0..<18, using: &generator) {
    case 0, 1:
      next += 1
      return .requested(
        next, protocol: "org-iso-mdoc", origin: origin, canAskAnother: Bool.random(using: &generator))
    case 2, 3, 4:
      return .parsed(answered, partial, Int.random(in: 0..<6, using: &generator) == 0 ? noneOffered : selection)
    case 5:
      return Int.random(in: 0..<4, using: &generator) == 0
        ? .refused(answered, refused) : .interacted(app: name, control: "Accept")
    case 6, 7: return .picked(app: name, at: now)
    case 8:
      return Int.random(in: 0..<4, using: &generator) == 0
        ? .selectorCancelled : .interacted(app: name, control: "Accept")
    case 9: return .interacted(app: name, control: Bool.random(using: &generator) ? "Accept" : "Decline")
    case 10: return .shown(app: name, agreeing: Bool.random(using: &generator) ? ["Accept"] : ["Decline", "OK"])
    case 11, 12: return .rawRequestAsked(app: name)
    case 13: return .responded(app: name, response: [7])
    case 14:
      return Bool.random(using: &generator) ? .cancelledByApp(app: name) : .abandonedByApp(app: name, reason: "")
    case 15: return .anotherDevicePicked
    case 16: return .endedElsewhere(answered)
    default: return .dismissed(Int.random(in: max(1, next - 1)...max(1, next), using: &generator))
    }
  }

  /// The state of the presentment in progress, from the events and effects alone.
  private struct Onlooker {
    var current: Int?
    var picked: String?
    var agreeing: [String] = []
    var hasAgreed = false
    var canAskAnother = false
    var isElsewhere = false
    var releases = 0
    var ended: [Int: Int] = [:]
    var replies = 0

    mutating func end(_ identifier: Int) {
      ended[identifier, default: 0] += 1
      if identifier == current { isElsewhere = false }
      if identifier == current { (current, picked, agreeing, hasAgreed, releases) = (nil, nil, [], false, 0) }
    }
  }

  @Test("The rules of release and reply hold for random events", arguments: 0..<200)
  func drawn(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var machine = PresentmentMachine()
    var onlooker = Onlooker()
    var next = 0
    for _ in 0..<120 {
      let before = machine
      let event = Self.draw(&next, using: &generator)
      let effects = machine.receive(event)
      if case .shown(let app, let agreeing) = event, app == onlooker.picked {
        (onlooker.agreeing, onlooker.hasAgreed) = (agreeing, false)
      }
      if case .interacted(let app, let control) = event, app == onlooker.picked {
        onlooker.hasAgreed = onlooker.hasAgreed || onlooker.agreeing.contains(control)
      }
      if case .dismissed(let identifier) = event, identifier == onlooker.current { onlooker.end(identifier) }
      switch event {
      case .parsed(let identifier, _, _), .refused(let identifier, _):
        #expect(effects.isEmpty || identifier == onlooker.current)
      default: break
      }
      for effect in effects {
        switch effect {
        case .parseInSandbox(let identifier, _):
          #expect(onlooker.current == nil && identifier == next)
          onlooker.current = next
          if case .requested(_, _, _, let canAskAnother) = event { onlooker.canAskAnother = canAskAnother }
        case .hand(_, _, let app):
          #expect(onlooker.picked == nil && selection.offered.contains { $0.app == app })
          onlooker.picked = app
        case .release(let identifier, let app):
          onlooker.releases += 1
          #expect(app == onlooker.picked && onlooker.hasAgreed && onlooker.releases == 1)
          #expect(identifier == onlooker.current)
        case .reply(let identifier, _):
          #expect(identifier == onlooker.current && onlooker.releases == 1)
          onlooker.replies += 1
          onlooker.end(identifier)
        case .fail(let identifier, .requestInProgress):
          #expect(identifier != onlooker.current && !before.isIdle)
          onlooker.ended[identifier, default: 0] += 1
        case .fail(let identifier, _):
          #expect(identifier == onlooker.current)
          onlooker.end(identifier)
        case .endApp(let app): #expect(before.appOnScreen == app)
        case .askAnotherDevice(let identifier):
          #expect(identifier == onlooker.current && onlooker.picked == nil && onlooker.canAskAnother)
          onlooker.isElsewhere = true
        case .passOnEnd(let identifier):
          #expect(identifier == onlooker.current && onlooker.isElsewhere)
          onlooker.end(identifier)
        case .present(_, _, _, _, let offersAnotherDevice): #expect(offersAnotherDevice == onlooker.canAskAnother)
        case .stopAskingAnotherDevice, .dismissInterface, .withhold: break
        }
      }
      #expect(machine.isIdle == (onlooker.current == nil))
      #expect(machine.appOnScreen == onlooker.picked)
    }
    if let open = onlooker.current { onlooker.end(open) }
    #expect(onlooker.ended.count == next && onlooker.ended.values.allSatisfy { $0 == 1 })
  }
}
