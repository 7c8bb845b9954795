import CWorkerProcess
import DevicePlatform
import Faults
import Foundation
import Messaging
import Primitives
import ShippedScenarios
import Synchronization
import Testing

@testable import Devices
@testable import Ecosystem
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import Vocabulary

@Suite("Sandbox processes that answer several calls")
struct KeptSandboxTests {
  private static let origin = "https://spaceship-rentals.example"

  /// Starts processes with another launcher and lists them.
  private final class ListingLauncher: SandboxLauncher {
    struct Start: Sendable, Equatable {
      let process: pid_t
      let device: String?
    }

    private let launcher: any SandboxLauncher
    private let list = Mutex<[Start]>([])

    init(_ launcher: any SandboxLauncher = WarmSandboxes.shared) { self.launcher = launcher }

    var starts: [Start] { list.withLock { $0 } }

    func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess {
      let process = try launcher.start(at: station)
      list.withLock { $0.append(Start(process: process.identifier, device: station?.party.name)) }
      return process
    }

    func needsStart(at station: Station?) -> Bool { launcher.needsStart(at: station) }
  }

  /// Starts a program first, whose stream has the test at its other end. Later processes are real.
  private final class Impostor: SandboxLauncher {
    private struct State {
      var started: SandboxProcess?
      /// The other ends of the stream to the worker, and of the program's own.
      var ends: [Int32] = []
    }

    private let program: [String]
    private let answer: [UInt8]
    private let capacity: Int32?
    private let state = Mutex(State())
    /// The length of each call, and its answer.
    private let answers = Mutex<(Int, [UInt8])?>(nil)

    /// - Parameters:
    ///   - program: a program and its arguments.
    ///   - answer: the bytes that are on the stream before the first call.
    ///   - capacity: the bytes of calls that the stream holds; nil for the system's own number.
    init(_ program: [String] = ["/bin/cat"], answering answer: [UInt8], capacity: Int32? = nil) {
      self.program = program
      self.answer = answer
      self.capacity = capacity
    }

    deinit { for end in state.withLock({ $0.ends }) { close(end) } }

    /// The program's process.
    var started: SandboxProcess? { state.withLock { $0.started } }
    var process: pid_t { started?.identifier ?? 0 }

    /// Writes on the worker's stream.
    func write(_ bytes: [UInt8]) {
      let stream = state.withLock { $0.ends[0] }
      #expect(send(stream, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    /// Answers each call with the same bytes, from the start of the process to its end.
    func answerEach(_ call: [UInt8], with answer: [UInt8]) {
      answers.withLock { $0 = (call.count + SandboxFrame.headerLength, answer) }
    }

    private func beginAnswering(on stream: Int32) {
      guard let (length, answer) = answers.withLock({ $0 }) else { return }
      let stream = dup(stream)
      Thread {
        var call = [UInt8](repeating: 0, count: length)
        while recv(stream, &call, length, Int32(MSG_WAITALL)) == length {
          send(stream, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
        close(stream)
      }.start()
    }

    /// Closes the worker's stream.
    func hangUp() { shutdown(state.withLock { $0.ends[0] }, Int32(SHUT_RDWR)) }

    func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess {
      guard started == nil else { return try WarmSandboxes.shared.start(at: station) }
      var stream: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &stream) == 0)
      if var capacity {
        let size = socklen_t(MemoryLayout.size(ofValue: capacity))
        #expect(setsockopt(stream[0], SOL_SOCKET, SO_SNDBUF, &capacity, size) == 0)
      }
      var arguments = program.map { strdup($0) } + [nil]
      var environment: [UnsafeMutablePointer<CChar>?] = [nil]
      var own: Int32 = -1
      let number = worker_process_start(program[0], &arguments, &environment, &own)
      for argument in arguments { free(argument) }
      #expect(number > 0)
      let process = SandboxProcess(number, stream: stream[0])
      state.withLock { $0 = State(started: process, ends: [stream[1], own]) }
      write(answer)
      beginAnswering(on: stream[1])
      return process
    }
  }

  /// An answer with its header.
  private static func frame(_ call: [UInt8]) -> [UInt8] {
    let answer = RequestSandbox.answer(to: call).bytes
    return SandboxFrame.header(for: answer) + answer
  }

