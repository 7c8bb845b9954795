import Certificates
import Checks
import PassKit
import Primitives
import WebPresentment
import X509

/// The operating system's part in an app's request for a document in Wallet, as a pure machine. Wallet is the only app
/// that is asked.
///
/// ```
/// app --requested--> fetching --certificate--> asking --answered--> app
///          |             |                        |
///       refused       refused            Wallet does not hold it, the person
///                                        declines, or the app cancels
/// ```
public struct IdentityRequestMachine: Sendable {
  private enum State: Sendable {
    case idle
    /// The encryption certificate of the merchant identifier is awaited.
    case fetching(RequestingApp, IdentityRequest)
    /// Wallet has the request, and may show its consent sheet.
    case asking(Asked)
  }

  /// A request that Wallet has.
  private struct Asked: Sendable {
    let app: RequestingApp
    let number: Int
    /// The certificate with the key that Wallet seals for.
    let certificate: Certificate
    /// The controls of the consent sheet on the screen that agree.
    var agreeing: [String] = []
    var hasAgreed = false
  }

  /// The portal's answer about a merchant identifier.
  public enum CertificateAnswer: Sendable {
    /// DER of the encryption certificate, and the portal's root.
    case certificate([UInt8], root: Certificate)
    /// The portal has no certificate for the merchant identifier.
    case none
    /// The portal cannot be reached.
    case unreachable
  }

  /// Wallet's answer to a request.
  public enum WalletAnswer: Sendable {
    /// The envelope for the app's server.
    case envelope([UInt8])
    /// The person declined in the consent sheet.
    case declined
    /// Wallet does not hold the document, or cannot present it any more, for a reason in words.
    case unavailable(reason: String? = nil)
    /// Wallet failed.
    case failed
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// An app requests a document.
    case requested(IdentityRequest, by: RequestingApp, isBusy: Bool)
    /// The portal answered about the merchant identifier.
    case certificate(CertificateAnswer, at: DateTime)
    /// Wallet shows its consent sheet, and declares the labels of the controls that agree.
    case shown(agreeing: [String])
    /// The person touched a control in the consent sheet on the screen.
    case interacted(control: String)
    /// Wallet answered the request with a number.
    case answered(Int, WalletAnswer, at: DateTime)
    /// Wallet was removed from the device.
    case walletRemoved
    /// The app cancels its request.
    case cancelled(by: String)
  }

  /// An output of the machine.
  public enum Effect: Sendable {
    /// Record the results of checks.
    case record([CheckResult])
    /// Ask the portal for the encryption certificate of a merchant identifier.
    case fetchCertificate(merchantIdentifier: String)
    /// Give the request with a number to Wallet.
    case askWallet(Int, WalletRequest)
    /// Refuse Wallet's answer: the person has not agreed in the consent sheet on the screen.
    case withhold
    /// End Wallet's consent sheet, with a message for the person.
    case endWallet(notice: PresentmentNotice? = nil)
    /// Give the envelope to the app.
    case reply(app: String, envelope: [UInt8])
    /// Throw an error in the app.
    case fail(app: String, PKIdentityError)
  }

  private typealias Failure = CheckFailure<IdentityRequestCheck>
  private var state = State.idle
  private var requests = 0

  /// Creates a machine without a request.
  public init() {}

  /// Indicates whether no request is in progress.
  public var isIdle: Bool { if case .idle = state { true } else { false } }
  /// Indicates whether Wallet's consent sheet may be on the screen.
  public var isAsking: Bool { if case .asking = state { true } else { false } }

