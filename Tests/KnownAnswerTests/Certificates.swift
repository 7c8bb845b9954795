import COSE
import Certificates
import Inspection
import MobileDocument
import Primitives
import TestSupport
import Testing
import X509

extension KnownFile {
  /// Certificates of real and of test authorities. The tests of profiles compare their rules one by one.
  static var certificates: KnownFile {
    let roles = ["IACA", "DS", "VICAL-CA", "reader-CA", "reader", "other"]
    let exercise: Exercise = { try KnownCertificate.exercise($0) }
    return KnownFile(
      "certificates", count: 102, kind: { $0["role"]?.text ?? "" },
      Dictionary(uniqueKeysWithValues: roles.map { ($0, exercise) }))
  }
}

private enum KnownCertificate {
  /// Certificates that the library's DER reader refuses, with the reason.
  private static let unreadable: [String: String] = [
    "multipaz-wallet-cn-multipaz-test-iaca-st-ma-c-us": "top bit set",
    "isomdl-owf-multipaz-ds-p384-pem": "top bit set",
    "interop-ul-cert-iaca-02-cer-pem": "unsupportedPublicKeyAlgorithm",
    "ds-mdoc-ts-ubique": "truncatedASN1Field",
  ]

  static func exercise(_ entry: Vector) throws {
    let der = try entry.bytes("hex")
    let certificate: Certificate
    do {
      certificate = try Certificate(derEncoded: der)
    } catch {
      let reason = try #require(unreadable[entry.identifier], "\(error)")
      #expect("\(error)".contains(reason))
      return
    }
    #expect(unreadable[entry.identifier] == nil)
    #expect(try certificate.derEncoded() == der)
    expectInspected(entry, der, as: "certificate")
    let facts = try #require(entry["facts"])
    if facts["parse_error"] != nil { return }
    try compare(certificate, facts)
    try checkIssuer(certificate, entry)
  }

  private static func compare(_ certificate: Certificate, _ facts: JSON) throws {
    #expect(certificate.validity.from == (try moment(facts["not_before"]?.text)))
    #expect(certificate.validity.until == (try moment(facts["not_after"]?.text)))
    #expect(certificate.subjectKeyIdentifier.map(hexadecimal) == facts["ski"]?.text)
    #expect(certificate.authorityKeyIdentifier.map(hexadecimal) == facts["aki"]?.text)
    #expect(certificate.isSelfIssued == (facts["subject"] == facts["issuer"]))
    let constraints = try? certificate.extensions.basicConstraints
    let isAuthority = if case .isCertificateAuthority? = constraints { true } else { false }
    #expect(isAuthority == (facts["basic_constraints"]?["ca"]?.boolean ?? false))
    let curves: [String: COSEAlgorithm] = ["P-256": .es256, "P-384": .es384, "P-521": .es512]
    #expect((try? certificate.verificationKey())?.algorithm == facts["curve"]?.text.flatMap { curves[$0] })
  }

  /// The signature verifies with the issuer's key, which is its own or in the vector.
  private static func checkIssuer(_ certificate: Certificate, _ entry: Vector) throws {
    for claim in (entry["verified"]?.array ?? []).compactMap(\.text) {
      switch claim {
      case "parses": break
      case "self-signature verifies":
        #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
      case "signed by supplied issuer":
        let issuer = try Certificate(derEncoded: entry.bytes("issuer_hex"))
        #expect(issuer.publicKey.isValidSignature(certificate.signature, for: certificate))
      default: Issue.record("\(entry): nothing checks \"\(claim)\"")
      }
    }
  }
}
