import CBOR
import COSE
import Crypto
import DocumentFixtures
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives

@Suite("Tolerances of a lenient policy")
struct ToleranceTests {
  /// Verifies a document under each policy.
  private func reports(
    chain: [Certificate]? = nil, trusted: [Certificate]? = nil, deviceKey: P256.Signing.PrivateKey? = nil,
    issuedKey: (([UInt8]) throws -> [UInt8])? = nil
  ) async throws -> [VerificationPolicy: VerificationReport] {
    let port = try Spaceport.shared
    let device = deviceKey ?? port.deviceKey
    var draft = try port.draft()
    draft.deviceKey = COSEKey(device.publicKey)
    var randomness = DrawnRandomness(seed: 1, length: nil)
    var issued = try draft.issued(
      by: port.signerKey, chain: (chain ?? [port.signer]).map { try $0.derEncoded() }, randomness: &randomness)
    if let issuedKey { issued = try issuedKey(issued) }
    let held = try HeldDocument(issued: issued, deviceKey: COSEKey(device.publicKey))
    let request = Spaceport.request(["family_name", "issuing_country"])
    let document = try held.presented(
      held.answer(to: request).nameSpaces, over: port.transcript, signedWith: device)
    var reports: [VerificationPolicy: VerificationReport] = [:]
    for policy in VerificationPolicy.allCases {
      reports[policy] = await DeviceResponseVerifier(
        trustedIssuers: try trusted ?? [port.issuer.root], policy: policy
      ).verify(
        DeviceResponseWriter.encoded(documents: [document]), over: port.transcript, requests: [request], at: port.now)
    }
    return reports
  }

  private func expect(_ name: String, in reports: [VerificationPolicy: VerificationReport]) {
    for policy in [VerificationPolicy.standard, .strict] {
      #expect(reports[policy]?.verified == nil && reports[policy]?.failed.contains(name) == true, "\(policy)")
    }
    let failure = reports[.standard]?.checks.first { $0.name == name }
    #expect(
      failure?.evidence.contains(CheckResult.Evidence("policy", expected: "lenient", found: "standard")) == true)
    #expect(reports[.standard]?.failed == [name])
    #expect(reports[.lenient]?.failed == [] && reports[.lenient]?.verified != nil)
    #expect(reports[.lenient]?.deviating.contains(name) == true)
  }

  @Test("a signer without a country is accepted by a lenient policy only")
  func missingCountry() async throws {
    let port = try Spaceport.shared
    let authority = try CertificateAuthority(
      name: CertificateName(commonName: "Nowhere"), contact: "https://nowhere.example",
      terms: Spaceport.terms(port.now, days: 3650), signer: fixedKey(40))
    let signer = try Spaceport.documentSigner(
      of: authority, key: port.signerKey, country: nil, state: nil, terms: Spaceport.terms(port.now, days: 400))
    expect("issuer.country/missing", in: try await reports(chain: [signer], trusted: [authority.root]))
  }

  @Test("a signer with a country outside ISO 3166-1 is accepted by a lenient policy only")
  func unassignedCountry() async throws {
    let port = try Spaceport.shared
    let authority = try CertificateAuthority(
      name: CertificateName(country: "UT", commonName: "Utopia"),
      contact: "https://utopia.example", terms: Spaceport.terms(port.now, days: 3650), signer: fixedKey(41))
    let signer = try Spaceport.documentSigner(
      of: authority, key: port.signerKey, country: "UT", state: nil, terms: Spaceport.terms(port.now, days: 400))
    expect("issuer.country/unassigned", in: try await reports(chain: [signer], trusted: [authority.root]))
  }

  /// A key of which a coordinate begins with a zero byte.
  private static func shortKey() throws -> P256.Signing.PrivateKey {
    for number in 0...UInt16.max {
      let bytes = [UInt8](repeating: 1, count: 30) + [UInt8(number >> 8), UInt8(number & 0xff)]
      let key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
      if COSEKey(key.publicKey).x[0] == 0 { return key }
    }
    throw CancellationError()
  }

  @Test("a device key without its leading zeros is accepted by a lenient policy only")
  func shortCoordinate() async throws {
    let port = try Spaceport.shared
    let key = try Self.shortKey()
    let x = COSEKey(key.publicKey).x
    let reports = try await reports(deviceKey: key) { issued in
      let issuerSigned = try UnverifiedIssuerSigned(CBORReader.read(issued))
      let signed = try CBORReader.read(issuerSigned.issuerAuthBytes).array()
      let object = try CBORReader.read(signed.at(2).bytes()).withoutTag(24).bytes()
      let label: [UInt8] = [0x21, 0x58, 0x20]
      let place = try #require(object.indices.first { object[$0...].starts(with: label + x) })
      let short = object[..<place] + [0x21, 0x58, 0x1f] + object[(place + label.count + 1)...]
      let issuerAuth = try COSESign1.sign(
        payload: CBORValue.tagged(24, .bytes(Array(short))).encoded, detached: false,
        x5chain: [port.signer.derEncoded()], with: port.signerKey)
      return CBORWriter.encode(capacity: 4096) {
        UnverifiedIssuerSigned.write(nameSpaces: issuerSigned.nameSpaces, issuerAuth: issuerAuth, to: &$0)
      }
    }
    expect("mso.device-key/short-coordinate", in: reports)
  }

  @Test("every tolerance names its source, and nothing else does")
  func sources() {
    for check in ResponseCheck.definitions {
      for reason in check.reasons {
        #expect((reason.severity == .tolerance) == (reason.source?.isEmpty == false), "\(check.id) \(reason.id ?? "")")
      }
    }
  }

  @Test("no policy accepts a wrong signature, digest or chain", arguments: VerificationPolicy.allCases)
  func neverTolerated(policy: VerificationPolicy) {
    for check in [
      ResponseCheck.issuerSignature, .issuerTrust, .elementDigest, .elementCoverage, .deviceSignature, .documentType,
    ] {
      for reason in check.definition.reasons { #expect(reason.severity.refuses(under: policy), "\(check.id)") }
    }
  }
}
