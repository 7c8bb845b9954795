import CWorkerProcess
import DevicePlatform
import Faults
import Foundation
import JSON
import Messaging
import ShippedScenarios
import Testing

@testable import Devices
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import Vocabulary

@Suite("The sandbox's process")
struct SandboxWorkerTests {
  /// The call for the headline's request, which is parsed.
  static func call() throws -> [UInt8] {
    let messages = SecrecyTests.messages(of: ScenarioRun.run(try ShippedScenarios.headline()))
    let task = try #require(messages.first { $0.kind == .parse }?.body(ParseTaskBody.self))
    let request = try #require(messages.first { $0.kind == .requestData }?.body(RequestDataBody.self))
    let call = JSONCoding.encode(ParseBody(origin: task.origin, requestData: Array(request.requestData.utf8)))
    if case .refusal(let refusal) = RequestSandbox.answer(to: call).content { throw refusal }
    return call
  }

  static let worker = SandboxWorker(launcher: WarmSandboxes.shared)
  static let program = SandboxProcess.path(of: "presentment-sandbox")

  /// Starts processes with a fault.
  struct FaultyLauncher: SandboxLauncher {
    let fault: SandboxFault

    func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess {
      try FaultySandboxLauncher().start(with: fault)
    }
  }

  /// Starts another program for each call.
  struct OtherLauncher: SandboxLauncher {
    let program: String

    func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess { try SandboxProcess.start(program) }
  }

  static func check(_ worker: SandboxWorker, _ call: [UInt8]) -> SandboxRefusal? {
    do throws(SandboxRefusal) {
      _ = try worker.answer(to: call)
      return nil
    } catch {
      return error
    }
  }

  @Test("the process answers with the same bytes as the sandbox in this process")
  func sameAnswers() throws {
    var altered = try Self.call()
    altered[altered.count / 2] ^= 1
    for call in [try Self.call(), altered, Array("{}".utf8), []] {
      #expect(try Self.worker.answer(to: call).bytes == RequestSandbox.answer(to: call).bytes)
    }
  }

  @Test("a call of the maximum length is answered, and a longer one refused as in this process")
  func longCalls() throws {
    for surplus in [0, 1] {
      let call = [UInt8](repeating: UInt8(ascii: " "), count: SandboxFrame.maximumCallLength + surplus)
      #expect(try Self.worker.answer(to: call).bytes == RequestSandbox.answer(to: call).bytes)
    }
  }

  @Test("a faulty process is ended with its code, and the next call is answered", arguments: SandboxFault.allCases)
  func faults(fault: SandboxFault) throws {
    let call = try Self.call()
    let faulty = SandboxWorker(launcher: FaultyLauncher(fault: fault))
    let refusal = try #require(Self.check(faulty, call))
    #expect([refusal.name] == fault.entry.findings.failed)
    // The refusal is the same each time, including its evidence.
    #expect(refusal == Self.check(faulty, call))
    #expect(Self.check(Self.worker, call) == nil)
  }

  @Test(
    "output of another program is refused",
    arguments: [
      ("/no/such/program", SandboxCheck.Reason.missing), ("/etc/passwd", .missing), ("/bin/cat", .garbage),
      ("/bin/false", .died), ("/bin/true", .died), ("/usr/bin/yes", .garbage),
    ])
  func others(program: String, reason: SandboxCheck.Reason) throws {
    let call = try Self.call()
    let refusal = Self.check(SandboxWorker(launcher: OtherLauncher(program: program)), call)
    #expect(refusal == SandboxRefusal(.worker, reason))
  }

  @Test(
    "a program that does not serve as a template is refused",
    arguments: [
      "/no/such/program", "/bin/false", SandboxProcess.path(of: "presentment-faulty-sandbox"),
    ])
  func otherTemplates(program: String) throws {
    let refusal = Self.check(SandboxWorker(launcher: WarmSandboxes(program: program)), try Self.call())
    #expect(refusal == SandboxRefusal(.worker, .missing))
  }

