import Crypto
import Devices
import Ecosystem
import Messaging
import MobileDocument
import RelyingParty
import SimulationKernel
import Storage
import WebPresentment

/// A fault of Wallet in the envelope of its answer to an app's request: with a real key and a real document.
struct InAppFault: Sendable, Equatable {
  /// The name in the catalogue, after the party.
  let rawValue: String
  /// The title and what the verifier finds.
  let declaration: FaultDeclaration

  private init(_ rawValue: String, _ title: String, _ findings: FaultFindings) {
    self.rawValue = rawValue
    declaration = FaultDeclaration(title, findings)
  }

  /// The id in the catalogue.
  var id: String { "wallet.\(rawValue)" }

  static let malformed = InAppFault(
    "in-app-malformed", "The envelope of an app's request lacks its parameters", .fails("in-app.envelope/malformed"))
  static let webResponse = InAppFault(
    "in-app-web-response", "An app's request is answered as that of a website", .fails("in-app.envelope/web-response"))
  static let algorithm = InAppFault(
    "in-app-algorithm", "The envelope of an app's request names another algorithm", .fails("in-app.algorithm"))
  static let mode = InAppFault(
    "in-app-mode", "The envelope of an app's request names another mode", .fails("in-app.mode"))
  static let recipient = InAppFault(
    "in-app-recipient", "The envelope is sealed for another key than the app's server has",
    .fails("in-app.recipient-key"))
  static let keyHash = InAppFault(
    "in-app-key-hash", "The envelope has another hash of the recipient's key", .fails("in-app.recipient-key"))
  static let infoHash = InAppFault(
    "in-app-info-hash", "The envelope has another hash of the session transcript", .fails("in-app.info/unexplained"))
  static let nonce = InAppFault(
    "in-app-nonce", "Wallet signs and seals for another nonce than the app's", .fails("in-app.info/unexplained"))
  static let merchant = InAppFault(
    "in-app-merchant", "Wallet signs and seals for another merchant identifier than the app's",
    .fails("in-app.info/unexplained"))
  static let team = InAppFault(
    "in-app-team", "Wallet signs and seals for another team than the app's", .fails("in-app.info/unexplained"))
  static let teamMissing = InAppFault(
    "in-app-team-missing", "Wallet signs and seals without the team identifier", .fails("in-app.info/identifiers"))
  static let ephemeralKey = InAppFault(
    "in-app-ephemeral-key", "The ephemeral key of the envelope is a byte short",
    .fails("in-app.decryption/ephemeral-key"))
  static let dataAltered = InAppFault(
    "in-app-data-altered", "A bit of the envelope's data is altered", .fails("in-app.decryption/unexplained"))
  static let topics = InAppFault(
    "in-app-topics", "The sealed topics have no identity", .fails("in-app.topics"))
  static let signature = InAppFault(
    "in-app-signature", "The device signs for another nonce, and the envelope is sealed for the right one",
    .fails("device.signature/invalid"))

  /// Every fault of envelopes.
  static let allCases = [
    malformed, webResponse, algorithm, mode, recipient, keyHash, infoHash, nonce, merchant, team, teamMissing,
    ephemeralKey, dataAltered, topics, signature,
  ]

  /// Two faults are the same when their names are.
  static func == (left: InAppFault, right: InAppFault) -> Bool { left.rawValue == right.rawValue }
}

