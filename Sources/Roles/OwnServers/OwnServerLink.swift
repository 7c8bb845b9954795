/// The connection of a world to servers outside it.
public protocol OwnServerLink: Sendable {
  /// Sends a call.
  ///
  /// - Parameters:
  ///   - visitor: The browser that calls, which has cookies of its own.
  ///   - target: The server.
  ///   - instant: The world's time in milliseconds since its start.
  /// - Returns: The answer, and the milliseconds of the world until it arrives.
  func send(
    _ call: HTTPCall, of visitor: String, to target: VerifierTarget, at instant: Int64
  ) throws(HTTPFailure) -> (answer: HTTPAnswer, wait: Int64)
}
