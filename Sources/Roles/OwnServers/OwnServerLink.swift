/// The connection of a world to servers outside it.
public protocol OwnServerLink: Sendable {
  /// Makes a call.
  ///
  /// - Parameters:
  ///   - visitor: the browser that calls, which has cookies of its own.
  ///   - target: the server.
  ///   - instant: the world's time in milliseconds since its start.
  /// - Returns: the answer, and the milliseconds of the world until it arrives.
  func send(
    _ call: HTTPCall, of visitor: String, to target: VerifierTarget, at instant: Int64
  ) throws(HTTPFailure) -> (answer: HTTPAnswer, wait: Int64)
}
