import Certificates
import Checks
import Crypto
import DocumentFixtures
import MobileDocument
import Primitives
import RelyingParty
import StatusLists
import TestSupport
import Testing
import TranscriptDiagnosis
import WebPresentment
import X509

/// A site with one session, a wallet that answers it, and the status list of the wallet's document.
struct Site {
  let status: StatusPort
  let request: AnnexCSession
  let session: VerifierSession
  let draft: DeviceRequestDraft
  let list: StatusListLocation
  var context: VerificationContext

  static let origin = "https://spaceport.example"

  init() throws {
    status = try StatusPort()
    list = try #require(StatusListLocation(StatusPort.uri))
    draft = DeviceRequestDraft(documents: [Spaceport.request(["family_name", "age_over_21", "portrait"])])
    request = AnnexCSession(
      asking: draft, recipientKey: try fixedAgreementKey(),
      nonce: [UInt8](repeating: 9, count: AnnexCSession.nonceLength))
    session = VerifierSession(
      identifier: "7", origin: Self.origin, requests: [.annexC(request)], expires: status.now.adding(seconds: 600))
    context = VerificationContext(
      trustedIssuers: TrustedCertificates([try status.port.issuer.root], for: .documentSigner))
  }

  var now: DateTime { status.now }

  private func asked(by session: VerifierSession?) -> AnnexCSession { session?.annexC ?? request }

  /// The device response of the wallet.
  func response(
    to session: VerifierSession? = nil, hasStatus: Bool = true
  ) throws -> [UInt8] {
    var issued = try status.port.draft()
    if hasStatus {
      issued.status = DocumentStatus([StatusReference(.index(StatusPort.index), uri: StatusPort.uri)])
    }
    let held = try status.port.held(issued)
    let document = try held.presented(
      held.answer(to: draft.documents[0]).nameSpaces, over: asked(by: session).sessionTranscript(origin: Self.origin),
      signedWith: status.port.deviceKey)
    return DeviceResponseWriter.encoded(documents: [document])
  }

  /// The wallet's answer, as the page submits it.
  func answer(
    to other: VerifierSession? = nil, hasStatus: Bool = true
  ) throws -> SubmittedAnswer {
    let request = asked(by: other)
    let sealed = try EncryptedResponse(
      sealing: response(to: other, hasStatus: hasStatus), to: request.recipientKey.publicKey,
      transcript: request.sessionTranscript(origin: Self.origin), ephemeralKey: fixedAgreementKey(2))
    return SubmittedAnswer(
      protocol: RequestData.protocolIdentifier,
      data: Array(#"{"response":"\#(Base64URL.encode(sealed.encoded))"}"#.utf8))
  }

  /// The list as its publisher serves it.
  func fetched(_ value: UInt8 = 0, at time: DateTime? = nil) throws -> StatusListAnswer {
    .token(try status.token(status.statusList(value)), fetched: time ?? now)
  }

  func machine(
    of subject: VerificationMachine.Subject? = nil, copies: StatusListCopies = StatusListCopies()
  ) -> VerificationMachine {
    VerificationMachine(of: subject ?? .session(session), in: context, copies: copies)
  }
}

extension VerificationMachine.Effect {
  /// The effect in short form, to compare sequences.
  var summary: String {
    switch self {
    case .markUsed(let session): "mark \(session)"
    case .fetch(let list): "fetch \(list.uri)"
    case .reuse(_, let list): "reuse \(list.uri)"
    case .keep(_, let uri): "keep \(uri)"
    case .conclude(let verdict): "\(verdict.outcome)\(verdict.failure.map { " \($0.name)" } ?? "")"
    }
  }

  var verdict: VerificationVerdict? { if case .conclude(let verdict) = self { verdict } else { nil } }
}

extension [CheckResult] {
  /// The names of the failed checks, in order.
  var failed: [String] { filter { $0.status == .failed }.map(\.name) }
  /// The names of the deviating checks, in order.
  var deviating: [String] { filter { $0.status == .deviates }.map(\.name) }
}

/// Inputs that allow every variant of a transcript, except a missing slash.
func richInputs(origin: String = "https://xn--bcher-kva.example:8443") throws -> TranscriptInputs {
  let info = EncryptionInfo(nonce: Array(0..<32), recipientPublicKey: try fixedAgreementKey(1).publicKey)
  let other = EncryptionInfo(nonce: Array(1..<33), recipientPublicKey: try fixedAgreementKey(3).publicKey)
  return TranscriptInputs(
    encryptionInfoText: info.text, origin: origin,
    surroundings: TranscriptInputs.Surroundings(
      frameOrigins: ["https://frame.example"], topLevelOrigins: ["https://top.example"],
      addresses: ["https://xn--bcher-kva.example:8443/rent?id=7"]),
    otherSessions: [
      TranscriptInputs.OtherSession(identifier: "other", encryptionInfoText: other.text, origin: origin)
    ])
}