  /// Returns whether a control of the consent sheet on the screen agrees, as Wallet declares.
  public func agrees(_ control: String) -> Bool {
    if case .asking(let asked) = state { asked.agreeing.contains { $0.isExactly(control) } } else { false }
  }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch (state, event) {
    case (_, .requested(let request, let app, let isBusy)):
      if let failure = Self.failure(of: request, by: app, isBusy: isBusy || !isIdle) {
        return Self.refusal(of: app, failure)
      }
      state = .fetching(app, request)
      return [.fetchCertificate(merchantIdentifier: request.merchantIdentifier)]
    case (.fetching(let app, let request), .certificate(let answer, let moment)):
      return receive(answer, for: request, of: app, at: moment)
    case (.asking(var asked), .shown(let agreeing)):
      // Agreement is to the sheet on the screen.
      (asked.agreeing, asked.hasAgreed) = (agreeing, false)
      state = .asking(asked)
      return []
    case (.asking(var asked), .interacted(let control)):
      asked.hasAgreed = asked.hasAgreed || agrees(control)
      state = .asking(asked)
      return []
    case (.asking(let asked), .answered(let number, let answer, let moment)) where number == asked.number:
      return receive(answer, to: asked, at: moment)
    case (.asking(let asked), .walletRemoved): return unavailable(to: asked.app)
    case (.fetching(let app, _), .cancelled(let name)) where name == app.name: return end(app, .cancelled)
    case (.asking(let asked), .cancelled(let name)) where name == asked.app.name:
      return [.endWallet()] + end(asked.app, .cancelled)
    case (_, .certificate), (_, .shown), (_, .interacted), (_, .answered), (_, .walletRemoved), (_, .cancelled):
      return []
    }
  }

  /// Returns whether an app may request a document: the checks of a request that do not need its nonce or the portal.
  public static func mayRequest(_ description: IdentityDescription, by app: RequestingApp) -> Bool {
    failure(of: description, by: app) == nil
  }

  private static func failure(of request: IdentityRequest, by app: RequestingApp, isBusy: Bool) -> Failure? {
    if isBusy { return Failure(.inProgress) }
    if request.nonce.isEmpty { return Failure(.nonce, .missing) }
    if request.nonce.count > AppleHandover.maximumNonceLength {
      return Failure(.nonce, .tooLong, evidence: .field("nonce", found: "\(request.nonce.count) bytes"))
    }
    guard let description = request.description else { return Failure(.elements) }
    if let failure = failure(of: description, by: app) { return failure }
    if !app.merchantIdentifiers.contains(request.merchantIdentifier) {
      return Failure(
        .entitlement, .merchant,
        evidence: .field(
          "merchant identifier", expected: app.merchantIdentifiers.joined(separator: ", "),
          found: request.merchantIdentifier))
    }
    return nil
  }

  private static func failure(of description: IdentityDescription, by app: RequestingApp) -> Failure? {
    let elements = description.elements.map(\.element)
    if elements.isEmpty { return Failure(.elements) }
    let thresholds = elements.compactMap(\.threshold)
    if let age = thresholds.first(where: { !PKIdentityElement.thresholds.contains($0) }) {
      return Failure(.age, .outOfRange, evidence: .field("age(atLeast:)", found: "\(age)"))
    }
    if !thresholds.isEmpty && elements.contains(.age) { return Failure(.age, .bothKinds) }
    if let element = elements.first(where: { !app.isEntitled(to: $0) }) {
      return Failure(.entitlement, .element, evidence: .field("element", found: "\(element)"))
    }
    return nil
  }

  private mutating func receive(
    _ answer: CertificateAnswer, for request: IdentityRequest, of app: RequestingApp, at moment: DateTime
  ) -> [Effect] {
    switch answer {
    case .unreachable: return end(app, .networkUnavailable)
    case .none:
      state = .idle
      return Self.refusal(of: app, Failure(.certificate, .missing))
    case .certificate(let der, let root):
      switch Self.checked(der, issuedBy: root, for: request, of: app, at: moment) {
      case .failure(let failure):
        state = .idle
        return Self.refusal(of: app, failure)
      case .success(let certificate):
        requests += 1
        state = .asking(Asked(app: app, number: requests, certificate: certificate.certificate))
        return [
          .record(CheckRun(IdentityRequestCheck.allCases.filter { $0 != .document }, stoppedBy: nil).results),
          .askWallet(
            requests,
            WalletRequest(
              request: request, teamIdentifier: app.teamIdentifier, app: app.name,
              organization: certificate.organization,
              recipientKey: [UInt8](certificate.encryptionKey.x963Representation))),
        ]
      }
    }
  }

  private mutating func receive(_ answer: WalletAnswer, to asked: Asked, at moment: DateTime) -> [Effect] {
    let app = asked.app
    switch answer {
    case .envelope where !asked.hasAgreed: return [.withhold, .endWallet()] + end(app, .unknown)
    case .envelope(let envelope):
      // The certificate can end while the person reads the consent sheet.
      if let failure = Self.outdated(asked.certificate, at: moment) {
        return refuse(app, failure, notice: .didNotAnswer("Wallet", because: failure.message))
      }
      state = .idle
      return [.record([IdentityRequestCheck.document.passed]), .endWallet(), .reply(app: app.name, envelope: envelope)]
    case .declined: return [.endWallet()] + end(app, .cancelled)
    case .unavailable(let reason): return unavailable(to: app, because: reason)
    case .failed: return [.endWallet()] + end(app, .unknown)
    }
  }

  private mutating func unavailable(to app: RequestingApp, because reason: String? = nil) -> [Effect] {
    let notice = reason.map { PresentmentNotice.didNotAnswer("Wallet", because: $0) }
    return refuse(app, reason.map { Failure(.document, adding: $0) } ?? Failure(.document), notice: notice)
  }

  private mutating func refuse(_ app: RequestingApp, _ failure: Failure, notice: PresentmentNotice?) -> [Effect] {
    state = .idle
    return [
      .record([failure.result]), .endWallet(notice: notice),
      .fail(app: app.name, IdentityRequestCheck.error(of: failure)),
    ]
  }

  private static func outdated(_ certificate: Certificate, at moment: DateTime) -> Failure? {
    guard !certificate.isValid(at: moment) else { return nil }
    let validity = certificate.validity
    return Failure(
      .certificate, .outdated,
      evidence: .field("validity", expected: "\(moment)", found: "\(validity.from) to \(validity.until)"))
  }

  private static func checked(
    _ der: [UInt8], issuedBy root: Certificate, for request: IdentityRequest, of app: RequestingApp,
    at moment: DateTime
  ) -> Result<MerchantCertificate, Failure> {
    guard let certificate = MerchantCertificate(der) else { return .failure(Failure(.certificate, .malformed)) }
    guard certificate.isIssued(by: root) else { return .failure(Failure(.certificate, .untrusted)) }
    if let failure = outdated(certificate.certificate, at: moment) { return .failure(failure) }
    guard certificate.merchantIdentifier == request.merchantIdentifier,
      certificate.teamIdentifier == app.teamIdentifier
    else {
      return .failure(
        Failure(
          .certificate, .other,
          evidence: [
            CheckResult.Evidence(
              "merchant identifier", expected: request.merchantIdentifier, found: certificate.merchantIdentifier),
            CheckResult.Evidence("team identifier", expected: app.teamIdentifier, found: certificate.teamIdentifier),
          ]))
    }
    return .success(certificate)
  }

  private static func refusal(of app: RequestingApp, _ failure: Failure) -> [Effect] {
    [
      .record(CheckRun(IdentityRequestCheck.allCases, stoppedBy: failure).results),
      .fail(app: app.name, IdentityRequestCheck.error(of: failure)),
    ]
  }

  private mutating func end(_ app: RequestingApp, _ code: PKIdentityError.Code) -> [Effect] {
    state = .idle
    return [.fail(app: app.name, PKIdentityError(code))]
  }
}