  @Test("the calls from one origin have one process, and the answers of fresh ones")
  func sameProcess() throws {
    let launcher = ListingLauncher()
    let worker = SandboxWorker(launcher: launcher, maximumEarlierTime: .max)
    let call = try SandboxWorkerTests.call()
    let fresh = SandboxWorker(launcher: WarmSandboxes.shared)
    for _ in 0..<3 {
      #expect(try worker.answer(to: call, from: Self.origin).bytes == fresh.answer(to: call).bytes)
    }
    #expect(launcher.starts.count == 1)
  }

  @Test(
    "a call from another origin, or from an origin that the device does not know, has another process",
    arguments: ["https://other.example", nil])
  func otherOrigin(other: String?) throws {
    let launcher = ListingLauncher()
    let worker = SandboxWorker(launcher: launcher)
    let call = try SandboxWorkerTests.call()
    for origin in [Self.origin, other, Self.origin] { _ = try worker.answer(to: call, from: origin) }
    #expect(Set(launcher.starts.map(\.process)).count == 3)
  }

  @Test("two sandboxes never have the same process")
  func twoSandboxes() throws {
    let launcher = ListingLauncher()
    let workers = (0..<2).map { _ in SandboxWorker(launcher: launcher, maximumEarlierTime: .max) }
    let call = try SandboxWorkerTests.call()
    for _ in 0..<3 { for worker in workers { _ = try worker.answer(to: call, from: Self.origin) } }
    #expect(Set(launcher.starts.map(\.process)).count == 2 && launcher.starts.count == 2)
  }

  @Test("a process that refused a request is not used again")
  func refusal() throws {
    let launcher = ListingLauncher()
    let worker = SandboxWorker(launcher: launcher)
    let call = try SandboxWorkerTests.call()
    for call in [call, Array("{}".utf8), call] { _ = try worker.answer(to: call, from: Self.origin) }
    #expect(launcher.starts.count == 2)
  }

  @Test("a process is not used after its last call")
  func manyCalls() throws {
    let call = try SandboxWorkerTests.call()
    // It takes no processor time, which would end the use of a process earlier on a slow machine.
    let impostor = Impostor(answering: [])
    let launcher = ListingLauncher(impostor)
    let worker = SandboxWorker(launcher: launcher)
    impostor.answerEach(call, with: Self.frame(call))
    for number in 1...SandboxWorker.maximumCalls + 1 {
      _ = try worker.answer(to: call, from: Self.origin)
      #expect(launcher.starts.count == (number <= SandboxWorker.maximumCalls ? 1 : 2))
    }
    #expect(kill(impostor.process, 0) == -1 && errno == ESRCH)
  }

  @Test("a fault meets a new process, and the next call another one", arguments: SandboxFault.allCases)
  func faults(fault: SandboxFault) async throws {
    let headline = try ShippedScenarios.headline()
    let faults = FaultySandboxLauncher()
    let launcher = ListingLauncher(faults)
    let world = try Self.world(headline, launcher)
    defer { world.close() }
    try Self.present(in: world)
    faults.set(fault, on: ["kellys-iphone"])
    try Self.request(in: world)
    #expect(launcher.starts.count == 2)
    try Self.present(in: world)
    #expect(Set(launcher.starts.map(\.process)).count == 3)
    let failed = world.journal.entries.filter { $0.party.role == .sandbox }.compactMap(\.event.check)
      .filter { $0.status == .failed }
    #expect(failed.map { "\($0.check)/\($0.reason ?? "")" } == fault.entry.findings.failed.sorted())
  }

  /// The conduct of an impostor after its first answer.
  enum Conduct: CaseIterable {
    case anotherAnswer, oneByte, hangsUp
  }

  @Test("a process that does not wait silently for its next call does not get it", arguments: Conduct.allCases)
  func misconduct(conduct: Conduct) throws {
    let call = try SandboxWorkerTests.call()
    let impostor = Impostor(answering: Self.frame(call))
    let launcher = ListingLauncher(impostor)
    let worker = SandboxWorker(launcher: launcher)
    let expected = RequestSandbox.answer(to: call).bytes
    #expect(try worker.answer(to: call, from: Self.origin).bytes == expected)
    switch conduct {
    case .anotherAnswer: impostor.write(Self.frame(Array("{}".utf8)))
    case .oneByte: impostor.write([0])
    case .hangsUp: impostor.hangUp()
    }
    #expect(try worker.answer(to: call, from: Self.origin).bytes == expected)
    #expect(launcher.starts.count == 2)
    // It has ended and is reaped.
    #expect(kill(impostor.process, 0) == -1 && errno == ESRCH)
  }