  /// The processes whose parent is this one.
  private static func children() -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
      return status.contains("PPid:\t\(getpid())\n")
    }
  }

  /// Waits until the template has made its next copy, which it announces on its stream.
  private static func waitForCopy(of launcher: WarmSandboxes) throws {
    let stream = try #require(launcher.idle.withLock { $0.first }?.stream)
    var state = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
    while poll(&state, 1, -1) < 0, errno == EINTR {}
  }

  /// Kills a process and waits for its end, which its parent can still collect.
  static func kill(_ process: pid_t) {
    Glibc.kill(process, SIGKILL)
    var information = siginfo_t()
    waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT)
  }

  @Test("each process is a copy of the same template; a template that died is replaced")
  func template() async {
    await #expect(processExitsWith: .success) {
      let launcher = WarmSandboxes(program: SandboxWorkerTests.program)
      let worker = SandboxWorker(launcher: launcher)
      let call = try SandboxWorkerTests.call()
      let expected = RequestSandbox.answer(to: call).bytes
      WarmSandboxes.shared.end()
      // While its copy has its first call, a template has no other.
      let first = try launcher.start()
      let template = try #require(SandboxWorkerTests.children().first { $0 != first.identifier })
      #expect(Set(SandboxWorkerTests.children()) == [template, first.identifier])
      first.end()
      // The next copy is there before a call needs it.
      try SandboxWorkerTests.waitForCopy(of: launcher)
      let second = try launcher.start()
      #expect(Set(SandboxWorkerTests.children()) == [template, second.identifier])
      #expect(second.identifier != first.identifier)
      // The template dies during a call, which is answered, as is the next one.
      SandboxWorkerTests.kill(template)
      var exchange = SandboxExchange(with: second, call: call)
      guard case .answered(let answer) = exchange.run() else {
        Issue.record("the copy does not answer")
        return
      }
      #expect(answer.bytes == expected)
      second.end()
      #expect(SandboxWorkerTests.children().isEmpty)
      let third = try launcher.start()
      let other = try #require(SandboxWorkerTests.children().first { $0 != third.identifier })
      third.end()
      // The template dies between two calls.
      try SandboxWorkerTests.waitForCopy(of: launcher)
      SandboxWorkerTests.kill(other)
      #expect(try worker.answer(to: call).bytes == expected)
      #expect(try worker.answer(to: call).bytes == expected)
      launcher.end()
      #expect(SandboxWorkerTests.children().isEmpty)
    }
  }

  @Test("a copy that is killed before its call fails that call only")
  func killedCopy() async {
    await #expect(processExitsWith: .success) {
      let launcher = WarmSandboxes(program: SandboxWorkerTests.program)
      let worker = SandboxWorker(launcher: launcher)
      let call = try SandboxWorkerTests.call()
      WarmSandboxes.shared.end()
      let first = try launcher.start()
      let template = try #require(SandboxWorkerTests.children().first { $0 != first.identifier })
      first.end()
      try SandboxWorkerTests.waitForCopy(of: launcher)
      for copy in SandboxWorkerTests.children() where copy != template { SandboxWorkerTests.kill(copy) }
      #expect(SandboxWorkerTests.check(worker, call) == SandboxRefusal(.worker, .died))
      #expect(SandboxWorkerTests.check(worker, call) == nil)
      launcher.end()
      #expect(SandboxWorkerTests.children().isEmpty)
    }
  }

  /// Sends bytes instead of a frame to a worker, and closes the stream.
  private static func end(of bytes: [UInt8]) throws -> SandboxProcess.End {
    let process = try WarmSandboxes.shared.start()
    send(process.stream, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    shutdown(process.stream, Int32(SHUT_WR))
    var byte: UInt8 = 0
    // Reads until the worker ends; its output does not matter here.
    while recv(process.stream, &byte, 1, 0) > 0 {}
    return process.end()
  }

  @Test("a frame that is too long or ends too early is refused")
  func frames() throws {
    let tooLong = SandboxFrame.header(for: [UInt8](repeating: 0, count: SandboxFrame.maximumCallLength + 1))
    for bytes in [tooLong, [255, 255, 255, 255], [0, 0], [0, 0, 0, 9, 1], []] {
      let end = try Self.end(of: bytes)
      #expect(end.signal == 0 && end.status == SandboxExit.unreadableCall.rawValue, "\(bytes)")
    }
    let end = try Self.end(of: [0, 0, 0, 2] + Array("{}".utf8))
    #expect(end.signal == 0 && end.status == SandboxExit.answered.rawValue)
  }

  @Test("every worker's process and descriptor are cleaned up")
  func nothingLeft() async {
    await #expect(processExitsWith: .success) {
      func descriptors() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").sorted()
      }
      let call = try SandboxWorkerTests.call()
      _ = try SandboxWorkerTests.worker.answer(to: call)
      let before = try descriptors()
      for fault in SandboxFault.allCases {
        _ = SandboxWorkerTests.check(SandboxWorker(launcher: FaultyLauncher(fault: fault)), call)
      }
      for program in ["/no/such/program", "/bin/cat", "/bin/true"] {
        _ = SandboxWorkerTests.check(SandboxWorker(launcher: OtherLauncher(program: program)), call)
      }
      #expect(try descriptors() == before)
      WarmSandboxes.shared.end()
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
    }
  }
}
