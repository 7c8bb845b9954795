/// The limits of this module; what exceeds one is refused, never cut.
public enum CredentialLimits {
  /// The largest options object that a page may hand over, in bytes of JSON: 1 MiB.
  ///
  /// A signed mobile document request with its certificate chains takes about ten kilobytes, so this leaves a factor
  /// of a hundred, while a page that sends more is refused before anything is parsed or copied.
  public static let optionsBytes = 1 << 20

  /// The largest response that is taken from the platform, in bytes of JSON: 4 MiB.
  ///
  /// Sealed responses of 80 kB, mostly portrait, have been seen; base64url adds a third.
  public static let responseBytes = 4 << 20

  /// How many characters of a text that a page chose are repeated in a message: 64.
  ///
  /// Messages end up in journals and reports, which a page must not be able to fill.
  static let quotedCharacters = 64
}