  @Test("a process that is killed between two calls fails none of them")
  func killed() throws {
    let launcher = ListingLauncher()
    let worker = SandboxWorker(launcher: launcher)
    let call = try SandboxWorkerTests.call()
    for _ in 0..<2 {
      _ = try worker.answer(to: call, from: Self.origin)
      SandboxWorkerTests.kill(try #require(launcher.starts.last).process)
    }
    #expect(launcher.starts.count == 2)
  }

  @Test("a silent process gets the next call, and is ended with its code if it does not answer")
  func silence() throws {
    let call = try SandboxWorkerTests.call()
    let impostor = Impostor(answering: Self.frame(call))
    let launcher = ListingLauncher(impostor)
    let worker = SandboxWorker(launcher: launcher)
    _ = try worker.answer(to: call, from: Self.origin)
    #expect(throws: SandboxRefusal(.worker, .time)) { try worker.answer(to: call, from: Self.origin) }
    #expect(launcher.starts.count == 1)
    _ = try worker.answer(to: call, from: Self.origin)
    #expect(launcher.starts.count == 2)
    #expect(kill(impostor.process, 0) == -1 && errno == ESRCH)
  }

  @Test("a process that answers before it has read the call is not used again")
  func early() throws {
    let call = try SandboxWorkerTests.call()
    let impostor = Impostor(answering: Self.frame(call), capacity: 8 << 10)
    let launcher = ListingLauncher(impostor)
    let worker = SandboxWorker(launcher: launcher)
    // Longer than the stream holds without a reader, and short enough for a process that is used again.
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: SandboxWorker.maximumKeptLength - call.count)
    #expect(try worker.answer(to: call + padding, from: Self.origin).bytes == RequestSandbox.answer(to: call).bytes)
    #expect(kill(impostor.process, 0) == -1 && errno == ESRCH)
    _ = try worker.answer(to: call, from: Self.origin)
    #expect(launcher.starts.count == 2)
  }

  @Test("a process with a long call is not used again")
  func longCall() throws {
    let launcher = ListingLauncher()
    let worker = SandboxWorker(launcher: launcher, maximumEarlierTime: .max)
    let call = try SandboxWorkerTests.call()
    func padded(_ length: Int) -> [UInt8] { call + [UInt8](repeating: UInt8(ascii: " "), count: length - call.count) }
    let calls = [call, padded(SandboxWorker.maximumKeptLength), padded(SandboxWorker.maximumKeptLength + 1), call]
    for call in calls {
      #expect(try worker.answer(to: call, from: Self.origin).bytes == RequestSandbox.answer(to: call).bytes)
    }
    #expect(launcher.starts.count == 2)
  }

  @Test("a process that has used much processor time is not used again")
  func computing() throws {
    let call = try SandboxWorkerTests.call()
    for (limit, starts) in [(Int.max, 1), (0, 2)] {
      let launcher = ListingLauncher()
      let worker = SandboxWorker(launcher: launcher, maximumEarlierTime: limit)
      _ = try worker.answer(to: call, from: Self.origin)
      _ = try worker.answer(to: call, from: Self.origin)
      #expect(launcher.starts.count == starts)
      // The process that was not used again has ended.
      let first = try #require(launcher.starts.first?.process)
      #expect((kill(first, 0) == -1 && errno == ESRCH) == (starts == 2))
      worker.end()
    }
  }

  /// The world of a scenario whose first device is there twice.
  private static func world(_ scenario: Scenario, _ launcher: any SandboxLauncher) throws -> World {
    var description = scenario.world
    var other = description.devices[0]
    other.identifier = "other-iphone"
    description.devices.append(other)
    return try world(description, launcher)
  }

  private static func world(_ description: WorldDescription, _ launcher: any SandboxLauncher) throws -> World {
    var equipment = Equipment()
    equipment.sandboxLauncher = launcher
    let world = try World(
      description, seed: 7, start: DateTime(secondsSince1970: 1_757_955_600), equipment: equipment)
    #expect(world.prepare() == .quiet)
    return world
  }

  private static func request(in world: World, on device: String = "kellys-iphone") throws {
    for action in [
      Action.ByPerson.visit(website: "spaceship-rentals", device: device), .tap("Verify Identity"),
    ] { _ = try world.perform(.person(action)) }
  }

  private static func present(in world: World, on device: String = "kellys-iphone") throws {
    try request(in: world, on: device)
    for action in [Action.ByPerson.touch(.pick(app: "Wallet")), .tap("face-id")] {
      _ = try world.perform(.person(action))
    }
    #expect(world.view().page(of: "spaceship-rentals", on: device)?.verdict == "verified")
  }

