import Certificates
import DevicePlatform
import Messaging
import PassKit
import Primitives
import Vocabulary
import X509

/// An app's request for a document in Wallet: the machine decides, and this code moves the bytes. No other provider app
/// is asked.
///
/// ```
/// requesting app --requestDocument--> operating system --merchant identifier--> developer portal
/// operating system --request, requester, key--> Wallet --view--> person (through the system) --tap--> Wallet
/// Wallet --envelope--> operating system --PKIdentityDocument--> requesting app
/// ```
extension OperatingSystem {
  /// The state of apps' requests on a device.
  struct IdentityRequests {
    var machine = IdentityRequestMachine()
    /// The app's message that waits for the document.
    var pending: Message?
    /// The portal's root certificate, fetched for the first request.
    var portalRoot: Certificate?
    /// The name of the wallet that comes with the system; nil for a device without one.
    let wallet: String?
    /// The apps that may request documents.
    let apps: [RequestingApp]

    init(on device: DeviceManifest, of apps: [WorldDescription.RequestingApp]) {
      wallet = device.apps.first(where: \.isWallet)?.name
      self.apps = apps.map(\.signature)
    }

    /// The app whose view is on the screen for a request.
    var appOnScreen: String? { machine.isAsking ? wallet : nil }
  }

  /// Receives the calls of an app that requests a document.
  func receiveFromRequestingApp(_ message: Message) {
    guard let app = identityRequests.apps.first(where: { $0.name == self.app(of: message.sender) }) else {
      return station.ignore(message)
    }
    switch message.kind {
    case .canRequestDocument:
      guard let description = station.body(IdentityDescription.self, of: message) else { return }
      station.scheduler.spawn { [self] in
        let isAvailable = await canRequest(description, by: app)
        station.answer(message, .done, [isAvailable])
      }
    case .requestDocument:
      guard let request = station.body(IdentityRequest.self, of: message) else { return }
      let isFree = identityRequests.machine.isIdle && machine.isIdle
      let effects = identityRequests.machine.receive(.requested(request, by: app, isBusy: !machine.isIdle))
      if isFree { identityRequests.pending = message }
      perform(effects, refusing: isFree ? nil : message)
    case .cancelRequest: perform(identityRequests.machine.receive(.cancelled(by: app.name)))
    default: station.ignore(message)
    }
  }

  /// Ends the request in progress: Wallet cannot answer it any more.
  func walletRemoved() { perform(identityRequests.machine.receive(.walletRemoved)) }

  private func canRequest(_ description: IdentityDescription, by app: RequestingApp) async -> Bool {
    guard IdentityRequestMachine.mayRequest(description, by: app), let wallet = installedWallet,
      let answer = try? await station.request(.holdsDocument, [description.documentType], to: party(of: wallet))
    else { return false }
    return answer.body([Bool].self)?.first ?? false
  }

  private var installedWallet: String? { identityRequests.wallet.flatMap { registrations.isInstalled($0) ? $0 : nil } }

  /// Performs the effects of the machine.
  /// - Parameter refused: The message of a request that is refused while another one is in progress.
  private func perform(_ effects: [IdentityRequestMachine.Effect], refusing refused: Message? = nil) {
    for effect in effects {
      switch effect {
      case .record(let checks): station.record(checks)
      case .fetchCertificate(let merchant):
        station.scheduler.spawn { [self] in
          let answer = await certificate(of: merchant)
          await received(answer)
        }
      case .askWallet(let number, let request): ask(number, request)
      case .withhold:
        guard let wallet = identityRequests.wallet else { continue }
        station.note(
          .osAnswerWithheld, "Wallet answered before the person agreed in its consent sheet",
          facts: [Note.Fact("app", wallet)])
      case .endWallet(let notice):
        dismissInterface(notice)
        if let wallet = identityRequests.wallet { station.send(.endApp, [String](), to: party(of: wallet)) }
      case .reply(_, let envelope):
        guard let pending = identityRequests.pending else { continue }
        identityRequests.pending = nil
        station.answer(pending, .identityDocument, bytes: envelope, as: MediaType.cbor)
      case .fail(_, let error):
        guard let pending = refused ?? identityRequests.pending else { continue }
        if refused == nil { identityRequests.pending = nil }
        station.answer(pending, .identityError, ["\(error)"])
      }
    }
  }

  private func received(_ answer: IdentityRequestMachine.CertificateAnswer) {
    perform(identityRequests.machine.receive(.certificate(answer, at: station.now)))
  }

  private func certificate(of merchant: String) async -> IdentityRequestMachine.CertificateAnswer {
    do {
      if identityRequests.portalRoot == nil {
        let root = try await station.request(.root, [String](), to: Party.developerPortal)
        identityRequests.portalRoot = try Certificate(derEncoded: root.bytes)
      }
      guard let root = identityRequests.portalRoot else { return .unreachable }
      let answer = try await station.request(
        .merchantCertificate, MerchantBody(merchantIdentifier: merchant), to: Party.developerPortal)
      return answer.kind == .merchantCertificate ? .certificate(answer.bytes, root: root) : .none
    } catch {
      return .unreachable
    }
  }

  private func ask(_ number: Int, _ request: WalletRequest) {
    guard let wallet = installedWallet else {
      return perform(identityRequests.machine.receive(.answered(number, .unavailable(), at: station.now)))
    }
    station.scheduler.spawn { [self] in
      guard let answer = try? await station.request(.requestIdentity, request, to: party(of: wallet)) else { return }
      await walletAnswered(number, answer)
    }
  }

  private func walletAnswered(_ number: Int, _ message: Message) {
    let answer: IdentityRequestMachine.WalletAnswer =
      switch message.kind {
      case .identityEnvelope: .envelope(message.bytes)
      case .identityDeclined: .declined
      case .identityUnavailable: .unavailable(reason: message.body([String].self)?.first)
      default: .failed
      }
    perform(identityRequests.machine.receive(.answered(number, answer, at: station.now)))
  }
}
