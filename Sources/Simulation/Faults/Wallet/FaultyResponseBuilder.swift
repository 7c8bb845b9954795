import COSE
import Checks
import Crypto
import Devices
import Foundation
import IdentityDocumentServices
import Messaging
import MobileDocument
import OpenID4VP
import RelyingParty
import SimulationKernel
import Storage
import Synchronization
import TranscriptDiagnosis
import Vocabulary

/// The response builder of a world with faults: builds responses with the faults that act, or correct ones.
///
/// While issuing authorities issue documents with a fault, a wallet orders each document again before it answers, and
/// presents it unchecked.
final class FaultyResponseBuilder: ResponseBuilder {
  /// The faults that act.
  struct Plan: Sendable {
    var response: Acting<ResponseChange>?
    var presentation: Acting<PresentationChange>?
    var identityAnswer: Acting<InAppChange>?
    var transcripts = TranscriptFaults()
  }

  /// A document as its authority issued it again, and the key that it is bound to.
  struct Ordered {
    let issued: [UInt8]
    let documentType: String
    let key: DeterministicSigningKey

    /// The mobile document, unchecked.
    /// - Throws: ``CBORError`` when there is nothing that could be presented.
    func document() throws -> UncheckedDocument { try UncheckedDocument(issued: issued, documentType: documentType) }
  }

  private struct State {
    var plan = Plan()
    /// The request that each app answered last, for faults that take it for the next one.
    var lastAnswered: [Party: TranscriptInputs.OtherSession] = [:]
    /// The transcript of each app's latest answer in person, for the same.
    var lastInPerson: [Party: SessionTranscript] = [:]
    /// The documents that an app ordered again for a fault of their references to status lists.
    var ordered: [String: Ordered] = [:]
  }

  private let state = Mutex(State())
  let documents: FaultyDocumentIssuer
  private let websites: [WorldDescription.Website]

  init(documents: FaultyDocumentIssuer, websites: [WorldDescription.Website]) {
    self.documents = documents
    self.websites = websites
  }

  /// Begins or ends faults.
  func change(_ change: (inout Plan) -> Void) { state.withLock { change(&$0.plan) } }

  /// The faults that act.
  var plan: Plan { state.withLock { $0.plan } }

  func response(
    to request: ApprovedRequest, with responder: MobileDocumentResponder, from app: isolated ProviderApp
  ) async throws -> Data {
    let plan = plan
    let ofOpenID4VP = [plan.presentation?.fault, documents.actingOnCredentials?.fault].compactMap(\.self)
    if !ofOpenID4VP.isEmpty {
      return try app.station.recording(ofOpenID4VP) {
        throw SimulationError.notApplicable("the request is not in OpenID4VP")
      }
    }
    let earlier = request.encryptionInfo == nil ? exchangeLast(request.validated.transcript, of: app) : nil
    if plan.response != nil || documents.isFaulty {
      return try await response(to: request, plan.response, after: earlier, from: app)
    }
    guard let encryptionInfo = request.encryptionInfo else {
      guard plan.transcripts.faults.isEmpty else {
        return try app.station.recording(plan.transcripts.faults) { throw Self.nothingInPerson }
      }
      return try await StandardResponseBuilder().response(to: request, with: responder, from: app)
    }
    let answered = TranscriptInputs.OtherSession(
      identifier: app.name, encryptionInfoText: encryptionInfo.text, origin: request.origin)
    let previous = state.withLock { state in
      let previous = state.lastAnswered[app.station.party]
      state.lastAnswered[app.station.party] = answered
      return previous
    }
    guard !plan.transcripts.faults.isEmpty else {
      return try await StandardResponseBuilder().response(to: request, with: responder, from: app)
    }
    let surroundings = websites.first { $0.origin.serialized == request.origin }?.surroundings
    let inputs = TranscriptInputs(
      encryptionInfoText: encryptionInfo.text, origin: request.origin,
      surroundings: surroundings ?? TranscriptInputs.Surroundings(), otherSessions: previous.map { [$0] } ?? [])
    return try app.station.recording(plan.transcripts.faults) {
      Data(
        try plan.transcripts.response(
          to: request, for: encryptionInfo, with: app.presentableDocuments(), choosing: responder, inputs: inputs,
          ephemeralKey: app.ephemeralKey()))
    }
  }

