import DevicePlatform
import DigitalCredentials
import JSON

/// The person's visit to a website.
struct VisitBody: Sendable {
  var origin: String
}

extension VisitBody: JSONObject {
  static let json = JSONForm<Self>(Self.init, Member("origin", \.origin))
}

/// The person's tap.
struct TapBody: Sendable {
  /// The name of the frame that the button is in; nil for the page itself.
  var frame: String?
  var label: String
}

extension TapBody: JSONObject {
  static let json = JSONForm<Self>(Self.init, Member(optional: "frame", \.frame), Member("label", \.label))
}

/// A page's call of `navigator.credentials`.
struct CallBody: JSONWritable {
  var call: Int
  /// The options; with the markers of ``PageValue`` in a call of a scenario.
  var options: JSONValue
  /// The method of a scenario; nil for `get` with the fetched request.
  var method: CredentialOperation?
  /// The reason of a signal that the script aborted before the call.
  var aborted: AbortBody.Reason?

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("aborted", aborted)
      json.member("call", call)
      json.member("isMarked", method.map { _ in true })
      json.member("method", method?.rawValue)
      json.member("options", options)
    }
  }
}

/// A page's call with its options unread: reading them is the mediator's task.
struct CalledOptions {
  /// The page's own number of the call.
  let call: Int
  /// The method.
  private(set) var method = CredentialOperation.get
  /// UTF-8 JSON.
  let options: [UInt8]
  /// True if objects in the options mean values that JSON cannot hold.
  private var isMarked = false
  /// The reason of a signal that was aborted before the call.
  private(set) var aborted: AbortBody.Reason?
  /// The reason with which the script aborts the signal right after the call, before any other task.
  private(set) var abortion: AbortBody.Reason?
  /// The state of the document, from a script outside the world.
  let caller: CallerFacts?

  /// Reads a message, or returns nil if it is not a call. Of a repeated name the last value counts, as in a script engine.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONReader.item(bytes, limits: Self.limits, repeatedNames: .lastCounts),
      let members = try? json.members()
    else { return nil }
    var call: Int?
    var options: JSONItem?
    var caller: CallerFacts?
    for (name, item) in members {
      if name == "call" { call = try? Int(json: item) }
      if name == "options" { options = item }
      if name == "caller" { caller = try? CallerFacts(json: item) }
      if name == "method" {
        guard let method = CredentialOperation(rawValue: (try? String(json: item)) ?? "") else { return nil }
        self.method = method
      }
      if name == "isMarked" { isMarked = (try? Bool(json: item)) ?? false }
      if name == "aborted" { aborted = try? AbortBody.Reason(json: item) }
      if name == "abort" { abortion = try? AbortBody.Reason(json: item) }
    }
    guard let call, let options else { return nil }
    self.call = call
    self.options = options.bytes
    self.caller = caller
    aborted = aborted ?? caller?.aborted
  }

  /// The options as the API converts them.
  var reading: CredentialRequestOptions.Reading {
    guard isMarked, options.count <= CredentialLimits.optionsBytes, let value = try? JSONReader.read(options) else {
      return CredentialRequestOptions.reading(options, for: method)
    }
    return CredentialRequestOptions.reading(PageValue(marked: value), for: method)
  }

  private static let limits = JSONLimits(
    bytes: PageMessage.maximumLength, depth: JSONReader.maximumDepth, values: PageMessage.maximumLength)
}

/// `AbortController.abort(reason)` on the signal of a call.
struct AbortBody: Sendable {
  var call: Int
  var name: String
  var message: String
}

extension AbortBody: JSONObject {
  static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("name", \.name), Member("message", \.message))
}

extension AbortBody {
  /// The reason of a signal that was aborted before the call.
  struct Reason: Sendable, JSONWritable, JSONReadable {
    var name: String
    var message: String

    init(name: String, message: String) {
      self.name = name
      self.message = message
    }

    func write(to json: inout JSONWriter) {
      json.object { json in
        json.member("message", message)
        json.member("name", name)
      }
    }

    init(json: JSONItem) throws(JSONError) {
      name = try json.member("name")
      message = try json.member("message")
    }
  }
}

/// A credential for the page.
package struct CredentialAnswer: Sendable {
  package var call: Int
  package var `protocol`: String
  package var data: SubmittedResponse.ResponseMembers
}

