import COSE
import Primitives
import SwiftASN1
import X509

/// Reads certificate chains from `x5chain` headers and PEM files.
public enum CertificateChain {
  /// Reads every certificate of a chain, leaf first.
  /// - Parameter known: Certificates that the caller has read already, which are not read again.
  /// - Throws: ``CertificateRuleError`` for the first certificate that is too large or malformed.
  public static func read(
    _ chain: [[UInt8]], known: CertificateMemory = CertificateMemory()
  ) throws(CertificateRuleError) -> [Certificate] {
    try chain.enumerated().map { (position, der) throws(CertificateRuleError) in
      if let certificate = known.fields(of: der)?.certificate { return certificate }
      return try read(der, at: position)
    }
  }

  /// Reads trusted certificates. Those with an unsupported key are returned separately: nothing can be verified with
  /// them, and the others remain trusted.
  /// - Throws: ``CertificateRuleError`` for the first certificate that is too large or malformed.
  public static func readTrusted(
    _ certificates: [[UInt8]]
  ) throws(CertificateRuleError) -> (usable: [Certificate], unusable: [CertificateFields]) {
    var usable: [Certificate] = []
    var unusable: [CertificateFields] = []
    for (position, der) in certificates.enumerated() {
      do {
        usable.append(try read(der, at: position))
      } catch {
        guard let fields = error.certificate, error.isOfUnknownKind else { throw error }
        unusable.append(fields)
      }
    }
    return (usable, unusable)
  }

  static func read(_ der: [UInt8], at position: Int) throws(CertificateRuleError) -> Certificate {
    guard der.count <= CertificateLimits.bytes else {
      throw CertificateRuleError(
        .unreadable, .size, "certificate \(position) has \(der.count) bytes, more than \(CertificateLimits.bytes)")
    }
    do {
      let certificate = try parsed(der)
      guard Certificate.hasWholeSignature(der) else {
        throw ASN1Error.invalidASN1Object(reason: "the signature has unused bits")
      }
      if let fault = Certificate.textFault(in: der) { throw ASN1Error.invalidASN1Object(reason: fault) }
      return certificate
    } catch {
      guard let fields = try? CertificateFields(derEncoded: der) else {
        throw CertificateRuleError(
          .unreadable, .readable, "certificate \(position) is malformed: \(describeX509Error(error))")
      }
      switch fields.key {
      case .unsupported(let name):
        throw CertificateRuleError(
          .unreadable, .keySupport, "the key of certificate \(position) is on \(name), an unsupported curve",
          certificate: fields)
      case .misencoded(let fault):
        throw CertificateRuleError(
          .unreadable, .keyEncoding, "the key of certificate \(position) is \(fault)", certificate: fields)
      case .unknown(let name):
        throw CertificateRuleError(
          .unreadable, .key, "the key of certificate \(position) has a kind that is not allowed: \(name)",
          certificate: fields)
      case .p256, .p384, .p521, .ed25519, .rsa:
        if let length = rawSignatureLength(of: der) {
          throw CertificateRuleError(
            .unreadable, .readable,
            "certificate \(position) is malformed: its signature is raw, \(length) bytes of r and s, and not in DER")
        }
        guard !CertificateSignatureAlgorithms.supported.contains(fields.signatureAlgorithm) else {
          throw CertificateRuleError(
            .unreadable, .readable, "certificate \(position) is malformed: \(describeX509Error(error))")
        }
        throw CertificateRuleError(
          .unreadable, .signatureAlgorithm,
          "certificate \(position) is signed with \(fields.signatureAlgorithm), an unsupported algorithm",
          certificate: fields)
      }
    }
  }

  /// Reads a certificate, also with a serial number that the library does not read.
  private static func parsed(_ der: [UInt8]) throws -> Certificate {
    do {
      let certificate = try Certificate(derEncoded: der)
      guard certificate.receivedSerialNumber == nil else {
        throw ASN1Error.invalidASN1Object(reason: "a reserved serial number")
      }
      return certificate
    } catch {
      guard let certificate = try? CertificateFields(derEncoded: der).certificate,
        certificate.receivedSerialNumber != nil, try certificate.derEncoded() == der
      else { throw error }
      return certificate
    }
  }

  /// Returns the length of a signature that is r and s without DER, as in COSE; nil for every other signature.
  private static func rawSignatureLength(of der: [UInt8]) -> Int? {
    guard let parts = try? DER.parse(der).children, parts.count == 3,
      let bits = try? ASN1BitString(derEncoded: parts[2]),
      [64, 96, 132].contains(bits.bytes.count), (try? DER.parse(bits.bytes)) == nil
    else { return nil }
    return bits.bytes.count
  }

  /// Returns a chain as `application/pem-certificate-chain` (RFC 8555, 9.1): leaf first, each followed by its issuer.
  public static func pem(_ chain: [[UInt8]]) -> [UInt8] {
    let blocks = chain.map { PEMDocument(type: blockType, derBytes: $0).pemString + "\n" }
    return Array(blocks.joined().utf8)
  }

  /// Returns the DER certificates of a file, in its order, without reading them: PEM in lines of any width, DER, or base64
  /// of DER.
  /// - Parameter count: The largest number of certificates; by default that of an `x5chain`.
  /// - Throws: ``CertificateRuleError`` if the file is too large, has no certificate, or has a block of another kind.
  public static func blocks(
    ofFile bytes: [UInt8], atMost count: Int = COSEHeaders.maximumChainLength
  ) throws(CertificateRuleError) -> [[UInt8]] {
    // Every certificate at its largest size, in base64 with line ends.
    let longest = count * CertificateLimits.bytes * 3 / 2
    guard bytes.count <= longest else {
      throw CertificateRuleError(
        .unreadable, .size, "the certificates have \(bytes.count) bytes, more than \(longest)")
    }
    if let certificates = sequences(in: bytes) { return certificates }
    let text = String(validating: bytes, as: UTF8.self)
    if let text, let blocks = PEMText(text)?.blocks, !blocks.isEmpty {
      if let other = blocks.first(where: { !blockTypes.contains($0.label) }) {
        throw CertificateRuleError(
          .unreadable, .readable, "expected certificates, found the PEM block \(other.label)")
      }
      return blocks.map(\.bytes)
    }
    if let text, !text.contains("-----"), let decoded = PastedBase64.decode(text),
      let certificates = sequences(in: decoded)
    {
      return certificates
    }
    throw CertificateRuleError(
      .unreadable, .readable,
      "expected certificates in PEM ('-----BEGIN CERTIFICATE-----') or DER, found \(FoundContent.description(of: bytes))"
    )
  }

  /// Returns the certificates of DER, one after the other; nil for other content.
  private static func sequences(in bytes: [UInt8]) -> [[UInt8]]? {
    var found: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      // A sequence of at least 128 bytes: the length has its own bytes.
      guard rest.first == 0x30, let size = rest.dropFirst().first, size > 0x80 else { return nil }
      let next = rest.dropElement()
      guard next.count < rest.count, (try? DER.parse(rest[..<next.startIndex])) != nil else { return nil }
      found.append(Array(rest[..<next.startIndex]))
      rest = next
    }
    let isOfCertificates = found.allSatisfy { der in
      (try? DER.parse(der).children.map(\.identifier)) == [.sequence, .sequence, .bitString]
    }
    return found.isEmpty || !isOfCertificates ? nil : found
  }

  /// The second is the label of old tools (RFC 7468, 5.1).
  private static let blockTypes: Set<String> = [blockType, "X509 CERTIFICATE"]
  private static let blockType = "CERTIFICATE"
}
