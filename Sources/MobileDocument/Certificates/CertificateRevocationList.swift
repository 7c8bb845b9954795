import Crypto
import SwiftASN1
import X509

/// A list of revoked certificates (RFC 5280, 5) as an issuing authority publishes it (ISO/IEC 18013-5, B.1.8): pure, from
/// bytes that somebody else got. Nothing in it counts before ``isSigned(by:)``.
public struct CertificateRevocationList: Sendable {
  /// A revoked certificate.
  public struct Entry: Sendable {
    /// Its serial number as DER writes integers.
    public let serialNumber: [UInt8]
    /// Since when it is revoked.
    public let date: DateTime
    /// Why, as `CRLReason` (RFC 5280, 5.3.1); nil when the list does not say.
    public let reason: Int?
  }

  /// Version: 1, or 2 as the standard demands.
  public let version: Int
  /// Name of who issued the list.
  public let issuer: DistinguishedName
  /// When the list was issued.
  public let thisUpdate: DateTime
  /// By when the next one will be there; nil when the list does not say, which the standard does not allow.
  public let nextUpdate: DateTime?
  /// The revoked certificates.
  public let entries: [Entry]
  /// Extensions of the list.
  public let extensions: Certificate.Extensions
  /// Name of the algorithm of the signature, or its object identifier.
  public let signatureAlgorithm: String

  private let algorithm: Certificate.SignatureAlgorithm?
  private let signature: [UInt8]
  private let signedBytes: [UInt8]

  /// Longest list that is read, in bytes: about 25 000 entries. An authority that revokes more should tell by a status
  /// list.
  public static let maximumLength = 1 << 20

  /// A list cannot be read.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    /// What is wrong, for a person to read.
    public let description: String
  }

  /// Reads a list.
  /// - Throws: ``Problem``.
  public init(derEncoded bytes: [UInt8]) throws(Problem) {
    guard bytes.count <= Self.maximumLength else {
      throw Problem(description: "\(bytes.count) bytes are more than the \(Self.maximumLength) of a list that is read")
    }
    do {
      self = try DER.sequence(DER.parse(bytes), identifier: .sequence) { try Self(&$0) }
    } catch {
      throw Problem(description: "the list is malformed: \(error)")
    }
  }

  private init(_ parts: inout ASN1NodeCollection.Iterator) throws {
    let signed = try Self.next(&parts)
    let identifier = try Self.algorithm(Self.next(&parts))
    algorithm = Self.algorithms[identifier]
    signatureAlgorithm = CertificateSignatures.name(of: identifier)
    signature = [UInt8](try ASN1BitString(derEncoded: &parts).bytes)
    signedBytes = [UInt8](signed.encodedBytes)
    let fields = try DER.sequence(signed, identifier: .sequence) { try Fields(&$0) }
    guard fields.algorithm == identifier else {
      throw ASN1Error.invalidASN1Object(reason: "what is signed names another algorithm than the signature has")
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
      algorithm = try CertificateRevocationList.algorithm(node)
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
        else { throw ASN1Error.invalidASN1Object(reason: "something behind the list") }
        extensions = try Certificate.Extensions(
          DER.sequence(of: Certificate.Extension.self, identifier: .sequence, rootNode: list))
      }
      while nodes.next() != nil { throw ASN1Error.invalidASN1Object(reason: "something behind the extensions") }
    }
  }

  private static let algorithms: [ASN1ObjectIdentifier: Certificate.SignatureAlgorithm] = [
    [1, 2, 840, 10045, 4, 3, 2]: .ecdsaWithSHA256, [1, 2, 840, 10045, 4, 3, 3]: .ecdsaWithSHA384,
    [1, 2, 840, 10045, 4, 3, 4]: .ecdsaWithSHA512,
  ]

  private static func algorithm(_ node: ASN1Node) throws -> ASN1ObjectIdentifier {
    try DER.sequence(node, identifier: .sequence) { parts in
      let identifier = try ASN1ObjectIdentifier(derEncoded: &parts)
      while parts.next() != nil {}
      return identifier
    }
  }

  fileprivate static func next(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1Node {
    guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "the list ends too early") }
    return node
  }

  /// Whether a certificate of the list's issuer made the signature.
  public func isSigned(by certificate: Certificate) -> Bool {
    guard let algorithm, certificate.subject == issuer else { return false }
    if let usage = CertificateFields(certificate).usage?.usage, !usage.cRLSign { return false }
    return certificate.publicKey.isValidSignature(signature, for: signedBytes, signatureAlgorithm: algorithm)
  }

  /// The entry of a certificate; nil when it is not in the list.
  public func entry(of certificate: Certificate) -> Entry? {
    let wanted = CertificateFields(certificate).serialNumber
    return certificate.issuer == issuer ? entries.first { $0.serialNumber == wanted } : nil
  }
}

