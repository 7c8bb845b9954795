import CBOR
import Checks
import Crypto
import MobileDocument
import Primitives
import RelyingParty
import TestSupport
import Testing
import WebPresentment

@Suite("Opening an answer")
struct AnswerOpeningTests {
  private static let origin = "https://spaceship-rentals.example"
  private static let plaintext = Array("a device response".utf8)
  private static let expiry = DateTime(secondsSince1970: 1_000_000)

  private static func request() throws -> AnnexCSession {
    let info = EncryptionInfo(
      nonce: [UInt8](repeating: 9, count: 16), recipientPublicKey: try fixedAgreementKey(1).publicKey)
    return AnnexCSession(documents: [], encryptionInfoText: info.text, recipientKey: try fixedAgreementKey(1))
  }

  private static func session() throws -> VerifierSession {
    VerifierSession(identifier: "7", origin: origin, requests: [.annexC(try request())], expires: expiry)
  }

  private static func answer(
    for origin: String = origin, to recipient: UInt8 = 1, change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> String {
    let transcript = EncryptionInfo.sessionTranscript(
      encryptionInfoText: try request().encryptionInfoText, origin: origin)
    var bytes = try EncryptedResponse(
      sealing: plaintext, to: fixedAgreementKey(recipient).publicKey, transcript: transcript,
      ephemeralKey: fixedAgreementKey(2)
    ).encoded
    change(&bytes)
    return #"{"response":"\#(Base64URL.encode(bytes))"}"#
  }

  /// The checks of an answer.
  private static let ids = [
    "session.known", "session.unused", "session.current", "response.protocol", "response.data", "response.envelope",
    "response.decryption",
  ]
  /// The finding for an answer that was sealed over a known wrong transcript.
  private static let explained = ["response.decryption/transcript"]
  private static let before = expiry.adding(seconds: -1)

  @Test("an answer in time opens")
  func opens() throws {
    let opened = try Self.session().open(
      SubmittedAnswer(protocol: "org-iso-mdoc", data: Array(try Self.answer().utf8)), at: Self.before)
    #expect(opened.deviceResponse == Self.plaintext)
    #expect(opened.checks.map(\.name) == Self.ids)
    #expect(opened.checks.allSatisfy { $0.status == .passed })
  }

  struct Row: Sendable, CustomStringConvertible {
    let description: String
    var name = "org-iso-mdoc"
    let data: String
    var isUsed = false
    var time = before
    var policy = VerificationPolicy.standard
    let failed: [String]
    var deviating: [String] = []
  }

  static var rows: [Row] {
    get throws {
      let good = try answer()
      let data = ["response.data/malformed"]
      return [
        Row(description: "in time", data: good, failed: []),
        Row(description: "with more members", data: good.dropLast() + #","id":"1"}"#, failed: []),
        Row(
          description: "an older name of the protocol", name: "org.iso.mdoc", data: good, failed: [],
          deviating: ["response.protocol/older-draft"]),
        Row(
          description: "an older name of the protocol, for a strict verifier", name: "org.iso.mdoc", data: good,
          policy: .strict, failed: ["response.protocol/older-draft"]),
        Row(
          description: "an older name of the member, for a strict verifier",
          data: good.replacing("response", with: "Response"), policy: .strict,
          failed: ["response.data/older-draft"]),
        Row(description: "used", data: good, isUsed: true, failed: ["session.unused"]),
        Row(description: "used and too late", data: good, isUsed: true, time: expiry, failed: ["session.unused"]),
        Row(description: "at the moment of expiry", data: good, time: expiry, failed: ["session.current/expired"]),
        Row(
          description: "long after expiry", data: good, time: expiry.adding(days: 9),
          failed: ["session.current/expired"]),
        Row(
          description: "late and in another protocol", name: "openid4vp", data: "", time: expiry,
          failed: ["session.current/expired"]),
        Row(description: "another protocol", name: "openid4vp", data: good, failed: ["response.protocol/other"]),
        Row(description: "no protocol", name: "", data: good, failed: ["response.protocol/other"]),
        Row(description: "upper-case protocol", name: "ORG-ISO-MDOC", data: good, failed: ["response.protocol/other"]),
        Row(description: "no JSON", data: "response", failed: data),
        Row(description: "nothing", data: "", failed: data),
        Row(description: "an array", data: "[\(good)]", failed: data),
        Row(
          description: "an older name of the member", data: good.replacing("response", with: "Response"), failed: [],
          deviating: ["response.data/older-draft"]),
        Row(description: "no member response", data: #"{"RESPONSE":"AA"}"#, failed: data),
        Row(description: "a response that is null", data: #"{"response":null}"#, failed: data),
        Row(description: "a response that is an object", data: #"{"response":{}}"#, failed: data),
        Row(description: "padding", data: #"{"response":"Zg=="}"#, failed: data),
        Row(description: "JSON and more", data: good + "x", failed: data),
        Row(description: "an empty envelope", data: #"{"response":""}"#, failed: ["response.envelope"]),
        Row(description: "no CBOR", data: #"{"response":"_w"}"#, failed: ["response.envelope"]),
        Row(description: "another marker", data: try answer { $0[2] ^= 1 }, failed: ["response.envelope"]),
        Row(
          description: "a changed tag", data: try answer { $0[$0.count - 1] ^= 1 },
          failed: ["response.decryption/unexplained"]),
        Row(description: "another recipient", data: try answer(to: 3), failed: ["response.decryption/unexplained"]),
        Row(
          description: "another origin", data: try answer(for: "https://evil.example"),
          failed: ["response.decryption/unexplained"]),
        Row(description: "an origin with a slash", data: try answer(for: origin + "/"), failed: explained),
      ]
    }
  }

  @Test("each answer is accepted, or refused with its code", arguments: try rows)
  func taken(_ row: Row) throws {
    let opened = try Self.session().open(
      SubmittedAnswer(protocol: row.name, data: Array(row.data.utf8)), isFirst: !row.isUsed, at: row.time,
      policy: row.policy)
    let checks = opened.checks
    #expect((opened.deviceResponse == nil) == !row.failed.isEmpty)
    #expect(checks.failed == row.failed)
    #expect(checks.deviating == row.deviating)
    #expect(checks.map(\.check) == Self.ids)
    if let first = checks.firstIndex(where: { $0.status == .failed }) {
      #expect(checks[(first + 1)...].allSatisfy { $0.status == .notReached })
    }
  }

  @Test("an unknown session is refused")
  func unknownSession() {
    let checks = VerifierSession.unknownSessionChecks
    #expect(checks.failed == ["session.known"])
    #expect(checks.dropFirst().allSatisfy { $0.status == .notReached })
  }

  @Test("the transcript is made of the request's text and the origin")
  func transcript() throws {
    let request = try Self.request()
    #expect(
      request.sessionTranscript(origin: Self.origin)
        == EncryptionInfo.sessionTranscript(encryptionInfoText: request.encryptionInfoText, origin: Self.origin))
  }

  @Test("damaged answers are refused")
  func damage() throws {
    let honest = Array(try Self.answer().utf8)
    for data in Damage.sample(of: honest, seed: 8) {
      let opened = try Self.session().open(SubmittedAnswer(protocol: "org-iso-mdoc", data: data), at: Self.before)
      let code = opened.deviceResponse == nil ? opened.checks.failed : nil
      #expect(
        [
          ["response.data/malformed"], ["response.envelope"], ["response.decryption/unexplained"],
          ["response.decryption/encapsulated-key"],
        ].contains(
          code))
    }
  }

  @Test("codes of the exchange are distinct")
  func codes() {
    let codes = ExchangeCheck.definitions.flatMap(\.names) + ExchangeError.Code.allCases.map(\.rawValue)
    #expect(Set(codes).count == codes.count)
  }
}
