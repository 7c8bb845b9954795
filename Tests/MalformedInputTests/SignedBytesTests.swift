import CBOR
import COSE
import Certificates
import Crypto
import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing
import WebPresentment
import X509

/// Signed or encrypted data cannot be changed into other data that verifies.
@Suite("Changed bytes of signed data never verify")
struct SignedBytesTests {
  /// A valid response with the inputs of its verification.
  struct Honest: Sendable, CustomTestStringConvertible {
    let file: String
    let identifier: String
    var member = "hex"
    let transcript: [UInt8]
    let anchors: [[UInt8]]
    let time: String

    var testDescription: String { "\(file) \(identifier)" }

    func bytes() throws -> [UInt8] { try Vectors.entry(identifier, of: "\(file).json").bytes(member) }

    func elements(of bytes: [UInt8]) async throws -> [String: CBORValue]? {
      let verifier = DeviceResponseVerifier(trustedIssuers: try anchors.map { try Certificate(derEncoded: $0) })
      let moment = try #require(DateTime.parse(time)).moment
      let report = await verifier.verify(
        bytes, over: SessionTranscript(encoded: transcript), requests: nil, at: moment)
      guard let verified = report.verified else { return nil }
      let elements = verified.documents.flatMap { document in
        document.elements.map { ("\(document.documentType) \($0.nameSpace) \($0.identifier)", $0.value) }
      }
      return Dictionary(elements) { first, _ in first }
    }
  }

  /// The maximum number of changed responses for each, evenly spread: each takes three signature checks.
  private static let mostChanges = 500

  private static func entryBytes(_ identifier: String, _ file: String, _ member: String = "hex") -> [UInt8] {
    (try? Vectors.entry(identifier, of: "\(file).json").bytes(member)) ?? []
  }

  static let honestResponses: [Honest] = {
    let synthetic = "synthetic_annex_c"
    let transcript = entryBytes("encryption-info", synthetic, "session_transcript_hex")
    let reference = "iso-18013-7-annex-c-reference"
    return [
      Honest(
        file: synthetic, identifier: "ok-basic", member: "plaintext_hex", transcript: transcript,
        anchors: [entryBytes("cert-iaca", synthetic)], time: "2026-06-01T00:00:00Z"),
      Honest(
        file: synthetic, identifier: "ok-device-signed-element", member: "plaintext_hex", transcript: transcript,
        anchors: [entryBytes("cert-iaca", synthetic)], time: "2026-06-01T00:00:00Z"),
      Honest(
        file: "annex_c_dcapi", identifier: reference, member: "plaintext_device_response_hex",
        transcript: entryBytes(reference, "annex_c_dcapi", "session_transcript_hex"),
        anchors: [entryBytes(reference, "annex_c_dcapi", "trust_anchor_der_hex")], time: "2020-12-31T00:00:00Z"),
    ]
  }()

  @Test(
    "a changed response has the same content or is refused",
    .requiresVectors("annex_c_dcapi", "synthetic_annex_c"), arguments: honestResponses)
  func response(_ honest: Honest) async throws {
    let bytes = try honest.bytes()
    let said = try #require(try await honest.elements(of: bytes))
    #expect(!said.isEmpty)
    var changes: [[UInt8]] = []
    let extent = Damage.Extent.ordinarily(.spread(Self.mostChanges), of: honest.identifier)
    _ = Damage.changes(of: [bytes], extent) { changes.append($0) }
    for changed in changes {
      // The unsigned envelope can be changed so that elements are missing, but not so that they differ.
      for (identifier, value) in try await honest.elements(of: changed) ?? [:] {
        #expect(said[identifier] == value, "\(identifier)")
      }
    }
  }

  static let signedRequests = [
    "req-1.0-readerAuth", "req-1.1-readerAuthAll-useCases", "req-1.1-readerAuthAll-no-info",
  ]

  @Test(
    "A changed request asks the same, loses its reader signature, or is refused",
    .requiresVectors("synthetic_annex_c"), arguments: signedRequests)
  func requests(identifier: String) throws {
    let entry = try Vectors.entry(identifier, of: "synthetic_annex_c.json")
    let transcript = SessionTranscript(
      encoded: Self.entryBytes("encryption-info", "synthetic_annex_c", "session_transcript_hex"))
    let honest = try UnverifiedDeviceRequest(entry.bytes("hex")).authenticate(over: transcript)
    #expect(honest.readerAuthentications.count == 1)
    let tally = Damage.changes(of: [try entry.bytes("hex")], .spread(Self.mostChanges)) { changed in
      guard let found = try? UnverifiedDeviceRequest(changed).authenticate(over: transcript),
        !found.readerAuthentications.isEmpty
      else { return }
      #expect(found.documentRequests.map(\.value) == honest.documentRequests.map(\.value))
      // One signature covers the use cases too.
      if identifier != "req-1.0-readerAuth" { #expect(found.deviceRequestInfo == honest.deviceRequestInfo) }
      #expect(found.readerAuthentications.map(\.leaf) == honest.readerAuthentications.map(\.leaf))
    }
    #expect(tally.tried > 100)
  }

  @Test("a changed COSE message has the same payload or is refused", .requiresVectors("iso18013_5_annex_d"))
  func messages() throws {
    let annexD = "iso18013_5_annex_d"
    let key = try Certificate(derEncoded: Self.entryBytes("cert-ds", annexD)).verificationKey()
    let bytes = Self.entryBytes("issuer-auth", annexD)
    let payload = try COSESign1(CBORReader.read(bytes)).verify(with: key)
    let tally = Damage.changes(of: [bytes], .spread(2 * Self.mostChanges)) { changed in
      guard let item = try? CBORReader.read(changed, leniency: .received), let message = try? COSESign1(item) else {
        return
      }
      if let found = try? message.verify(with: key) { #expect(found == payload) }
    }
    #expect(tally.tried > 100)
  }

  @Test(
    "a changed sealed response opens to the same content or not at all", .requiresVectors("synthetic_annex_c"))
  func sealedResponses() throws {
    let synthetic = "synthetic_annex_c"
    let key = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: Self.entryBytes("key-recipient", synthetic, "d_hex"))
    let transcript = SessionTranscript(
      encoded: Self.entryBytes("encryption-info", synthetic, "session_transcript_hex"))
    let plaintext = Self.entryBytes("ok-basic", synthetic, "plaintext_hex")
    let bytes = Self.entryBytes("ok-basic", synthetic, "response_hex")
    #expect(try EncryptedResponse(encoded: bytes).open(with: key, transcript: transcript) == plaintext)
    let tally = Damage.changes(of: [bytes], .spread(2 * Self.mostChanges)) { changed in
      if let found = try? EncryptedResponse(encoded: changed).open(with: key, transcript: transcript) {
        #expect(found == plaintext)
      }
    }
    #expect(tally.tried > 100)
  }
}
