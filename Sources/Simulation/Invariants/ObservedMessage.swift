import JSON
import Messaging
import MobileDocument
import OpenID4VP
import Primitives
import Vocabulary

/// A message with its JSON, which is read at most once and only if an invariant needs it.
final class ObservedMessage {
  let message: Message
  /// The body, or nil if the message is not JSON.
  private(set) lazy var json: JSONItem? = try? JSONReader.item(message.bytes, repeatedNames: .lastCounts)

  init(_ message: Message) { self.message = message }

  /// Returns the text of a member, or nil.
  func text(_ name: String) -> String? { (try? json?.optionalMember(name)) ?? nil }

  /// The number of the call that the message is about, or nil.
  private var call: Int? { (try? json?.optionalMember("call")) ?? nil }
  /// The call that the message begins, or nil.
  var begunCall: OpenCall? { call.map { OpenCall(asking: message.sender, asked: message.recipient, number: $0) } }
  /// The call that the message ends, or nil.
  var endedCall: OpenCall? { call.map { OpenCall(asking: message.recipient, asked: message.sender, number: $0) } }

  /// The number of the app's view that a touch of the person is about.
  var view: Int { ((try? json?.optionalMember("view")) ?? nil) ?? 1 }

  /// The sealed answer in the message, or nil if it has none that can be decoded.
  var answer: SealedAnswer? {
    switch message.kind {
    case .response where message.sender.role == .app: return SealedAnswer(bytes: message.bytes)
    case .identityEnvelope, .identityDocument: return SealedAnswer(bytes: message.bytes)
    case .response: return Self.decoded(text("response"))
    case .credential, .submitResponse:
      guard let data = (try? json?.optionalItem("data")) ?? nil else { return nil }
      let text: String? = (try? data.optionalMember("response")) ?? (try? data.optionalMember("Response"))
      // The data of a credential in OpenID4VP are the app's answer.
      let isOpenID4VP = self.text("protocol").flatMap(OpenID4VPProtocol.init(identifier:)) != nil
      return isOpenID4VP ? SealedAnswer(bytes: JSONValue(data).bytes) : Self.decoded(text)
    case .submitEnvelope: return Self.decoded(text("encryptedData"))
    default: return nil
    }
  }

  private static func decoded(_ text: String?) -> SealedAnswer? {
    guard var text else { return nil }
    while text.utf8.last == UInt8(ascii: "=") { text.removeLast() }
    return Base64URL.decode(text).map(SealedAnswer.init)
  }
}

/// A call of a page, or a request of a browser to a platform, by the number that the asking party gave it.
struct OpenCall: Hashable {
  let asking: Party
  let asked: Party
  let number: Int

  /// The call in words.
  var words: String { "call \(number) of \(asking.titleWithArticle)" }
}

/// A session of a verifier server, by its name.
struct ServerSession: Hashable {
  let server: Party
  let name: String
}

extension BegunPresentment.Request {
  /// The requested documents, of a request in either protocol; nil if it cannot be read.
  var items: [ItemsRequest]? {
    if let text = data.member("deviceRequest")?.text {
      guard let bytes = Base64URL.decode(text), let request = try? UnverifiedDeviceRequest(bytes) else { return nil }
      return try? request.unverifiedContents().documentRequests
    }
    let read = try? RequestAuthenticator.readUnverified(protocol: `protocol`, data: data.bytes)
    return read?.parameters.query.credentials.flatMap(\.items)
  }
}

/// The bytes of a sealed answer.
struct SealedAnswer: Hashable {
  let bytes: [UInt8]

  /// The last bytes are the tag of an encryption, so two answers that differ do so there too.
  func hash(into hasher: inout Hasher) { for byte in bytes.suffix(16) { hasher.combine(byte) } }
}
