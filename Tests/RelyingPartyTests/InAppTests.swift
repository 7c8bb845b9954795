import CBOR
import Checks
import CrossCheckTrait
import Crypto
import DocumentFixtures
import MobileDocument
import Primitives
import RelyingParty
import StatusLists
import TestSupport
import Testing
import WebPresentment

/// An app's server with one session, and the phone that answers it.
private struct Merchant {
  let site: Site
  let session: InAppSession
  let expires: DateTime

  init() throws {
    site = try Site()
    expires = site.now.adding(seconds: 600)
    session = try Self.session(requests: site.draft.documents, expires: expires)
  }

  static func session(
    _ identifier: String = "42", nonce: UInt8 = 7, merchant: String = "merchant.example.spaceship",
    team: String = "SPACE12345", key: UInt8 = 1, requests: [ItemsRequest]?, expires: DateTime, isUsed: Bool = false
  ) throws -> InAppSession {
    InAppSession(
      identifier: identifier, nonce: [UInt8](repeating: nonce, count: InAppSession.nonceLength),
      merchantIdentifier: merchant, teamIdentifier: team, recipientKey: try fixedAgreementKey(key), requests: requests,
      expires: expires, isUsed: isUsed)
  }

  func session(
    _ identifier: String = "42", nonce: UInt8 = 7, merchant: String = "merchant.example.spaceship",
    team: String = "SPACE12345", key: UInt8 = 1, isUsed: Bool = false
  ) throws -> InAppSession {
    try Self.session(
      identifier, nonce: nonce, merchant: merchant, team: team, key: key, requests: session.requests,
      expires: expires, isUsed: isUsed)
  }

  /// The device response to a session.
  func response(to session: InAppSession? = nil, documents: Int = 1) throws -> [UInt8] {
    let held = try site.status.port.held(try site.status.port.draft())
    let transcript = (session ?? self.session).handover.sessionTranscript
    return DeviceResponseWriter.encoded(
      documents: try (0..<documents).map { _ in
        try held.presented(
          held.answer(to: site.draft.documents[0]).nameSpaces, over: transcript,
          signedWith: site.status.port.deviceKey)
      })
  }

  /// The envelope of a response.
  func envelope(to session: InAppSession? = nil, sealing response: [UInt8]? = nil) throws -> HPKEEnvelope {
    let session = session ?? self.session
    return try HPKEEnvelope(
      sealing: response ?? self.response(to: session), to: session.recipientKey.publicKey, handover: session.handover,
      ephemeralKey: fixedAgreementKey(2))
  }

  /// Submits an envelope to this server's session, and returns the verdict.
  func verdict(
    on envelope: [UInt8], to subject: VerificationMachine.Subject? = nil, at time: DateTime? = nil,
    isFirst: Bool = true,
    others: [InAppSession] = []
  ) async throws -> VerificationVerdict {
    var machine = VerificationMachine(
      of: subject ?? .inApp(session), in: site.context, explaining: ExchangeContext(otherInAppSessions: { others }))
    let time = time ?? site.now
    var effects = await machine.receive(.submittedEnvelope(envelope), at: time)
    if case .markUsed? = effects.first { effects = await machine.receive(.marked(isFirst: isFirst), at: time) }
    return try #require(effects.last?.verdict)
  }
}

@Suite("Verification of an app's request", .crossChecked)
struct InAppTests {
  private let merchant: Merchant

  init() throws { merchant = try Merchant() }

  private func refusal(of envelope: HPKEEnvelope) async throws -> String? {
    try await merchant.verdict(on: envelope.encoded).failure?.name
  }

  @Test("Verifies the envelope of the session")
  func verified() async throws {
    let verdict = try await merchant.verdict(on: try merchant.envelope().encoded)
    #expect(verdict.failure == nil)
    #expect(verdict.documents.first?.elements.map(\.identifier).sorted() == ["age_over_21", "family_name", "portrait"])
    let expected =
      [ExchangeCheck.sessionKnown, .sessionUnused, .sessionCurrent].map(\.id) + InAppCheck.definitions.map(\.id)
    #expect(verdict.exchange.map(\.check) == expected)
    #expect(verdict.exchange.allSatisfy { $0.status == .passed })
  }

  @Test("Runs to the verdict for a server's own loop")
  func verdict() async throws {
    let envelope = try merchant.envelope().encoded
    func verdict(isFirst: Bool) async -> VerificationVerdict {
      await merchant.site.context.verdict(
        onEnvelope: envelope, to: merchant.session, now: { merchant.site.now }, markUsed: { _ in isFirst },
        fetch: { _ in .unreachable("none") })
    }
    #expect(await verdict(isFirst: true).failure == nil)
    #expect(await verdict(isFirst: false).failure?.name == "session.unused")
  }

  @Test("Reads what it writes")
  func roundTrip() throws {
    let envelope = try merchant.envelope()
    #expect(try HPKEEnvelope(encoded: envelope.encoded) == envelope)
    let topics = Topics(identity: try merchant.response())
    #expect(try Topics(encoded: topics.encoded) == topics)
  }

