/// The limits of input from outside in messages and in the world.
enum HTTPLimits {
  /// The maximum number of characters of a name, an origin or a path in a message: enough to recognize it in one line.
  static let quoted = 128
  /// The maximum number of characters of a page's reason for aborting a call, which goes into the world and into the
  /// message of an exception.
  static let abortMessage = 256
}

extension StringProtocol {
  /// The beginning of text from outside, for a message.
  var quoted: String { String(prefix(HTTPLimits.quoted)) }
}
