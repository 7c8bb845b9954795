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

@Suite("Annex D of ISO/IEC 18013-5: response", .crossChecked, .requiresVectors("iso18013_5_annex_d"))
struct AnnexDResponseTests {
  private static let inside = "2021-01-01T00:00:00Z"

  private func report(
    _ change: (inout [UInt8]) -> Void = { _ in }, at time: String = inside, root: String = "cert-iaca",
    transcript: SessionTranscript? = nil, requests: [ItemsRequest]? = nil
  ) async throws -> VerificationReport {
    var bytes = try AnnexD.bytes("device-response")
    change(&bytes)
    let verifier = DeviceResponseVerifier(
      trustedIssuers: [try certificate(AnnexD.bytes(root))], ephemeralReaderKey: try AnnexD.readerKey)
    return await verifier.verify(
      bytes, over: try transcript ?? AnnexD.transcript, requests: requests, at: try moment(time))
  }

  @Test("the issuer signature covers the published Sig_structure and verifies")
  func issuerSignature() throws {
    let signature = try COSESign1(CBORReader.read(AnnexD.bytes("issuer-auth")))
    let payload = try #require(signature.unverifiedPayload)
    #expect(signature.signedBytes(payload: payload) == (try AnnexD.printed("issuer-auth", "Sig_structure")))
    let signer = try certificate(AnnexD.bytes("cert-ds"))
    #expect(try signature.verify(with: signer.verificationKey()) == AnnexD.bytes("mobile-security-object-bytes"))
    #expect(signature.headers.x5chain == [try AnnexD.bytes("cert-ds")])
  }

