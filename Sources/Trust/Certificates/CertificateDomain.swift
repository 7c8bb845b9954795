import X509

/// A domain name in a certificate (`dNSName`), which identifies a website by its host (RFC 9525, 6.3, formerly RFC 6125,
/// 6.4).
///
/// Labels are compared as ASCII without regard to case. A wildcard matches exactly one label, and only as the whole
/// left-most one: `*.example.com` is the domain of `rent.example.com`, neither of `example.com` nor of
/// `a.b.example.com`. Internationalized names are compared in their ASCII form, as origins have them.
public struct CertificateDomain: Sendable, Equatable, CustomStringConvertible {
  /// The labels in lower case, without a wildcard.
  private let labels: [String]
  /// True if a wildcard matches a further label on the left.
  private let hasWildcard: Bool

  /// The longest domain name in bytes (RFC 1035, 2.3.4).
  public static let maximumLength = 253
  /// The longest label in bytes (RFC 1035, 2.3.4).
  private static let maximumLabelLength = 63
  /// The fewest labels after a wildcard: `*.com` would be the domain of websites of many owners.
  private static let minimumLabelsAfterWildcard = 2

  /// Reads a `dNSName`; nil if it is not a domain name.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    var labels = Self.labels(of: text)
    hasWildcard = labels.first == "*"
    if hasWildcard {
      labels.removeFirst()
      guard labels.count >= Self.minimumLabelsAfterWildcard else { return nil }
    }
    guard Self.areLabels(labels) else { return nil }
    self.labels = labels
  }

  /// Returns true if the name identifies a host.
  /// - Parameter host: The host of a serialized origin: a domain name in ASCII, or an IP address, which no `dNSName`
  ///   identifies.
  public func identifies(_ host: String) -> Bool {
    var host = Self.labels(of: host)
    // The dot of a fully qualified name is not part of it.
    if host.last == "" { host.removeLast() }
    guard Self.areLabels(host) else { return false }
    return hasWildcard ? Array(host.dropFirst()) == labels : host == labels
  }

  /// Returns the parts of a name between its dots, in lower case.
  private static func labels(of name: String) -> [String] {
    // Not by characters: a dot with a mark on it is a part of no domain name either way.
    name.lowercased().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  /// True for the labels of a domain name: letters, digits, hyphens inside, and a last label that is not a number.
  private static func areLabels(_ labels: [String]) -> Bool {
    guard let last = labels.last, !last.utf8.allSatisfy(\.isDigit) else { return false }
    return labels.allSatisfy { label in
      (1...maximumLabelLength).contains(label.utf8.count) && label.utf8.first != hyphen && label.utf8.last != hyphen
        && label.utf8.allSatisfy { $0.isDigit || $0.isLetter || $0 == hyphen || $0 == underscore }
    }
  }

  private static let hyphen = UInt8(ascii: "-")
  /// Not allowed in host names, but found in the names of websites.
  private static let underscore = UInt8(ascii: "_")

  /// The name in lower case.
  public var description: String { ((hasWildcard ? ["*"] : []) + labels).joined(separator: ".") }
}

extension Certificate {
  /// The domain names of the subject alternative name (RFC 5280, 4.2.1.6). A common name is not one: RFC 9525 leaves it
  /// out.
  public var domains: [CertificateDomain] {
    guard let names = try? extensions.subjectAlternativeNames else { return [] }
    return names.compactMap { name in
      guard case .dnsName(let text) = name else { return nil }
      return CertificateDomain(text)
    }
  }
}
