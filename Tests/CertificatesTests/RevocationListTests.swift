import CBOR
import CrossCheckTrait
import Crypto
import DocumentFixtures
import SwiftASN1
import TestSupport
import TestTraits
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Certificate revocation lists", .crossChecked)
struct RevocationListTests {
  private static let algorithm: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]

  /// A list of the sample authority that revokes some serial numbers.
  static func list(
    revoking serials: [[UInt8]], by key: UInt8 = 1, from: DateTime, until: DateTime?, extensions: [UInt8] = []
  ) throws -> [UInt8] {
    func time(_ moment: DateTime) -> [UInt8] {
      let digits = moment.description.utf8.filter { (0x30...0x39).contains($0) }
      return Rewritten.node(0x18, digits + [UInt8(ascii: "Z")])
    }
    var serializer = DER.Serializer()
    try serializer.serialize(Spaceport.shared.issuer.root.subject)
    let entries = serials.map { serial in
      Rewritten.sequence(
        Rewritten.node(0x02, serial) + time(from)
          + Rewritten.sequence(
            Rewritten.sequence([0x06, 0x03, 0x55, 0x1d, 0x15] + Rewritten.node(0x04, [0x0a, 0x01, 0x01]))))
    }
    let identifier = Rewritten.sequence(try Rewritten.identifier(algorithm))
    let signed = Rewritten.sequence(
      [0x02, 0x01, 0x01] + identifier + serializer.serializedBytes + time(from) + (until.map(time) ?? [])
        + (entries.isEmpty ? [] : Rewritten.sequence(entries.flatMap { $0 }))
        + (extensions.isEmpty ? [] : Rewritten.node(0xa0, Rewritten.sequence(extensions))))
    let signature: P256.Signing.ECDSASignature = try fixedKey(key).signature(for: signed)
    return Rewritten.sequence(signed + identifier + Rewritten.node(0x03, [0] + signature.derRepresentation))
  }

  private func outcome(_ lists: [[UInt8]], at moment: DateTime? = nil) async throws -> [CheckResult] {
    let port = try Spaceport.shared
    let trusted = TrustedCertificates([try port.issuer.root], for: .documentSigner)
    let path = try await trusted.validate([port.signer], at: port.now).get()
    return try path.revocations(lists.map { try CertificateRevocationList(derEncoded: $0) }, at: moment ?? port.now)
  }

  @Test("a certificate is revoked, not revoked, or of unknown status")
  func outcomes() async throws {
    let port = try Spaceport.shared
    let own = CertificateFields(port.signer).serialNumber
    let (now, later) = (port.now, port.now.adding(days: 9))
    let other = try Self.list(revoking: [[1], [2, 3]], from: now, until: later)
    let revoking = try Self.list(revoking: [[1], own], from: now, until: later)
    let forged = try Self.list(revoking: [own], by: 2, from: now, until: later)
    let unending = try Self.list(revoking: [], from: now, until: nil)
    let critical = try Self.list(
      revoking: [], from: now, until: later,
      extensions: Rewritten.sequence([0x06, 0x03, 0x55, 0x1d, 0x1c, 0x01, 0x01, 0xff, 0x04, 0x02, 0x30, 0x00]))
    let partial: [UInt8] = Rewritten.sequence(
      [0x06, 0x03, 0x55, 0x1d, 0x1c, 0x01, 0x01, 0xff, 0x04, 0x02, 0x30, 0x00])
    let before = try Self.list(revoking: [own], from: now.adding(days: -1), until: later)
    let clear = try Self.list(revoking: [], from: now.adding(days: -1), until: later)
    let partialRevoking = try Self.list(revoking: [own], from: now, until: later, extensions: partial)
    let partialBefore = try Self.list(
      revoking: [own], from: now.adding(days: -2), until: later, extensions: partial)
    let rows: [([[UInt8]], String, CheckResult.Status)] = [
      // A newer list of some certificates alone hides no entry, clears nothing, and can revoke.
      ([before, critical], "certificate.revocation", .failed), ([clear, critical], "certificate.revocation", .passed),
      ([clear, partialRevoking], "certificate.revocation", .failed),
      ([partialRevoking], "certificate.revocation", .failed),
      ([clear, partialBefore], "certificate.revocation", .passed),
      ([other], "certificate.revocation", .passed), ([revoking], "certificate.revocation", .failed),
      ([], "certificate.revocation-list/missing", .deviates),
      ([forged], "certificate.revocation-list/signature", .failed),
      ([forged, revoking], "certificate.revocation", .failed),
      ([unending], "certificate.revocation-list/stale", .failed),
      ([critical], "certificate.revocation-list/malformed", .failed),
    ]
    for (lists, name, expected) in rows {
      let found = try await outcome(lists)
      #expect(found.map(\.name) == [name] && found.map(\.status) == [expected])
    }
    for (moment, expected) in [(later, CheckResult.Status.passed), (later.adding(seconds: 1), .failed)] {
      #expect(try await outcome([other], at: moment).map(\.status) == [expected])
    }
    // A revoked certificate stays revoked, even in an outdated list.
    #expect(try await outcome([revoking], at: later.adding(days: 1)).map(\.name) == ["certificate.revocation"])
    #expect(try CertificateRevocationList(derEncoded: revoking).entries.map(\.reason) == [1, 1])
  }

  @Test("a serial number with needless octets makes the list malformed")
  func longSerialNumbers() throws {
    let port = try Spaceport.shared
    let own = CertificateFields(port.signer).serialNumber
    func list(_ serial: [UInt8]) throws -> CertificateRevocationList {
      try CertificateRevocationList(
        derEncoded: Self.list(revoking: [serial], from: port.now, until: port.now.adding(days: 1)))
    }
    #expect(try list(own).entry(of: port.signer) != nil)
    for serial in [[0] + own, [0, 0] + own, [0xff, 0xff], [0, 0]] {
      let error = #expect(throws: CertificateRuleError.self) { try list(serial) }
      #expect(error?.code == .revocationListUnreadable)
    }
    #expect(try list([0, 0x80]).entries.count == 1 && list([0xff]).entries.count == 1)
  }

  @Test("damaged lists are refused or do not verify")
  func damage() throws {
    let port = try Spaceport.shared
    let whole = try Self.list(revoking: [[1]], from: port.now, until: port.now.adding(days: 1))
    #expect(try CertificateRevocationList(derEncoded: whole).isSigned(by: port.issuer.root))
    for bytes in Damage.sample(of: whole, seed: 31) {
      guard let list = try? CertificateRevocationList(derEncoded: bytes) else { continue }
      #expect(try !list.isSigned(by: port.issuer.root))
    }
    let large = [UInt8](repeating: 0x30, count: CertificateRevocationList.maximumLength + 1)
    #expect(throws: CertificateRuleError.self) { try CertificateRevocationList(derEncoded: large) }
  }

  @Test("the list of another implementation is read", .requiresVectors("synthetic_annex_c"))
  func known() throws {
    let list = try CertificateRevocationList(
      derEncoded: Vectors.entry("crl", of: "synthetic_annex_c.json").bytes("hex"))
    let root = try certificate(Vectors.entry("cert-iaca", of: "synthetic_annex_c.json").bytes("hex"))
    #expect(list.version == 2 && list.issuer == root.subject && list.isSigned(by: root) && !list.entries.isEmpty)
    #expect(list.nextUpdate.map { $0 > list.thisUpdate } == true)
    #expect(try !list.isSigned(by: Spaceport.shared.issuer.root))
  }
}
