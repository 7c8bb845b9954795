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
    #expect(try read.usable == [port.otherReaders.root] && read.unusable.count == 1)
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
    let received = try #require(try CertificateChain.read([root]).first)
    #expect(try received.derEncoded() == root)
    #expect(CertificateFields(received).serialNumber == [0x80, 0x01])
    let found = CertificateProfile.readerRoot.check(try CertificateFields(derEncoded: root))
    #expect(found.filter { $0.status != .passed }.map(\.reason) == [CertificateRule.serialNumber.rawValue])
    let read = try CertificateChain.readTrusted([root])
    #expect(try read.unusable.isEmpty && read.usable.first?.publicKey == port.readers.root.publicKey)
    let path = await TrustedCertificates(read.usable, for: .reader).validate([port.reader], at: port.now)
    #expect(try path.get().certificates.count == 2)
  }

  /// A document signer's certificate with other octets of the serial number, signed over them.
  private static func signer(_ port: Spaceport, serial: [UInt8], key: UInt8 = 1) throws -> [UInt8] {
    let changed = try DER.parse(Rewritten.certificate(port.signer, [1: Rewritten.node(0x02, serial)]))
    guard case .constructed(let nodes) = changed.content else { throw CancellationError() }
    let parts = Array(nodes)
    let signed = Array(parts[0].encodedBytes)
    let signature: P256.Signing.ECDSASignature = try fixedKey(key).signature(for: signed)
    return Rewritten.sequence(
      signed + Array(parts[1].encodedBytes) + Rewritten.node(0x03, [0] + signature.derRepresentation))
  }

  @Test(
    "a certificate with a serial number that the library does not read is verified as received",
    arguments: [
      ([0x80, 0x01], "the serial number is negative"),
      ([0xb7] + [UInt8](repeating: 7, count: 15), "the serial number is negative"),
      ([0x00, 0x01, 0x02, 0x03], "the serial number is not in its shortest form"),
      ([0x00, 0x00, 0xff], "the serial number is not in its shortest form"),
    ])
  func unreadSerialNumbers(serial: [UInt8], message: String) async throws {
    let port = try Spaceport.shared
    let der = try Self.signer(port, serial: serial)
    let leaf = try #require(try CertificateChain.read([der]).first)
    #expect(try leaf.derEncoded() == der)
    let trusted = TrustedCertificates([try port.issuer.root], for: .documentSigner)
    let path = try await trusted.validate([leaf], at: port.now, documentType: Spaceport.documentType).get()
    #expect(try path.certificates == [leaf, port.issuer.root])
    let finding = path.findings.first { $0.reason == CertificateRule.serialNumber.rawValue }
    #expect(finding?.status == .deviates && finding?.message == message)
    // Another root's key, an altered number, and an expired root.
    let forged = try #require(try CertificateChain.read([Self.signer(port, serial: serial, key: 2)]).first)
    let refused = await trusted.validate([forged], at: port.now)
    guard case .failure(let error) = refused else {
      Issue.record("a forged certificate was accepted")
      return
    }
    #expect(error.code == .signature)
    let late = await trusted.validate([leaf], at: port.now.adding(days: 4000))
    guard case .failure(let outdated) = late else {
      Issue.record("an expired root was accepted")
      return
    }
    #expect(outdated.code == .expired && outdated.place == .path)
  }

  @Test("a changed serial number breaks the signature, and the mark of a repaired one is refused")
  func repairedSerialNumbers() async throws {
    let port = try Spaceport.shared
    let der = try Self.signer(port, serial: [0x80, 0x01])
    let trusted = TrustedCertificates([try port.issuer.root], for: .documentSigner)
    for serial in [[0x80, 0x02], [0x00, 0x80, 0x01]] as [[UInt8]] {
      guard case .constructed(let nodes) = try DER.parse(der).content else { throw CancellationError() }
      let signature = Array(Array(nodes)[2].encodedBytes)
      let honest = try Rewritten.certificate(port.signer, [1: Rewritten.node(0x02, serial)])
      guard case .constructed(let changed) = try DER.parse(honest).content else { throw CancellationError() }
      let parts = Array(changed)
      let mixed = Rewritten.sequence(
        Array(parts[0].encodedBytes) + Array(parts[1].encodedBytes) + signature)
      let leaf = try #require(try CertificateChain.read([mixed]).first)
      if case .success = await trusted.validate([leaf], at: port.now) { Issue.record("\(serial) was accepted") }
    }
    let marked = try Self.signer(port, serial: RepairedSerialNumber.mark + [0x80, 0x01])
    #expect(throws: CertificateRuleError.self) { try CertificateChain.read([marked]) }
  }

  @Test("a raw signature and a compressed point are named as such")
  func rawForms() throws {
    let port = try Spaceport.shared
    guard case .constructed(let nodes) = try DER.parse(port.signer.derEncoded()).content else {
      throw CancellationError()
    }
    let parts = Array(nodes)
    let raw = Rewritten.sequence(
      Array(parts[0].encodedBytes) + Array(parts[1].encodedBytes)
        + Rewritten.node(0x03, [0] + [UInt8](repeating: 0x11, count: 64)))
    let error = #expect(throws: CertificateRuleError.self) { try CertificateChain.read([raw]) }
    #expect(error?.message.contains("its signature is raw, 64 bytes of r and s") == true)
    let curve = try Rewritten.identifier([1, 2, 840, 10045, 3, 1, 7])
    let bits = [UInt8](port.signerKey.publicKey.compressedRepresentation)
    let key = try Rewritten.key(Self.ellipticCurve, curve, bits: bits)
    let compressed = try Rewritten.certificate(port.signer, [6: key])
    let other = #expect(throws: CertificateRuleError.self) { try CertificateChain.read([compressed]) }
    #expect(other?.message.contains("a compressed point of P-256") == true)
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