extension CertificateRevocationList.Entry {
  private static let reasonCode: ASN1ObjectIdentifier = [2, 5, 29, 21]
  private static let enumerated = ASN1Identifier(tagWithNumber: 10, tagClass: .universal)

  fileprivate init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
    let number = try CertificateRevocationList.next(&nodes)
    guard number.identifier == .integer, case .primitive(let digits) = number.content, !digits.isEmpty else {
      throw ASN1Error.invalidASN1Object(reason: "a serial number that is no integer")
    }
    serialNumber = [UInt8](digits)
    date = try DateTime(certificateTime: CertificateRevocationList.next(&nodes))
    guard let list = nodes.next() else {
      reason = nil
      return
    }
    let extensions = try DER.sequence(of: Certificate.Extension.self, identifier: .sequence, rootNode: list)
    // Whoever does not understand a critical one cannot say what the entry means.
    guard extensions.allSatisfy({ !$0.critical || $0.oid == Self.reasonCode }) else {
      throw ASN1Error.invalidASN1Object(reason: "an entry has a critical extension that is not understood here")
    }
    reason = extensions.first { $0.oid == Self.reasonCode }.flatMap { found in
      (try? DER.parse(found.value)).flatMap { try? Int(derEncoded: $0, withIdentifier: Self.enumerated) }
    }
  }
}

/// What is said of the certificates on a path by lists of revoked ones.
public enum RevocationListCheck: String, CheckCode {
  case notRevoked = "certificate.revoked"
  case listFound = "certificate.crl-missing"
  case listUsable = "certificate.crl-malformed"
  case listSigned = "certificate.crl-signature"
  case listCurrent = "certificate.crl-stale"

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .notRevoked: "the certificate is revoked"
    case .listFound: "no list of revoked certificates of its issuer is there"
    case .listUsable: "the list of revoked certificates cannot be used"
    case .listSigned: "the list of revoked certificates is not signed by the issuer of the certificate"
    case .listCurrent: "the list of revoked certificates is outdated"
    }
  }

  /// What it means when this holds, for a person to read.
  public var sentenceWhenPassed: String {
    switch self {
    case .notRevoked: "the certificate is not revoked"
    case .listFound: "a list of revoked certificates of its issuer is there"
    case .listUsable: "the list of revoked certificates can be used"
    case .listSigned: "the list of revoked certificates is signed by the issuer of the certificate"
    case .listCurrent: "the list of revoked certificates is current"
    }
  }
}

extension ValidatedCertificatePath {
  /// What lists of revoked certificates say of each certificate on the path but the trusted one: its first failure, or
  /// that it is not revoked. Whether a list that is missing or outdated matters is for the caller to decide.
  public func revocations(_ lists: [CertificateRevocationList], at moment: DateTime) -> [CheckResult] {
    zip(certificates, certificates.dropFirst()).map { certificate, issuer in
      func result(
        _ check: RevocationListCheck, _ outcome: CheckResult.Outcome, expected: String? = nil, found: String? = nil
      ) -> CheckResult {
        CheckResult(
          check, subject: certificate.subject.description, outcome,
          sentence: outcome == .passed ? check.sentenceWhenPassed : check.sentence,
          evidence: found.map { [CheckResult.Evidence("list", expected: expected, found: $0)] } ?? [])
      }
      let named = lists.filter { $0.issuer == certificate.issuer }
      guard !named.isEmpty else { return result(.listFound, .notReached) }
      guard let list = named.filter({ $0.isSigned(by: issuer) }).max(by: { $0.thisUpdate < $1.thisUpdate }) else {
        return result(.listSigned, .failed, found: named[0].signatureAlgorithm)
      }
      if let unknown = list.extensions.first(where: \.critical) {
        return result(.listUsable, .failed, found: "a critical extension, \(unknown.oid)")
      }
      if let entry = list.entry(of: certificate) {
        return result(.notRevoked, .failed, found: "revoked on \(entry.date)")
      }
      guard list.thisUpdate <= moment, let next = list.nextUpdate, moment <= next else {
        return result(
          .listCurrent, .failed, expected: moment.description,
          found: "\(list.thisUpdate) to \(list.nextUpdate?.description ?? "no time")")
      }
      return result(.notRevoked, .passed)
    }
  }
}