  func response(
    to request: ApprovedOpenID4VPRequest, with responder: MobileDocumentResponder, from app: isolated ProviderApp
  ) async throws -> Data {
    let plan = plan
    let others = [plan.response?.fault] + plan.transcripts.faults
    if others.contains(where: { $0 != nil }) {
      return try app.station.recording(others) { throw SimulationError.notApplicable("the request is in OpenID4VP") }
    }
    guard plan.presentation != nil || documents.isFaulty || documents.actingOnCredentials != nil else {
      return try await StandardResponseBuilder().response(to: request, with: responder, from: app)
    }
    let chosen = try responder.choose(
      from: app.presentableDocuments(), choosing: request.choice, for: request.validated)
    let ordered = try await order(chosen.map(\.1), from: app)
    var otherKeys = app.station.stream("keys of another device")
    let answer = FaultyPresentation(
      change: plan.presentation?.change, validated: request.validated, seal: app.presentationSeal(),
      otherKey: app.ephemeralKey().publicKey, otherDeviceKey: try otherKeys.signingKey(), ordered: ordered)
    return try app.station.recording([plan.presentation?.fault]) { try answer.data(of: chosen) }
  }

  /// Orders the documents of an answer again whose authority issues them with a fault, by their identifiers.
  private func order(
    _ chosen: [PresentableDocument], from app: isolated ProviderApp
  ) async throws -> [String: Ordered] {
    var ordered: [String: Ordered] = [:]
    for document in chosen {
      guard let stored = app.documents.first(where: { $0.identifier == document.documentIdentifier }) else { continue }
      ordered[stored.identifier] = try await order(stored, from: app)
    }
    let faults = [documents.acting?.fault, documents.actingOnCredentials?.fault]
    if ordered.isEmpty, faults.contains(where: { $0 != nil }) {
      try app.station.recording(faults) {
        throw SimulationError.notApplicable("no document of the answer is in the format that the fault is about")
      }
    }
    return ordered
  }

  /// Keeps the transcript of an answer in person, and returns the one before it.
  private func exchangeLast(_ transcript: SessionTranscript, of app: isolated ProviderApp) -> SessionTranscript? {
    state.withLock { state in
      defer { state.lastInPerson[app.station.party] = transcript }
      return state.lastInPerson[app.station.party]
    }
  }

  private func response(
    to request: ApprovedRequest, _ fault: Acting<ResponseChange>?, after earlier: SessionTranscript?,
    from app: isolated ProviderApp
  ) async throws -> Data {
    guard let items = request.validated.request.documentRequests.first?.value,
      var stored = app.documents.first(where: {
        $0.document?.documentType == items.documentType && request.choice?.shows($0.identifier) ?? true
      })
    else { throw ProviderRefusal(.document) }
    if case .issuer = fault?.change {
      guard
        let other = app.documents.first(where: {
          $0.document?.documentType == items.documentType && !items.names(issuerOf: $0.credential)
        })
      else {
        return try app.station.recording([fault?.fault]) {
          throw SimulationError.notApplicable("the app has no document of an issuer that the request does not name")
        }
      }
      stored = other
    }
    if case .otherDocument = fault?.change { stored = try other(than: stored, fault?.fault, from: app) }
    guard let held = stored.document, var key = stored.deviceKey else { throw ProviderRefusal(.document) }
    var document = UncheckedDocument(held)
    if let ordered = try await order(stored, from: app) { (document, key) = (try ordered.document(), ordered.key) }
    let response = FaultyResponse(
      fault?.change, to: items, with: document, deviceKey: key, anotherKey: try app.newDeviceKey(),
      other: otherDocument(than: stored, of: app), earlierTranscript: earlier)
    return try app.station.recording([fault?.fault]) {
      guard let encryptionInfo = request.encryptionInfo else {
        guard !response.isAboutEncryption else { throw Self.nothingInPerson }
        return Data(
          try request.validated.sealed(
            response.deviceResponse(over: request.validated.transcript), ephemeralKey: app.ephemeralKey()))
      }
      return Data(
        try response.encoded(
          for: encryptionInfo, origin: request.origin,
          ephemeralKey: app.ephemeralKey(), otherKey: app.ephemeralKey().publicKey))
    }
  }

  private static let nothingInPerson = SimulationError.notApplicable(
    "the answer to a reader in person has no encryption of its own, and its transcript has no origin")

  private func another(than stored: StoredDocument, of app: isolated ProviderApp) -> StoredDocument? {
    app.documents.first {
      $0.credential.registeredType == stored.credential.registeredType && $0.identifier != stored.identifier
    }
  }

