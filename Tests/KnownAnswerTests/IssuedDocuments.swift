import CBOR
import COSE
import Crypto
import TestSupport
import Testing
import X509

@testable import MobileDocument

extension KnownFile {
  /// Documents from issuers of other implementations, some with their device key.
  static var issuerSigned: KnownFile {
    KnownFile(
      "issuer_signed", count: 18,
      [
        "IssuerSigned": { try await KnownIssuedDocument($0).exercise() },
        "Document": { try await KnownIssuedDocument($0).exercise() },
      ])
  }
}

private struct KnownIssuedDocument {
  let entry: Vector
  let item: CBORItem
  let issuerSigned: CBORItem
  let facts: IssuerFacts
  let anchors: [Certificate]
  let printed: JSON

  init(_ entry: Vector) throws {
    self.entry = entry
    item = try CBORReader.read(entry.bytes("hex"), leniency: .received)
    issuerSigned = entry["kind"]?.text == "Document" ? try item.map().required("issuerSigned") : item
    facts = try IssuerFacts(UnverifiedIssuerSigned(issuerSigned))
    anchors = try certificates(entry["trust_anchors_der_hex"])
    printed = try #require(entry["expected"]?["facts"])
  }

  func exercise() async throws {
    expectInspected(entry, try entry.bytes("hex"), as: entry["kind"]?.text)
    expectEncoding(entry, item.deviations)
    try facts.compare(with: printed)
    try facts.compare(elements: entry["expected"]?["elements"])
    if entry["device_private_key_hex"] != nil { try await present() } else { try await verifyWithoutDevice() }
  }

  /// A wallet reads the document with its key, answers with all of its elements, and the response verifies.
  private func present() async throws {
    let key = try P256.Signing.PrivateKey(rawRepresentation: entry.bytes("device_private_key_hex"))
    let held = try HeldDocument(issued: [UInt8](issuerSigned.encoded), deviceKey: COSEKey(key.publicKey))
    let transcript = SessionTranscript(encoded: [0x83, 0xf6, 0xf6, 0xf6])
    let document = try held.presented(held.nameSpaces, over: transcript, signedWith: key)
    let report = await verification(
      of: DeviceResponseWriter.encoded(documents: [document]), over: transcript, trusting: anchors,
      at: try IssuerFacts.firstMoment(printed))
    #expect(report.failed == (Expectations.failures[entry.identifier] ?? []))
    let verified = try #require(report.verified?.documents.first)
    #expect(verified.elements.count == facts.elementCount && verified.documentType == held.documentType)
    try Claims(report: report, documents: [facts], anchors: anchors).check(entry)
    #expect(throws: DocumentError.self) {
      try HeldDocument(
        issued: [UInt8](issuerSigned.encoded), deviceKey: COSEKey(P256.Signing.PrivateKey().publicKey))
    }
  }

  /// Without a device signature, the issuer-signed parts of the response are verified nevertheless.
  private func verifyWithoutDevice() async throws {
    let response = CBORWriter.encode(capacity: 4096) { writer in
      writer.map(3)
      writer.text("version")
      writer.text("1.0")
      writer.text("status")
      writer.unsigned(0)
      writer.text("documents")
      writer.array(1)
      writer.map(2)
      writer.text("docType")
      writer.text(facts.object.documentType)
      writer.text("issuerSigned")
      writer.encoded(Array(issuerSigned.encoded))
    }
    let report = await verification(
      of: response, over: nil, trusting: anchors, at: try IssuerFacts.firstMoment(printed))
    var codes = Set(Expectations.failures[entry.identifier] ?? []).union(["device.authentication/missing"])
    if anchors.isEmpty { codes.insert("issuer.trust") }
    #expect(Set(report.failed) == codes)
    #expect(report.verified == nil)
    try Claims(report: report, documents: [facts], anchors: anchors).check(entry)
  }
}
