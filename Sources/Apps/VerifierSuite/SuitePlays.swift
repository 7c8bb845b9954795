import CBOR
import COSE
import ExchangeFiles
import JSON
import MobileDocument
import Primitives
import WebPresentment

extension ForeignBody {
  private static let longBytes = 8 << 20
  private static let deepest = 100_000

  /// The bytes to hand in.
  ///
  /// - Parameter credential: a genuine credential of the session, of which a part is replaced.
  func bytes(in session: TargetSession, _ credential: JSONValue) -> [UInt8] {
    switch self {
    case .empty: []
    case .notJSON: Array("{\"protocol\": org-iso-mdoc".utf8)
    case .array: JSONValue.array([session.body(credential)]).bytes
    case .number: Array("1".utf8)
    case .withoutData: session.body(credential.setting("data", nil)).bytes
    case .dataIsNumber: session.body(credential.setting("data", .number("1"))).bytes
    case .responseIsNumber: session.body(Self.response(.number("1"), in: credential)).bytes
    case .responseIsEmpty: session.body(Self.response(.string(""), in: credential)).bytes
    case .responseIsLong:
      session.body(Self.response(.string(String(repeating: "A", count: Self.longBytes)), in: credential)).bytes
    case .deep: [UInt8](repeating: UInt8(ascii: "["), count: Self.deepest)
    }
  }

  private static func response(_ value: JSONValue, in credential: JSONValue) -> JSONValue {
    credential.setting("data", JSONValue(members: [("response", value)]))
  }
}

extension CredentialForm {
  /// A credential in this form; nil for one without a response.
  func applied(to credential: JSONValue) -> JSONValue? {
    guard let response = credential.member("data")?.member("response") else { return nil }
    switch self {
    case .under(let name): return credential.setting("protocol", .string(name))
    case .vpToken(let name):
      let token = JSONValue(members: [("mdl", .array([response]))])
      return credential.setting("protocol", .string(name)).setting("data", JSONValue(members: [("vp_token", token)]))
    }
  }
}

extension JSONValue {
  /// The object with a member replaced, or without it.
  func setting(_ name: String, _ value: JSONValue?) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members.removeAll { $0.name == name }
    if let value { members.append(Member(name: name, value: value)) }
    return .object(members)
  }
}

extension RequestRule {
  /// Label of the private key in a COSE key (RFC 9053, 7.1.1).
  private static let privateKeyLabel = -4

  /// The rule's problem in the requests of two sessions; nil if they keep it.
  /// - Throws: an error if a request cannot be read.
  func problem(in first: TargetSession, and second: TargetSession) throws -> String? {
    let (one, other) = (try Self.request(of: first), try Self.request(of: second))
    switch self {
    case .freshNonce:
      return try EncryptionInfo(text: one).nonce == EncryptionInfo(text: other).nonce
        ? "two sessions have the same nonce" : nil
    case .freshKey:
      let keys = try (EncryptionInfo(text: one).recipientPublicKey, EncryptionInfo(text: other).recipientPublicKey)
      return keys.0.rawRepresentation == keys.1.rawRepresentation ? "two sessions have the same recipient key" : nil
    case .noSecret:
      guard let bytes = Base64URL.decode(one) else { return nil }
      let key = try CBORReader.read(bytes).array(count: 2).at(1).map().required("recipientPublicKey")
      guard try key.map()[Self.privateKeyLabel] == nil else { return "the recipient key has its private part" }
      return first.beginning?.text.contains("recipientPrivateKey") == true
        ? "the answer that begins a session has a member recipientPrivateKey" : nil
    }
  }

  private static func request(of session: TargetSession) throws -> String {
    try RequestTexts(anywhereIn: try ExchangeFile(session.options.bytes)).encryptionInfo
  }
}
