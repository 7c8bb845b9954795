/// How much of what others wrote goes on.
enum HTTPLimits {
  /// Most characters of a name, an origin or a path that a message repeats: enough to recognize it in one line.
  static let quoted = 128
  /// Most characters of a page's reason for taking a call back, which goes into the world and into the message of an
  /// exception: a message or two.
  static let abortMessage = 256
}

extension StringProtocol {
  /// As much of a text that somebody else wrote as a message repeats.
  var quoted: String { String(prefix(HTTPLimits.quoted)) }
}
