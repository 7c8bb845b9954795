import Checks
import Crypto
import Primitives
import SwiftASN1
import X509

/// A certificate revocation list (RFC 5280, 5) of an issuing authority (ISO/IEC 18013-5, B.1.8), read from downloaded
/// bytes. Do not rely on its content before ``isSigned(by:)`` returns true.
public struct CertificateRevocationList: Sendable {
  /// A revoked certificate.
  public struct Entry: Sendable {
    /// The serial number as a DER integer.
    public let serialNumber: [UInt8]
    /// The revocation date.
    public let date: DateTime
    /// The `CRLReason` (RFC 5280, 5.3.1), or nil if the list has none.
    public let reason: Int?
  }

  /// The version: 1, or 2 as the standard requires.
  public let version: Int
  /// The name of the list's issuer.
  public let issuer: DistinguishedName
  /// The time at which the list was issued.
  public let thisUpdate: DateTime
  /// The time by which the next list is issued, or nil if it is missing, which the standard does not allow.
  public let nextUpdate: DateTime?
  /// The revoked certificates.
  public let entries: [Entry]
  /// The extensions of the list.
  public let extensions: Certificate.Extensions
  /// The name of the signature algorithm, or its object identifier.
  public let signatureAlgorithm: String

  private let algorithm: Certificate.SignatureAlgorithm?
  private let signature: [UInt8]
  /// The received DER of the list.
  private var encoded: [UInt8] = []
  private let signedBytes: [UInt8]

  /// The longest list that is read, in bytes: about 25 000 entries. Larger authorities should use a status list.
  public static let maximumLength = 1 << 20

  /// Reads a list.
  /// - Throws: ``CertificateRuleError``.
  public init(derEncoded bytes: [UInt8]) throws(CertificateRuleError) {
    guard bytes.count <= Self.maximumLength else {
      throw CertificateRuleError(
        .revocationListUnreadable, .size, "the list has \(bytes.count) bytes, more than \(Self.maximumLength)")
    }
    do {
      self = try DER.sequence(DER.parse(bytes), identifier: .sequence) { try Self(&$0) }
      encoded = bytes
    } catch {
      throw CertificateRuleError(
        .revocationListUnreadable, .readable, "the list is malformed: \(describeX509Error(error))")
    }
  }

  private init(_ parts: inout ASN1NodeCollection.Iterator) throws {
    let signed = try Self.next(&parts)
    let identifier = try ASN1ObjectIdentifier(ofAlgorithm: Self.next(&parts))
    algorithm = Self.algorithms[identifier]
    signatureAlgorithm = CertificateSignatureAlgorithms.name(of: identifier)
    let bits = try ASN1BitString(derEncoded: &parts)
    guard bits.paddingBits == 0 else { throw ASN1Error.invalidASN1Object(reason: "the signature has unused bits") }
    signature = [UInt8](bits.bytes)
    signedBytes = [UInt8](signed.encodedBytes)
    let fields = try DER.sequence(signed, identifier: .sequence) { try Fields(&$0) }
    guard fields.algorithm == identifier else {
      throw ASN1Error.invalidASN1Object(reason: "the signed part names another algorithm than the signature")
    }
    (version, issuer, thisUpdate, nextUpdate) = (fields.version, fields.issuer, fields.thisUpdate, fields.nextUpdate)
    (entries, extensions) = (fields.entries, fields.extensions)
  }

  /// `TBSCertList`.
  private struct Fields {
    var version = 1
    let algorithm: ASN1ObjectIdentifier
    let issuer: DistinguishedName
    let thisUpdate: DateTime
    var nextUpdate: DateTime?
    var entries: [Entry] = []
    var extensions = Certificate.Extensions()

