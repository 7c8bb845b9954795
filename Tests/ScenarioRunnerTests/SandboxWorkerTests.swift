import CWorkerProcess
import DevicePlatform
import Faults
import Foundation
import Messaging
import Testing

@testable import Ecosystem
@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("The sandbox's process")
struct SandboxWorkerTests {
  /// The call that the headline's operating system makes to its sandbox.
  static func call() throws -> [UInt8] {
    let result = ScenarioRun.run(try ShippedScenarios.headline())
    let call = SecrecyTests.messages(of: result).first { $0.recipient.role == .sandbox }
    return try #require(call).bytes
  }

  static let worker = SandboxWorker(launcher: StandardSandboxLauncher())

  /// Starts processes with a fault.
  struct FaultyLauncher: SandboxLauncher {
    let fault: SandboxFault
    var program: String { fault.rawValue }

    func start(_ stream: inout Int32, at station: Station?) -> pid_t {
      FaultySandboxLauncher().start(&stream, with: fault)
    }
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
    #expect([refusal.name] == fault.declaration.findings.failed)
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
    let refusal = Self.check(SandboxWorker(launcher: StandardSandboxLauncher(program: program)), call)
    #expect(refusal == SandboxRefusal(.worker, reason))
  }

  /// Sends bytes instead of a frame to a worker, and closes the stream.
  private static func end(of bytes: [UInt8]) -> worker_process_end {
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("worker"), nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    defer { free(arguments[0]) }
    var stream: Int32 = -1
    let process = worker_process_start(worker.launcher.program, &arguments, &environment, &stream)
    send(stream, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    shutdown(stream, Int32(SHUT_WR))
    var byte: UInt8 = 0
    // Reads until the worker ends; its output does not matter here.
    while recv(stream, &byte, 1, 0) > 0 {}
    close(stream)
    return worker_process_end(process)
  }

  @Test("a frame that is too long or ends too early is refused")
  func frames() {
    let tooLong = SandboxFrame.header(for: [UInt8](repeating: 0, count: SandboxFrame.maximumCallLength + 1))
    for bytes in [tooLong, [255, 255, 255, 255], [0, 0], [0, 0, 0, 9, 1], []] {
      let end = Self.end(of: bytes)
      #expect(end.signal == 0 && end.status == SandboxExit.unreadableCall.rawValue, "\(bytes)")
    }
    let end = Self.end(of: [0, 0, 0, 2] + Array("{}".utf8))
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
        _ = SandboxWorkerTests.check(SandboxWorker(launcher: StandardSandboxLauncher(program: program)), call)
      }
      #expect(try descriptors() == before)
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
    }
  }
}