/// An answer to an app's request with one fault.
struct FaultyEnvelope {
  /// The fault; nil if only the document or the device response is faulty.
  let fault: InAppFault?
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
    switch fault {
    case .nonce, .signature: changed { $0.nonce.reverse() }
    default: sealed
    }
  }

  /// The handover that the envelope is sealed for.
  private var sealed: AppleHandover {
    switch fault {
    case .nonce: changed { $0.nonce.reverse() }
    case .merchant: changed { $0.merchant = "merchant.invalid.elsewhere" }
    case .team: changed { $0.team = "ELSEWHERE0" }
    case .teamMissing: changed { $0.team = "" }
    default: handover
    }
  }

  private struct Parts {
    var nonce: [UInt8]
    var merchant: String
    var team: String
  }

  private func changed(_ change: (inout Parts) -> Void) -> AppleHandover {
    var parts = Parts(
      nonce: handover.nonce, merchant: handover.merchantIdentifier, team: handover.teamIdentifier)
    change(&parts)
    return AppleHandover(
      nonce: parts.nonce, merchantIdentifier: parts.merchant, teamIdentifier: parts.team,
      recipientKeyHash: handover.recipientKeyHash)
  }

  /// The encoded envelope of a device response.
  /// - Throws: `ExchangeError`, or an error of a key.
  func encoded(sealing response: [UInt8]) throws -> [UInt8] {
    switch fault {
    case .webResponse:
      return try EncryptedResponse(
        sealing: response, to: recipient, transcript: handover.sessionTranscript, ephemeralKey: ephemeralKey
      ).encoded
    case .recipient:
      let other = AppleHandover(
        nonce: handover.nonce, merchantIdentifier: handover.merchantIdentifier,
        teamIdentifier: handover.teamIdentifier, recipient: otherKey)
      return try HPKEEnvelope(sealing: response, to: otherKey, handover: other, ephemeralKey: ephemeralKey).encoded
    case .topics:
      let data = try ResponseEncryption.seal(
        [0xa0], to: recipient, info: handover.sessionTranscript.encoded, ephemeralKey: ephemeralKey)
      return HPKEEnvelope(
        ephemeralKey: data.encapsulatedKey, recipientKeyHash: handover.recipientKeyHash, infoHash: handover.infoHash,
        data: data.cipherText
      ).encoded
    default: break
    }
    let right = try HPKEEnvelope(sealing: response, to: recipient, handover: sealed, ephemeralKey: ephemeralKey)
    let zeros = [UInt8](repeating: 0, count: 32)
    func with(
      algorithm: String = HPKEEnvelope.algorithm, mode: UInt64 = HPKEEnvelope.mode, key: [UInt8]? = nil,
      keyHash: [UInt8]? = nil, infoHash: [UInt8]? = nil, data: [UInt8]? = nil
    ) -> [UInt8] {
      HPKEEnvelope(
        algorithm: algorithm, mode: mode, ephemeralKey: key ?? right.ephemeralKey,
        recipientKeyHash: keyHash ?? right.recipientKeyHash, infoHash: infoHash ?? right.infoHash,
        data: data ?? right.data
      ).encoded
    }
    switch fault {
    case .malformed: return Array(right.encoded.prefix(1)) + right.encoded.dropFirst(2)
    case .algorithm: return with(algorithm: "APPLE-HPKE-v2")
    case .mode: return with(mode: 1)
    case .keyHash: return with(keyHash: zeros)
    case .infoHash: return with(infoHash: zeros)
    case .ephemeralKey: return with(key: right.ephemeralKey.dropLast())
    case .dataAltered: return with(data: right.data.dropLast() + [(right.data.last ?? 0) ^ 1])
    default: return right.encoded
    }
  }
}

extension Fault {
  /// Faults of Wallet's answers to apps' requests.
  static let ofIdentityAnswers = InAppFault.allCases.map {
    Fault(.wallet, $0.rawValue, $0.declaration, at: "envelope of an app's request", .identityAnswer($0))
  }
}

extension FaultyResponseBuilder: IdentityAnswerBuilder {
  func envelope(
    to request: ApprovedIdentityRequest, with stored: StoredDocument, from app: isolated ProviderApp
  ) async throws -> [UInt8] {
    let (plan, documentFault) = (self.plan, documents.acting?.change)
    guard plan.identityAnswer != nil || plan.response != nil || documents.isFaulty else {
      return try await StandardIdentityAnswerBuilder().envelope(to: request, with: stored, from: app)
    }
    var document = UncheckedDocument(stored.document)
    var key = stored.deviceKey
    if let ordered = try await order(stored, with: documentFault, from: app) {
      (document, key) = (ordered.document, ordered.key)
    }
    let envelope = FaultyEnvelope(
      fault: plan.identityAnswer, handover: try request.handover(), recipient: try request.recipientKey(),
      ephemeralKey: app.ephemeralKey(), otherKey: app.ephemeralKey().publicKey)
    let ids = [plan.identityAnswer?.id, plan.response?.id].compactMap(\.self)
    return try recording(ids, at: app) {
      if let fault = plan.response, ResponseFault.ofEncryption.contains(fault), !fault.isOfDocuments {
        throw SimulationError.notApplicable("the fault is about the answer to a website")
      }
      let response = try FaultyResponse(
        plan.response, to: request.items, with: document, deviceKey: key, anotherKey: app.newDeviceKey()
      ).deviceResponse(over: envelope.signed.sessionTranscript)
      return try envelope.encoded(sealing: response)
    }
  }
}

extension ResponseFault {
  /// Indicates whether the fault is one of the device response, which answers to apps and to websites have.
  fileprivate var isOfDocuments: Bool { [.documentTwice, .noDocuments, .anotherDeviceKey].contains(self) }
}
