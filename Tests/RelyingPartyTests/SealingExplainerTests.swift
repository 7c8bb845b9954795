import Checks
import Crypto
import Foundation
import MobileDocument
import Primitives
import TestSupport
import Testing

@testable import RelyingParty
@testable import TranscriptDiagnosis
@testable import WebPresentment

@Suite("Diagnosis of a response that does not open")
struct SealingExplainerTests {
  private static let plaintext = Array("a device response".utf8)
  private static let before = DateTime(secondsSince1970: 1)

  private static func session(_ inputs: TranscriptInputs, identifier: String = "1") throws -> VerifierSession {
    VerifierSession(
      identifier: identifier, origin: inputs.origin,
      requests: [
        .annexC(
          AnnexCSession(
            documents: [], encryptionInfoText: inputs.encryptionInfoText, recipientKey: try fixedAgreementKey(1)))
      ], expires: DateTime(secondsSince1970: 10))
  }

  private static func others(_ inputs: TranscriptInputs) throws -> [VerifierSession] {
    try inputs.otherSessions.map { other in
      VerifierSession(
        identifier: other.identifier, origin: other.origin,
        requests: [
          .annexC(
            AnnexCSession(
              documents: [], encryptionInfoText: other.encryptionInfoText, recipientKey: try fixedAgreementKey(3)))
        ], expires: DateTime(secondsSince1970: 10))
    }
  }

  /// The checks of an answer to a session with the given inputs.
  private static func checks(
    _ response: EncryptedResponse, _ inputs: TranscriptInputs, others: [VerifierSession]? = nil
  ) throws -> [CheckResult] {
    let known = try others ?? Self.others(inputs)
    let answer = #"{"response":"\#(Base64URL.encode(response.encoded))"}"#
    return try session(inputs).open(
      SubmittedAnswer(protocol: "org-iso-mdoc", data: Array(answer.utf8)), at: before,
      context: ExchangeContext(surroundings: inputs.surroundings) { known }
    ).checks
  }

  private static func explanations(_ checks: [CheckResult]) -> [String] {
    checks.flatMap(\.evidence).filter { $0.field == Explanation.field }.compactMap(\.found)
  }

  private static func sealed(
    _ plaintext: [UInt8] = plaintext, info: [UInt8], to key: UInt8 = 1
  ) throws -> EncryptedResponse {
    let sealed = try ResponseEncryption.seal(
      plaintext, to: fixedAgreementKey(key).publicKey, info: info, ephemeralKey: fixedAgreementKey(2))
    return EncryptedResponse(encapsulatedKey: sealed.encapsulatedKey, cipherText: sealed.cipherText)
  }

  /// Seals a response with a variant of HPKE.
  private static func sealed(as variant: HPKEVariant, info: [UInt8]) throws -> EncryptedResponse {
    if let suite = variant.suites.first {
      var sender = try HPKE.Sender(
        recipientKey: fixedAgreementKey(1).publicKey, ciphersuite: suite.ciphersuite, info: Data(info))
      let cipherText = try sender.seal(plaintext, authenticating: [UInt8]())
      return EncryptedResponse(encapsulatedKey: Array(sender.encapsulatedKey), cipherText: Array(cipherText))
    }
    let right = try sealed(info: info)
    var key = right.encapsulatedKey
    switch variant {
    case .keyCompressed: key = try Array(fixedAgreementKey(2).publicKey.compressedRepresentation)
    case .keyWithoutPrefix: key.removeFirst()
    case .keyOffCurve: key[key.count - 1] ^= 1
    default:
      let sealed = try ResponseEncryption.seal(
        plaintext, to: fixedAgreementKey(1).publicKey, info: [], aad: info, ephemeralKey: fixedAgreementKey(2))
      return EncryptedResponse(encapsulatedKey: sealed.encapsulatedKey, cipherText: sealed.cipherText)
    }
    return EncryptedResponse(encapsulatedKey: key, cipherText: right.cipherText)
  }

  @Test("each variant of the transcript is recognized", arguments: TranscriptVariant.allCases)
  func transcripts(_ variant: TranscriptVariant) throws {
    let inputs = try richInputs()
    for wrong in variant.transcripts(from: inputs) {
      let checks = try Self.checks(Self.sealed(info: wrong.info), inputs)
      #expect(checks.failed == ["response.decryption/transcript"])
      #expect(Self.explanations(checks) == [variant.rawValue])
      #expect(checks.contains { $0.message.contains(variant.message) })
    }
  }

