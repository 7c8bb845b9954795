import SwiftASN1
import X509

/// Basic constraints, read also if their BOOLEAN is not in DER, as in the certificates of some authorities.
public struct ReadConstraints: Sendable {
  /// A Boolean value that indicates whether the certificate may issue others.
  public let isAuthority: Bool
  /// The number of authorities that may follow below it, or nil if it is not constrained.
  public let pathLength: Int?
  /// A Boolean value that indicates whether the library's strict reader rejects the constraints.
  let isLax: Bool

  var shown: String {
    isAuthority
      ? "an authority" + (pathLength.map { ", path length \($0)" } ?? ", any path length") : "not an authority"
  }
}

extension ReadConstraints {
  /// Reads the basic constraints; nil if they are missing or unreadable.
  init?(in extensions: Certificate.Extensions) {
    guard let found = extensions[oid: .X509ExtensionID.basicConstraints] else { return nil }
    switch try? BasicConstraints(found) {
    case .isCertificateAuthority(let length): self.init(isAuthority: true, pathLength: length, isLax: false)
    case .notCertificateAuthority: self.init(isAuthority: false, pathLength: nil, isLax: false)
    case nil: self.init(lax: found.value)
    }
  }

  private init?(lax value: ArraySlice<UInt8>) {
    guard let root = try? DER.parse(value), root.identifier == .sequence, case .constructed(let children) = root.content
    else { return nil }
    var nodes = children.makeIterator()
    var next = nodes.next()
    var isAuthority = false
    if let flag = next, flag.identifier == .boolean, case .primitive(let bytes) = flag.content, bytes.count == 1 {
      isAuthority = bytes.first != 0
      next = nodes.next()
    }
    guard let last = next else {
      self.init(isAuthority: isAuthority, pathLength: nil, isLax: true)
      return
    }
    guard let length = try? Int(derEncoded: last), length >= 0, nodes.next() == nil else { return nil }
    self.init(isAuthority: isAuthority, pathLength: length, isLax: true)
  }
}

/// A key usage, read also if its last octet has more bits than DER allows.
struct ReadUsage: Sendable {
  let usage: KeyUsage
  /// A Boolean value that indicates whether the library's strict reader rejects the usage.
  let isLax: Bool

  /// Reads the key usage; nil if it is missing or unreadable.
  init?(in extensions: Certificate.Extensions) {
    guard let found = extensions[oid: .X509ExtensionID.keyUsage] else { return nil }
    if let strict = try? KeyUsage(found) {
      (usage, isLax) = (strict, false)
      return
    }
    guard let root = try? DER.parse(found.value), root.identifier == .bitString,
      case .primitive(let content) = root.content, (2...3).contains(content.count),
      let unused = content.first, unused <= 7
    else { return nil }
    // Unused bits are ignored (ITU-T X.690, 8.6.2.2).
    let counting = ~UInt16(0) << UInt16(unused)
    let octets = content.dropFirst().reduce(UInt16(0)) { $0 << 8 | UInt16($1) } & counting
    let bits = octets << (content.count == 2 ? 8 : 0)
    func has(_ position: UInt16) -> Bool { bits & (0x8000 >> position) != 0 }
    usage = KeyUsage(
      digitalSignature: has(0), nonRepudiation: has(1), keyEncipherment: has(2), dataEncipherment: has(3),
      keyAgreement: has(4), keyCertSign: has(5), cRLSign: has(6), encipherOnly: has(7), decipherOnly: has(8))
    isLax = true
  }
}

extension Certificate.Extensions {
  /// `keyIdentifier` of the subject key identifier extension (RFC 5280, 4.2.1.2).
  var subjectKey: [UInt8]? { (try? subjectKeyIdentifier).flatMap { [UInt8]($0.keyIdentifier) } }

  /// `keyIdentifier` of the authority key identifier extension (RFC 5280, 4.2.1.1).
  var authorityKey: [UInt8]? { (try? authorityKeyIdentifier)?.keyIdentifier.map { [UInt8]($0) } }
}

/// CRL distribution points (RFC 5280, 4.2.1.13).
enum CRLDistributionPoints {
  /// Returns why an extension is not the single URI that ISO/IEC 18013-5 requires, or nil if it is.
  static func problem(in value: ArraySlice<UInt8>) -> String? {
    guard let root = try? DER.parse(value), root.identifier == .sequence, case .constructed(let points) = root.content
    else { return "the CRL distribution point cannot be read" }
    var hasURI = false
    for point in points {
      guard case .constructed(let parts) = point.content else { return "the CRL distribution point cannot be read" }
      for part in parts {
        guard part.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) else {
          return "the CRL distribution point has reasons or an issuer of its own"
        }
        for name in names(in: part) {
          guard case .uniformResourceIdentifier(let text) = name else { continue }
          guard isURI(text) else { return "the CRL distribution point is not a URI with a scheme" }
          hasURI = true
        }
      }
    }
    return hasURI ? nil : "the CRL distribution point has no URI"
  }

  /// Returns the URIs of an extension; none if it cannot be read.
  static func locations(in value: ArraySlice<UInt8>) -> [String] {
    let points = (try? DER.parse(value).children) ?? []
    return points.flatMap(\.children).flatMap(names).compactMap { name in
      if case .uniformResourceIdentifier(let text) = name { text } else { nil }
    }
  }

  /// Returns the full names of a distribution point name.
  private static func names(in part: ASN1Node) -> [GeneralName] {
    part.children.flatMap(\.children).compactMap { try? GeneralName(derEncoded: $0) }
  }

  /// Returns whether a text starts with a scheme (RFC 3986, 3.1).
  private static func isURI(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else { return false }
    return text[..<colon].utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }
}

extension Certificate {
  /// The URIs of the certificate's CRL distribution points (RFC 5280, 4.2.1.13).
  public var revocationListLocations: [String] {
    extensions[oid: CertificateOID.crlDistributionPoints].map { CRLDistributionPoints.locations(in: $0.value) } ?? []
  }
}
