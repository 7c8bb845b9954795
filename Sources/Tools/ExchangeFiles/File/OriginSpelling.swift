import DigitalCredentials
import Primitives
import WebPresentment

/// The text of an origin in a session transcript. Each origin has exactly one.
enum OriginSpelling {
  /// The prefix of an Android app's origin. The SHA-256 of its signing certificate in base64url follows.
  private static let appPrefix = "android:apk-key-hash:"
  private static let appDigestLength = 32

  /// Returns the serialized form of an origin: that of browsers for a website, that of Android for an app.
  /// - Parameter place: The member or option, for errors.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.origin` if the text is not an origin, or an opaque one (`null`).
  static func spelling(of text: String, at place: String) throws(ExchangeFileError) -> String {
    if text.hasPrefix(appPrefix), Base64URL.decode(String(text.dropFirst(appPrefix.count)))?.count == appDigestLength {
      return text
    }
    do {
      let origin = try Origin(serialized: text)
      if !origin.isOpaque { return origin.serialized }
    } catch {
      throw ExchangeFileError(.origin, place, "\(error)")
    }
    throw ExchangeFileError(.origin, place, "opaque origins (\"null\") are not supported")
  }

  /// Checks that an origin is in its serialized form.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.origin`.
  static func requireSpelling(of text: String, at place: String) throws(ExchangeFileError) {
    let right = try spelling(of: text, at: place)
    guard right.isExactly(text) else {
      throw ExchangeFileError(.origin, place, "not a serialized origin; browsers write \(right)")
    }
  }

}