  @Test("each variant of sealing is recognized", arguments: HPKEVariant.allCases.filter(\.needsNothingElse))
  func variants(_ variant: HPKEVariant) throws {
    let inputs = try richInputs()
    let response = try Self.sealed(as: variant, info: inputs.sessionTranscript.encoded)
    let checks = try Self.checks(response, inputs)
    let codes: [String: String] = [
      "hpke.encapsulated-key": "response.decryption/encapsulated-key", "hpke.suite": "response.decryption/suite",
    ]
    let family = variant.rawValue.split(separator: ".").prefix(2).joined(separator: ".")
    #expect(checks.failed == [codes[family, default: "response.decryption/transcript"]])
    #expect(Self.explanations(checks) == [variant.rawValue])
  }

  @Test("every other HPKE suite opens what the library seals")
  func suites() throws {
    let inputs = try richInputs()
    let info = inputs.sessionTranscript.encoded
    for suite in HPKEVariant.allCases.flatMap(\.suites) {
      var sender = try HPKE.Sender(
        recipientKey: fixedAgreementKey(1).publicKey, ciphersuite: suite.ciphersuite, info: Data(info))
      let cipherText = try sender.seal(Self.plaintext, authenticating: [UInt8]())
      let response = EncryptedResponse(encapsulatedKey: Array(sender.encapsulatedKey), cipherText: Array(cipherText))
      let checks = try Self.checks(response, inputs)
      #expect(checks.failed == ["response.decryption/suite"])
      #expect(checks.flatMap(\.evidence).contains { $0.field == "suite" && $0.found == suite.name })
    }
  }

  private static func info(_ session: VerifierSession) throws -> [UInt8] {
    try #require(session.annexC).sessionTranscript(origin: session.origin).encoded
  }

  @Test("a response to another session of the server is recognized")
  func anotherSession() throws {
    let inputs = try richInputs()
    let other = try #require(Self.others(inputs).first)
    let response = try Self.sealed(info: Self.info(other), to: 3)
    let checks = try Self.checks(response, inputs)
    #expect(checks.failed == ["response.decryption/another-session"])
    #expect(Self.explanations(checks) == ["hpke.another-session"])
    #expect(checks.flatMap(\.evidence).contains { $0.field == "session" && $0.found == "other" })
    #expect(try Self.checks(response, inputs, others: []).failed == ["response.decryption/unexplained"])
  }

  @Test("other sessions are tried up to a limit, newest first")
  func manySessions() throws {
    let inputs = try richInputs()
    let other = try #require(Self.others(inputs).first)
    let response = try Self.sealed(info: Self.info(other), to: 3)
    func fill(_ count: Int) throws -> [VerifierSession] {
      try (0..<count).map { try Self.session(inputs, identifier: "filling \($0)") } + [other]
    }
    let bound = TranscriptExplainer.maximumOtherSessions
    #expect(
      try Self.checks(response, inputs, others: fill(bound - 1)).failed == ["response.decryption/another-session"])
    #expect(try Self.checks(response, inputs, others: fill(bound)).failed == ["response.decryption/unexplained"])
  }

  @Test("a response over the length limit is not diagnosed")
  func tooLong() throws {
    let inputs = try richInputs()
    let wrong = try #require(TranscriptVariant.tagged.transcripts(from: inputs).first)
    let bound = TranscriptExplainer.maximumSealedLength - 16
    for (length, code) in [(bound, "response.decryption/transcript"), (bound + 1, "response.decryption/unexplained")] {
      let response = try Self.sealed([UInt8](repeating: 0, count: length), info: wrong.info)
      #expect(try Self.checks(response, inputs).failed == [code])
    }
  }

  @Test("every failure reports exactly one decryption check, in its place")
  func onePlace() throws {
    let inputs = try richInputs()
    let wrong = try #require(TranscriptVariant.tagged.transcripts(from: inputs).first)
    let ids = ExchangeCheck.definitions.map(\.id)
    let failed = try Self.checks(Self.sealed(info: wrong.info), inputs)
    #expect(failed.map(\.check) == ids && failed.last?.name == "response.decryption/transcript")
    let opened = try Self.checks(Self.sealed(info: inputs.sessionTranscript.encoded), inputs)
    #expect(opened.map(\.check) == ids)
  }

  @Test("an unknown origin stays unexplained", arguments: ["https://evil.example", "https://a.bücher.example"])
  func unknown(_ origin: String) throws {
    let inputs = try richInputs()
    let transcript = EncryptionInfo.sessionTranscript(encryptionInfoText: inputs.encryptionInfoText, origin: origin)
    let checks = try Self.checks(Self.sealed(info: transcript.encoded), inputs)
    #expect(checks.failed == ["response.decryption/unexplained"] && Self.explanations(checks).isEmpty)
  }
}
