import Primitives

/// A client identifier with its prefix (OpenID4VP, 5.9). Identifiers with different prefixes are of different clients.
public struct ClientIdentifier: Sendable, Equatable, CustomStringConvertible {
  /// The prefixes with a meaning.
  public enum Prefix: String, Sendable, CaseIterable {
    /// A domain name of the signer's certificate.
    case sanDNS = "x509_san_dns"
    /// The SHA-256 digest of the signer's certificate.
    case hash = "x509_hash"
    /// A decentralized identifier.
    case decentralized = "decentralized_identifier"
    /// The subject of an attestation by a trusted party.
    case attestation = "verifier_attestation"
    /// An entity of OpenID Federation.
    case federation = "openid_federation"
    /// A redirect URI, never in a signed request.
    case redirectURI = "redirect_uri"
    /// An origin, reserved for the platform.
    case origin
    /// The same in draft 24.
    case webOrigin = "web-origin"
  }

  /// The whole identifier as received.
  public let text: String
  /// The prefix; nil for an unknown one, and without a colon.
  public let prefix: Prefix?
  /// The part after the first colon; the whole identifier without a colon.
  public let name: String

  /// Reads an identifier, which is split at its first colon.
  public init(_ text: String) {
    self.text = text
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      prefix = nil
      name = text
      return
    }
    prefix = Prefix(rawValue: String(Substring(parts[0])))
    name = String(Substring(parts[1]))
  }

  /// Creates the identifier of a client.
  public init(_ prefix: Prefix, _ name: String) { self.init("\(prefix.rawValue):\(name)") }

  /// The whole identifier.
  public var description: String { TerminalSafe.text(text) }

  /// Compares identifiers exactly.
  public static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

  /// The audience of a key binding JWT over the Digital Credentials API: the origin with the reserved prefix, also for a
  /// signed request (OpenID4VP, A.4 and B.3.6).
  public static func audience(of origin: String) -> String { "\(Prefix.origin.rawValue):\(origin)" }
}
