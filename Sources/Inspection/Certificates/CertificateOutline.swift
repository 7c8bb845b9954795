import Crypto
import MobileDocument
import SwiftASN1
import X509

/// What the certificates of a chain are for, where their place says so.
enum ChainPurpose {
  case reader
  case issuer
  case unknown
}

extension Outline {
  /// Writes a certificate.
  /// - Throws: ``Misfit`` when it cannot be read; nothing has been written then.
  mutating func certificate(der bytes: [UInt8]) throws(Misfit) {
    let certificate = try Self.readCertificate(der: bytes)
    line("certificate")
    nested { $0.certificate(certificate, issuer: nil, for: .unknown) }
  }

  static func readCertificate(der bytes: [UInt8]) throws(Misfit) -> Certificate {
    try requireSequence(bytes, "a certificate")
    do {
      return try Certificate(derEncoded: bytes)
    } catch {
      throw Misfit(error)
    }
  }

  /// Refuses what is no DER sequence, or is longer than a certificate or request may be.
  private static func requireSequence(_ bytes: [UInt8], _ what: String) throws(Misfit) {
    guard bytes.first == 0x30 else { throw Misfit("it does not begin with the tag of a sequence") }
    guard bytes.count <= CertificateLimits.bytes else {
      throw Misfit("\(bytes.count) bytes are more than the \(CertificateLimits.bytes) of \(what)")
    }
  }

  /// Writes a public key.
  /// - Throws: ``Misfit`` when it cannot be read; nothing has been written then.
  mutating func publicKey(der bytes: [UInt8]) throws(Misfit) {
    try Self.requireSequence(bytes, "a public key")
    do {
      line("public key: \(try Certificate.PublicKey(derEncoded: bytes).shown)")
    } catch {
      throw Misfit(error)
    }
  }

  /// Writes a chain, leaf first. Each certificate is held against the next one.
  mutating func certificateChain(_ chain: [[UInt8]], for purpose: ChainPurpose) {
    line("x5chain: \(Printed.count(chain.count, "certificate"))")
    nested { inside in
      let certificates = chain.map { try? Self.readCertificate(der: $0) }
      for (position, certificate) in certificates.enumerated() {
        guard let certificate else {
          inside.line("certificate \(position): cannot be read, \(Printed.bytes(chain[position], full: inside.isFull))")
          continue
        }
        inside.line("certificate \(position)")
        let issuer = position + 1 < certificates.count ? certificates[position + 1] : nil
        inside.nested { $0.certificate(certificate, issuer: issuer, for: purpose) }
      }
    }
  }

  /// Writes the fields of a certificate, then the rules of the profile that it seems to be of.
  mutating func certificate(_ certificate: Certificate, issuer: Certificate?, for purpose: ChainPurpose) {
    line("subject: \(Printed.onOneLine(certificate.subject.description))")
    line("issuer: \(Printed.onOneLine(certificate.issuer.description))\(certificate.isRoot ? " (itself)" : "")")
    line("serial number: \(hexadecimal(certificate.serialNumber.bytes))")
    let validity = certificate.validity
    let days = (validity.until.secondsSince1970 - validity.from.secondsSince1970) / 86_400
    line("valid: \(validity.from) to \(validity.until), \(Printed.count(Int(days), "day"))")
    line("key: \(certificate.publicKey.shown)")
    line("signature algorithm: \(certificate.signatureAlgorithm.shown)")
    issuerSignature(of: certificate, issuer: issuer)
    for found in certificate.extensions { certificateExtension(found) }
    if let brand = BrandIdentity(in: certificate) {
      line("brand: \(Printed.quoted(brand.name, full: true)), icon \(Printed.quoted(brand.icon, full: true))")
    }
    profile(of: certificate, issuer: issuer, for: purpose)
  }

  private mutating func issuerSignature(of certificate: Certificate, issuer: Certificate?) {
    let signer = certificate.isRoot ? certificate : issuer
    guard let signer, signer.subject == certificate.issuer else {
      return line("signature not checked: the issuer's certificate is not here")
    }
    let verifies = certificate.isSigned(by: signer)
    let whose = certificate.isRoot ? "its own key" : "the key of the next certificate"
    line("signature \(verifies ? "verifies" : "does NOT verify") with \(whose)")
  }

