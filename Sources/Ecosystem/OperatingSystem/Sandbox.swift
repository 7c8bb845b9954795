import IdentityDocumentServices
import Simulation
import WebPresentment

/// The request sandbox: sees bytes and an origin, has a channel to the operating system and to nobody else, keeps
/// nothing between two requests.
///
/// ```
/// operating system --bytes, origin--> sandbox          bounds, signatures, and only then what is asked
/// operating system <--partial request, or a refusal--
/// ```
actor Sandbox {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station

  init(station: Station) {
    executor = station.scheduler.makeExecutor()
    self.station = station
  }

  func receive(_ message: Message) {
    guard message.subject == Subject.parse, let body = JSONBody.decode(ParseBody.self, from: message.bytes),
      let requestData = Base64URL.decode(body.requestData)
    else {
      return refuse(SandboxRefusal(.requestData), message)
    }
    do {
      let partial = try RequestSandbox.parse(requestData, origin: body.origin)
      station.record(
        .check, code: .sandboxParsed, outcome: "passed",
        sentence: "\(partial.request.requestAuthentications.count) reader signatures verify",
        details: [
          Decision.Detail("in", "\(requestData.count) bytes"),
          Decision.Detail("withheld", "the raw request, its signatures and the encryption information"),
        ])
      station.send(Subject.partialRequest, PartialRequestBody(partial), to: message.sender, answering: message)
    } catch {
      refuse(error, message)
    }
  }

  private func refuse(_ refusal: SandboxRefusal, _ message: Message) {
    station.record(
      .check, code: refusal.check.rawValue, outcome: "failed", sentence: refusal.sentence,
      details: refusal.evidence.map {
        Decision.Detail(
          $0.field, [$0.expected.map { "expected \($0)" }, $0.found].compactMap { $0 }.joined(separator: ", "))
      })
    station.send(Subject.sandboxRefusal, SandboxRefusalBody(refusal), to: message.sender, answering: message)
  }
}