  @Test("the mobile security object has the published values")
  func securityObject() throws {
    let object = try MobileSecurityObject(payload: AnnexD.bytes("mobile-security-object-bytes"))
    let printed = try #require(try AnnexD.entry("mobile-security-object-bytes")["decoded"])
    #expect(object.version == printed["version"]?.text)
    #expect(object.documentType == printed["docType"]?.text)
    #expect(object.digestAlgorithm == .sha256)
    #expect(
      object.deviceKey?.x
        == (try P256.KeyAgreement.PrivateKey(rawRepresentation: AnnexD.bytes("key-SDeviceKey")))
        .publicKey.rawRepresentation.prefix(32).map { $0 })
    for (key, date) in [
      ("signed", object.validity?.signed), ("validFrom", object.validity?.validFrom),
      ("validUntil", object.validity?.validUntil),
    ] {
      #expect(printed["validityInfo"]?[key]?["value"]?.text == date?.description)
    }
    #expect(object.validity?.expectedUpdate == nil && object.deviations.isEmpty && object.keyAuthorizations == .none)
    let digests = try #require(printed["valueDigests"]?.object)
    #expect(digests.mapValues { $0.object?.count } == ["org.iso.18013.5.1": 13, "org.iso.18013.5.1.US": 4])
    #expect(object.valueDigests.count == digests.count)
    for (nameSpace, found) in object.valueDigests {
      let wanted = try #require(digests[nameSpace]?.object)
      #expect(found.entries.count == wanted.count)
      for entry in found.entries {
        #expect(wanted[String(entry.identifier)]?["hex"]?.text == hexadecimal(entry.digest))
      }
    }
  }

  @Test("the device authenticates the published DeviceAuthenticationBytes")
  func deviceAuthenticationBytes() throws {
    let bytes = try AnnexD.transcript.deviceAuthenticationBytes(
      documentType: "org.iso.18013.5.1.mDL", deviceNameSpacesBytes: [0xd8, 0x18, 0x41, 0xa0])
    #expect(bytes == (try AnnexD.bytes("device-authentication-bytes")))
  }

  @Test("both parties derive the published EMacKey, and the MAC verifies with it")
  func deviceMac() throws {
    let deviceKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: AnnexD.bytes("key-SDeviceKey"))
    let readerKey = try AnnexD.readerKey
    let printed = try AnnexD.printed("device-auth-mac", "EMacKey")
    let ofReader = try DeviceMAC.key(
      privateKey: readerKey, publicKey: deviceKey.publicKey, transcript: AnnexD.transcript)
    let ofDevice = try DeviceMAC.key(
      privateKey: deviceKey, publicKey: readerKey.publicKey, transcript: AnnexD.transcript)
    #expect(ofReader == SymmetricKey(data: printed))
    #expect(ofDevice == SymmetricKey(data: printed))
    let authentication = try CBORReader.read(AnnexD.bytes("device-auth-mac")).map()
    let code = try COSEMac0(authentication.required("deviceMac"))
    let signed = try AnnexD.bytes("device-authentication-bytes")
    #expect(try code.verify(with: ofReader, detachedPayload: signed) == signed)
    #expect(
      COSEMac0.authenticate(detachedPayload: signed, with: ofDevice)
        == [UInt8](try authentication.required("deviceMac").encoded))
  }

  @Test("the whole response verifies, with every check in the standard's order")
  func verifies() async throws {
    let report = try await report()
    #expect(report.failed == [])
    let verified = try #require(report.verified?.documents.first)
    #expect(verified.documentType == "org.iso.18013.5.1.mDL" && verified.issuer == "utopia iaca")
    let printed = try #require(
      try AnnexD.entry("device-response")["expected"]?["elements"]?["org.iso.18013.5.1"]?.object)
    #expect(verified.elements.count == printed.count)
    for element in verified.elements {
      #expect(element.nameSpace == "org.iso.18013.5.1")
      #expect(isPrinted(element.value, try #require(printed[element.identifier])), "\(element.identifier)")
    }
    // The example's security object is valid half a day longer than its signer, its signer's revocation list has no
    // URI, and it has a MAC instead of a signature.
    #expect(
      report.deviating == ["issuer.certificate.profile/crl-distribution-points", "mso.signer-validity/outlives-signer"])
    #expect(report.checks.map(\.check) == ResponseCheck.definitions.map(\.id))
    #expect(report.checks.allSatisfy { $0.status != .notReached })
  }

  @Test("the response has exactly the elements of the example's request")
  func comparesWithRequest() async throws {
    let asked = try UnverifiedDeviceRequest(AnnexD.bytes("device-request-v1.0")).unverifiedContents().documentRequests
    let report = try await report(requests: asked)
    #expect(report.verified != nil)
    #expect(
      report.deviating == ["issuer.certificate.profile/crl-distribution-points", "mso.signer-validity/outlives-signer"])
    #expect(report.checks.allSatisfy { $0.status != .notReached })
  }

  @Test(
    "outside its validity the response fails for the violated date",
    arguments: [
      (
        "2020-09-30T23:59:59Z",
        ["issuer.trust", "issuer.certificate.validity/not-yet-valid", "mso.validity/not-yet-valid"]
      ),
      ("2020-10-01T00:00:00Z", ["mso.validity/not-yet-valid"]),
      ("2020-10-01T13:30:01Z", ["mso.validity/not-yet-valid"]),
      ("2020-10-01T13:30:02Z", []), ("2021-10-01T00:00:00Z", []),
      ("2021-10-01T00:00:01Z", ["issuer.certificate.validity/expired"]),
      ("2021-10-01T13:30:02Z", ["issuer.certificate.validity/expired"]),
      ("2021-10-01T13:30:03Z", ["issuer.certificate.validity/expired", "mso.validity/expired"]),
    ])
  func dates(_ time: String, failed: [String]) async throws {
    let report = try await report(at: time)
    #expect(report.failed == failed)
    #expect((report.verified != nil) == failed.isEmpty)
  }

  @Test("the response is not trusted under another root")
  func otherRoot() async throws {
    let report = try await report(root: "cert-reader-root")
    #expect(report.failed == ["issuer.trust"])
    #expect(report.verified == nil)
  }

  @Test("the MAC does not verify over another transcript")
  func otherTranscript() async throws {
    #expect(try await report(transcript: SessionTranscript(encoded: [0x80])).failed == ["device.signature/mac-invalid"])
  }

  @Test("a device MAC cannot be verified without the reader's key")
  func noReaderKey() async throws {
    let verifier = DeviceResponseVerifier(trustedIssuers: [try certificate(AnnexD.bytes("cert-iaca"))])
    let report = await verifier.verify(
      try AnnexD.bytes("device-response"), over: try AnnexD.transcript, requests: nil, at: try moment(Self.inside))
    #expect(report.failed == ["device.signature/mac-unsupported"])
  }

  @Test(
    "a changed byte fails the check that covers it",
    arguments: [
      ("63446f65", ["element.digest"]), ("69313233343536373839", ["element.digest"]),
      ("75167333b47b6c2bfb86eccc", ["issuer.signature/invalid", "element.digest"]),
      ("e99521a85ad7891b", ["device.signature/mac-invalid"]),
    ])
  func changedByte(_ place: String, codes: [String]) async throws {
    let sought = Hex.bytes(place)
    let report = try await report { bytes in
      let start = bytes.indices.first { bytes[$0...].starts(with: sought) } ?? 0
      bytes[start + sought.count - 1] ^= 1
    }
    #expect(report.failed == codes)
    #expect(report.verified == nil)
  }

  @Test("no changed byte changes the claims")
  func changedBytes() async throws {
    func said(_ report: VerificationReport) -> [String: CBORValue] {
      let elements = report.verified?.documents.first?.elements ?? []
      return Dictionary(elements.map { ($0.identifier, $0.value) }) { first, _ in first }
    }
    let honest = said(try await report())
    #expect(honest.count == 6)
    let count = try AnnexD.bytes("device-response").count
    for place in stride(from: 0, to: count, by: 37) {
      // The unsigned envelope can be changed so that elements are missing, but not so that they differ.
      for (identifier, value) in said(try await report { $0[place] ^= 0x10 }) {
        #expect(honest[identifier] == value, "byte \(place)")
      }
    }
  }
}
