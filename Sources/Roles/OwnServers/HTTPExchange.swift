import Checks
import JSON
import Primitives

/// An answer of a server.
public struct HTTPAnswer: Sendable {
  /// The status.
  package let status: Int
  /// The headers, in their order.
  package let headers: [(name: String, value: String)]
  /// The body.
  package let body: [UInt8]
  /// The time that the server took, from the beginning of the call to the end of its answer.
  package let time: Duration

  /// Creates an answer.
  package init(status: Int, headers: [(name: String, value: String)], body: [UInt8], time: Duration) {
    self.status = status
    self.headers = headers
    self.body = body
    self.time = time
  }

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }
  /// The body as JSON; nil for any other text.
  package var json: JSONValue? { try? JSONReader.read(body) }

  /// The first value of a header.
  package func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

  /// The status and the beginning of the body, for reports.
  package var excerpt: String {
    let text = TerminalSafe.line(self.text, longest: Self.longestExcerpt)
    return "status \(status)" + (text.isEmpty ? ", no body" : ": \(text)")
  }

  private static let longestExcerpt = 200
}

/// An error of a call: the server gave no answer that can be judged.
public typealias HTTPFailure = CodedFailure<HTTPFailureCode>

/// The kinds of errors.
public enum HTTPFailureCode: String, Sendable, CaseIterable {
  /// Nothing listens there, the name is not known, or the connection was lost.
  case unreachable = "target.unreachable"
  /// The server's certificate is not trusted, or TLS failed.
  case tls = "target.tls"
  /// The call took too long.
  case timeout = "target.timeout"
  /// The answer is longer than the target's limit.
  case tooLong = "target.answer-too-long"
  /// The server redirects in a circle, or to another address than those of the target.
  case redirect = "target.redirect"
  /// The answer is not HTTP.
  case malformed = "target.not-http"
  /// The answer is not what the target says.
  case unexpected = "target.unexpected-answer"
  /// The program `curl` cannot be run.
  case client = "target.no-client"
}

/// Calls of one person's browser.
package protocol HTTPCaller: Sendable {
  /// Sends a call, and follows the server's redirects within the target.
  func send(_ call: HTTPCall) throws(HTTPFailure) -> HTTPAnswer
}

/// A call of a server.
public struct HTTPCall: Sendable {
  /// The method.
  package var method: String
  /// The address.
  package var address: String
  /// The headers, in their order.
  package var headers: [(name: String, value: String)] = []
  /// The body; nil for none.
  package var body: [UInt8]?

  /// Creates a call without headers and body.
  package init(method: String, address: String) {
    self.method = method
    self.address = address
  }
}

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
