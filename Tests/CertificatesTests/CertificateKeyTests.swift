import CBOR
import Crypto
import DocumentFixtures
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Kinds of certificate keys")
struct CertificateKeyTests {
  private static let ellipticCurve: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]
  private static let point = [4] + [UInt8](repeating: 0x11, count: 64)

  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let algorithm: ASN1ObjectIdentifier
    var curve: ASN1ObjectIdentifier?
    var parameters: [UInt8] = []
    let bits: [UInt8]
    let rule: CertificateRule
    let isOfUnknownKind: Bool
  }

  static let kinds = [
    Kind(
      testDescription: "brainpoolP256r1", algorithm: ellipticCurve, curve: [1, 3, 36, 3, 3, 2, 8, 1, 1, 7], bits: point,
      rule: .keySupport, isOfUnknownKind: true),
    Kind(
      testDescription: "brainpoolP512r1", algorithm: ellipticCurve, curve: [1, 3, 36, 3, 3, 2, 8, 1, 1, 13],
      bits: point,
      rule: .keySupport, isOfUnknownKind: true),
    Kind(
      testDescription: "Ed448", algorithm: [1, 3, 101, 113], bits: [UInt8](repeating: 1, count: 57), rule: .keySupport,
      isOfUnknownKind: true),
    Kind(
      testDescription: "secp256k1", algorithm: ellipticCurve, curve: [1, 3, 132, 0, 10], bits: point, rule: .key,
      isOfUnknownKind: true),
    Kind(
      testDescription: "another algorithm", algorithm: [1, 2, 3, 4], bits: point, rule: .key, isOfUnknownKind: true),
    Kind(
      testDescription: "explicit parameters", algorithm: ellipticCurve, parameters: [0x30, 0x03, 0x02, 0x01, 0x01],
      bits: point, rule: .keyEncoding, isOfUnknownKind: false),
    Kind(
      testDescription: "no point of the curve", algorithm: ellipticCurve, curve: [1, 2, 840, 10045, 3, 1, 7],
      bits: point,
      rule: .keyEncoding, isOfUnknownKind: false),
    Kind(
      testDescription: "a compressed point", algorithm: ellipticCurve, curve: [1, 2, 840, 10045, 3, 1, 7],
      bits: [2] + [UInt8](repeating: 0x11, count: 32), rule: .keyEncoding, isOfUnknownKind: false),
    Kind(
      testDescription: "a compressed point of brainpool", algorithm: ellipticCurve,
      curve: [1, 3, 36, 3, 3, 2, 8, 1, 1, 7], bits: [2] + [UInt8](repeating: 0x11, count: 32), rule: .keyEncoding,
      isOfUnknownKind: false),
  ]

  private func certificate(_ kind: Kind) throws -> [UInt8] {
    let parameters = try kind.curve.map(Rewritten.identifier) ?? kind.parameters
    return try Rewritten.certificate(
      Spaceport.shared.reader, [6: Rewritten.key(kind.algorithm, parameters, bits: kind.bits)])
  }

  @Test("the description of an unsupported key names its kind", arguments: kinds)
  func unusable(_ kind: Kind) throws {
    let der = try certificate(kind)
    do {
      _ = try CertificateChain.read([der])
      Issue.record("was read")
    } catch {
      #expect(error.rule == kind.rule && error.isOfUnknownKind == kind.isOfUnknownKind)
      #expect(error.certificate?.subject == (try Spaceport.shared.reader.subject))
    }
    let fields = try CertificateFields(derEncoded: der)
    #expect(fields.certificate == nil)
    let failed = CertificateProfile.reader.check(fields).filter { $0.status == .failed }
    #expect(failed.map(\.reason) == [kind.rule.rawValue])
    #expect(failed.first?.evidence.first?.found == fields.key.name)
  }

  @Test("unsupported trusted certificates are kept separately, and a path to one names the reason")
  func unusableAnchor() async throws {
    let port = try Spaceport.shared
    let parameters = try Rewritten.identifier([1, 3, 36, 3, 3, 2, 8, 1, 1, 13])
    let key = try Rewritten.key(Self.ellipticCurve, parameters, bits: Self.point)
    let root = try Rewritten.certificate(port.readers.root, [6: key])
    let read = try CertificateChain.readTrusted([root, port.otherReaders.root.derEncoded()])
    #expect(read.usable == [port.otherReaders.root] && read.unusable.count == 1)
    let trusted = TrustedCertificates(read.usable, unusable: read.unusable, for: .reader)
    guard case .failure(let error) = await trusted.validate([port.reader], at: port.now) else {
      Issue.record("led to a key that nothing can be verified with")
      return
    }
    #expect(error.code == .key && error.message.contains("brainpoolP512r1"))
    #expect(throws: CertificateRuleError.self) { try CertificateChain.readTrusted([root, [0x30, 0]]) }
  }

  @Test("a certificate with a negative serial number can be trusted")
  func negativeSerialNumber() async throws {
    let port = try Spaceport.shared
    let root = try Rewritten.certificate(port.readers.root, [1: [0x02, 0x02, 0x80, 0x01]])
    do {
      _ = try CertificateChain.read([root])
      Issue.record("was read")
    } catch {
      #expect(error.rule == .serialNumber && !error.isOfUnknownKind)
    }
    let found = CertificateProfile.readerRoot.check(try CertificateFields(derEncoded: root))
    #expect(found.filter { $0.status != .passed }.map(\.reason) == [CertificateRule.serialNumber.rawValue])
    let read = try CertificateChain.readTrusted([root])
    #expect(read.unusable.isEmpty && read.usable.first?.publicKey == port.readers.root.publicKey)
    let path = await TrustedCertificates(read.usable, for: .reader).validate([port.reader], at: port.now)
    #expect(try path.get().certificates.count == 2)
  }

  @Test("a forbidden signature algorithm and one that differs inside and outside are refused")
  func signatureAlgorithms() throws {
    let original = try Spaceport.shared.reader
    func algorithm(_ identifier: ASN1ObjectIdentifier) throws -> [UInt8] {
      Rewritten.sequence(try Rewritten.identifier(identifier))
    }
    for (inner, outer, expected) in [
      ([1, 2, 840, 10045, 4, 3, 2], [1, 2, 840, 10045, 4, 3, 2], .passed),
      ([1, 2, 840, 10045, 4, 3, 3], [1, 2, 840, 10045, 4, 3, 2], .failed),
      ([1, 3, 101, 112], [1, 3, 101, 112], .failed), ([1, 3, 101, 113], [1, 3, 101, 113], .failed),
      ([1, 2, 3], [1, 2, 3], .failed),
      ([1, 2, 840, 113549, 1, 1, 11], [1, 2, 840, 113549, 1, 1, 11], .failed),
    ] as [(ASN1ObjectIdentifier, ASN1ObjectIdentifier, CheckResult.Status)] {
      let der = try Rewritten.certificate(original, [2: algorithm(inner)], algorithm: algorithm(outer))
      let found = CertificateProfile.reader.check(try CertificateFields(derEncoded: der))
      let rule = found.first { $0.reason == CertificateRule.signatureAlgorithm.rawValue }
      #expect(rule?.status == expected, "\(outer)")
    }
  }

  @Test("a certificate has the same fields, however it is read")
  func sameFields() throws {
    let port = try Spaceport.shared
    let known = CertificateFields(port.signer)
    let parameters = try Rewritten.identifier([1, 3, 36, 3, 3, 2, 8, 1, 1, 7])
    let other = try CertificateFields(
      derEncoded: Rewritten.certificate(
        port.signer, [6: Rewritten.key(Self.ellipticCurve, parameters, bits: Self.point)]))
    #expect(other.certificate == nil && known.certificate == port.signer)
    #expect(other.version == known.version && other.serialNumber == known.serialNumber)
    #expect(other.issuer == known.issuer && other.subject == known.subject)
    #expect(other.validity.from == known.validity.from && other.validity.until == known.validity.until)
    #expect(Array(other.extensions) == Array(known.extensions))
    #expect(other.signatureAlgorithm == known.signatureAlgorithm)
    #expect(other.authorityKeyIdentifier == known.authorityKeyIdentifier)
  }

  @Test("damaged bytes are read or refused, and never trap")
  func damage() throws {
    let whole = try certificate(Self.kinds[0])
    for bytes in Damage.sample(of: whole, seed: 23) {
      guard let fields = try? CertificateFields(derEncoded: bytes) else { continue }
      for profile in CertificateProfile.allCases { #expect(profile.check(fields).count > 8) }
    }
  }
}
