import CBOR
import Certificates
import Primitives
import X509

/// The facts that a status lookup of a verified document needs.
public struct StatusQuery: Sendable {
  /// `DocType`.
  public let documentType: String
  /// The references to the lists with the status.
  public let status: DocumentStatus
  /// The trusted certificate at the end of the document's own path: a root, or the signer if it is trusted itself.
  let root: Certificate
  /// The document signer certificate, whose key must not sign lists.
  let signer: Certificate
  /// The form of the lists' tokens.
  package let form: StatusTokenForm
}

extension StatusQuery {
  /// Creates the query for a document, or returns nil if its issuer does not publish a status.
  ///
  /// - Parameters:
  ///   - documentType: The document's `DocType`.
  ///   - status: `Status` of its mobile security object.
  ///   - path: The document signer's path to a trusted root.
  ///   - form: The form of the lists' tokens.
  package init?(
    documentType: String, status: DocumentStatus?, path: ValidatedCertificatePath, form: StatusTokenForm = .cwt
  ) {
    guard let status, !status.references.isEmpty || !status.problems.isEmpty else { return nil }
    self.init(documentType: documentType, status: status, root: path.anchor, signer: path.leaf, form: form)
  }
}

/// The outcome of fetching a list.
public enum StatusListAnswer: Sendable {
  /// The token and the time at which it was fetched.
  case token([UInt8], fetched: DateTime)
  /// The fetch failed, with a human-readable description.
  case unreachable(String)
}

/// The location of a list: an https URI with its components (RFC 3986, 3).
public struct StatusListLocation: Sendable, Hashable {
  /// The whole URI.
  public let uri: String
  /// The host in lower case.
  public let host: String
  /// The path and query after host and port, at least `/`, without the fragment.
  public let target: String
  /// The form of the list's token that the document demands. A server may have both at one URI.
  public let form: StatusTokenForm

  /// The media types to accept, the preferred one first.
  public var mediaTypes: [String] {
    form == .cwt ? StatusListKind.allCases.map(\.mediaType) : [StatusListKind.jwtMediaType]
  }

  /// The name under which the outcome of a fetch and a copy are kept: the URI, and the form if it is a JWT.
  public var name: String { Self.name(uri, form) }

  package static func name(_ uri: String, _ form: StatusTokenForm) -> String { form == .cwt ? uri : "\(uri) as JWT" }

  /// Parses a URI, or returns nil if it is not an https URI or has a user name.
  public init?(_ uri: String, form: StatusTokenForm = .cwt) {
    let scheme = "https://"
    let bytes = Array(uri.utf8)
    guard bytes.count <= StatusLimits.uriLength, bytes.allSatisfy({ (0x21...0x7e).contains($0) }),
      bytes.prefix(scheme.utf8.count).elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 || $0 == $1 })
    else { return nil }
    let rest = bytes.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let host = parts.first, !host.isEmpty, host.allSatisfy(Self.isHostCharacter),
      parts.count == 1 || parts[1].allSatisfy(\.isDigit)
    else { return nil }
    self.uri = uri
    self.form = form
    self.host = String(decoding: host, as: UTF8.self).lowercased()
    let target = rest.dropFirst(authority.count).prefix { $0 != UInt8(ascii: "#") }
    self.target = (target.first == UInt8(ascii: "/") ? "" : "/") + String(decoding: target, as: UTF8.self)
  }

  /// Returns whether a byte is a letter, digit, hyphen or dot. Internationalized names come in their ASCII form.
  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

/// Limits for the status of documents. A list is downloaded from a place that the issuer names, and is untrusted until
/// its signature is verified.
public enum StatusLimits {
  /// The longest URI of a list, in bytes. Servers should support at least 8000 (RFC 9110, 4.1); the URIs of lists have
  /// fewer than a hundred.
  public static let uriLength = 2048
  /// The longest identifier in an identifier list, in bytes: a digest of any kind fits.
  public static let identifierLength = 64
  /// The longest token, in bytes: an uncompressed list of a million eight-bit entries fits.
  public static let tokenLength = 2 << 20
  /// The longest inflated list, in bytes: a million eight-bit entries or eight million one-bit entries. Without the
  /// limit, a short compressed list could exhaust the memory.
  public static let listLength = 1 << 20
  /// The longest time for which a fetched list is reused, whatever its issuer allows: 31 days, so that a wrong date
  /// does not keep revoked documents accepted forever.
  public static let cachingSeconds: Int64 = 31 * 86_400

  /// Limits for reading the claims of a token. An identifier takes two items.
  static let claims = CBORLimits(bytes: tokenLength, depth: 8, items: 1 << 18)

  static func check(_ count: Int, atMost limit: Int, _ what: String, at offset: Int) throws(CBORError) {
    guard count <= limit else { throw CBORError(.outOfBounds, at: offset, "\(count) \(what), more than \(limit)") }
  }
}
