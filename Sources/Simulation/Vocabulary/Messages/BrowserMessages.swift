import DevicePlatform
import DigitalCredentials
import JSON
import Messaging
import Primitives

/// The person's visit to a website.
package struct VisitBody: Sendable, JSONObject {
  package var origin: String

  package init(origin: String) { self.origin = origin }

  package static let json = JSONForm<Self>(Self.init, Member("origin", \.origin))
}

/// The person's tap.
package struct TapBody: Sendable, JSONObject {
  /// The name of the frame that the button is in; nil for the page itself.
  package var frame: String?
  package var label: String
  /// The app's number of the view that the button is in, from the second on; nil for a page.
  package var view: Int?

  package init(frame: String? = nil, label: String, view: Int? = nil) {
    (self.frame, self.label, self.view) = (frame, label, view)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member(optional: "frame", \.frame), Member("label", \.label), Member(optional: "view", \.view))
}

/// A page's call of `navigator.credentials`.
package struct CallBody: JSONObjectWritable {
  var call: Int
  /// The options; with the markers of ``PageValue`` in a call of a scenario.
  var options: JSONValue
  /// The method of a scenario; nil for `get` with the fetched request.
  var method: CredentialOperation?
  /// The reason of a signal that the script aborted before the call.
  var aborted: AbortReason?

  package init(call: Int, options: JSONValue, method: CredentialOperation? = nil, aborted: AbortReason? = nil) {
    (self.call, self.options, self.method, self.aborted) = (call, options, method, aborted)
  }

  package func writeMembers(to json: inout JSONWriter) {
    json.member("aborted", aborted)
    json.member("call", call)
    json.member("isMarked", method.map { _ in true })
    json.member("method", method?.rawValue)
    json.member("options", options)
  }
}

/// A page's call with its options unread: reading them is the mediator's task.
package struct CalledOptions {
  /// The page's own number of the call.
  package let call: Int
  /// The method.
  package private(set) var method = CredentialOperation.get
  /// UTF-8 JSON.
  let options: [UInt8]
  /// True if objects in the options mean values that JSON cannot hold.
  private var isMarked = false
  /// The reason of a signal that was aborted before the call.
  package private(set) var aborted: AbortReason?
  /// The reason with which the script aborts the signal right after the call, before any other task.
  package private(set) var abortion: AbortReason?
  /// The state of the document, from a script outside the world.
  package let caller: CallerFacts?

  /// Reads a message, or returns nil if it is not a call. Of a repeated name the last value counts, as in a script engine.
  package init?(_ bytes: [UInt8]) {
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
      if name == "aborted" { aborted = try? AbortReason(json: item) }
      if name == "abort" { abortion = try? AbortReason(json: item) }
    }
    guard let call, let options else { return nil }
    self.call = call
    self.options = options.bytes
    self.caller = caller
    aborted = aborted ?? caller?.aborted
  }

  /// The options as the API converts them.
  package var reading: CredentialRequestOptions.Reading {
    guard isMarked, options.count <= CredentialLimits.optionsBytes, let value = try? JSONReader.read(options) else {
      return CredentialRequestOptions.reading(options, for: method)
    }
    return CredentialRequestOptions.reading(PageValue(marked: value), for: method)
  }

  private static let limits = JSONLimits(
    bytes: PageMessage.maximumLength, depth: JSONReader.maximumDepth, values: PageMessage.maximumLength)
}

/// The error of a call: the reason of `AbortController.abort(reason)` on its signal, or the exception for the page. The rule
/// that rejected the call is in the journal only.
package struct CallErrorBody: Sendable, JSONObject {
  package var call: Int
  package var name: String
  package var message: String

  package init(call: Int, name: String, message: String) {
    (self.call, self.name, self.message) = (call, name, message)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("name", \.name), Member("message", \.message))
}

/// The reason of a signal that was aborted, beside a call.
extension AbortReason: JSONObject {
  package static let json = JSONForm<Self>(Self.init, Member("name", \.name), Member("message", \.message))
}

/// A credential for the page.
package struct CredentialAnswer: Sendable, JSONObject {
  package var call: Int
  package var `protocol`: String
  package var data: SubmittedResponse.ResponseMembers

  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("protocol", \.protocol), Member("data", \.data))
}

/// The virtual wallet's order to the person for the pending call. A message without members ends the order.
extension VirtualWallet.PersonOrder: JSONObject {
  package static let json = JSONForm<Self>(Self.init, Member("app", \.app), Member("decision", \.decision))
}

extension VirtualWallet.PersonOrder.Decision: JSONWritable, JSONReadable {}

/// The announcement of a request to the operating system, without its content: the protocol, and the origin that the browser
/// vouches for.
package struct AnnounceBody: Sendable, JSONObject {
  package var call: Int
  package var origin: String
  package var `protocol`: String

  package init(call: Int, origin: String, protocol: String) {
    (self.call, self.origin, self.protocol) = (call, origin, `protocol`)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("origin", \.origin), Member("protocol", \.protocol))
}

/// The request of a call for the sandbox.
package struct RequestDataBody: Sendable, JSONObject {
  package var call: Int
  /// UTF-8 JSON of the request's data, its texts untouched.
  package var requestData: String

  package init(call: Int, requestData: String) { (self.call, self.requestData) = (call, requestData) }

  package static let json = JSONForm<Self>(Self.init, Member("call", \.call), Member("requestData", \.requestData))
}

