import CBOR
import Certificates
import Crypto
import MobileDocument
import Primitives
import SimulationKernel
import X509

extension Fault {
  /// Faults of the signer's certificate.
  static let ofSigners: [Fault] = [
    document(
      "root-in-chain", "The certificate chain contains the root",
      .deviates(.issuerCertificateProfile, .rule(.rootInChain))
    ) { $0.setChain([$0.issuer.certificate, $0.issuer.authority.encodedRoot]) },
    document(
      "unreadable-in-chain", "An unreadable certificate follows the signer's certificate",
      .deviates(.issuerForm, .chainUnreadable)
    ) { $0.setChain([$0.issuer.certificate, try onAnotherCurve($0.issuer.authority.encodedRoot)]) },
    document("signer-of-another-root", "Another root has certified the signer", .fails(.issuerTrust)) {
      try $0.certify(by: $0.issuer.otherAuthority)
    },
    document(
      "signer-expired", "The signer's certificate has expired",
      .fails(.issuerCertificateValidity, .expired).deviating(.signerValidity, .outlivesSigner)
    ) { parts in
      try parts.setDates(signed: parts.moment.adding(days: -2), from: parts.moment.adding(days: -2))
      try parts.certify(until: parts.moment.adding(seconds: -1))
    },
    document(
      "signer-not-yet-valid", "The signer's certificate is not valid yet",
      .fails(.issuerCertificateValidity, .notYetValid).failing(.signerValidity, .signedOutside)
    ) { parts in
      let start = parts.moment.adding(days: 1)
      try parts.certify(from: start, until: start.adding(days: CertificateProfile.documentSigner.maximumDays))
    },
    document(
      "signer-is-reader", "The signer's certificate is a reader certificate",
      .fails(.issuerCertificatePurpose)
        .deviating(.issuerCertificateProfile, .rule(.crlDistributionPoints))
        .deviating(.issuerCertificateProfile, .rule(.issuerAlternativeName))
    ) { parts in
      let issuer = parts.issuer
      let reader = try issuer.authority.reader(
        name: issuer.name, domain: "reader.example", brand: nil,
        publicKey: Certificate.PublicKey(issuer.signer.publicKey), terms: issuer.terms())
      parts.setChain([try reader.derEncoded()])
    },
    document("signer-is-authority", "The signer's certificate is a CA certificate", .fails(.issuerEndEntity)) {
      try $0.certify { extensions in
        try extensions.append(
          Certificate.Extension(BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true))
      }
    },
    document(
      "signer-without-purpose", "The signer's certificate has no extended key usage",
      .fails(.issuerCertificatePurpose, .tolerance(.usageMissing))
    ) { try $0.certify { $0 = try withoutPurpose($0) } },
    document(
      "signer-for-person-data", "The signer's certificate is for EU person identification data",
      .fails(.issuerCertificatePurpose, .tolerance(.usageOfEU))
    ) { parts in
      let usage = ExtendedKeyUsage.Usage(oid: CertificateOID.personIdentificationSignerKeyPurpose)
      try parts.certify { extensions in
        extensions = try withoutPurpose(extensions)
        try extensions.append(Certificate.Extension(ExtendedKeyUsage([usage]), critical: true))
      }
    },
    document(
      "signer-of-another-state", "The signer's certificate names another state than the root",
      .fails(.issuerCertificateProfile, .rule(.issuerState))
    ) { parts in
      var elsewhere = parts.issuer.name
      elsewhere.state = "\(elsewhere.country ?? "")-ZZ"
      try parts.certify(as: elsewhere)
    },
    document(
      "signer-for-too-long", "The signer's certificate is valid for longer than its profile allows",
      .deviates(.issuerCertificateProfile, .rule(.validityPeriod))
    ) { try $0.certify(until: $0.issuer.usualEnd.adding(days: 1)) },
    document(
      "signer-key-kind", "The signer's key is on a curve that is not allowed", .fails(.issuerCertificateKey)
    ) { $0.setChain([try onAnotherCurve($0.issuer.certificate)]) },
    document(
      "signer-key-small-order", "The signer's key is a point of small order, for which signatures can be forged",
      .fails(.issuerCertificateKey)
    ) { parts in
      let point = try Curve25519.Signing.PublicKey(rawRepresentation: FaultyIssuer.pointOfOrderOne)
      try parts.certify(key: Certificate.PublicKey(point))
    },
    document(
      "signer-of-lookalike-root",
      "A root with the name and the key identifier of the trusted one has certified the signer",
      .fails(.issuerTrust)
    ) { parts in
      let identifier = AuthorityKeyIdentifier(keyIdentifier: parts.issuer.authority.keyIdentifier[...])
      try parts.certify(by: parts.issuer.otherAuthority) { extensions in
        extensions = try Certificate.Extensions(
          extensions.filter { $0.oid != .X509ExtensionID.authorityKeyIdentifier })
        try extensions.append(Certificate.Extension(identifier, critical: false))
      }
    },
    document(
      "signer-of-unknown-root", "A root of a name that nobody trusts has certified the signer", .fails(.issuerTrust)
    ) { parts in
      let issuer = parts.issuer
      var name = issuer.name
      name.commonName = "Elsewhere"
      let root = try CertificateAuthority(
        profile: .issuingAuthorityRoot, name: name, contact: issuer.contact, terms: issuer.terms(),
        signer: issuer.signer)
      try parts.certify(by: root)
    },
    document(
      "signer-below-signer", "Another document signer has certified the signer", .fails(.issuerTrust)
    ) { try $0.certifyBelow { _ in } },
    document(
      "signer-too-deep", "An authority has certified the signer, and the root allows none below it",
      .fails(.issuerTrust)
    ) { parts in
      try parts.certifyBelow { extensions in
        let kept = extensions.filter {
          $0.oid == .X509ExtensionID.subjectKeyIdentifier || $0.oid == .X509ExtensionID.authorityKeyIdentifier
        }
        extensions = try Certificate.Extensions(kept)
        try extensions.append(
          Certificate.Extension(BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true))
        try extensions.append(Certificate.Extension(KeyUsage(keyCertSign: true, cRLSign: true), critical: true))
      }
    },
    document(
      "signer-extension-unknown", "The signer's certificate has a critical extension that nobody knows",
      .fails(.issuerCertificateProfile, .rule(.criticalExtension))
    ) { parts in
      try parts.certify { extensions in
        // An arc for examples (RFC 5612), and NULL.
        try extensions.append(
          Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 32473, 1], critical: true, value: [5, 0]))
      }
    },
    document(
      "signer-for-key-agreement", "The signer's key is for key agreement",
      .fails(.issuerCertificateProfile, .rule(.keyUsage))
    ) { parts in
      try parts.certify { extensions in
        extensions = try Certificate.Extensions(extensions.filter { $0.oid != .X509ExtensionID.keyUsage })
        try extensions.append(Certificate.Extension(KeyUsage(keyAgreement: true), critical: true))
      }
    },
  ]

  /// Faults of the document's validity.
  static let ofValidity: [Fault] = [
    document(
      "signed-before-signer", "The document was signed before its signer's certificate began",
      .fails(.signerValidity, .signedOutside)
    ) { parts in
      try parts.setDates(signed: parts.moment.adding(days: -2), from: parts.moment.adding(days: -2))
      try parts.certify(from: parts.moment.adding(days: -1))
    },
    document(
      "signed-minutes-before-signer", "The document was signed minutes before its signer's certificate began",
      .fails(.signerValidity, .signedEarly)
    ) { parts in
      let start = parts.moment.adding(days: -1)
      try parts.setDates(signed: start.adding(seconds: -minutesEarly), from: start)
      try parts.certify(from: start)
    },
    document("not-yet-valid", "The document is not valid yet", .fails(.validity, .notYetValid)) {
      try $0.setDates(from: $0.moment.adding(days: 1), until: $0.usual.validUntil.adding(days: 1))
    },
    document("expired", "The document has expired", .fails(.validity, .expired)) { parts in
      let start = parts.moment.adding(days: -2)
      try parts.setDates(signed: start, from: start, until: parts.moment.adding(seconds: -1))
      try parts.certify()
    },
    document(
      "beyond-signer", "The document is valid for longer than its signer's certificate",
      .deviates(.signerValidity, .outlivesSigner)
    ) {
      try $0.setDates(until: $0.moment.adding(days: 2 * CertificateProfile.documentSigner.maximumDays))
    },
    // Valid for one second only: ordered at its beginning, the document is still valid when the response arrives.
    document(
      "valid-for-no-time", "The document's validity ends when it begins",
      .deviates(.validityOrder, .endsAtBeginning), orderedAtBeginningOfSecond: true
    ) { try $0.setDates(from: $0.moment, until: $0.moment) },
    document(
      "update-after-end", "The expected update of the document is after its end",
      .deviates(.validityOrder, .updateAfterEnd)
    ) { try $0.setDates(expectedUpdate: $0.usual.validUntil.adding(days: 1)) },
    document(
      "dates-out-of-order", "The document is valid before it was signed", .fails(.validityOrder, .contradictory)
    ) { try $0.setDates(from: $0.usual.signed.adding(days: -1)) },
    document(
      "valid-minutes-before-signature", "The document is valid from minutes before it was signed",
      .fails(.validityOrder, .beforeSigned)
    ) { try $0.setDates(from: $0.usual.signed.adding(seconds: -minutesEarly)) },
  ]

  /// Five minutes, as issuers in use have it.
  private static let minutesEarly: Int64 = 300

  private static func withoutPurpose(_ extensions: Certificate.Extensions) throws -> Certificate.Extensions {
    try Certificate.Extensions(extensions.filter { $0.oid != .X509ExtensionID.extendedKeyUsage })
  }

  /// The certificate with its key said to be on prime239v1, whose identifier is as long as that of P-256.
  private static func onAnotherCurve(_ certificate: [UInt8]) throws -> [UInt8] {
    let curve: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    guard let start = certificate.indices.first(where: { certificate[$0...].starts(with: curve) }) else {
      throw SimulationError.notApplicable("the certificate's key is not on P-256")
    }
    var changed = certificate
    changed[start + curve.count - 1] = 0x04
    return changed
  }
}

