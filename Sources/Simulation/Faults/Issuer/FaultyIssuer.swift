import COSE
import Certificates
import Crypto
import MobileDocument
import Primitives
import SimulationKernel
import X509

/// Faults of the signer's certificate and of the document's validity.
extension DocumentFault {
  package static let rootInChain = DocumentFault(
    "root-in-chain", "The certificate chain contains the root", .deviates("issuer.certificate.profile/root-in-chain"))
  package static let unreadableInChain = DocumentFault(
    "unreadable-in-chain", "An unreadable certificate follows the signer's certificate",
    .deviates("issuer.form/chain-unreadable"))
  package static let signerOfAnotherRoot = DocumentFault(
    "signer-of-another-root", "Another root has certified the signer", .fails("issuer.trust"))
  package static let signerExpired = DocumentFault(
    "signer-expired", "The signer's certificate has expired",
    .fails("issuer.certificate.validity/expired", deviating: ["mso.signer-validity/outlives-signer"]))
  package static let signerNotYetValid = DocumentFault(
    "signer-not-yet-valid", "The signer's certificate is not valid yet",
    .fails("issuer.certificate.validity/not-yet-valid", "mso.signer-validity/signed-outside"))
  package static let signerIsReader = DocumentFault(
    "signer-is-reader", "The signer's certificate is a reader certificate",
    .fails(
      "issuer.certificate.purpose",
      deviating: [
        "issuer.certificate.profile/crl-distribution-points", "issuer.certificate.profile/issuer-alternative-name",
      ]))
  package static let signerIsAuthority = DocumentFault(
    "signer-is-authority", "The signer's certificate is a CA certificate", .fails("issuer.certificate.end-entity"))
  package static let signerWithoutPurpose = DocumentFault(
    "signer-without-purpose", "The signer's certificate has no extended key usage",
    .fails("issuer.certificate.purpose/extended-key-usage-missing"))
  package static let signerForPersonData = DocumentFault(
    "signer-for-person-data", "The signer's certificate is for EU person identification data",
    .fails("issuer.certificate.purpose/extended-key-usage-eu"))
  package static let signerOfAnotherState = DocumentFault(
    "signer-of-another-state", "The signer's certificate names another state than the root",
    .fails("issuer.certificate.profile/issuer-state"))
  package static let signerForTooLong = DocumentFault(
    "signer-for-too-long", "The signer's certificate is valid for longer than its profile allows",
    .deviates("issuer.certificate.profile/validity-period"))
  package static let signerKeyKind = DocumentFault(
    "signer-key-kind", "The signer's key is on a curve that is not allowed", .fails("issuer.certificate.key"))
  package static let signerKeySmallOrder = DocumentFault(
    "signer-key-small-order", "The signer's key is a point of small order, for which signatures can be forged",
    .fails("issuer.certificate.key"))
  package static let signedBeforeSigner = DocumentFault(
    "signed-before-signer", "The document was signed before its signer's certificate began",
    .fails("mso.signer-validity/signed-outside"))
  package static let signedMinutesBeforeSigner = DocumentFault(
    "signed-minutes-before-signer", "The document was signed minutes before its signer's certificate began",
    .fails("mso.signer-validity/signed-early"))
  package static let validMinutesBeforeSignature = DocumentFault(
    "valid-minutes-before-signature", "The document is valid from minutes before it was signed",
    .fails("mso.validity-order/before-signed"))
  package static let notYetValid = DocumentFault(
    "not-yet-valid", "The document is not valid yet", .fails("mso.validity/not-yet-valid"))
  package static let expired = DocumentFault("expired", "The document has expired", .fails("mso.validity/expired"))
  package static let beyondSigner = DocumentFault(
    "beyond-signer", "The document is valid for longer than its signer's certificate",
    .deviates("mso.signer-validity/outlives-signer"))
  package static let validForNoTime = DocumentFault(
    "valid-for-no-time", "The document's validity ends when it begins",
    .deviates("mso.validity-order/ends-at-beginning"))
  package static let updateAfterEnd = DocumentFault(
    "update-after-end", "The expected update of the document is after its end",
    .deviates("mso.validity-order/update-after-end"))
  package static let datesOutOfOrder = DocumentFault(
    "dates-out-of-order", "The document is valid before it was signed", .fails("mso.validity-order/contradictory"))

