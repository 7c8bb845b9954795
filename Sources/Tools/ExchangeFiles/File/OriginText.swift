import DigitalCredentials
import Primitives
import WebPresentment

/// The text of an origin as it enters a session transcript, of which each origin has one.
enum OriginText {
  /// How the origin of an Android app begins: the SHA-256 of its signing certificate in base64url follows.
  private static let appPrefix = "android:apk-key-hash:"
  private static let appDigestLength = 32

  /// How the origin that a text means is written: as browsers write that of a website, or as Android writes that of an app.
  /// - Parameter place: the member or the option, for errors.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.origin` when it means none. An opaque origin, `null`, is nobody's.
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
    throw ExchangeFileError(.origin, place, "it is that of nobody")
  }

  /// Holds that an origin is written as it enters a transcript.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.origin`.
  static func requireSpelling(of text: String, at place: String) throws(ExchangeFileError) {
    let right = try spelling(of: text, at: place)
    guard right.isExactly(text) else {
      throw ExchangeFileError(.origin, place, "it is not written as an origin is: browsers write it \(right)")
    }
  }
}