  /// Starts processes that are killed from outside, or a program that does not exist.
  private struct DisturbedLauncher: SandboxLauncher {
    let isMissing: Bool

    func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess {
      if isMissing { return try SandboxProcess.start("/no/such/program") }
      let process = try WarmSandboxes.shared.start(at: station)
      SandboxWorkerTests.kill(process.identifier)
      return process
    }
  }

  @Test("a process that this machine kills or cannot start is not an outcome of its world", arguments: [true, false])
  func disturbed(isMissing: Bool) throws {
    var description = try ShippedScenarios.headline().world
    description.devices[0].sandbox = .process
    let world = try Self.world(description, DisturbedLauncher(isMissing: isMissing))
    defer { world.close() }
    _ = try world.perform(.person(.visit(website: "spaceship-rentals", device: "kellys-iphone")))
    let outcome = try world.perform(.person(.tap("Verify Identity")))
    guard case .disturbed(let reason) = outcome else {
      Issue.record("the outcome is \(outcome)")
      return
    }
    #expect(reason.contains(isMissing ? "cannot be started" : "ended on this machine"))
  }

  @Test("a request from another device, which can name any origin, has a process of its own")
  func otherDevice() throws {
    let scenario = try #require(
      try ShippedScenarios.cases().first { $0.path.hasSuffix("cross-device/a-session-ends-early.yaml") })
    let launcher = ListingLauncher()
    let world = try Self.world(scenario.world, launcher)
    defer { world.close() }
    for _ in 0..<2 {
      try Self.request(in: world, on: "kellys-laptop")
      for action in [Action.ByPerson.scan(device: "kellys-laptop", phone: "kellys-iphone"), .touch(.cancelSelector)] {
        _ = try world.perform(.person(action))
      }
    }
    let parsed = world.journal.entries.compactMap(\.event.note).count { $0.code == .sandboxParsed }
    #expect(parsed == 2 && launcher.starts.map(\.device) == ["kellys-iphone", "kellys-iphone"])
    #expect(launcher.starts[0].process != launcher.starts[1].process)
  }

  @Test("a request from a Mac of the account has a process of its own in the iPhone's sandbox")
  func nearbyMac() throws {
    let scenario = try #require(
      try ShippedScenarios.cases().first { $0.path.hasSuffix("cross-device/nearby-iphone.yaml") })
    let launcher = ListingLauncher()
    let world = try Self.world(scenario.world, launcher)
    defer { world.close() }
    for _ in 0..<2 {
      try Self.request(in: world, on: "kellys-mac")
      for action in [
        Action.ByPerson.answerNotification(device: "kellys-iphone", isAccepted: true), .touch(.cancelSelector),
      ] { _ = try world.perform(.person(action)) }
    }
    let ofIPhone = launcher.starts.filter { $0.device == "kellys-iphone" }
    #expect(ofIPhone.count == 2 && Set(ofIPhone.map(\.process)).count == 2)
    #expect(Set(launcher.starts.map(\.process)).count == launcher.starts.count)
  }

  @Test("each device of each world has a process of its own, until it restarts or the world ends")
  func worlds() async {
    await #expect(processExitsWith: .success) {
      let headline = try ShippedScenarios.headline()
      let launcher = ListingLauncher()
      let worlds = [try KeptSandboxTests.world(headline, launcher), try KeptSandboxTests.world(headline, launcher)]
      for _ in 0..<2 {
        for world in worlds {
          for device in ["kellys-iphone", "other-iphone"] { try KeptSandboxTests.present(in: world, on: device) }
        }
      }
      let first = launcher.starts
      #expect(first.count == 4 && Set(first.map(\.process)).count == 4)
      #expect(first.map(\.device) == ["kellys-iphone", "other-iphone", "kellys-iphone", "other-iphone"])
      // They wait for calls.
      #expect(first.allSatisfy { kill($0.process, 0) == 0 })
      _ = try worlds[0].perform(.person(.restart(device: "kellys-iphone")))
      #expect(kill(first[0].process, 0) == -1 && errno == ESRCH)
      try KeptSandboxTests.request(in: worlds[0])
      #expect(launcher.starts.count == 5)
      worlds[0].close()
      #expect(kill(launcher.starts[4].process, 0) == -1 && errno == ESRCH)
      #expect(first.map { kill($0.process, 0) } == [-1, -1, 0, 0])
      worlds[1].close()
      WarmSandboxes.shared.end()
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
    }
  }
}