  static let ofSigner: [DocumentFault] = [
    .rootInChain, .unreadableInChain, .signerOfAnotherRoot, .signerExpired, .signerNotYetValid, .signerIsReader,
    .signerIsAuthority, .signerWithoutPurpose, .signerForPersonData, .signerOfAnotherState, .signerForTooLong,
    .signerKeyKind, .signerKeySmallOrder, .signedBeforeSigner, .signedMinutesBeforeSigner, .notYetValid, .expired,
    .beyondSigner, .validForNoTime, .updateAfterEnd, .datesOutOfOrder, .validMinutesBeforeSignature,
  ]
}

/// An issuing authority that issues documents with a fault. Its keys and its root are the real ones.
public struct FaultyIssuer: Sendable {
  /// The authority, which certifies signers.
  public let authority: CertificateAuthority
  /// Another authority of the same name, which is not trusted.
  public let otherAuthority: CertificateAuthority
  /// Key of the document signer.
  public let signer: any ES256Signer
  /// DER of the document signer's certificate.
  public let certificate: [UInt8]
  /// Name in the document signer's certificate.
  public let name: CertificateName
  /// URI at which the authority can be reached.
  public let contact: String
  /// The time of issue.
  public let moment: DateTime
  /// Serial number of a certificate that a fault needs.
  public let serialNumber: [UInt8]

  /// Makes an issuer.
  public init(
    authority: CertificateAuthority, otherAuthority: CertificateAuthority, signer: some ES256Signer,
    certificate: [UInt8],
    name: CertificateName, contact: String, moment: DateTime, serialNumber: [UInt8]
  ) {
    self.authority = authority
    self.otherAuthority = otherAuthority
    self.signer = signer
    self.certificate = certificate
    self.name = name
    self.contact = contact
    self.moment = moment
    self.serialNumber = serialNumber
  }

  /// Issues a document with one fault. Faults of elements and their digests are put into the first name space.
  /// - Returns: the encoded `IssuerSigned`.
  /// - Throws: `SimulationError`, what the signer throws, or what is wrong with the draft.
  public func issued(
    _ draft: DocumentDraft, with fault: DocumentFault, _ statusEntry: StatusEntryFault? = nil,
    randomness: inout some DocumentDraft.Randomness
  ) throws -> [UInt8] {
    var draft = draft
    draft.validity = validity(of: draft, with: fault)
    draft.documentType = fault.presentedType(of: draft.documentType)
    let chain = try chain(with: fault)
    var parts = try DocumentParts(try draft.issued(by: signer, chain: chain, randomness: &randomness))
    try changeSecurityObject(&parts, fault)
    try changeKeyInfo(&parts, fault)
    try changeElements(&parts, fault)
    try changeDigests(&parts, fault)
    try statusEntry?.change(&parts)
    try changeHeaders(&parts, fault, chain: chain)
    return try parts.encoded(issuerAuth: try issuerAuth(of: parts, fault))
  }

  private func validity(of draft: DocumentDraft, with fault: DocumentFault) -> MobileSecurityObject.Validity {
    let usual = draft.validity
    switch fault {
    case .signedBeforeSigner, .signerExpired, .expired:
      return MobileSecurityObject.Validity(
        signed: moment.adding(days: -2), validFrom: moment.adding(days: -2),
        validUntil: fault == .expired ? moment.adding(seconds: -1) : usual.validUntil)
    case .signedMinutesBeforeSigner:
      let signed = moment.adding(days: -1).adding(seconds: -Self.minutesEarly)
      return MobileSecurityObject.Validity(
        signed: signed, validFrom: moment.adding(days: -1), validUntil: usual.validUntil)
    case .validMinutesBeforeSignature:
      return MobileSecurityObject.Validity(
        signed: usual.signed, validFrom: usual.signed.adding(seconds: -Self.minutesEarly), validUntil: usual.validUntil)
    case .notYetValid:
      return MobileSecurityObject.Validity(
        signed: usual.signed, validFrom: moment.adding(days: 1), validUntil: usual.validUntil.adding(days: 1))
    case .beyondSigner:
      return MobileSecurityObject.Validity(
        signed: usual.signed, validFrom: usual.validFrom,
        validUntil: moment.adding(days: 2 * CertificateProfile.documentSigner.maximumDays))
    case .datesOutOfOrder:
      return MobileSecurityObject.Validity(
        signed: usual.signed, validFrom: usual.signed.adding(days: -1), validUntil: usual.validUntil)
    case .validForNoTime:
      return MobileSecurityObject.Validity(signed: usual.signed, validFrom: moment, validUntil: moment)
    case .updateAfterEnd:
      return MobileSecurityObject.Validity(
        signed: usual.signed, validFrom: usual.validFrom, validUntil: usual.validUntil,
        expectedUpdate: usual.validUntil.adding(days: 1))
    default: return usual
    }
  }

