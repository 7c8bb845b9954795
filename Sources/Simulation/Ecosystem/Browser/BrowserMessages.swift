import DigitalCredentials
import JSON

/// Where the person goes.
struct VisitBody: Codable, Sendable {
  var origin: String
}

/// What the person taps.
struct TapBody: Codable, Sendable {
  var label: String
}

/// A call of `navigator.credentials.get` as the page hands it to the browser.
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

/// The call of a page as the browser takes it: whatever its options are, they are the mediator's to read.
struct CalledOptions {
  /// The page's own number of the call.
  let call: Int
  /// UTF-8 JSON.
  let options: [UInt8]

  /// Reads a message; nil when it is no call.
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

/// An exception for the page. Which rule rejected the call is for the journal only.
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
  /// A raw value of ``PlatformError``; why an app failed is no business of a browser's.
  var error: String
  /// For developers: why no app could answer. A real system keeps it to itself, since it tells which apps there are.
  var detail: String?
}

/// The operating system's answer with a response.
struct PresentmentResponseBody: Codable, Sendable {
  var call: Int
  /// The encrypted response in base64url.
  var response: String
}

/// The operating system takes a request back.
struct DismissBody: Codable, Sendable {
  var call: Int
}
