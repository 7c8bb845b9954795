import CBOR
import COSE
import Certificates
import Crypto
import Primitives
import TestSupport
import Testing
import X509

@testable import MobileDocument

extension KnownFile {
  /// Device responses of other implementations.
  static var deviceResponses: KnownFile {
    KnownFile(
      "device_responses", count: 27, ["DeviceResponse": { try await KnownResponse($0).exercise() }])
  }
}

/// A device response with the published data about it.
struct KnownResponse {
  let entry: Vector
  let bytes: [UInt8]
  let anchors: [Certificate]
  let transcript: SessionTranscript?

  init(_ entry: Vector) throws {
    self.entry = entry
    bytes = try entry.bytes("hex")
    // An unreadable anchor is the signer's certificate itself, which the verification reports.
    anchors = (entry["trust_anchors_der_hex"]?.array ?? []).compactMap {
      try? Certificate(derEncoded: Hex.bytes($0.text ?? ""))
    }
    transcript =
      try entry["session_transcript_hex"] == nil
      ? nil : SessionTranscript(encoded: entry.bytes("session_transcript_hex"))
  }

  func exercise() async throws {
    expectInspected(entry, bytes, as: "DeviceResponse")
    let expected = try #require(entry["expected"])
    let response = try UnverifiedDeviceResponse(bytes)
    #expect(response.version == expected["version"]?.text)
    #expect(Double(response.status) == expected["status"]?.number)
    expectEncoding(entry, response.deviations)
    let printed = try #require(expected["documents"]?.array)
    let elements = try #require(expected["elements"]?.array)
    #expect(response.documents.count == printed.count && elements.count == printed.count)
    var facts: [IssuerFacts] = []
    for ((document, about), values) in zip(zip(response.documents, printed), elements) {
      let found = try IssuerFacts(document.issuerSigned)
      try found.compare(with: about)
      try found.compare(elements: values)
      try compareDevice(document, with: about)
      facts.append(found)
    }
    let time = try #require(printed.map(IssuerFacts.firstMoment).max())
    let report = await verification(of: bytes, over: transcript, trusting: anchors, at: time)
    try expectOutcome(report, printed)
    guard Expectations.failures[entry.identifier] != ["issuer.form/malformed"] else { return }
    try Claims(report: report, documents: facts, anchors: anchors).check(entry)
  }

  private func compareDevice(_ document: UnverifiedDocument, with printed: JSON) throws {
    let device = try #require(document.deviceSigned)
    #expect((device.signature != nil ? "deviceSignature" : "deviceMac") == printed["device_kind"]?.text)
    #expect(device.elements.isEmpty && printed["deviceNameSpaces"]?.text == "{}")
    guard let item = device.signature, let isDetached = printed["device_payload_null"]?.boolean else { return }
    let signature = try COSESign1(item)
    #expect((signature.unverifiedPayload == nil) == isDetached)
    #expect(signature.headers.algorithm == .known(.es256) && printed["device_alg"]?.number == -7)
  }

  /// Expects failures only for unpublished data and for the entry's own faults.
  private func expectOutcome(_ report: VerificationReport, _ printed: [JSON]) throws {
    var codes = Set(Expectations.failures[entry.identifier] ?? [])
    if !codes.contains("issuer.form/malformed") {
      if (entry["trust_anchors_der_hex"]?.array ?? []).isEmpty { codes.insert("issuer.trust") }
      if transcript == nil {
        codes.insert(
          printed.first?["device_kind"]?.text == "deviceMac"
            ? "device.signature/mac-unsupported" : "device.signature/invalid")
      }
    }
    #expect(Set(report.failed) == codes)
    #expect((report.verified != nil) == codes.isEmpty)
    if !Expectations.isValid(entry["expect"]?.text) { #expect(report.verified == nil) }
  }
}

/// Verifies a response with all the published data.
func verification(
  of bytes: [UInt8], over transcript: SessionTranscript?, trusting anchors: [Certificate], at moment: DateTime,
  readerKey: P256.KeyAgreement.PrivateKey? = nil, requests: [ItemsRequest]? = nil
) async -> VerificationReport {
  // A placeholder for an unpublished transcript, over which the signature cannot verify.
  let transcript = transcript ?? SessionTranscript(encoded: [0x80])
  return await DeviceResponseVerifier(trustedIssuers: anchors, ephemeralReaderKey: readerKey)
    .verify(bytes, over: transcript, requests: requests, at: moment)
}
