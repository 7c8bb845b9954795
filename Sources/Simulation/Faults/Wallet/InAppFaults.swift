import COSE
import Crypto
import Devices
import IdentityDocumentServices
import MobileDocument
import RelyingParty
import SimulationKernel
import Storage
import WebPresentment

/// The effect of a fault of Wallet in its answer to an app's request: with a real key and a real document.
enum InAppChange: Sendable {
  /// The handover that the device signs for and that the envelope is sealed for.
  case handover(@Sendable (inout AppleHandover) -> Void)
  /// The handover that the device signs for.
  case signed(@Sendable (inout AppleHandover) -> Void)
  /// The sealed envelope.
  case envelope(@Sendable (inout HPKEEnvelope) -> Void)
  /// The bytes in place of the envelope of a device response.
  case bytes(@Sendable (FaultyEnvelope, _ response: [UInt8]) throws -> [UInt8])
}

extension Fault {
  /// Faults of Wallet's answers to apps' requests.
  static let ofIdentityAnswers: [Fault] = [
    inApp(
      "malformed", "The envelope of an app's request lacks its parameters", .fails(InAppCheck.envelope, .malformed),
      .bytes { envelope, response in
        let right = try envelope.sealed(response).encoded
        return Array(right.prefix(1)) + right.dropFirst(2)
      }),
    inApp(
      "web-response", "An app's request is answered as that of a website", .fails(InAppCheck.envelope, .webResponse),
      .bytes { envelope, response in
        try EncryptedResponse(
          sealing: response, to: envelope.recipient, transcript: envelope.handover.sessionTranscript,
          ephemeralKey: envelope.ephemeralKey
        ).encoded
      }),
    inApp(
      "algorithm", "The envelope of an app's request names another algorithm", .fails(InAppCheck.algorithm),
      .envelope { $0.algorithm = "APPLE-HPKE-v2" }),
    inApp(
      "mode", "The envelope of an app's request names another mode", .fails(InAppCheck.mode),
      .envelope { $0.mode = 1 }),
    inApp(
      "recipient", "The envelope is sealed for another key than the app's server has",
      .fails(InAppCheck.recipientKey),
      .bytes { envelope, response in
        var handover = envelope.handover
        handover.recipientKeyHash = AppleHandover.hash(of: envelope.otherKey)
        return try HPKEEnvelope(
          sealing: response, to: envelope.otherKey, handover: handover, ephemeralKey: envelope.ephemeralKey
        ).encoded
      }),
    inApp(
      "key-hash", "The envelope has another hash of the recipient's key", .fails(InAppCheck.recipientKey),
      .envelope { $0.recipientKeyHash = [UInt8](repeating: 0, count: 32) }),
    inApp(
      "info-hash", "The envelope has another hash of the session transcript", .fails(InAppCheck.info, .unexplained),
      .envelope { $0.infoHash = [UInt8](repeating: 0, count: 32) }),
    inApp(
      "nonce", "Wallet signs and seals for another nonce than the app's", .fails(InAppCheck.info, .unexplained),
      .handover { $0.nonce.reverse() }),
    inApp(
      "merchant", "Wallet signs and seals for another merchant identifier than the app's",
      .fails(InAppCheck.info, .unexplained), .handover { $0.merchantIdentifier = "merchant.invalid.elsewhere" }),
    inApp(
      "team", "Wallet signs and seals for another team than the app's", .fails(InAppCheck.info, .unexplained),
      .handover { $0.teamIdentifier = "ELSEWHERE0" }),
    inApp(
      "team-missing", "Wallet signs and seals without the team identifier", .fails(InAppCheck.info, .identifiers),
      .handover { $0.teamIdentifier = "" }),
    inApp(
      "ephemeral-key", "The ephemeral key of the envelope is a byte short",
      .fails(InAppCheck.decryption, .ephemeralKey), .envelope { $0.ephemeralKey.removeLast() }),
    inApp(
      "data-altered", "A bit of the envelope's data is altered", .fails(InAppCheck.decryption, .unexplained),
      .envelope { $0.data = $0.data.flippingLastBit }),
    inApp(
      "topics", "The sealed topics have no identity", .fails(InAppCheck.topics),
      .bytes { envelope, _ in
        let handover = envelope.handover
        let data = try ResponseEncryption.seal(
          [0xa0], to: envelope.recipient, info: handover.sessionTranscript.encoded,
          ephemeralKey: envelope.ephemeralKey)
        return HPKEEnvelope(
          ephemeralKey: data.encapsulatedKey, recipientKeyHash: handover.recipientKeyHash,
          infoHash: handover.infoHash, data: data.cipherText
        ).encoded
      }),
    inApp(
      "signature", "The device signs for another nonce, and the envelope is sealed for the right one",
      .fails(.deviceSignature, .invalid), .signed { $0.nonce.reverse() }),
  ]