  private mutating func profile(of certificate: Certificate, issuer: Certificate?, for purpose: ChainPurpose) {
    let profiles = CertificateProfile.resembled(by: certificate, for: purpose)
    if profiles.isEmpty {
      let what =
        certificate.isAuthority
        ? "an authority below another one, which ISO/IEC 18013-5 annex B does not describe"
        : "neither for signing documents nor for reading them, by its extended key usage"
      return line("profile: \(what)")
    }
    for profile in profiles {
      line("profile: seems to be that of \(profile.article) \(profile.rawValue) (ISO/IEC 18013-5 annex B)")
      nested { inside in
        for result in profile.check(certificate, issuer: issuer) {
          let sentence = result.outcome == .passed ? "" : ": \(Printed.onOneLine(result.sentence))"
          inside.line("\(result.outcome.rawValue) \(result.code)\(sentence)")
        }
      }
    }
  }

  /// Writes a request for a certificate.
  /// - Throws: ``Misfit`` when it cannot be read; nothing has been written then.
  mutating func certificateRequest(der bytes: [UInt8]) throws(Misfit) {
    try Self.requireSequence(bytes, "a certificate request")
    let request: CertificateSigningRequest
    do {
      request = try CertificateSigningRequest(derEncoded: bytes)
    } catch {
      throw Misfit(error)
    }
    line("certificate request (PKCS#10)")
    nested { inside in
      inside.line("subject: \(Printed.onOneLine(request.subject.description))")
      inside.line("key: \(request.publicKey.shown)")
      inside.line("signature algorithm: \(request.signatureAlgorithm.shown)")
      let verifies = request.isSigned(encodedAs: bytes)
      inside.line("signature \(verifies ? "verifies" : "does NOT verify") with the key that it names")
      let asked = (try? request.attributes.extensionRequest)?.extensions ?? Certificate.Extensions()
      for found in asked { inside.certificateExtension(found) }
      do throws(ReaderCertificateRequest.Refusal) {
        let accepted = try ReaderCertificateRequest(bytes)
        inside.line("well-formed as a reader's request for \(Printed.quoted(accepted.domain, full: true))")
      } catch {
        inside.line("a reader authority would refuse it: \(error.sentence) (\(error.rawValue))")
      }
    }
  }
}

extension Certificate {
  /// Whether the certificate may issue others.
  var isAuthority: Bool {
    if case .isCertificateAuthority? = try? extensions.basicConstraints { true } else { false }
  }
}

extension Certificate {
  /// Whether the certificate says that it is its own issuer, by name and, where it names keys, by key.
  var isRoot: Bool {
    guard isSelfIssued, let issuerKey = authorityKeyIdentifier, let ownKey = subjectKeyIdentifier else {
      return isSelfIssued
    }
    return issuerKey == ownKey
  }
}

extension Certificate.SignatureAlgorithm {
  /// Name of the algorithm, or its identifier.
  fileprivate var shown: String {
    let prefix = "SignatureAlgorithm."
    return Printed.onOneLine(description.hasPrefix(prefix) ? String(description.dropFirst(prefix.count)) : description)
  }
}

extension CertificateProfile {
  /// The profiles that a certificate seems to be of, by its basic constraints and extended key usage. A root that names
  /// a country is taken for an issuing authority's, unless its place in a chain says otherwise.
  static func resembled(by certificate: Certificate, for purpose: ChainPurpose) -> [CertificateProfile] {
    if certificate.isAuthority {
      guard certificate.isRoot else { return purpose == .reader ? [.readerIntermediate] : [] }
      switch purpose {
      case .reader: return [.readerRoot]
      case .issuer: return [.issuingAuthorityRoot]
      case .unknown: return [certificate.country == nil ? .readerRoot : .issuingAuthorityRoot]
      }
    }
    let usages = try? certificate.extensions.extendedKeyUsage
    let found = [CertificateProfile.documentSigner, .reader].filter { profile in
      profile.extendedKeyUsage.map { usages?.contains(ExtendedKeyUsage.Usage(oid: $0)) ?? false } ?? false
    }
    if !found.isEmpty { return found }
    switch purpose {
    case .reader: return [.reader]
    case .issuer: return [.documentSigner]
    case .unknown: return []
    }
  }

  fileprivate var article: String { self == .issuingAuthorityRoot ? "an" : "a" }
}

extension Certificate.PublicKey {
  /// Curve and point, or what else the key is.
  var shown: String {
    if let key = P256.Signing.PublicKey(self) {
      return "P-256 \(Printed.bytes([UInt8](key.x963Representation), full: true))"
    }
    if let key = P384.Signing.PublicKey(self) {
      return "P-384 \(Printed.bytes([UInt8](key.x963Representation), full: true))"
    }
    if let key = P521.Signing.PublicKey(self) {
      return "P-521 \(Printed.bytes([UInt8](key.x963Representation), full: true))"
    }
    if let key = Curve25519.Signing.PublicKey(self) {
      return "Ed25519 \(Printed.bytes([UInt8](key.rawRepresentation), full: true))"
    }
    return Printed.onOneLine(description)
  }
}
