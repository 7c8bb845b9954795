import COSE
import Checks
import Crypto
import DevicePlatform
import JSON
import Messaging
import MobileDocument
import Primitives
import Vocabulary
import WebPresentment

/// The request sandbox: gets the origin from the operating system and the bytes from the party that holds the raw request,
/// and has channels to these only. Its parser keeps no state between two requests. It runs in this process or in a confined
/// one; the answers are the same bytes.
///
/// ```
/// operating system --call, origin--> sandbox
/// browser, authenticator or nearby --request data--> sandbox   limits, signatures, and only then the requested elements
/// operating system <--partial request, or a refusal--
/// ```
package actor Sandbox: StationedActor {
  package nonisolated let station: Station
  /// The parties that can hold a raw request.
  private let holders: [Party]
  private let worker: SandboxWorker?

  package init(
    _ place: WorldDescription.SandboxPlace, launcher: any SandboxLauncher, holders: [Party], station: Station
  ) {
    self.station = station
    self.holders = holders
    worker = place == .process ? SandboxWorker(launcher: launcher) : nil
  }

  package func receive(_ message: Message) async {
    guard message.sender.role == .operatingSystem, message.kind == .parse,
      let task = message.body(ParseTaskBody.self),
      let holder = holders.first(where: { $0.role.rawValue == task.holder })
    else { return station.ignore(message) }
    guard let collected = try? await station.request(.collectRequest, CallReference(call: task.call), to: holder)
    else {
      return
    }
    guard collected.kind == .requestData else {
      return station.answer(message, .refused, bytes: collected.bytes, as: MediaType.json)
    }
    let call = ParseBody(collected, for: task)
    let answer: SandboxAnswer
    // An authenticator, or a part that answers nearby devices, has the origin from another device, which can name any.
    let origin = holder.role == .browser ? call.origin : nil
    do throws(SandboxRefusal) {
      answer = try parse(call, from: origin)
    } catch {
      answer = SandboxAnswer(error)
    }
    switch answer.content {
    case .partialRequest(let body):
      station.record(
        CheckRun(ofSandbox: nil, isInPerson: holder.role == .mdoc, isOpenID4VP: task.openID4VP != nil).results)
      // The journal has the collected message anyway, so the note keeps no copy of the request.
      station.record(
        .note(
          Note(.sandboxParsed, "\(body.chains.count) reader signatures verify") {
            SandboxRecord.input(ParseBody(collected, for: task)) + SandboxRecord.output(body)
          }))
      station.answer(message, .partialRequest, bytes: answer.body, as: MediaType.json)
    case .refusal(let refusal):
      let evidence = SandboxRecord.evidence(of: refusal, for: call)
      station.record(
        CheckRun(
          ofSandbox: SandboxRefusal(refusal.finding, refusal.message, evidence: evidence),
          isOpenID4VP: task.openID4VP != nil
        ).results)
      station.answer(message, .sandboxRefusal, bytes: answer.body, as: MediaType.json)
    }
  }

  /// Ends its process.
  package nonisolated func stop() { worker?.end() }

  private func parse(_ call: ParseBody, from origin: String?) throws(SandboxRefusal) -> SandboxAnswer {
    guard let worker else { return RequestSandbox.answer(to: call) }
    let answer = try worker.answer(to: JSONCoding.encode(call), from: origin, at: station)
    // A witness does not see the checks of another process, so they are repeated here with the same outcome.
    if VerificationWitness.current != nil { _ = RequestSandbox.answer(to: call) }
    return answer
  }
}

extension ParseBody {
  /// - Parameter collected: The message of the party that holds the request.
  fileprivate init(_ collected: Message, for task: ParseTaskBody) {
    let text = collected.body(RequestDataBody.self)?.requestData ?? ""
    self.init(origin: task.origin, openID4VP: task.openID4VP, requestData: Array(text.utf8))
  }
}

/// The journal's details of a request in the sandbox: the input, the output and the withheld parts. They contain no
/// bytes that an app might not see yet: only digests and the contents of the partial request.
private enum SandboxRecord {
  /// The maximum number of listed identifiers of a name space: more than a document has, fewer than an attacker may
  /// send.
  static let maximumIdentifiers = 64

  static func input(_ call: ParseBody) -> [Note.Fact] {
    [
      Note.Fact("in", "\(call.requestData.count) bytes"),
      Note.Fact("in: SHA-256", hexadecimal(SHA256.hash(data: call.requestData))),
      Note.Fact("in: origin", call.origin),
    ] + (call.openID4VP.map { [Note.Fact("in: protocol", $0)] } ?? [])
  }

  static func output(_ partial: PartialRequestBody) -> [Note.Fact] {
    var facts: [Note.Fact] = []
    for (position, useCase) in partial.useCases.enumerated() {
      let number =
        partial.useCases.count == 1 ? "" : " of \(useCase.isMandatory ? "" : "optional ")use case \(position + 1)"
      for (index, set) in useCase.sets.enumerated() {
        let choice = useCase.sets.count == 1 ? "" : ", choice \(index + 1)"
        facts += set.flatMap { self.facts(of: $0, "out: document\(number)\(choice)") }
      }
    }
    if let query = partial.openID4VP { facts.append(Note.Fact("out: query", query.query)) }
    for chain in partial.chains {
      let leaf = chain.first?.bytes ?? []
      facts.append(
        Note.Fact(
          "out: reader chain",
          "\(chain.count == 1 ? "1 certificate" : "\(chain.count) certificates"), "
            + "SHA-256 of the first \(hexadecimal(SHA256.hash(data: leaf)))"))
    }
    facts += partial.findings.map { Note.Fact("out: finding", $0) }
    facts.append(
      Note.Fact(
        Note.withheldFact, "the raw request, its signatures and the encryption information with nonce and key"))
    return facts
  }

  static func evidence(of refusal: SandboxRefusal, for call: ParseBody) -> [CheckResult.Evidence] {
    input(call).map { CheckResult.Evidence($0.name, found: $0.value) }
      + [CheckResult.Evidence("out", found: refusal.name)] + refusal.evidence
      + [CheckResult.Evidence(Note.withheldFact, found: "everything")]
  }

  private static func facts(of document: PartialRequestBody.Document, _ name: String) -> [Note.Fact] {
    document.nameSpaces.sorted { $0.key < $1.key }.map { nameSpace, elements in
      let names = elements.sorted { $0.key < $1.key }.map { $0.value ? "\($0.key) (retained)" : $0.key }
      let shown = names.prefix(maximumIdentifiers).joined(separator: ", ")
      let rest = names.count > maximumIdentifiers ? " and \(names.count - maximumIdentifiers) more" : ""
      return Note.Fact(name, "\(document.documentType), \(nameSpace): \(shown)\(rest)")
    }
  }
}