  private static func inApp(
    _ name: String, _ title: String, _ findings: FaultFindings, _ change: InAppChange
  ) -> Fault {
    Fault(.wallet, "in-app-\(name)", title, findings, at: "envelope of an app's request", .identityAnswer(change))
  }
}

/// An answer to an app's request with one fault.
struct FaultyEnvelope {
  /// The fault's change; nil if only the document or the device response is faulty.
  let change: InAppChange?
  /// The right handover.
  let handover: AppleHandover
  /// The key of the app's server.
  let recipient: P256.KeyAgreement.PublicKey
  /// A fresh key.
  let ephemeralKey: P256.KeyAgreement.PrivateKey
  /// The key of another recipient.
  let otherKey: P256.KeyAgreement.PublicKey

  /// The handover that the device signs for.
  var signed: AppleHandover {
    var signed = handover
    switch change {
    case .handover(let change), .signed(let change): change(&signed)
    case .envelope, .bytes, nil: break
    }
    return signed
  }

  /// The envelope of a device response, before it is changed.
  /// - Throws: `ExchangeError`, or an error of a key.
  func sealed(_ response: [UInt8]) throws -> HPKEEnvelope {
    var sealed = handover
    if case .handover(let change) = change { change(&sealed) }
    return try HPKEEnvelope(sealing: response, to: recipient, handover: sealed, ephemeralKey: ephemeralKey)
  }

  /// The encoded envelope of a device response.
  /// - Throws: `ExchangeError`, or an error of a key.
  func encoded(sealing response: [UInt8]) throws -> [UInt8] {
    if case .bytes(let bytes) = change { return try bytes(self, response) }
    var envelope = try sealed(response)
    if case .envelope(let change) = change { change(&envelope) }
    return envelope.encoded
  }
}

extension FaultyResponseBuilder: IdentityAnswerBuilder {
  func envelope(
    to request: ApprovedIdentityRequest, with stored: StoredDocument, from app: isolated ProviderApp
  ) async throws -> [UInt8] {
    let plan = plan
    guard plan.identityAnswer != nil || plan.response != nil || documents.isFaulty else {
      return try await StandardIdentityAnswerBuilder().envelope(to: request, with: stored, from: app)
    }
    var stored = stored
    if case .otherDocument = plan.response?.change { stored = try other(than: stored, plan.response?.fault, from: app) }
    guard let held = stored.document, var key = stored.deviceKey else { throw ProviderRefusal(.document) }
    var document = UncheckedDocument(held)
    if let ordered = try await order(stored, from: app) { (document, key) = (try ordered.document(), ordered.key) }
    let envelope = FaultyEnvelope(
      change: plan.identityAnswer?.change, handover: try request.handover(), recipient: try request.recipientKey(),
      ephemeralKey: app.ephemeralKey(), otherKey: app.ephemeralKey().publicKey)
    return try app.station.recording([plan.identityAnswer?.fault, plan.response?.fault]) {
      if let change = plan.response?.change, !change.isOfDeviceResponse {
        throw SimulationError.notApplicable("the fault is about the answer to a website")
      }
      let response = try FaultyResponse(
        plan.response?.change, to: request.items, with: document, deviceKey: key, anotherKey: app.newDeviceKey(),
        other: otherDocument(than: stored, of: app)
      ).deviceResponse(over: envelope.signed.sessionTranscript)
      return try envelope.encoded(sealing: response)
    }
  }
}
