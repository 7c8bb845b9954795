import Certificates
import Checks
import Crypto
import MobileDocument
import Primitives
import SwiftASN1
import X509

/// The purpose of a chain's certificates, known from their place.
enum ChainPurpose {
  case reader
  case issuer
  case statusList
  case unknown
}

extension Outline {
  /// Writes a certificate.
  /// - Throws: ``InspectionFailure`` if it cannot be read. Nothing is written then.
  mutating func certificate(der bytes: [UInt8]) throws(InspectionFailure) {
    let certificate = try Self.readCertificate(der: bytes)
    under("certificate") { $0.certificate(certificate, issuer: nil, for: .unknown) }
  }

  static func readCertificate(der bytes: [UInt8]) throws(InspectionFailure) -> CertificateFields {
    try read(der: bytes, "a certificate", CertificateFields(derEncoded: bytes))
  }

  /// Reads a DER sequence, and refuses other bytes.
  /// - Parameter limited: The name of what may be no longer than a certificate or request; nil for others.
  private static func read<Value>(
    der bytes: [UInt8], _ limited: String?, _ value: @autoclosure () throws -> Value
  ) throws(InspectionFailure) -> Value {
    guard bytes.first == 0x30 else { throw InspectionFailure("the first byte is not the tag of a sequence") }
    if let limited, bytes.count > CertificateLimits.bytes {
      throw InspectionFailure("\(bytes.count) bytes exceed the limit of \(CertificateLimits.bytes) for \(limited)")
    }
    do { return try value() } catch { throw InspectionFailure(error) }
  }

  /// Writes a public key.
  /// - Throws: ``InspectionFailure`` if it cannot be read. Nothing is written then.
  mutating func publicKey(der bytes: [UInt8]) throws(InspectionFailure) {
    let key = try Self.read(der: bytes, "a public key", Certificate.PublicKey(derEncoded: bytes))
    line("public key: \(key.shown)")
  }

