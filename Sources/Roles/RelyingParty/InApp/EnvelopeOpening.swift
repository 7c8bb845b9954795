import Checks
import MobileDocument
import Primitives
import TranscriptDiagnosis
import WebPresentment

extension InAppSession {
  /// Checks an envelope and decrypts it.
  /// - Parameters:
  ///   - isFirst: False if the session has had another answer.
  ///   - moment: The time at which the envelope arrived.
  ///   - checksSession: False if the session is not kept: its checks are left out.
  ///   - others: Other sessions of the same server, newest first; used only when a check fails.
  func open(
    _ envelope: [UInt8], isFirst: Bool = true, at moment: DateTime, checksSession: Bool = true,
    others: [InAppSession] = [], policy: VerificationPolicy = .standard
  ) -> OpenedAnswer {
    var session: [CheckResult] = []
    var isCurrent = true
    if checksSession {
      let outcomes = ExchangeCheck.outcomes(isFirst: isFirst, until: expires, at: moment)
      let run = CheckRun(ExchangeCheck.ofSession) { outcomes[$0] }
      (session, isCurrent) = (run.results, run.isAccepted)
    }
    var opening = EnvelopeOpening()
    if isCurrent { opening.open(envelope, for: self, others: others) }
    let run = CheckRun(InAppCheck.allCases, policy: policy) { opening.outcomes[$0] }
    return OpenedAnswer(
      checks: session + run.results,
      content: isCurrent && run.isAccepted ? opening.response.map { .deviceResponse($0) } : nil)
  }

  /// The checks of an answer to a session that does not exist.
  static var unknownSessionChecks: [CheckResult] {
    CheckRun(ExchangeCheck.ofSession) { $0 == .sessionKnown ? .found() : .notReached }.results
      + CheckRun(InAppCheck.allCases) { _ in .notReached }.results
  }
}

/// The checks of an envelope, up to its device response. Each stops at the first failure.
private struct EnvelopeOpening {
  typealias Outcome = CheckOutcome<InAppCheck>

  private(set) var outcomes = CheckOutcomes<InAppCheck>()
  /// The decrypted device response.
  private(set) var response: [UInt8]?

  /// Records an outcome, and returns whether the next check is made.
  private mutating func make(_ check: InAppCheck, _ outcome: Outcome) -> Bool {
    outcomes[check] = outcome
    return outcome.isPassed
  }

  /// The outcome of a value that must be the expected one.
  private static func equal<Value: Equatable>(
    _ field: String, _ found: Value, _ expected: Value, _ text: (Value) -> String = { "\($0)" }
  ) -> Outcome {
    .require(found == expected, nil, nil, .field(field, expected: text(expected), found: text(found)))
  }

  /// Reads and decrypts an envelope.
  mutating func open(_ bytes: [UInt8], for session: InAppSession, others: [InAppSession]) {
    let envelope: HPKEEnvelope
    do {
      envelope = try HPKEEnvelope(encoded: bytes)
      outcomes[.envelope] = .passed
    } catch {
      outcomes[.envelope] =
        (try? EncryptedResponse(encoded: bytes)) == nil ? .found(.malformed, error.message) : .found(.webResponse)
      return
    }
    let handover = session.handover
    guard make(.algorithm, Self.equal("algorithm", envelope.algorithm, HPKEEnvelope.algorithm)),
      make(.mode, Self.equal("mode", envelope.mode, HPKEEnvelope.mode)),
      make(
        .recipientKey, Self.equal("pkRHash", envelope.recipientKeyHash, handover.recipientKeyHash, hexadecimal)),
      make(.info, info(of: envelope, for: session, others: others)),
      make(.decryption, decrypt(envelope, for: session))
    else { return }
    examine()
  }

  /// Compares the hash of the transcript, and looks for the request that the envelope answers.
  private func info(of envelope: HPKEEnvelope, for session: InAppSession, others: [InAppSession]) -> Outcome {
    let handover = session.handover
    let expected = handover.infoHash
    guard envelope.infoHash != expected else { return .passed }
    let evidence = CheckResult.Evidence(
      "infoHash", expected: hexadecimal(expected), found: hexadecimal(envelope.infoHash))
    let answered = others.prefix(TranscriptExplainer.maximumOtherSessions).first {
      $0.identifier != session.identifier && $0.handover.infoHash == envelope.infoHash
    }
    if let answered {
      return .found(
        .anotherSession, nil,
        [evidence, CheckResult.Evidence("session", expected: session.identifier, found: answered.identifier)])
    }
    for (merchant, team, found) in [
      (session.merchantIdentifier, "", "no team identifier"), ("", session.teamIdentifier, "no merchant identifier"),
      (session.teamIdentifier, session.merchantIdentifier, "both in the other order"),
    ] {
      let variant = AppleHandover(
        nonce: session.nonce, merchantIdentifier: merchant, teamIdentifier: team,
        recipientKeyHash: handover.recipientKeyHash)
      guard variant.infoHash == envelope.infoHash else { continue }
      return .found(
        .identifiers, nil, [evidence, CheckResult.Evidence("identifiers", expected: "merchant, team", found: found)])
    }
    return .found(.unexplained, nil, [evidence])
  }

  private mutating func decrypt(_ envelope: HPKEEnvelope, for session: InAppSession) -> Outcome {
    let plaintext: [UInt8]
    do {
      plaintext = try envelope.open(with: session.recipientKey, transcript: session.handover.sessionTranscript)
    } catch {
      let size = CheckResult.Evidence("data", found: "\(envelope.data.count) bytes")
      return .found(
        error.code == .encapsulatedKey ? .ephemeralKey : .unexplained, nil,
        [size, CheckResult.Evidence("found", found: error.evidence)])
    }
    do {
      response = try Topics(encoded: plaintext).identity
      outcomes[.topics] = .passed
    } catch {
      outcomes[.topics] = .found(nil, error.message)
    }
    return .passed
  }

  /// Runs the checks of the device response that this kind of request adds. A response that cannot be read passes them
  /// by: the checks of the device response refuse it with the reason.
  private mutating func examine() {
    guard let response else { return }
    guard let read = try? UnverifiedDeviceResponse(response) else {
      for check in [InAppCheck.version, .status, .documents, .deviceSignature] {
        outcomes[check] = .notApplicable("the device response cannot be read")
      }
      return
    }
    outcomes[.version] = Self.equal("version", read.version, "1.0")
    outcomes[.status] = Self.equal("status", read.status, 0)
    outcomes[.documents] = Self.equal("documents", read.documents.count, 1)
    outcomes[.deviceSignature] = .require(
      read.documents.allSatisfy { $0.deviceSigned?.isSigned == true }, nil, nil,
      .field("deviceAuth", expected: "deviceSignature"))
  }
}
