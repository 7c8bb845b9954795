import CBOR
import COSE
import CrossCheckTrait
import Crypto
import DocumentFixtures
import TestSupport
import TestTraits
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

/// The worked example of ISO/IEC 18013-5, annex D.
enum AnnexD {
  static func entry(_ identifier: String) throws -> Vector {
    try Vectors.entry(identifier, of: "iso18013_5_annex_d.json")
  }

  static func bytes(_ identifier: String) throws -> [UInt8] { try entry(identifier).bytes("hex") }

  static func printed(_ identifier: String, _ member: String) throws -> [UInt8] {
    let text = try #require(try entry(identifier)["expected"]?[member]?.text)
    return try #require(Hex.decode(text))
  }

  static var transcript: SessionTranscript {
    get throws {
      SessionTranscript(encoded: try CBORReader.read(bytes("session-transcript-bytes")).embeddedBytes())
    }
  }

  static var readerKey: P256.KeyAgreement.PrivateKey {
    get throws { try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes("key-EReaderKey")) }
  }
}

@Suite("Annex D of ISO/IEC 18013-5: requests", .crossChecked, .requiresVectors("iso18013_5_annex_d"))
struct AnnexDRequestTests {
  @Test("the tagged transcript is equal to the published one")
  func transcript() throws {
    #expect(try AnnexD.transcript.sessionTranscriptBytes == AnnexD.bytes("session-transcript-bytes"))
  }

  @Test("the reader signature covers the published ReaderAuthenticationBytes and Sig_structure")
  func readerAuthenticationBytes() throws {
    let request = try CBORReader.read(AnnexD.bytes("device-request-v1.0"), readingEmbedded: false)
    let items = try request.map().required("docRequests").array().at(0).map().required("itemsRequest")
    let signed = try AnnexD.transcript.readerAuthenticationBytes(itemsRequestBytes: [UInt8](items.encoded))
    #expect(signed == (try AnnexD.printed("reader-auth", "ReaderAuthenticationBytes")))
    let signature = try COSESign1(CBORReader.read(AnnexD.bytes("reader-auth")))
    #expect(signature.signedBytes(payload: signed) == (try AnnexD.printed("reader-auth", "Sig_structure")))
  }

  @Test("the signed request authenticates with its elements")
  func authenticates() throws {
    let unverified = try UnverifiedDeviceRequest(AnnexD.bytes("device-request-v1.0"))
    #expect(unverified.version == "1.0" && unverified.isSigned)
    let request = try unverified.authenticate(over: AnnexD.transcript)
    let asked = request.documentRequests.map(\.value)
    #expect(asksAsPrinted(asked, try AnnexD.entry("device-request-v1.0")["expected"]?["docs"]))
    #expect(asked.first?.nameSpaces.first?.elements.map(\.identifier).first == "family_name")
    #expect(request.deviceRequestInfo == nil && request.findings.isEmpty)
    #expect(request.readerAuthentications.map(\.coverage) == [.document(0)])
    #expect(request.readerAuthentications.first?.leaf == (try certificate(AnnexD.bytes("cert-reader"))))
    #expect(request.readerAuthentications(covering: 0).count == 1)
    #expect(request.readerAuthentications(covering: 1).isEmpty)
    #expect(try unverified.unverifiedContents().documentRequests == asked)
  }

  @Test("the reader's chain leads to the published reader root")
  func readerPath() async throws {
    let leaf = try certificate(AnnexD.bytes("cert-reader"))
    let root = try certificate(AnnexD.bytes("cert-reader-root"))
    let path = try await TrustedCertificates([root], for: .reader)
      .validate([leaf], at: moment("2021-01-01T00:00:00Z")).get()
    #expect(path.certificates == [leaf, root])
  }

  @Test("the request is refused over another transcript")
  func otherTranscript() throws {
    let request = try UnverifiedDeviceRequest(AnnexD.bytes("device-request-v1.0"))
    #expect(refusal { _ = try request.authenticate(over: SessionTranscript(encoded: [0x80])) } == .readerSignature)
  }

  @Test("the unsigned request of the second edition is read with its use cases")
  func secondEdition() throws {
    let request = try UnverifiedDeviceRequest(AnnexD.bytes("device-request-v1.1-deviceRequestInfo"))
    #expect(request.version == "1.1" && !request.isSigned)
    let contents = try request.unverifiedContents()
    let expected = try AnnexD.entry("device-request-v1.1-deviceRequestInfo")["expected"]
    #expect(asksAsPrinted(contents.documentRequests, expected?["docs"]))
    #expect(
      contents.deviceRequestInfo
        == DeviceRequestInfo(useCases: [
          DeviceRequestInfo.UseCase(isMandatory: false, documentSets: [[0]]),
          DeviceRequestInfo.UseCase(isMandatory: false, documentSets: [[1], [2]]),
        ]))
    #expect(contents.chains.isEmpty)
    let authenticated = try request.authenticate(over: AnnexD.transcript)
    #expect(authenticated.documentRequests.map(\.value) == contents.documentRequests)
    #expect(authenticated.readerAuthentications.isEmpty && authenticated.findings.isEmpty)
  }
}

@Suite("Device requests of other implementations", .crossChecked, .requiresVectors("device_requests"))
struct KnownRequestTests {
  @Test("all five vectors are present")
  func count() {
    #expect(Vectors.entries(of: "device_requests.json").count == 5)
  }

  @Test("each request has the published elements", arguments: Vectors.entries(of: "device_requests.json"))
  func contents(of entry: Vector) throws {
    let request = try UnverifiedDeviceRequest(entry.bytes("hex"))
    #expect(request.version == entry["expected"]?["version"]?.text)
    #expect(asksAsPrinted(try request.unverifiedContents().documentRequests, entry["expected"]?["docs"]))
  }
}