    init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
      var node = try CertificateRevocationList.next(&nodes)
      if node.identifier == .integer {
        guard try Int(derEncoded: node) == 1 else { throw ASN1Error.invalidASN1Object(reason: "an unknown version") }
        version = 2
        node = try CertificateRevocationList.next(&nodes)
      }
      algorithm = try ASN1ObjectIdentifier(ofAlgorithm: node)
      issuer = try DistinguishedName(derEncoded: CertificateRevocationList.next(&nodes))
      thisUpdate = try DateTime(certificateTime: CertificateRevocationList.next(&nodes))
      var rest = nodes.next()
      if let time = rest, time.identifier == .utcTime || time.identifier == .generalizedTime {
        nextUpdate = try DateTime(certificateTime: time)
        rest = nodes.next()
      }
      if let list = rest, list.identifier == .sequence, case .constructed(let children) = list.content {
        entries = try children.map { try DER.sequence($0, identifier: .sequence) { try Entry(&$0) } }
        rest = nodes.next()
      }
      if let last = rest {
        guard last.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific),
          case .constructed(let inside) = last.content, let list = inside.first(where: { _ in true })
        else { throw ASN1Error.invalidASN1Object(reason: "unexpected content after the list") }
        extensions = try Certificate.Extensions(
          DER.sequence(of: Certificate.Extension.self, identifier: .sequence, rootNode: list))
      }
      while nodes.next() != nil { throw ASN1Error.invalidASN1Object(reason: "unexpected content after the extensions") }
    }
  }

  private static let algorithms: [ASN1ObjectIdentifier: Certificate.SignatureAlgorithm] = [
    [1, 2, 840, 10045, 4, 3, 2]: .ecdsaWithSHA256, [1, 2, 840, 10045, 4, 3, 3]: .ecdsaWithSHA384,
    [1, 2, 840, 10045, 4, 3, 4]: .ecdsaWithSHA512,
  ]

  fileprivate static func next(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1Node {
    guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "the list ends too early") }
    return node
  }

  /// Returns whether the list is signed with a certificate's key and the certificate is its issuer's.
  public func isSigned(by certificate: Certificate) -> Bool {
    guard let algorithm, certificate.subject == issuer else { return false }
    if let usage = ReadUsage(in: certificate.extensions)?.usage, !usage.cRLSign { return false }
    return certificate.hasSigned(signedBytes, as: signature, algorithm, list: encoded)
  }

  /// Returns the entry of a certificate, or nil if the list does not contain it.
  public func entry(of certificate: Certificate) -> Entry? {
    let wanted = certificate.serialNumberOctets
    return certificate.issuer == issuer ? entries.first { $0.serialNumber == wanted } : nil
  }
}

extension CertificateRevocationList.Entry {
  private static let reasonCode: ASN1ObjectIdentifier = [2, 5, 29, 21]
  /// `removeFromCRL`, by which a list of changes takes an entry back (RFC 5280, 5.3.1).
  fileprivate static let removal = 8
  private static let enumerated = ASN1Identifier(tagWithNumber: 10, tagClass: .universal)

  fileprivate init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
    let number = try CertificateRevocationList.next(&nodes)
    guard number.identifier == .integer, case .primitive(let digits) = number.content, !digits.isEmpty else {
      throw ASN1Error.invalidASN1Object(reason: "the serial number is not an integer")
    }
    // A number has only one form (ITU-T X.690, 8.3.2). In another form it would match no certificate.
    if let first = digits.first, let second = digits.dropFirst().first, first == (second < 0x80 ? 0 : 0xff) {
      throw ASN1Error.invalidASN1Object(reason: "a serial number in more octets than it needs")
    }
    serialNumber = [UInt8](digits)
    date = try DateTime(certificateTime: CertificateRevocationList.next(&nodes))
    guard let list = nodes.next() else {
      reason = nil
      return
    }
    let extensions = try DER.sequence(of: Certificate.Extension.self, identifier: .sequence, rootNode: list)
    // The meaning of an entry with an unknown critical extension is unknown.
    guard extensions.allSatisfy({ !$0.critical || $0.oid == Self.reasonCode }) else {
      throw ASN1Error.invalidASN1Object(reason: "an entry has a critical extension that is not supported")
    }
    reason = extensions.first { $0.oid == Self.reasonCode }.flatMap { found in
      (try? DER.parse(found.value)).flatMap { try? Int(derEncoded: $0, withIdentifier: Self.enumerated) }
    }
  }
}

