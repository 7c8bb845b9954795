import COSE
import DevicePlatform
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
    guard message.subject == Subject.parse else { return }
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
        .check, code: .sandboxParsed, outcome: "passed", message: "\(body.chains.count) reader signatures verify",
        details: input + SandboxRecord.output(body))
      send(Subject.partialRequest, answer, answering: message)
    case .refusal(let body):
      station.record(
        .check, code: body.code, outcome: "failed", message: body.message, details: input + SandboxRecord.output(body)
      )
      send(Subject.sandboxRefusal, answer, answering: message)
    }
  }

  private func parse(_ call: [UInt8]) throws(SandboxRefusal) -> SandboxAnswer {
    guard let worker else { return RequestSandbox.answer(to: call) }
    let answer = try worker.answer(to: call, at: station)
    // A witness does not see the checks of another process, so they are repeated here with the same outcome.
    if VerificationWitness.current != nil { _ = RequestSandbox.answer(to: call) }
    return answer
  }

  private func send(_ subject: String, _ answer: SandboxAnswer, answering message: Message) {
    station.send(subject, bytes: answer.body, as: MediaType.json, to: message.sender, answering: message)
  }
}
