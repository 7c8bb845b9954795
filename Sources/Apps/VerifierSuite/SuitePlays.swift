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
  /// - Parameter credential: A genuine credential of the session, of which a part is replaced.
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
