import DigitalCredentials
import Foundation
import Messaging
import SimulationKernel
import WebPresentment

/// A website's page and its script.
///
/// ```
/// browser --load-->  page --POST /presentments--> server      the request is fetched in advance
/// browser --click--> page --navigator.credentials.get--> browser
/// browser --DigitalCredential--> page --POST .../response--> server --verification result--> page
/// browser --DOMException-->      page falls back to another way of verification
/// page    --show page--> person  whatever the page shows
/// ```
actor WebsitePage {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station
  private let website: WorldDescription.Website
  private let browser: Party
  private let person: Party
  private var begun: BegunPresentment?
  /// The sessions of the pending calls, by call.
  private var pending: [Int: BegunPresentment] = [:]
  private var nextCall = 1
  private var lastSubmission: SubmittedResponse?

  /// The label of the button.
  static let verifyButton = "Verify Identity"

  init(_ website: WorldDescription.Website, browser: Party, person: Party, station: Station) {
    executor = station.scheduler.makeExecutor()
    self.station = station
    self.website = website
    self.browser = browser
    self.person = person
  }

  private var server: Party { Party(.server, website.identifier) }

  func receive(_ message: Message) async {
    // An external script reads its messages in the journal.
    guard website.script == .own else { return }
    switch message.kind {
    case .load:
      await begin()
      show(PageScreen(title: website.brand.name, buttons: [Self.verifyButton]))
    case .click:
      await call()
    case .credential:
      guard let answer = JSONBody.decode(CredentialAnswer.self, from: message.bytes) else {
        return station.ignore(message)
      }
      await submit(answer)
    case .exception:
      guard let exception = JSONBody.decode(ExceptionAnswer.self, from: message.bytes) else {
        return station.ignore(message)
      }
      fallBack(exception)
    default: station.ignore(message)
    }
  }

  private func begin() async {
    // A page may ask any server for a request; the verifier must notice that it uses another site's.
    let source = website.replaysRequestsOf.map { Party(.server, $0) } ?? server
    guard let answer = try? await station.request(.beginPresentment, [String](), to: source),
      answer.kind == .presentmentBegun
    else { return }
    begun = JSONBody.decode(BegunPresentment.self, from: answer.bytes)
  }

  /// Calls the API with the fetched request. A scenario can let the page's script do so without the person's gesture.
  func call() async {
    if begun == nil { await begin() }
    guard let begun else {
      return show(
        PageScreen(title: website.brand.name, buttons: [], fallback: "The site is not available right now."))
    }
    // Clears the result of an earlier attempt.
    if pending.isEmpty { show(PageScreen(title: website.brand.name, buttons: [Self.verifyButton])) }
    let number = nextCall
    nextCall += 1
    pending[number] = begun
    let options = CallBody(
      call: number,
      options: CallBody.Options(
        digital: CallBody.Digital(
          requests: [CallBody.Request(protocol: begun.protocol, data: begun.data)]),
        mediation: "required"))
    station.send(.getCredential, options, to: browser)
  }

  /// Aborts the newest pending call.
  func abort(reason: String) {
    guard let call = pending.keys.max() else { return }
    station.send(.abortCredential, AbortBody(call: call, name: "AbortError", message: reason), to: browser)
  }

  private func submit(_ answer: CredentialAnswer) async {
    guard let begun = pending.removeValue(forKey: answer.call) else { return }
    if self.begun?.session == begun.session { self.begun = nil }
    await submit(SubmittedResponse(session: begun.session, protocol: answer.protocol, data: answer.data))
  }

  private func submit(_ submission: SubmittedResponse) async {
    lastSubmission = submission
    guard
      let answer = try? await station.request(
        .submitResponse, submission, to: server),
      let result = ReceivedVerdict(json: answer.bytes)
    else {
      return show(PageScreen(title: website.brand.name, buttons: [], fallback: "The site could not verify the answer."))
    }
    show(
      PageScreen(
        title: website.brand.name, buttons: [], verdict: result.verdict, code: result.failure,
        verified: result.elements,
        fallback: result.verdict == "verified" ? nil : "Upload a picture of your ID instead."))
  }

  /// Sends the last response again: to the session it was for, or to a new one.
  func replayResponse(toNewSession: Bool) async {
    guard var submission = lastSubmission else { return }
    if toNewSession {
      begun = nil
      await begin()
      guard let begun else { return }
      submission.session = begun.session
    }
    await submit(submission)
  }

  private func fallBack(_ exception: ExceptionAnswer) {
    pending.removeValue(forKey: exception.call)
    // A failed second call leaves the first one pending.
    guard pending.isEmpty else { return }
    // A request of a failed call is not used again.
    begun = nil
    show(
      PageScreen(
        title: website.brand.name, buttons: [Self.verifyButton], exception: exception.name,
        exceptionMessage: exception.message, fallback: "Upload a picture of your ID instead."))
  }

  /// Sends a message of an external script.
  func send(_ message: PageMessage) {
    let recipient =
      switch message.operation {
      case .beginPresentment, .submitResponse: server
      case .getCredential, .abortCredential: browser
      }
    station.send(message.operation.kind, bytes: Array(message.body.utf8), as: MediaType.json, to: recipient)
  }

  private func show(_ screen: PageScreen) {
    station.send(.showPage, screen, as: MediaType.screen, to: person)
  }
}

/// A message of a page whose script runs outside the world.
public struct PageMessage: Sendable, Equatable {
  /// Operations of the page's server and of its browser that a script can call.
  public enum Operation: String, Sendable, CaseIterable {
    /// Requests a new presentment from the server.
    case beginPresentment = "POST /presentments"
    /// Submits the answer to the server.
    case submitResponse = "POST /presentments/response"
    /// `navigator.credentials.get` of the browser.
    case getCredential = "navigator.credentials.get"
    /// Takes such a call back.
    case abortCredential = "AbortController.abort"

    /// The kind of the message.
    public var kind: MessageKind {
      switch self {
      case .beginPresentment: .beginPresentment
      case .submitResponse: .submitResponse
      case .getCredential: .getCredential
      case .abortCredential: .abortCredential
      }
    }
  }

  /// The operation.
  public var operation: Operation
  /// The argument: JSON, as the script writes it.
  public var body: String

  /// The maximum body size in bytes: the browser's limit for options, and space for the call's number.
  public static let maximumLength = (1 << 20) + 64

  /// Creates a message.
  public init(_ operation: Operation, body: String) {
    self.operation = operation
    self.body = body
  }
}
