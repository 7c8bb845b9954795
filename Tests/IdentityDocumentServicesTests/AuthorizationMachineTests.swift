import TestSupport
import Testing

@testable import DevicePlatform

@Suite("Authorization of apps")
struct AuthorizationMachineTests {
  typealias Event = AuthorizationMachine.Event
  typealias Effect = AuthorizationMachine.Effect
  typealias Status = AuthorizationMachine.Status

  @Test("The first call of an app shows the prompt and waits for the answer")
  func firstCallAsks() {
    var machine = AuthorizationMachine()
    #expect(
      machine.receive(.addCalled(app: "A", call: 1, .notDetermined)) == [.rememberAsking(app: "A"), .ask(app: "A")])
    #expect(machine.appAsking == "A")
    #expect(machine.receive(.addCalled(app: "A", call: 2, .notDetermined)) == [])
    #expect(
      machine.receive(.answered(app: "A", isAllowed: true)) == [
        .dismissPrompt, .setStatus(.authorized, app: "A"), .proceed(app: "A", call: 1), .proceed(app: "A", call: 2),
        .callRegistrationUpdates(app: "A"),
      ])
    #expect(machine.appAsking == nil)
  }

  @Test("After a decline every waiting call throws, and no call shows a prompt again")
  func decline() {
    var machine = AuthorizationMachine()
    _ = machine.receive(.addCalled(app: "A", call: 1, .notDetermined))
    #expect(
      machine.receive(.answered(app: "A", isAllowed: false)) == [
        .dismissPrompt, .setStatus(.notAuthorized, app: "A"), .refuse(app: "A", call: 1, .notAuthorized),
      ])
    #expect(
      machine.receive(.addCalled(app: "A", call: 2, .notAuthorized)) == [.refuse(app: "A", call: 2, .notAuthorized)])
    #expect(
      machine.receive(.addCalled(app: "A", call: 3, .notSupported)) == [.refuse(app: "A", call: 3, .notSupported)])
  }

  @Test("A switch in Settings answers an open prompt, also of an app in line")
  func settingsAnswersThePrompt() {
    var machine = AuthorizationMachine()
    _ = machine.receive(.addCalled(app: "A", call: 1, .notDetermined))
    _ = machine.receive(.addCalled(app: "B", call: 2, .notDetermined))
    #expect(machine.receive(.switched(app: "B", isAllowed: false, .notDetermined)) == [], "it is off already")
    #expect(
      machine.receive(.switched(app: "B", isAllowed: true, .notDetermined)) == [
        .setStatus(.authorized, app: "B"), .proceed(app: "B", call: 2), .callRegistrationUpdates(app: "B"),
      ])
    #expect(
      machine.receive(.switched(app: "A", isAllowed: true, .notDetermined)) == [
        .dismissPrompt, .setStatus(.authorized, app: "A"), .proceed(app: "A", call: 1),
        .callRegistrationUpdates(app: "A"),
      ])
  }

  @Test("After a restart the apps that wait are asked about again, in order, and registered by an update")
  func restart() {
    var machine = AuthorizationMachine()
    #expect(machine.receive(.restarted(undecided: ["B", "A"])) == [.ask(app: "B")])
    #expect(machine.isUndecided("A"))
    #expect(
      machine.receive(.answered(app: "B", isAllowed: true)) == [
        .dismissPrompt, .setStatus(.authorized, app: "B"), .callRegistrationUpdates(app: "B"), .ask(app: "A"),
      ])
    #expect(
      machine.receive(.answered(app: "A", isAllowed: false)) == [.dismissPrompt, .setStatus(.notAuthorized, app: "A")])
    #expect(machine.receive(.restarted(undecided: [])) == [])
  }

  @Test("Settings changes the statuses of apps that have asked", arguments: Status.all)
  func settings(status: Status) {
    var machine = AuthorizationMachine()
    let on = machine.receive(.switched(app: "A", isAllowed: true, status))
    let off = machine.receive(.switched(app: "A", isAllowed: false, status))
    #expect(
      on == (status == .notAuthorized ? [.setStatus(.authorized, app: "A"), .callRegistrationUpdates(app: "A")] : []))
    #expect(off == (status == .authorized ? [.setStatus(.notAuthorized, app: "A")] : []))
  }

  @Test("Shows one prompt at a time, in the order of the calls")
  func line() {
    var machine = AuthorizationMachine()
    #expect(
      machine.receive(.addCalled(app: "B", call: 1, .notDetermined)) == [.rememberAsking(app: "B"), .ask(app: "B")])
    #expect(machine.receive(.addCalled(app: "A", call: 2, .notDetermined)) == [.rememberAsking(app: "A")])
    #expect(machine.receive(.answered(app: "A", isAllowed: true)) == [], "A's prompt is not on the screen")
    #expect(
      machine.receive(.removed(app: "B")) == [.dismissPrompt, .refuse(app: "B", call: 1, .unknown), .ask(app: "A")])
    #expect(machine.receive(.removed(app: "A")) == [.dismissPrompt, .refuse(app: "A", call: 2, .unknown)])
    #expect(machine.receive(.removed(app: "A")) == [])
  }

  /// The expected state after any sequence of events, kept separately from the machine: each app's status, the open
  /// calls, and the prompt on the screen.
  private struct World {
    var status: [String: Status] = [:]
    var open: Set<Int> = []
    var waiting: [Int: String] = [:]
    var prompt: String?
    var added: Set<Int> = []
    var updatesCalled = 0

    mutating func apply(_ effects: [Effect]) {
      for effect in effects {
        switch effect {
        case .ask(let app):
          #expect(prompt == nil, "two prompts are on the screen")
          #expect(status[app] == .notDetermined, "an app asks that was decided about")
          prompt = app
        case .rememberAsking(let app): #expect(status[app] == .notDetermined)
        case .dismissPrompt:
          #expect(prompt != nil)
          prompt = nil
        case .setStatus(let new, let app): status[app] = new
        case .proceed(let app, let call):
          #expect(status[app] == .authorized, "a call goes on without authorization")
          #expect(open.remove(call) != nil, "a call is answered twice")
          added.insert(call)
        case .refuse(let app, let call, let error):
          #expect(open.remove(call) != nil, "a call is answered twice")
          if error == .notAuthorized { #expect(status[app] == .notAuthorized) }
        case .callRegistrationUpdates(let app):
          #expect(status[app] == .authorized)
          updatesCalled += 1
        }
      }
    }
  }

  @Test("For random events each call is answered once, and only authorized registrations are added")
  func drawnSequences() {
    var addedInAll = 0
    var updatesInAll = 0
    for seed in 0..<400 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var machine = AuthorizationMachine()
      var world = World()
      let apps = ["A", "B", "C"]
      for app in apps { world.status[app] = .notDetermined }
      for call in 0..<60 {
        let app = apps[Int.random(in: 0..<3, using: &generator)]
        let status = world.status[app] ?? .notSupported
        let flag = Bool.random(using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5:
          world.open.insert(call)
          world.waiting[call] = app
          world.apply(machine.receive(.addCalled(app: app, call: call, status)))
        case 5..<7: world.apply(machine.receive(.answered(app: app, isAllowed: flag)))
        case 7..<9: world.apply(machine.receive(.switched(app: app, isAllowed: flag, status)))
        default:
          world.apply(machine.receive(.removed(app: app)))
          world.status[app] = .notDetermined
        }
        #expect(world.prompt == machine.appAsking)
        #expect(world.open.allSatisfy { world.status[world.waiting[$0] ?? ""] == .notDetermined })
        #expect(world.open.isEmpty == (world.prompt == nil), "calls wait exactly while a prompt is open")
      }
      addedInAll += world.added.count
      updatesInAll += world.updatesCalled
    }
    #expect(addedInAll > 1_000)
    #expect(updatesInAll > 100)
  }
}

extension AuthorizationMachine.Status {
  static let all: [Self] = [.authorized, .notAuthorized, .notDetermined, .notSupported]
}