  private func chain(with fault: DocumentFault) throws -> [[UInt8]] {
    let days = CertificateProfile.documentSigner.maximumDays
    func terms(_ from: DateTime, _ until: DateTime) -> CertificateAuthority.Terms {
      CertificateAuthority.Terms(from: from, until: until, serialNumber: serialNumber)
    }
    func signer(
      of authority: CertificateAuthority, name: CertificateName, from: DateTime, until: DateTime,
      key: Certificate.PublicKey? = nil,
      changing: (Certificate.Extensions) throws -> Certificate.Extensions = { $0 }
    ) throws -> [[UInt8]] {
      let publicKey = key ?? Certificate.PublicKey(self.signer.publicKey)
      let made = try authority.documentSigner(
        name: name, publicKey: publicKey, contact: contact, revocationList: "\(contact)/crl",
        terms: terms(from, until))
      let changed = try authority.issue(
        name: name, publicKey: publicKey, terms: terms(from, until), extensions: changing(made.extensions))
      return [try changed.derEncoded()]
    }
    let usualStart = moment.adding(days: -20)
    let usualEnd = usualStart.adding(days: days)
    switch fault {
    case .signerOfAnotherRoot: return try signer(of: otherAuthority, name: name, from: usualStart, until: usualEnd)
    case .signerExpired:
      return try signer(of: authority, name: name, from: usualStart, until: moment.adding(seconds: -1))
    case .signerNotYetValid:
      let start = moment.adding(days: 1)
      return try signer(of: authority, name: name, from: start, until: start.adding(days: days))
    case .signedBeforeSigner, .signedMinutesBeforeSigner:
      return try signer(of: authority, name: name, from: moment.adding(days: -1), until: usualEnd)
    case .expired: return try signer(of: authority, name: name, from: usualStart, until: usualEnd)
    case .signerForTooLong:
      return try signer(of: authority, name: name, from: usualStart, until: usualStart.adding(days: days + 1))
    case .signerOfAnotherState:
      var elsewhere = name
      elsewhere.state = "\(name.country ?? "")-ZZ"
      return try signer(of: authority, name: elsewhere, from: usualStart, until: usualEnd)
    case .signerIsReader:
      let reader = try authority.reader(
        name: name, domain: "reader.example", brand: nil, publicKey: Certificate.PublicKey(self.signer.publicKey),
        terms: terms(usualStart, usualEnd))
      return [try reader.derEncoded()]
    case .signerIsAuthority:
      return try signer(of: authority, name: name, from: usualStart, until: usualEnd) { extensions in
        var extensions = extensions
        try extensions.append(
          Certificate.Extension(BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true))
        return extensions
      }
    case .signerWithoutPurpose:
      return try signer(of: authority, name: name, from: usualStart, until: usualEnd) { extensions in
        try Certificate.Extensions(extensions.filter { $0.oid != .X509ExtensionID.extendedKeyUsage })
      }
    case .signerForPersonData:
      return try signer(of: authority, name: name, from: usualStart, until: usualEnd) { extensions in
        var others = try Certificate.Extensions(extensions.filter { $0.oid != .X509ExtensionID.extendedKeyUsage })
        let usage = ExtendedKeyUsage.Usage(oid: CertificateOID.personIdentificationSignerKeyPurpose)
        try others.append(Certificate.Extension(ExtendedKeyUsage([usage]), critical: true))
        return others
      }
    case .unreadableInChain:
      return [certificate, try Self.onAnotherCurve(authority.encodedRoot)]
    case .signerKeyKind: return [try Self.onAnotherCurve(certificate)]
    case .signerKeySmallOrder:
      let key = Certificate.PublicKey(try Curve25519.Signing.PublicKey(rawRepresentation: Self.pointOfOrderOne))
      return try signer(of: authority, name: name, from: usualStart, until: usualEnd, key: key)
    case .rootInChain: return [certificate, authority.encodedRoot]
    default: return [certificate]
    }
  }

  /// Five minutes, as issuers in use have it.
  private static let minutesEarly: Int64 = 300

  /// The neutral point of Ed25519 (RFC 8032, 5.1.2): a signature of the same bytes and zeros fits every message.
  static let pointOfOrderOne: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)

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