extension CredentialAnswer: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("protocol", \.protocol), Member("data", \.data))
}

/// A credential for the page with its data as the platform or the virtual wallet made it.
struct CredentialDelivery: JSONWritable {
  var call: Int
  var credential: DigitalCredential

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("call", call)
      json.member("data", credential.value)
      json.member("protocol", credential.protocol.rawValue)
    }
  }
}

/// The virtual wallet's order to the person for the pending call, or the end of the order.
struct PersonOrderBody: Sendable {
  var order: VirtualWallet.PersonOrder?
}

extension PersonOrderBody: JSONWritable, JSONReadable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("app", order?.app)
      json.member("decision", order?.decision.rawValue)
    }
  }

  init(json: JSONItem) throws(JSONError) {
    guard let app: String = try json.optionalMember("app") else { return }
    guard let decision = VirtualWallet.PersonOrder.Decision(rawValue: try json.member("decision")) else {
      throw json.error("unknown decision")
    }
    order = VirtualWallet.PersonOrder(app: app, decision: decision)
  }
}

/// An exception for the page. The rule that rejected the call is in the journal only.
struct ExceptionAnswer: Sendable {
  var call: Int
  var name: String
  var message: String
}

extension ExceptionAnswer: JSONObject {
  static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("name", \.name), Member("message", \.message))
}

/// The announcement of a request to the operating system, without its content: the protocol, and the origin that the browser
/// vouches for.
package struct AnnounceBody: Sendable {
  package var call: Int
  package var origin: String
  package var `protocol`: String
  /// SHA-256 of the request in base64url, for the model of a nearby iPhone: an iPhone compares the raw request with it.
  var digest: String?
  /// The partial request, where the announcing party is not a browser but a Mac's nearby iPhone, in the model: the Mac's
  /// sandbox has parsed the request.
  var partialRequest: PartialRequestBody?
}

extension AnnounceBody: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("origin", \.origin), Member("protocol", \.protocol),
    Member(optional: "digest", \.digest), Member(optional: "partialRequest", \.partialRequest))
}

/// The request of a call for the sandbox.
package struct RequestDataBody: Sendable {
  package var call: Int
  /// UTF-8 JSON of the request's data, its texts untouched.
  package var requestData: String
}

extension RequestDataBody: JSONObject {
  package static let json = JSONForm<Self>(Self.init, Member("call", \.call), Member("requestData", \.requestData))
}

/// The operating system lets the browser release a raw request to an app.
struct ReleaseBody: Sendable {
  var call: Int
  /// Name of the app's party.
  var app: String
}

extension ReleaseBody: JSONObject {
  static let json = JSONForm<Self>(Self.init, Member("call", \.call), Member("app", \.app))
}

/// The raw request for an app, after the person agreed.
package struct RawRequestBody: Sendable {
  /// UTF-8 JSON, in the message in base64url.
  package var requestData: [UInt8]
}

extension RawRequestBody: JSONObject {
  package static let json = JSONForm<Self>(Self.init, Member(base64URL: "requestData", \.requestData))
}

/// The operating system's answer without a response.
package struct PresentmentFailedBody: Sendable {
  package var call: Int
  /// A raw value of ``PlatformFailure``. The browser does not learn why an app failed.
  package var error: String
  /// The reason why no app could answer, for developers. A real system keeps it secret, because it reveals the
  /// installed apps.
  package var detail: String?
}

extension PresentmentFailedBody: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("error", \.error), Member(optional: "detail", \.detail))
}

/// The operating system's answer with a response.
package struct PresentmentResponseBody: Sendable {
  package var call: Int
  /// The data of the credential as JSON text from a faulty platform; nil if the browser makes it from ``response``.
  package var data: String?
  /// The protocol, if it is another than that of mobile documents.
  package var `protocol`: String?
  /// The encrypted response in base64url.
  package var response: String
}

extension PresentmentResponseBody: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member(optional: "data", \.data), Member(optional: "protocol", \.protocol),
    Member("response", \.response))
}

/// A call of the browser, by its number: one that the browser withdraws, or whose request the sandbox collects.
struct CallReference: Sendable {
  var call: Int
}

extension CallReference: JSONObject {
  static let json = JSONForm<Self>(Self.init, Member("call", \.call))
}
