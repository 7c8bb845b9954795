import COSE
import Checks
import DevicePlatform
import Messaging
import MobileDocument
import SimulationKernel
import WebPresentment

/// The request sandbox: receives bytes and an origin, has a channel to the operating system only, and keeps no state
/// between two requests. It parses in this process or in one of its own; the answers are the same bytes.
///
/// ```
/// operating system --bytes, origin--> sandbox          limits, signatures, and only then the requested elements
/// operating system <--partial request, or a refusal--
/// ```
actor Sandbox {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station
  private let worker: SandboxWorker?

  init(_ place: WorldDescription.SandboxPlace, launcher: any SandboxLauncher, station: Station) {
    executor = station.scheduler.makeExecutor()
    self.station = station
    worker = place == .process ? SandboxWorker(launcher: launcher) : nil
  }

  func receive(_ message: Message) {
    guard message.kind == .parse else { return station.ignore(message) }
    let answer: SandboxAnswer
    do throws(SandboxRefusal) {
      answer = try parse(message.bytes)
    } catch {
      answer = SandboxAnswer(error)
    }
    let input = SandboxRecord.input(message.bytes)
    switch answer.content {
    case .partialRequest(let body):
      station.record(
        CheckResult(
          "sandbox.parsed", .passed, message: "\(body.chains.count) reader signatures verify",
          evidence: input + SandboxRecord.output(body)))
      send(.partialRequest, answer, answering: message)
    case .refusal(let body):
      station.record(
        CheckResult(
          named: body.code, .failed, message: body.message, evidence: input + SandboxRecord.output(body)))
      send(.sandboxRefusal, answer, answering: message)
    }
  }

  private func parse(_ call: [UInt8]) throws(SandboxRefusal) -> SandboxAnswer {
    guard let worker else { return RequestSandbox.answer(to: call) }
    let answer = try worker.answer(to: call, at: station)
    // A witness does not see the checks of another process, so they are repeated here with the same outcome.
    if VerificationWitness.current != nil { _ = RequestSandbox.answer(to: call) }
    return answer
  }

  private func send(_ kind: MessageKind, _ answer: SandboxAnswer, answering message: Message) {
    station.send(kind, bytes: answer.body, as: MediaType.json, to: message.sender, answering: message)
  }
}