/// The checks of a certificate's revocation by lists of revoked certificates (RFC 5280, 5).
public enum RevocationListCheck: CheckFamily {
  case list, revocation

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case missing, malformed, signature, stale
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .list:
      CheckDefinition(
        "certificate.revocation-list", "the issuer's list of revoked certificates is usable and up to date",
        clause: "RFC 5280, 6.3",
        [
          .notice(Reason.missing, "the issuer's list of revoked certificates is not available"),
          .failure(Reason.malformed, "the list of revoked certificates cannot be used"),
          .failure(Reason.signature, "the list of revoked certificates is not signed by the certificate's issuer"),
          .failure(Reason.stale, "the list of revoked certificates is out of date"),
        ])
    case .revocation:
      CheckDefinition(
        "certificate.revocation", "the certificate is not revoked", "the certificate is revoked",
        clause: "RFC 5280, 6.3")
    }
  }
}

extension ValidatedCertificatePath {
  /// Returns the failed check if a certificate on the path is revoked. A list that is missing or out of date does not
  /// count.
  package func revocation(by lists: [CertificateRevocationList], at moment: DateTime) -> CheckResult? {
    // The usual case: no list is at hand, and no results that name certificates are made.
    guard !lists.isEmpty else { return nil }
    return revocations(lists, at: moment).first {
      $0.check == RevocationListCheck.revocation.id && $0.status == .failed
    }
  }

  /// Returns the revocation of each certificate on the path except the trusted one: its first failure, or that it is not
  /// revoked. The caller decides about a list that is missing or out of date.
  public func revocations(_ lists: [CertificateRevocationList], at moment: DateTime) -> [CheckResult] {
    zip(certificates, certificates.dropFirst()).map { certificate, issuer in
      let subject = certificate.subject.description
      func found(
        _ check: RevocationListCheck, _ reason: RevocationListCheck.Reason? = nil, expected: String? = nil,
        _ found: String? = nil
      ) -> CheckResult {
        CheckFinding(check, reason).result(
          subject: subject,
          evidence: found.map { [CheckResult.Evidence("list", expected: expected, found: $0)] } ?? [])
      }
      let named = lists.filter { $0.issuer == certificate.issuer }
      guard !named.isEmpty else { return found(.list, .missing) }
      let signed = named.filter { $0.isSigned(by: issuer) }
      guard !signed.isEmpty else { return found(.list, .signature, named[0].signatureAlgorithm) }
      // A list with a critical extension is of some certificates or changes alone. It can revoke, and clears nothing.
      let whole = signed.filter { !$0.extensions.contains(where: \.critical) }.max { $0.thisUpdate < $1.thisUpdate }
      let partial = signed.filter { list in
        list.extensions.contains(where: \.critical) && whole.map { $0.thisUpdate <= list.thisUpdate } ?? true
      }
      let entry =
        whole?.entry(of: certificate)
        ?? partial.lazy.compactMap { $0.entry(of: certificate) }
        .first { $0.reason != CertificateRevocationList.Entry.removal }
      if let entry { return found(.revocation, nil, "revoked on \(entry.date)") }
      guard let list = whole else {
        let unknown = partial.flatMap(\.extensions).first(where: \.critical)
        return found(.list, .malformed, "a critical extension, \(unknown.map { "\($0.oid)" } ?? "unknown")")
      }
      guard list.thisUpdate <= moment, let next = list.nextUpdate, moment <= next else {
        return found(
          .list, .stale, expected: moment.description,
          "\(list.thisUpdate) to \(list.nextUpdate?.description ?? "no time")")
      }
      let passed = RevocationListCheck.revocation
      return CheckResult(passed.id, subject: subject, .passed, message: passed.definition.title)
    }
  }
}