/// The operating system lets the browser release a raw request to an app.
package struct ReleaseBody: Sendable, JSONObject {
  package var call: Int
  /// Name of the app's party.
  package var app: String

  package init(call: Int, app: String) { (self.call, self.app) = (call, app) }

  package static let json = JSONForm<Self>(Self.init, Member("call", \.call), Member("app", \.app))
}

/// The raw request for an app, after the person agreed.
package struct RawRequestBody: Sendable, JSONObject {
  /// UTF-8 JSON, in the message in base64url.
  package var requestData: [UInt8]

  package init(requestData: [UInt8]) { self.requestData = requestData }

  package static let json = JSONForm<Self>(Self.init, Member(base64URL: "requestData", \.requestData))
}

/// The operating system's answer without a response.
package struct PresentmentFailedBody: Sendable, JSONObject {
  package var call: Int
  /// A raw value of ``PlatformFailure``. The browser does not learn why an app failed.
  package var error: String
  /// The reason why no app could answer, for developers. A real system keeps it secret, because it reveals the
  /// installed apps.
  package var detail: String?

  package init(call: Int, error: String, detail: String? = nil) {
    (self.call, self.error, self.detail) = (call, error, detail)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("error", \.error), Member(optional: "detail", \.detail))
}

/// The operating system's answer with a response.
package struct PresentmentResponseBody: Sendable, JSONObject {
  package var call: Int
  /// The data of the credential as JSON text from a faulty platform; nil if the browser makes it from ``response``.
  package var data: String?
  /// The protocol, if it is another than that of mobile documents.
  package var `protocol`: String?
  /// The encrypted response in base64url.
  package var response: String

  package init(call: Int, data: String? = nil, protocol: String? = nil, response: String) {
    (self.call, self.data, self.protocol, self.response) = (call, data, `protocol`, response)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member(optional: "data", \.data), Member(optional: "protocol", \.protocol),
    Member("response", \.response))
}

extension PresentmentResponseBody {
  /// Reads the answer from a credential's data in a protocol; nil if they have no response.
  package init?(call: Int, credentialData: [UInt8], in asked: DigitalCredentialPresentationProtocol) {
    switch asked {
    case .mobileDocument:
      guard let response = (try? JSONReader.read(credentialData))?.member("response")?.text else { return nil }
      self.init(call: call, response: response)
    case .openID4VPUnsigned, .openID4VPSigned, .openID4VPMultisigned:
      self.init(call: call, response: Base64URL.encode(credentialData))
    }
  }

  /// The data of a credential with the answer: in OpenID4VP those that the app wrote.
  package func credentialData(in asked: DigitalCredentialPresentationProtocol) -> [UInt8] {
    switch asked {
    case .mobileDocument: JSONCoding.encode(SubmittedResponse.ResponseMembers(response: response))
    case .openID4VPUnsigned, .openID4VPSigned, .openID4VPMultisigned: Base64URL.decode(response) ?? []
    }
  }
}

extension Message {
  /// True if the message carries an answer in OpenID4VP that is not encrypted, because the website asks for a plain one.
  package var carriesPlainAnswer: Bool {
    switch kind {
    case .response where sender.role == .app: bytes.starts(with: #"{"vp_token""#.utf8)
    case .response:
      body(PresentmentResponseBody.self).flatMap { Base64URL.decode($0.response) }?
        .starts(with: #"{"vp_token""#.utf8) ?? false
    case .credential: body(CredentialAnswer.self)?.data.token != nil
    case .submitResponse: body(SubmittedResponse.self)?.data.token != nil
    default: false
    }
  }
}

/// A call of the browser, by its number: one that the browser withdraws, or whose request the sandbox collects.
package struct CallReference: Sendable, JSONObject {
  package var call: Int

  package init(call: Int) { self.call = call }

  package static let json = JSONForm<Self>(Self.init, Member("call", \.call))
}

/// The state of the calling document at the moment of a call, as the script of a page outside the world finds it in its own
/// browser. A page of the world does not send it; the simulated browser has its own knowledge of such pages.
package struct CallerFacts: Sendable {
  /// The browsing context of the document, as the virtual wallet names it.
  package var context: String?
  /// The origin of a frame's document, "null" if it is opaque; nil for the page itself.
  package var frameOrigin: String?
  package var state = ReportedState()
  /// The reason of a signal that was aborted before the call.
  var aborted: AbortReason?

  /// The source of a frame's document with an origin as scripts see it, and the attributes of its element. A document with
  /// an opaque origin that can call comes from a sandbox: others are not secure contexts.
  package func frame(with origin: String, in page: Origin) -> (DocumentSource, FrameAttributes) {
    guard let known = try? Origin(serialized: origin), !known.isOpaque else {
      return (DocumentSource(.url(page)), FrameAttributes(sandbox: SandboxTokens()))
    }
    return (DocumentSource(.url(known)), FrameAttributes())
  }
}

extension CallerFacts: JSONReadable {
  package init(json: JSONItem) throws(JSONError) {
    func flag(_ name: String) throws(JSONError) -> Bool { try json.optionalMember(name) ?? true }
    context = try json.optionalMember("context")
    frameOrigin = try json.optionalMember("frameOrigin")
    state = ReportedState(
      isFullyActive: try flag("isFullyActive"), hasUserAttention: try flag("hasUserAttention"),
      hasTransientActivation: try flag("hasTransientActivation"), isAllowedByPolicy: try flag("isAllowedByPolicy"))
    aborted = try json.optionalMember("aborted")
  }
}