  @Test("Refuses each wrong value of the envelope with a check of its own")
  func values() async throws {
    let right = try merchant.envelope()
    func changed(
      algorithm: String = HPKEEnvelope.algorithm, mode: UInt64 = 0, ephemeralKey: [UInt8]? = nil,
      recipientKeyHash: [UInt8]? = nil, infoHash: [UInt8]? = nil, data: [UInt8]? = nil
    ) -> HPKEEnvelope {
      HPKEEnvelope(
        algorithm: algorithm, mode: mode, ephemeralKey: ephemeralKey ?? right.ephemeralKey,
        recipientKeyHash: recipientKeyHash ?? right.recipientKeyHash, infoHash: infoHash ?? right.infoHash,
        data: data ?? right.data)
    }
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(try await refusal(of: changed(algorithm: "ANDROID-HPKE-v1")) == "in-app.algorithm")
    #expect(try await refusal(of: changed(mode: 1)) == "in-app.mode")
    #expect(try await refusal(of: changed(recipientKeyHash: zeros)) == "in-app.recipient-key")
    #expect(try await refusal(of: changed(infoHash: zeros)) == "in-app.info/unexplained")
    #expect(
      try await refusal(of: changed(ephemeralKey: Array(right.ephemeralKey.dropFirst())))
        == "in-app.decryption/ephemeral-key")
    #expect(
      try await refusal(of: changed(data: Array(right.data.dropLast()) + [(right.data.last ?? 0) ^ 1]))
        == "in-app.decryption/unexplained")
  }

  @Test("Refuses an envelope for another session, merchant, team or server")
  func otherRequests() async throws {
    let replayed = try merchant.session("41", nonce: 6)
    let envelope = try merchant.envelope(to: replayed).encoded
    #expect(try await merchant.verdict(on: envelope).failure?.name == "in-app.info/unexplained")
    let named = try await merchant.verdict(on: envelope, others: [replayed])
    #expect(named.failure?.name == "in-app.info/another-session")
    #expect(named.failure?.evidence.last == CheckResult.Evidence("session", expected: "42", found: "41"))
    #expect(
      try await refusal(of: merchant.envelope(to: merchant.session(team: "OTHER67890"))) == "in-app.info/unexplained")
    #expect(try await refusal(of: merchant.envelope(to: merchant.session(team: ""))) == "in-app.info/identifiers")
    #expect(try await refusal(of: merchant.envelope(to: merchant.session(key: 3))) == "in-app.recipient-key")
  }

  @Test("Refuses a device response that the app's request does not have")
  func responses() async throws {
    let two = try merchant.envelope(sealing: merchant.response(documents: 2))
    #expect(try await refusal(of: two) == "in-app.documents")
    let empty = try merchant.envelope(
      sealing: CBORValue.textMap([("version", .text("1.0")), ("status", .unsigned(10))]).encoded)
    #expect(try await refusal(of: empty) == "in-app.status")
    let newer = try merchant.envelope(
      sealing: CBORValue.textMap([("version", .text("1.1")), ("status", .unsigned(0))]).encoded)
    #expect(try await refusal(of: newer) == "in-app.version")
    let unreadable = try merchant.envelope(sealing: [0xa0])
    #expect(try await refusal(of: unreadable) == "response.structure/malformed")
    let sealed = try ResponseEncryption.seal(
      [0xa0], to: merchant.session.recipientKey.publicKey, info: merchant.session.handover.sessionTranscript.encoded,
      ephemeralKey: fixedAgreementKey(2))
    let right = try merchant.envelope()
    let untitled = HPKEEnvelope(
      ephemeralKey: sealed.encapsulatedKey, recipientKeyHash: right.recipientKeyHash, infoHash: right.infoHash,
      data: sealed.cipherText)
    #expect(try await refusal(of: untitled) == "in-app.topics")
  }

  @Test("Keeps answers of websites and of apps apart")
  func confusion() async throws {
    let site = merchant.site
    let web = try EncryptedResponse(
      sealing: site.response(), to: site.request.recipientKey.publicKey,
      transcript: site.request.sessionTranscript(origin: Site.origin),
      ephemeralKey: fixedAgreementKey(2))
    #expect(try await merchant.verdict(on: web.encoded).failure?.name == "in-app.envelope/web-response")
    #expect(try await merchant.verdict(on: [0xa0]).failure?.name == "in-app.envelope/malformed")
    var machine = site.machine(of: .exchange(site.session))
    let text = Base64URL.encode(try merchant.envelope().encoded)
    let answer = SubmittedAnswer(
      protocol: RequestData.protocolIdentifier, data: Array(#"{"response":"\#(text)"}"#.utf8))
    let verdict = await machine.receive(.submitted(answer), at: site.now).last?.verdict
    #expect(verdict?.failure?.name == "response.envelope")
    #expect(verdict?.failure?.message == "the answer is the HPKE envelope of an app's request")
    // An event of the other kind has no effect.
    var other = site.machine(of: .inApp(merchant.session))
    #expect(await other.receive(.submitted(answer), at: site.now).isEmpty)
  }

  @Test("Accepts one answer to a known session in its time")
  func sessions() async throws {
    let envelope = try merchant.envelope().encoded
    #expect(try await merchant.verdict(on: envelope, to: .inApp(nil)).failure?.name == "session.known")
    #expect(try await merchant.verdict(on: envelope, isFirst: false).failure?.name == "session.unused")
    let used = try merchant.session(isUsed: true)
    #expect(try await merchant.verdict(on: envelope, to: .inApp(used)).failure?.name == "session.unused")
    #expect(try await merchant.verdict(on: envelope, at: merchant.expires).failure?.name == "session.current/expired")
    #expect(try await merchant.verdict(on: envelope, to: .inAppExchange(merchant.session)).failure == nil)
  }
}