  /// Writes an uncompressed point (SEC 1, 2.3.3), the form of public keys whose curve is fixed.
  /// - Throws: ``InspectionFailure`` if it is not a point of a supported curve. Nothing is written then.
  mutating func point(_ bytes: [UInt8]) throws(InspectionFailure) {
    if let compressed = Self.compressedPoint(bytes) {
      return line("public key: compressed point of \(compressed), which certificates must not have")
    }
    let name =
      if (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil {
        "P-256"
      } else if (try? P384.Signing.PublicKey(x963Representation: bytes)) != nil {
        "P-384"
      } else if (try? P521.Signing.PublicKey(x963Representation: bytes)) != nil {
        "P-521"
      } else {
        throw InspectionFailure("not an uncompressed point")
      }
    line("public key: uncompressed point of \(name)")
  }

  /// Returns the curve of a compressed point; nil for other bytes.
  private static func compressedPoint(_ bytes: [UInt8]) -> String? {
    guard let first = bytes.first, [2, 3].contains(first) else { return nil }
    if (try? P256.Signing.PublicKey(compressedRepresentation: bytes)) != nil { return "P-256" }
    if (try? P384.Signing.PublicKey(compressedRepresentation: bytes)) != nil { return "P-384" }
    if (try? P521.Signing.PublicKey(compressedRepresentation: bytes)) != nil { return "P-521" }
    return nil
  }

  /// Writes a certificate revocation list.
  /// - Throws: ``InspectionFailure`` if it cannot be read. Nothing is written then.
  mutating func revocationList(der bytes: [UInt8]) throws(InspectionFailure) {
    let list = try Self.read(der: bytes, nil, CertificateRevocationList(derEncoded: bytes))
    under("certificate revocation list (X.509 CRL)") { inside in
      inside.line("version: \(list.version)\(list.version == 2 ? "" : " deviates: 2 is required")")
      inside.line("issuer: \(Printed.onOneLine(list.issuer.description))")
      inside.line("issued: \(list.thisUpdate)")
      let next = list.nextUpdate.map(\.description) ?? "missing, deviates: it is required"
      inside.line("next update: \(next)")
      if let nextUpdate = list.nextUpdate, nextUpdate > list.thisUpdate.adding(days: Self.revocationListDays) {
        inside.nested { $0.line("deviates: later than in \(Self.revocationListDays) days") }
      }
      inside.line("signature algorithm: \(Printed.onOneLine(list.signatureAlgorithm))")
      inside.line("signature not checked: the issuer's certificate is missing")
      for found in list.extensions { inside.certificateExtension(found) }
      inside.under("revoked: \(list.entries.count.counted("certificate"))") { inside in
        let shown = inside.isFull ? list.entries[...] : list.entries.prefix(Self.revocationsShown)
        for entry in shown {
          let reason = entry.reason.map { ", reason \($0)" } ?? ""
          inside.line("\(hexadecimal(entry.serialNumber)) on \(entry.date)\(reason)")
        }
        if shown.count < list.entries.count { inside.line("and \(list.entries.count - shown.count) more") }
      }
    }
  }

  /// The most days until the next list (ISO/IEC 18013-5, B.1.8).
  private static let revocationListDays = 90
  /// The most revocations that are printed without the option to print everything: what fits on a screen.
  private static let revocationsShown = 32

  /// Writes a chain, leaf first. Each certificate is checked against the next one.
  /// - Parameters:
  ///   - offsets: The offset of each certificate's byte string, as far as it is known.
  ///   - documentType: The document type that the leaf signed.
  mutating func certificateChain(
    _ chain: [[UInt8]], for purpose: ChainPurpose, at offsets: [Int] = [], documentType: String? = nil
  ) {
    under("x5chain: \(chain.count.counted("certificate"))") { inside in
      let certificates = chain.map { try? Self.readCertificate(der: $0) }
      for (position, certificate) in certificates.enumerated() {
        let offset = offsets.indices.contains(position) ? offsets[position] : nil
        guard let certificate else {
          inside.line(
            "certificate \(position): cannot be read, \(Printed.bytes(chain[position], full: inside.isFull))",
            at: offset)
          continue
        }
        let issuer = position + 1 < certificates.count ? certificates[position + 1] : nil
        inside.under("certificate \(position)", at: offset) {
          $0.certificate(certificate, issuer: issuer, for: purpose, documentType: documentType)
        }
      }
    }
  }

  /// Writes a chain of byte strings, leaf first.
  mutating func certificateChain(_ chain: [Node], for purpose: ChainPurpose) {
    certificateChain(chain.compactMap(\.bytes), for: purpose, at: chain.map(\.offset))
  }

  /// Writes the fields of a certificate, then the rules of its likely profile.
  mutating func certificate(
    _ certificate: CertificateFields, issuer: CertificateFields?, for purpose: ChainPurpose,
    documentType: String? = nil
  ) {
    line("version: \(certificate.version)")
    line("subject: \(Printed.onOneLine(certificate.subject.description))")
    line("issuer: \(Printed.onOneLine(certificate.issuer.description))\(certificate.isRoot ? " (itself)" : "")")
    let sign = certificate.hasNegativeSerialNumber ? " (negative)" : ""
    line("serial number: \(hexadecimal(certificate.serialNumber))\(sign)")
    let validity = certificate.validity
    let days = (validity.until.secondsSince1970 - validity.from.secondsSince1970) / 86_400
    line("valid: \(validity.from) to \(validity.until), \(Int(days).counted("day"))")
    line("key: \(certificate.certificate?.publicKey.shown ?? Printed.onOneLine(certificate.key.name))")
    line("signature algorithm: \(Printed.onOneLine(certificate.signatureAlgorithm))")
    issuerSignature(of: certificate, issuer: issuer)
    for found in certificate.extensions { certificateExtension(found) }
    if let brand = certificate.certificate.flatMap(BrandIdentity.init(in:)) {
      line("brand: \(Printed.quoted(brand.name, full: true)), icon \(Printed.quoted(brand.icon, full: true))")
    }
    logotype(of: certificate)
    rules(of: certificate, issuer: issuer, for: purpose, documentType: documentType)
  }

  private mutating func logotype(of certificate: CertificateFields) {
    guard let certificate = certificate.certificate else { return }
    do {
      guard let logotype = try Logotype(in: certificate) else { return }
      line("logotype: \(logotype.format.rawValue), \(logotype.bytes.count.counted("byte"))")
    } catch {
      line("logotype: not shown: \(error.description)")
    }
  }

  private mutating func issuerSignature(of certificate: CertificateFields, issuer: CertificateFields?) {
    let signer = certificate.isRoot ? certificate : issuer
    guard let signer, signer.subject == certificate.issuer else {
      return line("signature not checked: the issuer's certificate is missing")
    }
    guard let signed = certificate.certificate, let issuer = signer.certificate else {
      return line("signature not checked: the certificate's algorithm is not supported")
    }
    let verifies = signed.isSigned(by: issuer)
    let whose = certificate.isRoot ? "its own key" : "the key of the next certificate"
    line("signature \(verifies ? "verifies" : "does NOT verify") with \(whose)")
  }

  /// The beginning of merchant identifiers.
  private static let merchantPrefix = "merchant."

  /// Writes every rule of the requested profile, or of the likely profiles.
  private mutating func rules(
    of certificate: CertificateFields, issuer: CertificateFields?, for purpose: ChainPurpose, documentType: String?
  ) {
    let profiles = profile.map { [$0] } ?? CertificateProfile.resembled(by: certificate, for: purpose)
    if profiles.isEmpty {
      if let merchant = certificate.certificate.flatMap({ try? MerchantCertificate($0.derEncoded()) }),
        merchant.merchantIdentifier.hasPrefix(Self.merchantPrefix)
      {
        let name = Printed.quoted(merchant.merchantIdentifier, full: true)
        let team = Printed.quoted(merchant.teamIdentifier, full: true)
        return line("profile: encryption certificate of the merchant identifier \(name), team \(team)")
      }
      let what =
        certificate.isAuthority
        ? "none: ISO/IEC 18013-5 annex B does not describe intermediate authorities of this kind"
        : "none: the extended key usage is neither for signing documents nor for reading them"
      return line("profile: \(what)")
    }
    let named = issuer.flatMap { $0.subject == certificate.issuer ? $0 : nil }
    for one in profiles {
      let origin = profile == nil ? "likely" : "as requested"
      under("profile: \(one.rawValue), \(origin) (ISO/IEC 18013-5 annex B)") { inside in
        for result in one.check(certificate, issuer: named, documentType: documentType) { inside.rule(result) }
      }
    }
  }

  /// Writes the result of a rule, with the expected and found values if known.
  mutating func rule(_ result: CheckResult) {
    let title = result.reason.flatMap(CertificateRule.init(rawValue:))?.title
    let isPlain = result.status == .passed && result.message == title
    line("\(result.status.rawValue) \(result.name)\(isPlain ? "" : ": \(Printed.onOneLine(result.message))")")
    for evidence in result.evidence where evidence.expected != nil || evidence.field != "certificate" {
      let parts = [evidence.expected.map { "expected \($0)" }, evidence.found.map { "found \($0)" }].compactMap(\.self)
      nested { $0.line(Printed.onOneLine(parts.joined(separator: ", "))) }
    }
  }

  /// Writes a certificate request.
  /// - Throws: ``InspectionFailure`` if it cannot be read. Nothing is written then.
  mutating func certificateRequest(der bytes: [UInt8]) throws(InspectionFailure) {
    let request = try Self.read(der: bytes, "a certificate request", CertificateSigningRequest(derEncoded: bytes))
    under("certificate request (PKCS#10)") { inside in
      inside.line("subject: \(Printed.onOneLine(request.subject.description))")
      inside.line("key: \(request.publicKey.shown)")
      inside.line("signature algorithm: \(request.signatureAlgorithm.shown)")
      let verifies = request.isSigned(encodedAs: bytes)
      inside.line("signature \(verifies ? "verifies" : "does NOT verify") with the key that it contains")
      let asked = (try? request.attributes.extensionRequest)?.extensions ?? Certificate.Extensions()
      for found in asked { inside.certificateExtension(found) }
      do throws(ReaderCertificateRequest.Refusal) {
        let accepted = try ReaderCertificateRequest(bytes)
        inside.line("well-formed reader certificate request for \(Printed.quoted(accepted.domain, full: true))")
      } catch {
        if let request = try? MerchantCertificateRequest(bytes),
          request.merchantIdentifier.hasPrefix(Self.merchantPrefix)
        {
          let name = Printed.quoted(request.merchantIdentifier, full: true)
          return inside.line("well-formed request for the encryption certificate of the merchant identifier \(name)")
        }
        inside.line("a reader authority would refuse it: \(error.message) (\(error.name))")
      }
    }
  }
}

extension CertificateFields {
  /// True if the certificate may issue others.
  var isAuthority: Bool { constraints?.isAuthority == true }

