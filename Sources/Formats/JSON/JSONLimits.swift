/// Limits on the cost of reading. They keep untrusted input from causing more work than its own size justifies.
package struct JSONLimits: Sendable, Equatable {
  /// The longest text in bytes.
  package var bytes: Int
  /// The deepest nesting of arrays and objects. The outermost is at level 0.
  package var depth: Int
  /// The most values in one text. A member counts twice, with its name.
  package var values: Int

  /// Makes limits.
  package init(bytes: Int, depth: Int, values: Int) {
    self.bytes = bytes
    self.depth = depth
    self.values = values
  }

  /// The limits of a message between parties.
  ///
  /// 8 MiB are the longest response in base64url and its other members. Reading is recursive and may run on a small thread
  /// stack; real messages need fewer than twenty levels. A million values are the largest partial request.
  package static let message = JSONLimits(bytes: 8 << 20, depth: JSONReader.maximumDepth, values: 1 << 20)
}
