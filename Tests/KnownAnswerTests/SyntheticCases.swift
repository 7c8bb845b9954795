import CBOR
import Crypto
import Primitives
import RelyingParty
import StatusLists
import TestSupport
import Testing
import X509

@testable import MobileDocument
@testable import WebPresentment

/// One sealed response of the synthetic set.
struct SyntheticCase {
  let entry: Vector

  init(_ entry: Vector) { self.entry = entry }

  private func anchors() throws -> [Certificate] {
    try (entry["trust_anchors"]?.array ?? []).map { try SyntheticSet.certificate(named: try #require($0.text)) }
  }

  /// Decrypts and verifies a response as the server does.
  private func outcome() async throws -> (failed: [String], deviating: [String], isVerified: Bool) {
    let now = try SyntheticSet.time()
    let request = AnnexCSession(
      documents: [], encryptionInfoText: try SyntheticSet.information().text,
      recipientKey: try P256.KeyAgreement.PrivateKey(
        rawRepresentation: SyntheticSet.bytes("key-recipient", "d_hex")))
    let session = VerifierSession(
      identifier: "1", origin: try SyntheticSet.origin(), requests: [.annexC(request)],
      expires: now.adding(seconds: 1))
    let answer = #"{"response":"\#(Base64URL.encode(try entry.bytes("response_hex")))"}"#
    let opened = session.open(SubmittedAnswer(protocol: "org-iso-mdoc", data: Array(answer.utf8)), at: now)
    guard let response = opened.deviceResponse else {
      return (opened.checks.filter { $0.status == .failed }.map(\.name), [], false)
    }
    #expect(opened.checks.allSatisfy { $0.status == .passed })
    #expect(try response == entry.bytes("plaintext_hex"))
    let report = await verification(
      of: response, over: request.sessionTranscript(origin: session.origin), trusting: try anchors(), at: now)
    return (report.failed, report.deviating, report.verified != nil)
  }

  func exercise() async throws {
    // An inspection does not recognize malformed envelopes, or identifies another array.
    let isEnvelope = entry["failing_check"]?.text != "envelope"
    if isEnvelope { expectInspected(entry, try entry.bytes("response_hex"), as: "EncryptedResponse") }
    let (failed, deviating, isVerified) = try await outcome()
    let code = try entry["failing_check"]?.text.map { check in
      try #require(
        Expectations.codesByEntry[entry.identifier] ?? Expectations.codes[check], "no code for \(check)")
    }
    switch try entry.text("expect") {
    case "valid":
      #expect(failed == [])
      #expect(deviating == (Expectations.deviations[entry.identifier] ?? []))
      #expect(isVerified)
    case "valid-with-deviation":
      #expect(failed == [] && isVerified)
      #expect(deviating == (Expectations.deviations[entry.identifier] ?? []))
    case "invalid":
      if entry["failing_check"]?.text == Expectations.revoked { return try await expectRevoked(code) }
      #expect(failed.first == code)
      #expect(!isVerified)
    case "may-reject", "profile-violation":
      // Accepted here with a finding: the standard allows a reader both.
      #expect(failed == [] && isVerified)
      #expect(deviating == [try #require(code)])
    case "no-data":
      #expect(failed == ["response.status", "response.documents/no-document"])
      #expect(!isVerified)
    case let other: Issue.record("\(entry): nothing is known of \"\(other)\"")
    }
  }

  /// The document is valid, and revoked by its list in the set: the status check refuses it.
  private func expectRevoked(_ code: String?) async throws {
    let now = try SyntheticSet.time()
    let response = try entry.bytes("plaintext_hex")
    let facts = try IssuerFacts(try #require(UnverifiedDeviceResponse(response).documents.first).issuerSigned)
    try StatusListAnswers.expectRevoked(facts, entry)
    let report = await verification(
      of: response, over: try SyntheticSet.sessionTranscript(), trusting: try anchors(), at: now)
    #expect(report.failed == [] && report.verified != nil)
    var lists: [String: StatusListAnswer] = [:]
    for (uri, identifier) in SyntheticSet.lists {
      lists[uri] = .token(try SyntheticSet.bytes(identifier), fetched: now)
    }
    let outcome = await report.checkingStatus(lists, under: .standard, at: now).report
    #expect(outcome.verified == nil)
    // The set signs its lists with the document signer's key, which is a separate fault.
    #expect(outcome.failed.first == StatusCheck.listSigner.id)
    #expect(outcome.failed.contains(try #require(code)))
  }
}
