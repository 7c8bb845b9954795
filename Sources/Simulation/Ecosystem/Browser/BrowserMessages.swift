import DigitalCredentials
import JSON

/// The person's visit to a website.
struct VisitBody: Codable, Sendable {
  var origin: String
}

/// The person's tap.
struct TapBody: Codable, Sendable {
  var label: String
}

/// A page's call of `navigator.credentials.get`, as the browser receives it.
struct CallBody: Codable, Sendable {
  struct Request: Codable, Sendable {
    var `protocol`: String
    var data: BegunPresentment.RequestMembers
  }

  struct Digital: Codable, Sendable {
    var requests: [Request]
  }

  struct Options: Codable, Sendable {
    var digital: Digital
    var mediation: String
  }

  var call: Int
  var options: Options
}

/// A page's call with its options unread: reading them is the mediator's task.
struct CalledOptions {
  /// The page's own number of the call.
  let call: Int
  /// UTF-8 JSON.
  let options: [UInt8]

  /// Reads a message, or returns nil if it is not a call.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= PageMessage.maximumLength, let body = try? JSONReader.read(bytes),
      case .number(let number)? = body.member("call"), let call = Int(number), let options = body.member("options")
    else { return nil }
    self.call = call
    self.options = options.bytes
  }
}

/// `AbortController.abort(reason)` on the signal of a call.
struct AbortBody: Codable, Sendable {
  var call: Int
  var name: String
  var message: String
}

/// A credential for the page.
package struct CredentialAnswer: Codable, Sendable {
  package var call: Int
  package var `protocol`: String
  package var data: SubmittedResponse.ResponseMembers
}

/// An exception for the page. The rule that rejected the call is in the journal only.
struct ExceptionAnswer: Codable, Sendable {
  var call: Int
  var name: String
  var message: String
}

/// A request for the operating system: raw request data as text, and the origin that the browser vouches for.
package struct PresentBody: Codable, Sendable {
  package var call: Int
  package var origin: String
  package var `protocol`: String
  /// UTF-8 JSON of the request's data, its texts untouched.
  package var requestData: String
}

/// The operating system's answer without a response.
struct PresentmentFailedBody: Codable, Sendable {
  var call: Int
  /// A raw value of ``PlatformFailure``. The browser does not learn why an app failed.
  var error: String
  /// The reason why no app could answer, for developers. A real system keeps it secret, because it reveals the
  /// installed apps.
  var detail: String?
}

/// The operating system's answer with a response.
struct PresentmentResponseBody: Codable, Sendable {
  var call: Int
  /// The encrypted response in base64url.
  var response: String
}

/// The operating system withdraws a request.
struct DismissBody: Codable, Sendable {
  var call: Int
}
