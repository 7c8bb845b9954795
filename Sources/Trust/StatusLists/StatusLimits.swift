import CBOR

/// How large what concerns the status of a document may be. Where a list lies is what an issuer says; what lies there
/// comes from the network, and is not believed before its signature was checked.
public enum StatusLimits {
  /// Longest URI of a list in bytes: what servers and proxies are asked to take at least is 8000 (RFC 9110, 4.1), and
  /// those of lists have fewer than a hundred.
  public static let uriLength = 2048
  /// Longest identifier in an identifier list in bytes: a digest of any kind fits.
  public static let identifierLength = 64
  /// Longest token in bytes: a list of a million entries of eight bits as it is.
  public static let tokenLength = 2 << 20
  /// Longest list in bytes once it is inflated: a million entries of eight bits, eight million of one. A few bytes of a
  /// stranger's could else become as many as memory holds.
  public static let listLength = 1 << 20
  /// For how long a list that was fetched is used again at most, whatever its issuer allows: 31 days, so that a mistake
  /// in a date does not let revoked documents pass for ever.
  public static let cachingSeconds: Int64 = 31 * 86_400

  /// Bounds of a token's claims: an identifier takes two items.
  static let claims = CBORLimits(bytes: tokenLength, depth: 8, items: 1 << 18)

  static func check(_ count: Int, atMost limit: Int, _ what: String, at offset: Int) throws(CBORError) {
    guard count <= limit else { throw CBORError(.outOfBounds, at: offset, "\(count) \(what), more than \(limit)") }
  }
}
