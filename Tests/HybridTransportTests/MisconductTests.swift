import Checks
import Crypto
import HybridTransport
import Testing

@Suite("An end that misbehaves")
struct MisconductTests {
  /// A phone with a changed advert.
  private struct OtherAdvert: AuthenticatorConduct {
    let place: Int
    let value: UInt8

    func advert(_ honest: [UInt8]) -> [UInt8] {
      var changed = honest
      changed[place] = value
      return changed
    }
  }

  @Test(arguments: [
    (14, 2, "hybrid.advert-service"), (14, 255, "hybrid.advert-service"), (0, 1, "hybrid.advert-reserved"),
  ])
  func isIgnoredWithAnUnassignedServiceOrAReservedByte(place: Int, value: UInt8, code: String) throws {
    var session = try Session(phone: OtherAdvert(place: place, value: value))
    session.run()
    #expect(session.desktop.state == .showingQR)
    session.tell(ClientPlatformMachine.Event.timedOut(.qrCode))
    session.settle()
    #expect(session.outcomes == [.failure(.noPhone)])
    #expect(
      session.desktopFailures == [code == "hybrid.advert-service" ? "hybrid.advert/service" : "hybrid.advert/malformed"]
    )
    let evidence = session.desktopChecks.last?.evidence
    #expect(evidence == [CheckResult.Evidence("ignored adverts, \(code)", found: "1")])
  }

  /// A phone whose messages have another plaintext or padding.
  private struct OtherMessages: AuthenticatorConduct {
    var offer: [UInt8]?
    var answer: [UInt8]?
    var paddedAnswer: [UInt8]?

    func plaintext(_ honest: [UInt8]) -> [UInt8] { (honest.first == 3 ? answer : offer) ?? honest }
    func padded(_ honest: [UInt8]) -> [UInt8] { honest.first == 3 ? paddedAnswer ?? honest : honest }
  }

  @Test func withoutDigitalCredentialsIsIncompatibleAndGetsNoRequest() throws {
    let passkeys = PostHandshake(features: [.ctap], description: [0xa0])
    var session = try Session(offer: passkeys)
    session.run()
    #expect(session.outcomes == [.failure(.incompatibleDevice)])
    #expect(session.desktopFailures == ["hybrid.features/incompatible"])
    #expect(
      session.desktopChecks.last?.message == "the phone does not offer digital credentials: the features lack 'dc'")
    #expect(session.delivered.isEmpty && session.phoneOutcomes == [.failed])
  }

  @Test func inRevision0IsIncompatible() throws {
    let old = PostHandshake(features: [.ctap], description: [0xa0]).cbor + [0, 0]
    var session = try Session(phone: OtherMessages(offer: old))
    session.run()
    #expect(session.outcomes == [.failure(.incompatibleDevice)])
    #expect(session.desktopFailures == ["hybrid.features/revision"])
  }

  @Test(
    arguments: [
      ([1, 0], "hybrid.frame/out-of-turn"), ([0], "hybrid.frame/out-of-turn"), ([4], "hybrid.frame/malformed"),
      ([], "hybrid.frame/malformed"), ([2, 0], "hybrid.frame/malformed"),
    ] as [([UInt8], String)])
  func answersInAnotherTypeAndIsCutOff(answer: [UInt8], failure: String) throws {
    var session = try Session(phone: OtherMessages(answer: answer))
    session.run()
    #expect(session.outcomes == [.failure(.transportError)])
    #expect(session.desktopFailures == [failure])
    #expect(session.desktop.state == .finished)
  }

  @Test(arguments: [[], [255], [3, 0, 0, 9]] as [[UInt8]])
  func padsTooLongAndIsCutOff(padded: [UInt8]) throws {
    var session = try Session(phone: OtherMessages(paddedAnswer: padded))
    session.run()
    #expect(session.outcomes == [.failure(.transportError)])
    #expect(session.desktopFailures == ["hybrid.frame/malformed"])
  }

  @Test func cancelsWithAMessageOrSilently() throws {
    var spoken = try Session()
    spoken.answer = nil
    spoken.run()
    spoken.tell(.cancelledByPerson)
    spoken.settle()
    #expect(spoken.outcomes == [.failure(.userCanceled)])
    #expect(spoken.desktopFailures == ["hybrid.response/user-canceled"])
    var silent = try Session(cancelsSilently: true)
    silent.answer = nil
    silent.run()
    silent.tell(.cancelledByPerson)
    silent.settle()
    #expect(silent.outcomes == [.failure(.transportError)])
    #expect(silent.desktopFailures == ["hybrid.tunnel/closed"])
    #expect(silent.phoneOutcomes == [.cancelled])
  }

  /// A desktop that writes another origin.
  private struct OtherOrigin: ClientPlatformConduct {
    func request(_ honest: CredentialRequestMessage) -> CredentialRequestMessage {
      CredentialRequestMessage(origin: "https://bank.example", digital: honest.digital)
    }
  }

  @Test func namesAnotherOriginUnnoticed() throws {
    var session = try Session(desktop: OtherOrigin())
    session.run()
    #expect(session.delivered.map(\.origin) == ["https://bank.example"])
    #expect(session.outcome == .response(protocol: "org-iso-mdoc", data: #"{"response":"AA"}"#))
  }

  /// A desktop that shows the QR code of another and heard the advert, but does not hold the private key.
  private struct Stranger: ClientPlatformConduct {
    let usesOwnKey: Bool

    /// The handshake with the QR code's public key and without `se`, whose reply cannot be verified.
    struct Guess: InitiatorHandshake {
      let ephemeralKey: P256.KeyAgreement.PrivateKey
      let state: NoiseState
      let message: [UInt8]

      init(_ payload: QRPayload, _ ephemeralKey: P256.KeyAgreement.PrivateKey, _ preSharedKey: [UInt8]) {
        var state = NoiseState(
          .knpsk0, knownKey: [UInt8](payload.identityKey.x963Representation), preSharedKey: preSharedKey)
        let point = [UInt8](ephemeralKey.publicKey.x963Representation)
        state.mixEphemeral(point)
        message = point + state.sealEmpty()
        self.state = state
        self.ephemeralKey = ephemeralKey
      }

      func keys(from reply: [UInt8]) throws(HybridError) -> NoiseKeys {
        let reply = try NoiseMessage(reply)
        var state = state
        state.mixEphemeral(reply.point)
        if let secret = try? ephemeralKey.sharedSecretFromKeyAgreement(with: reply.key) { state.mixKey(secret) }
        return state.split(isInitiator: true)
      }
    }

    func handshake(
      _ payload: QRPayload, identityKey: P256.KeyAgreement.PrivateKey, ephemeralKey: P256.KeyAgreement.PrivateKey,
      preSharedKey: [UInt8]
    ) -> any InitiatorHandshake {
      guard usesOwnKey else { return Guess(payload, ephemeralKey, preSharedKey) }
      return NoiseInitiator(identityKey: ephemeralKey, ephemeralKey: ephemeralKey, preSharedKey: preSharedKey)
    }

    func offer(_ read: Result<PostHandshake, HybridError>) -> Result<PostHandshake, HybridError> {
      .success(.digitalCredentials)
    }
  }

  @Test func isRefusedInTheHandshakeWithItsOwnKey() throws {
    var session = try Session(desktop: Stranger(usesOwnKey: true))
    session.run()
    #expect(session.phoneFailures == ["hybrid.handshake/unverified"])
    #expect(session.delivered.isEmpty && session.outcomes == [.failure(.transportError)])
  }

  @Test func isRefusedAtItsFirstMessageWithTheQRCodesKey() throws {
    var session = try Session(desktop: Stranger(usesOwnKey: false))
    session.run()
    #expect(session.phoneFailures == ["hybrid.client-platform"])
    #expect(session.phoneChecks.contains { $0.check == "hybrid.handshake" && $0.status == .passed })
    #expect(session.delivered.isEmpty && session.phoneOutcomes == [.failed])
  }

  /// A desktop whose QR code offers Bluetooth's channel only, or has an unknown hint and the channels of CTAP 2.3.
  private struct OtherCode: ClientPlatformConduct {
    let channels: [UInt64]

    func qrPayload(_ honest: QRPayload) -> QRPayload {
      var payload = honest
      payload.keySix = .channels(channels)
      payload.hint = nil
      payload.supportsLinking = true
      return payload
    }
  }

  @Test func withTheChannelsOfCTAP23IsAccepted() throws {
    var session = try Session(desktop: OtherCode(channels: [0, 1]))
    session.run()
    #expect(session.phoneOutcomes == [.answered])
  }

  @Test func withoutATunnelIsRefused() throws {
    var session = try Session(desktop: OtherCode(channels: [1]))
    session.run()
    #expect(session.phoneFailures == ["hybrid.qr-code/channel"])
    #expect(session.phoneOutcomes == [.failed])
  }
}
