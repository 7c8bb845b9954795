import CBOR
import Certificates
import Crypto
import MobileDocument
import Primitives
import SDJWT
import SimulationKernel
import X509

/// A fault of the signer's certificate, which a document of either format can have.
struct SignerFault: Sendable {
  let name: String
  let title: String
  /// The findings in a mobile document.
  let inDocument: FaultFindings
  /// The findings in an SD-JWT credential; nil if its verifier finds nothing.
  let inCredential: FaultFindings?
  /// The time before the present at which the document was signed, in days.
  let signedDaysAgo: Int
  /// Returns the certificate chain.
  let chain: @Sendable (FaultyIssuer) throws -> [[UInt8]]

  init(
    _ name: String, _ title: String, _ inDocument: FaultFindings, credential inCredential: FaultFindings?,
    signedDaysAgo: Int = 0, _ chain: @escaping @Sendable (FaultyIssuer) throws -> [[UInt8]]
  ) {
    self.name = name
    self.title = title
    self.inDocument = inDocument
    self.inCredential = inCredential
    self.signedDaysAgo = signedDaysAgo
    self.chain = chain
  }

  static let all: [SignerFault] = [
    SignerFault(
      "root-in-chain", "The certificate chain contains the root",
      .deviates(.issuerCertificateProfile, .rule(.rootInChain)), credential: .deviates(SDJWTCheck.trust, .departs)
    ) { [$0.certificate, $0.authority.encodedRoot] },
    SignerFault(
      "unreadable-in-chain", "An unreadable certificate follows the signer's certificate",
      .deviates(.issuerForm, .chainUnreadable), credential: .fails(SDJWTCheck.certificate, .malformed)
    ) { [$0.certificate, try onAnotherCurve($0.authority.encodedRoot)] },
    SignerFault(
      "signer-of-another-root", "Another root has certified the signer", .fails(.issuerTrust),
      credential: .fails(SDJWTCheck.trust)
    ) { [try $0.certified(by: $0.otherAuthority)] },
    SignerFault(
      "signer-expired", "The signer's certificate has expired",
      .fails(.issuerCertificateValidity, .expired).deviating(.signerValidity, .outlivesSigner),
      credential: .fails(SDJWTCheck.trust, .expired), signedDaysAgo: 2
    ) { [try $0.certified(until: $0.moment.adding(days: -1))] },
    SignerFault(
      "signer-not-yet-valid", "The signer's certificate is not valid yet",
      .fails(.issuerCertificateValidity, .notYetValid).failing(.signerValidity, .signedOutside),
      credential: .fails(SDJWTCheck.trust, .notYetValid)
    ) { issuer in
      let start = issuer.moment.adding(days: 1)
      let end = start.adding(days: CertificateProfile.documentSigner.maximumDays)
      return [try issuer.certified(from: start, until: end)]
    },
    SignerFault(
      "signer-is-reader", "The signer's certificate is a reader certificate",
      .fails(.issuerCertificatePurpose)
        .deviating(.issuerCertificateProfile, .rule(.crlDistributionPoints))
        .deviating(.issuerCertificateProfile, .rule(.issuerAlternativeName)),
      credential: .fails(SDJWTCheck.trust, .invalid)
    ) { issuer in
      let reader = try issuer.authority.reader(
        name: issuer.name, domain: "reader.example", brand: nil,
        publicKey: Certificate.PublicKey(issuer.signer.publicKey), terms: issuer.terms())
      return [try reader.derEncoded()]
    },
    SignerFault(
      "signer-is-authority", "The signer's certificate is a CA certificate", .fails(.issuerEndEntity),
      credential: .fails(SDJWTCheck.trust, .invalid),
      certified { extensions in
        try extensions.append(
          Certificate.Extension(BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true))
      }),
    SignerFault(
      "signer-without-purpose", "The signer's certificate has no extended key usage",
      .fails(.issuerCertificatePurpose, .tolerance(.usageMissing)), credential: nil,
      certified { $0 = try withoutPurpose($0) }),
    SignerFault(
      "signer-for-person-data", "The signer's certificate is for EU person identification data",
      .fails(.issuerCertificatePurpose, .tolerance(.usageOfEU)), credential: nil,
      certified { extensions in
        let usage = ExtendedKeyUsage.Usage(oid: CertificateOID.personIdentificationSignerKeyPurpose)
        extensions = try withoutPurpose(extensions)
        try extensions.append(Certificate.Extension(ExtendedKeyUsage([usage]), critical: true))
      }),
    SignerFault(
      "signer-of-another-state", "The signer's certificate names another state than the root",
      .fails(.issuerCertificateProfile, .rule(.issuerState)), credential: .fails(SDJWTCheck.trust, .invalid)
    ) { issuer in
      var elsewhere = issuer.name
      elsewhere.state = "\(elsewhere.country ?? "")-ZZ"
      return [try issuer.certified(as: elsewhere)]
    },
    SignerFault(
      "signer-for-too-long", "The signer's certificate is valid for longer than its profile allows",
      .deviates(.issuerCertificateProfile, .rule(.validityPeriod)), credential: .deviates(SDJWTCheck.trust, .departs)
    ) { [try $0.certified(until: $0.usualEnd.adding(days: 1))] },
    SignerFault(
      "signer-key-kind", "The signer's key is on a curve that is not allowed", .fails(.issuerCertificateKey),
      credential: .fails(SDJWTCheck.certificate, .malformed)
    ) { [try onAnotherCurve($0.certificate)] },
    SignerFault(
      "signer-key-small-order", "The signer's key is a point of small order, for which signatures can be forged",
      .fails(.issuerCertificateKey), credential: .fails(SDJWTCheck.certificate, .malformed)
    ) { issuer in
      let point = try Curve25519.Signing.PublicKey(rawRepresentation: FaultyIssuer.pointOfOrderOne)
      return [try issuer.certified(key: Certificate.PublicKey(point))]
    },
    SignerFault(
      "signer-of-lookalike-root",
      "A root with the name and the key identifier of the trusted one has certified the signer",
      .fails(.issuerTrust), credential: .fails(SDJWTCheck.trust)
    ) { issuer in
      let identifier = AuthorityKeyIdentifier(keyIdentifier: issuer.authority.keyIdentifier[...])
      let certificate = try issuer.certified(by: issuer.otherAuthority) { extensions in
        extensions = try Certificate.Extensions(extensions.filter { $0.oid != .X509ExtensionID.authorityKeyIdentifier })
        try extensions.append(Certificate.Extension(identifier, critical: false))
      }
      return [certificate]
    },
    SignerFault(
      "signer-of-unknown-root", "A root of a name that nobody trusts has certified the signer", .fails(.issuerTrust),
      credential: .fails(SDJWTCheck.trust)
    ) { issuer in
      var name = issuer.name
      name.commonName = "Elsewhere"
      let root = try CertificateAuthority(
        name: name, contact: issuer.contact, terms: issuer.terms(),
        signer: issuer.signer)
      return [try issuer.certified(by: root)]
    },
    SignerFault(
      "signer-below-signer", "Another document signer has certified the signer", .fails(.issuerTrust),
      credential: .fails(SDJWTCheck.trust)
    ) { try $0.certifiedBelow { _ in } },
    SignerFault(
      "signer-too-deep", "An authority has certified the signer, and the root allows none below it",
      .fails(.issuerTrust), credential: .fails(SDJWTCheck.trust)
    ) { issuer in
      try issuer.certifiedBelow { extensions in
        let kept = extensions.filter {
          $0.oid == .X509ExtensionID.subjectKeyIdentifier || $0.oid == .X509ExtensionID.authorityKeyIdentifier
        }
        extensions = try Certificate.Extensions(kept)
        try extensions.append(
          Certificate.Extension(BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true))
        try extensions.append(Certificate.Extension(KeyUsage(keyCertSign: true, cRLSign: true), critical: true))
      }
    },
    SignerFault(
      "signer-extension-unknown", "The signer's certificate has a critical extension that nobody knows",
      .fails(.issuerCertificateProfile, .rule(.criticalExtension)), credential: .fails(SDJWTCheck.trust, .invalid),
      certified { extensions in
        // An arc for examples (RFC 5612), and NULL.
        try extensions.append(Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 32473, 1], critical: true, value: [5, 0]))
      }),
    SignerFault(
      "signer-for-key-agreement", "The signer's key is for key agreement",
      .fails(.issuerCertificateProfile, .rule(.keyUsage)), credential: .fails(SDJWTCheck.trust, .invalid),
      certified { extensions in
        extensions = try Certificate.Extensions(extensions.filter { $0.oid != .X509ExtensionID.keyUsage })
        try extensions.append(Certificate.Extension(KeyUsage(keyAgreement: true), critical: true))
      }),
  ]

  /// A certificate of the usual authority with other extensions.
  private static func certified(
    _ changing: @escaping @Sendable (inout Certificate.Extensions) throws -> Void
  ) -> @Sendable (FaultyIssuer) throws -> [[UInt8]] {
    { [try $0.certified(changing: changing)] }
  }

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