  /// Another document of the same type with its key; nil if the app holds one only.
  func otherDocument(than stored: StoredDocument, of app: isolated ProviderApp) -> FaultyResponse.OtherDocument? {
    guard let other = another(than: stored, of: app), let key = other.deviceKey, let document = other.document else {
      return nil
    }
    return FaultyResponse.OtherDocument(UncheckedDocument(document), key: key)
  }

  /// Another document of the same type that the app holds.
  func other(than stored: StoredDocument, _ fault: Fault?, from app: isolated ProviderApp) throws -> StoredDocument {
    guard let other = another(than: stored, of: app) else {
      return try app.station.recording([fault]) {
        throw SimulationError.notApplicable("the app has no other document of the type")
      }
    }
    return other
  }

  func reissued(_ stored: StoredDocument, from app: isolated ProviderApp) async throws -> [UInt8]? {
    guard documents.isFaulty, let order = app.program.documents.first(where: { $0.identifier == stored.identifier })
    else { return nil }
    if documents.acting?.change.isOrderedAtBeginningOfSecond == true { try await app.station.sleepUntilNextSecond() }
    return try await app.order(order, boundTo: stored.boundKey)
  }

  /// Orders a document again while its authority issues it with a fault.
  ///
  /// A fault of the references to status lists leaves the document usable after its first presentment, so it is ordered
  /// once. A document that is ordered after a revocation is not revoked.
  func order(_ stored: StoredDocument, from app: isolated ProviderApp) async throws -> Ordered? {
    guard let order = app.program.documents.first(where: { $0.identifier == stored.identifier }) else {
      throw ProviderRefusal(.document)
    }
    let isMobile = stored.document != nil
    let fault = isMobile ? documents.acting?.change : nil
    let isFaultOfDocument = isMobile ? fault != nil : documents.actingOnCredentials != nil
    guard isFaultOfDocument || documents.statusEntries[order.issuer] != nil else { return nil }
    let name = "\(app.station.party.name)/\(stored.identifier)"
    if !isFaultOfDocument, let ordered = state.withLock({ $0.ordered[name] }) { return ordered }
    let key = try app.newDeviceKey()
    if fault?.isOrderedAtBeginningOfSecond == true { try await app.station.sleepUntilNextSecond() }
    let issued = try await app.order(order, boundTo: COSEKey(key.publicKey))
    let ordered = Ordered(
      issued: issued, documentType: fault?.presentedType(of: order.documentType) ?? order.documentType, key: key)
    if !isFaultOfDocument { state.withLock { $0.ordered[name] = ordered } }
    return ordered
  }
}

extension ItemsRequest {
  fileprivate func names(issuerOf credential: HeldCredential) -> Bool {
    issuerIdentifiers.contains { credential.issuerKeyIdentifiers.contains($0) }
  }
}

extension Fault {
  private static let transcriptUse = Parameter(
    name: "in", title: "where the wallet uses the transcript; in both by default", values: ["signature", "encryption"],
    isRequired: false)

  /// Faults of wallets.
  static let ofWallets: [Fault] =
    ofResponses
    + TranscriptVariant.allCases.filter { $0 != .originSlashMissing }.map { variant in
      Fault(
        .wallet, variant.rawValue, variant.title,
        .fails(ExchangeCheck.decryption, .transcript).failing(.deviceSignature, .transcript), at: "session transcript",
        parameters: [transcriptUse], .walletTranscript(variant))
    }
    + DeviceAuthenticationVariant.allCases.map { variant in
      Fault(
        .wallet, variant.rawValue, variant.title, .fails(.deviceSignature, .transcript), at: "device signature",
        .deviceAuthentication(variant))
    }
    + HPKEVariant.allCases.filter(\.needsNothingElse).map { variant in
      Fault(
        .wallet, variant.rawValue, variant.title, .fails(ExchangeCheck.decryption, variant.reason), at: "encryption",
        .encryption(variant))
    } + ofIdentityAnswers
}

extension KnownMistake {
  /// The message as a title.
  var title: String { message.prefix(1).uppercased() + message.dropFirst() }
}

extension HPKEVariant {
  /// The reason why the response cannot be decrypted.
  fileprivate var reason: ExchangeCheck.Reason {
    switch self {
    case .keyCompressed, .keyWithoutPrefix, .keyOffCurve: .encapsulatedKey
    case .aes256GCM, .chaCha20Poly1305, .hkdfSHA384, .hkdfSHA512: .suite
    case .transcriptAsData: .transcript
    case .anotherSession: .anotherSession
    }
  }
}
