/// The limits of this module. Input beyond a limit is refused, never cut.
public enum CredentialLimits {
  /// The largest options object of a page, in bytes of JSON: 1 MiB.
  ///
  /// A signed mobile document request with its certificate chains has about ten kilobytes. Larger options are refused
  /// before anything is parsed or copied.
  public static let optionsBytes = 1 << 20

  /// The largest response of the platform, in bytes of JSON: 4 MiB.
  ///
  /// Encrypted responses in the wild have up to 80 kB, mostly portrait; base64url adds a third.
  public static let responseBytes = 4 << 20

  /// The longest text of a page that a message repeats, in characters: 64.
  ///
  /// Messages are written to journals and reports, which a page must not be able to fill.
  static let quotedCharacters = 64
}

/// Untrusted text in quotation marks, cut to `CredentialLimits.quotedCharacters`.
func quoted(_ text: String) -> String {
  let shown = text.unicodeScalars.prefix(CredentialLimits.quotedCharacters)
    .map { $0.properties.generalCategory == .control ? "\u{fffd}" : String($0) }
    .joined()
  let isCut = text.unicodeScalars.count > CredentialLimits.quotedCharacters
  return "\"\(shown)\(isCut ? "…" : "")\""
}