  /// True if the certificate names itself as its issuer, by name and, if it has key identifiers, by key.
  var isRoot: Bool {
    guard subject == issuer, let issuerKey = authorityKeyIdentifier, let ownKey = subjectKeyIdentifier else {
      return subject == issuer
    }
    return issuerKey == ownKey
  }

  /// Returns whether the certificate has one of some purposes.
  fileprivate func names(_ purposes: [ASN1ObjectIdentifier]) -> Bool {
    guard let found = try? extensions.extendedKeyUsage else { return false }
    return purposes.contains { found.contains(ExtendedKeyUsage.Usage(oid: $0)) }
  }
}

extension Certificate.SignatureAlgorithm {
  /// The name of the algorithm, or its identifier.
  fileprivate var shown: String {
    let prefix = "SignatureAlgorithm."
    return Printed.onOneLine(description.hasPrefix(prefix) ? String(description.dropFirst(prefix.count)) : description)
  }
}

extension CertificateProfile {
  private static let links: [ASN1ObjectIdentifier] = [[1, 0, 18013, 5, 1, 4], [1, 0, 23220, 4, 1, 4]]
  private static let signers = [
    CertificateOID.documentSignerKeyPurpose, CertificateOID.mdocSignerKeyPurpose,
    CertificateOID.personIdentificationSignerKeyPurpose,
  ]
  private static let readers = [CertificateOID.readerKeyPurpose, CertificateOID.mdocReaderKeyPurpose]

