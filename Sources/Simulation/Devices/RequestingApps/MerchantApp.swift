import Foundation
import Messaging
import PassKit
import Primitives
import SimulationKernel
import Vocabulary

/// An app that verifies identities with Wallet: it asks through `PKIdentityAuthorizationController` and passes the answer
/// to its server, which alone can open it.
///
/// ```
/// person --open, tap--> app --POST /identity-requests--> server            a nonce
/// app    --canRequestDocument, requestDocument--> operating system         nonce, merchant identifier, elements
/// operating system --PKIdentityDocument or PKIdentityError--> app
/// app    --POST .../response--> server --verification result--> app        the verdict
/// app    --show app--> person
/// ```
package actor MerchantApp: StationedActor {
  package nonisolated let station: Station
  private let description: WorldDescription.RequestingApp
  /// The merchant identifier that the app asks its server for.
  private let beginsAs: String
  private let server: Party
  private let connection: PassKitConnection
  /// The operating system of a locked device, until the person uses the app.
  private var locked: Party?
  private var lastSubmission: SubmittedEnvelope?

  /// The label of the button.
  static let verifyButton = "Verify with Wallet"

  package init(
    _ description: WorldDescription.RequestingApp, beginsAs merchant: String, server: Party, operatingSystem: Party,
    locked: Party?, station: Station
  ) {
    self.station = station
    self.description = description
    beginsAs = merchant
    self.server = server
    self.locked = locked
    connection = PassKitConnection(station: station, operatingSystem: operatingSystem)
  }

  /// The app's name.
  package nonisolated var name: String { description.name }

  package func receive(_ message: Message) {
    if message.sender == Party.person, let system = locked {
      locked = nil
      station.send(.unlocked, [String](), to: system)
    }
    switch message.kind {
    case .open: station.scheduler.spawn { [self] in await open() }
    case .tap: station.scheduler.spawn { [self] in await request() }
    default: station.ignore(message)
    }
  }

  private func open() async {
    let isAvailable = await appCode { await $0.canRequestDocument(descriptor()) }
    station.note(
      .requestingAppAvailability, value: "\(isAvailable)",
      isAvailable ? "the document can be requested" : "the document cannot be requested")
    show(
      PageScreen(
        title: name, buttons: isAvailable ? [Self.verifyButton] : [],
        fallback: isAvailable ? nil : "Enter your details instead."))
  }

  private func descriptor() -> PKIdentityDriversLicenseDescriptor {
    let descriptor = PKIdentityDriversLicenseDescriptor()
    for asked in description.asks { descriptor.addElements([asked.element], intentToStore: asked.intent) }
    return descriptor
  }

  /// Gets a nonce from the server, requests the document, and submits the answer.
  package func request() async {
    guard let begun = await begin() else { return }
    do {
      let document = try await appCode { controller throws(PKIdentityError) in
        let request = PKIdentityRequest()
        request.descriptor = descriptor()
        request.nonce = Base64URL.decode(begun.nonce).map { Data($0) }
        request.merchantIdentifier = description.merchantIdentifier
        return try await controller.requestDocument(request)
      }
      await submit(
        SubmittedEnvelope(session: begun.session, encryptedData: Base64URL.encode([UInt8](document.encryptedData))))
    } catch {
      station.note(.requestingAppError, value: "\(error)", "requestDocument throws \(error)")
      show(
        PageScreen(
          title: name, buttons: [Self.verifyButton], fallback: "Enter your details instead.", error: "\(error)"))
    }
  }

  /// Cancels the request in progress.
  package func cancel() async { await appCode { $0.cancelRequest() } }

  /// Sends the last envelope again: to the session it was for, or to another one.
  package func replay(to session: Action.ReplayedSession) async {
    guard var submission = lastSubmission else { return }
    switch session {
    case .same: break
    case .new:
      guard let begun = await begin() else { return }
      submission.session = begun.session
    case .otherKind: return await submitToWebsite(submission)
    }
    await submit(submission)
  }

  /// Sends an envelope to a new session of the website that the server is for.
  private func submitToWebsite(_ submission: SubmittedEnvelope) async {
    guard let answer = try? await station.request(.beginPresentment, [String](), to: server),
      let begun = answer.body(BegunPresentment.self), let request = begun.requests.first
    else { return }
    let response = SubmittedResponse(
      session: begun.session, protocol: request.protocol,
      data: SubmittedResponse.ResponseMembers(response: submission.encryptedData))
    showResult(of: try? await station.request(.submitResponse, response, to: server))
  }

  private func begin() async -> BegunIdentityRequest? {
    guard
      let answer = try? await station.request(
        .beginIdentityRequest, MerchantBody(merchantIdentifier: beginsAs), to: server),
      answer.kind == .identityRequestBegun,
      let begun = answer.body(BegunIdentityRequest.self)
    else {
      station.note(.requestingAppFailed, "the server does not begin a request")
      show(PageScreen(title: name, buttons: [], fallback: "The service is not available right now."))
      return nil
    }
    return begun
  }

  private func submit(_ submission: SubmittedEnvelope) async {
    lastSubmission = submission
    showResult(of: try? await station.request(.submitEnvelope, submission, to: server))
  }

  private func showResult(of answer: Message?) {
    guard let answer, let result = ReceivedVerdict(json: answer.bytes) else {
      station.note(.requestingAppFailed, "the server does not give a result")
      return show(PageScreen(title: name, buttons: [], fallback: "The service could not verify the answer."))
    }
    show(
      PageScreen(
        title: name, buttons: [], verdict: result.verdict, code: result.failure, verified: result.elements,
        fallback: result.verdict == "verified" ? nil : "Enter your details instead."))
  }

  /// Runs code of the app with a connection to its system.
  private func appCode<Value, Failure>(
    _ body: (PKIdentityAuthorizationController) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await PassKitHost.$system.withValue(connection) {
      do throws(Failure) {
        return .success(try await body(PKIdentityAuthorizationController()))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func show(_ screen: PageScreen) { station.send(.showApp, screen, as: MediaType.screen, to: Party.person) }
}

/// A requesting app's connection to its operating system, which receives the calls of the controller.
struct PassKitConnection: PassKitSystem {
  let station: Station
  let operatingSystem: Party

  func canRequest(_ description: IdentityDescription) async -> Bool {
    guard let answer = try? await station.request(.canRequestDocument, description, to: operatingSystem) else {
      return false
    }
    return answer.body([Bool].self)?.first ?? false
  }

  func request(_ request: IdentityRequest) async throws(PKIdentityError) -> Data {
    guard let answer = try? await station.request(.requestDocument, request, to: operatingSystem) else {
      throw PKIdentityError(.unknown)
    }
    guard answer.kind == .identityDocument else {
      let name = answer.body([String].self)?.first
      throw name.flatMap(PKIdentityError.init(named:)) ?? PKIdentityError(.unknown)
    }
    return Data(answer.bytes)
  }

  func cancel() { station.send(.cancelRequest, [String](), to: operatingSystem) }
}