extension Fault {
  /// Faults of the signer's certificate.
  static let ofSigners: [Fault] = SignerFault.all.map { fault in
    document(fault.name, fault.title, fault.inDocument) { parts in
      if fault.signedDaysAgo > 0 {
        let signed = parts.moment.adding(days: -fault.signedDaysAgo)
        try parts.setDates(signed: signed, from: signed)
      }
      parts.setChain(try fault.chain(parts.issuer))
    }
  }

  /// Faults of the document's validity.
  static let ofValidity: [Fault] = [
    document(
      "signed-before-signer", "The document was signed before its signer's certificate began",
      .fails(.signerValidity, .signedOutside)
    ) { parts in
      try parts.setDates(signed: parts.moment.adding(days: -2), from: parts.moment.adding(days: -2))
      parts.setChain([try parts.issuer.certified(from: parts.moment.adding(days: -1))])
    },
    document(
      "signed-minutes-before-signer", "The document was signed minutes before its signer's certificate began",
      .fails(.signerValidity, .signedEarly)
    ) { parts in
      let start = parts.moment.adding(days: -1)
      try parts.setDates(signed: start.adding(seconds: -minutesEarly), from: start)
      parts.setChain([try parts.issuer.certified(from: start)])
    },
    document("not-yet-valid", "The document is not valid yet", .fails(.validity, .notYetValid)) {
      try $0.setDates(from: $0.moment.adding(days: 1), until: $0.usual.validUntil.adding(days: 1))
    },
    document("expired", "The document has expired", .fails(.validity, .expired)) { parts in
      let start = parts.moment.adding(days: -2)
      try parts.setDates(signed: start, from: start, until: parts.moment.adding(days: -1))
      parts.setChain([try parts.issuer.certified()])
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
}

extension DocumentParts {
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

  /// Another certificate for the signer's key, in DER.
  fileprivate func certified(
    by authority: CertificateAuthority? = nil, as name: CertificateName? = nil, from start: DateTime? = nil,
    until end: DateTime? = nil, key: Certificate.PublicKey? = nil,
    changing: (inout Certificate.Extensions) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    let (authority, name) = (authority ?? self.authority, name ?? self.name)
    let key = key ?? Certificate.PublicKey(signer.publicKey)
    let terms = terms(from: start, until: end)
    var extensions = try authority.documentSigner(
      name: name, publicKey: key, contact: contact, revocationList: "\(contact)/crl", terms: terms
    ).extensions
    try changing(&extensions)
    return try authority.issue(name: name, publicKey: key, terms: terms, extensions: extensions).derEncoded()
  }

  /// A chain for the signer's key with a certificate between it and the root.
  /// - Parameter change: Makes the extensions of the certificate between, from those of a document signer.
  fileprivate func certifiedBelow(_ change: (inout Certificate.Extensions) throws -> Void) throws -> [[UInt8]] {
    var above = name
    above.commonName += " Above"
    let key = Certificate.PublicKey(signer.publicKey)
    let certificate = try certified(as: above, changing: change)
    let authority = try CertificateAuthority(name: above, contact: contact, terms: terms(), signer: signer)
    let signer = try authority.documentSigner(
      name: name, publicKey: key, contact: contact, revocationList: "\(contact)/crl", terms: terms())
    return [try signer.derEncoded(), certificate]
  }
}