  /// Returns the likely profiles of a certificate, from its basic constraints and extended key usage. A root with a country
  /// counts as an issuing authority's, unless its place in a chain says otherwise.
  static func resembled(by certificate: CertificateFields, for purpose: ChainPurpose) -> [CertificateProfile] {
    if certificate.isAuthority { return authorities(resembledBy: certificate, for: purpose) }
    let found: [CertificateProfile] = [
      (signers, .documentSigner), (readers, .reader), (CertificateOID.listSignerKeyPurposes, .listSigner),
      ([CertificateOID.responderKeyPurpose], .responder),
    ].compactMap { certificate.names($0) ? $1 : nil }
    if purpose == .statusList { return [.statusListSigner] }
    if !found.isEmpty { return found }
    switch purpose {
    case .reader: return [.reader]
    case .issuer: return [.documentSigner]
    case .statusList, .unknown: return []
    }
  }

  private static func authorities(
    resembledBy certificate: CertificateFields, for purpose: ChainPurpose
  ) -> [CertificateProfile] {
    if certificate.names(links) { return [.issuingAuthorityLink] }
    if certificate.isRoot {
      switch purpose {
      case .reader: return [.readerRoot]
      case .issuer, .statusList: return [.issuingAuthorityRoot]
      case .unknown:
        let hasCountry = certificate.subject.contains { $0.contains { $0.type == .RDNAttributeType.countryName } }
        return [hasCountry && !certificate.names(readers) ? .issuingAuthorityRoot : .readerRoot]
      }
    }
    if purpose == .reader || certificate.names(readers) { return [.readerIntermediate] }
    // A trust anchor for documents need not be a root.
    return certificate.names(signers) ? [.issuingAuthorityRoot] : []
  }
}

extension Certificate.PublicKey {
  /// The curve and the point, or the library's description of the key.
  var shown: String {
    let known = [
      ("P-256", P256.Signing.PublicKey(self)?.x963Representation),
      ("P-384", P384.Signing.PublicKey(self)?.x963Representation),
      ("P-521", P521.Signing.PublicKey(self)?.x963Representation),
      ("Ed25519", Curve25519.Signing.PublicKey(self)?.rawRepresentation),
    ]
    for case (let curve, let bytes?) in known { return "\(curve) \(Printed.bytes([UInt8](bytes), full: true))" }
    return Printed.onOneLine(description)
  }
}