extension DocumentParts {
  /// Certifies the signer's key again.
  fileprivate mutating func certify(
    by authority: CertificateAuthority? = nil, as name: CertificateName? = nil, from start: DateTime? = nil,
    until end: DateTime? = nil, key: Certificate.PublicKey? = nil,
    changing: (inout Certificate.Extensions) throws -> Void = { _ in }
  ) throws {
    let (authority, name) = (authority ?? issuer.authority, name ?? issuer.name)
    let key = key ?? Certificate.PublicKey(issuer.signer.publicKey)
    let terms = issuer.terms(from: start, until: end)
    var extensions = try authority.documentSigner(
      name: name, publicKey: key, contact: issuer.contact, revocationList: "\(issuer.contact)/crl", terms: terms
    ).extensions
    try changing(&extensions)
    setChain([try authority.issue(name: name, publicKey: key, terms: terms, extensions: extensions).derEncoded()])
  }

  /// Certifies the signer's key by a certificate between it and the root.
  /// - Parameter change: makes the extensions of the certificate between, from those of a document signer.
  fileprivate mutating func certifyBelow(_ change: (inout Certificate.Extensions) throws -> Void) throws {
    var name = issuer.name
    name.commonName += " Above"
    let (key, terms) = (Certificate.PublicKey(issuer.signer.publicKey), issuer.terms())
    let contact = issuer.contact
    var extensions = try issuer.authority.documentSigner(
      name: name, publicKey: key, contact: contact, revocationList: "\(contact)/crl", terms: terms
    ).extensions
    try change(&extensions)
    let above = try issuer.authority.issue(name: name, publicKey: key, terms: terms, extensions: extensions)
    let authority = try CertificateAuthority(
      profile: .issuingAuthorityRoot, name: name, contact: contact, terms: terms, signer: issuer.signer)
    let signer = try authority.documentSigner(
      name: issuer.name, publicKey: key, contact: contact, revocationList: "\(contact)/crl", terms: terms)
    setChain([try signer.derEncoded(), try above.derEncoded()])
  }

  fileprivate mutating func setDates(
    signed: DateTime? = nil, from start: DateTime? = nil, until end: DateTime? = nil, expectedUpdate: DateTime? = nil
  ) throws {
    let dates = [
      ("signed", signed ?? usual.signed), ("validFrom", start ?? usual.validFrom),
      ("validUntil", end ?? usual.validUntil), ("expectedUpdate", expectedUpdate),
    ]
    try change("validityInfo") { _ in
      .textMap(dates.compactMap { name, date in date.map { (name, .tagged(0, .text($0.description))) } })
    }
  }
}

extension FaultyIssuer {
  private var usualStart: DateTime { moment.adding(days: -20) }
  fileprivate var usualEnd: DateTime { usualStart.adding(days: CertificateProfile.documentSigner.maximumDays) }

  /// The terms of a certificate that a fault needs.
  fileprivate func terms(from start: DateTime? = nil, until end: DateTime? = nil) -> CertificateAuthority.Terms {
    CertificateAuthority.Terms(from: start ?? usualStart, until: end ?? usualEnd, serialNumber: serialNumber)
  }
}
