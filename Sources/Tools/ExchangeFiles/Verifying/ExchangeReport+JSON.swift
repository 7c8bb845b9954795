import CBOR
import Checks
import DigitalCredentials
import JSON
import MobileDocument
import Primitives
import WebPresentment

extension ExchangeReport {
  /// The report as one line of JSON. It contains elements only if every check passed.
  public var json: String {
    let shown = isVerified ? verified?.documents ?? [] : []
    return ValueJSON.text([
      ("verdict", .string(isVerified ? "verified" : "refused")),
      (
        "failure",
        failure.map {
          ValueJSON.object([("check", .string($0.check)), ("reason", $0.reason.map(JSONValue.string) ?? .null)])
        } ?? .null
      ),
      ("checks", .array(checks.map(Self.json))),
      ("documents", .array(shown.map(Self.json))),
    ])
  }

  private static func json(of check: CheckResult) -> JSONValue {
    ValueJSON.object([
      ("check", .string(check.check)), ("status", .string(check.status.rawValue)),
      ("reason", check.reason.map(JSONValue.string) ?? .null), ("message", .string(check.message)),
      ("subject", check.subject.map(JSONValue.string) ?? .null),
      ("evidence", .array(check.evidence.map(json))),
    ])
  }

  private static func json(of evidence: CheckResult.Evidence) -> JSONValue {
    ValueJSON.object(
      [("field", evidence.field), ("expected", evidence.expected), ("found", evidence.found)]
        .compactMap { name, value in value.map { (name, .string($0)) } })
  }

  private static func json(of document: VerifiedDocument) -> JSONValue {
    let nameSpaces = document.elements.map(\.nameSpace).uniqued().map { nameSpace in
      (
        nameSpace,
        ValueJSON.object(
          document.elements.filter { $0.nameSpace == nameSpace }.map { ($0.identifier, ValueJSON.json($0.value)) })
      )
    }
    return ValueJSON.object([
      ("docType", .string(document.documentType)), ("elements", ValueJSON.object(nameSpaces)),
    ])
  }
}

extension ExchangeFileError {
  /// The error as one line of JSON.
  public var json: String {
    var members: [(String, JSONValue)] = [("code", .string(code.rawValue))]
    if let file { members.append(("file", .string(file))) }
    if let member { members.append(("member", .string(member))) }
    members.append(("detail", .string(message)))
    return ValueJSON.text([("error", ValueJSON.object(members))])
  }
}

/// Element values as JSON.
enum ValueJSON {
  /// Returns a value as JSON. Texts, numbers, booleans, arrays and maps keep their form; bytes become base64url. Tagged
  /// values lose their tag, so that dates become texts.
  ///
  /// Values without a JSON form: undefined becomes null, special floats become `"NaN"`, `"Infinity"` or `"-Infinity"`, other
  /// simple values become `"simple(n)"`, and a map with a key other than a text becomes an array of `[key, value]`.
  static func json(_ value: CBORValue) -> JSONValue {
    switch value {
    case .text(let text): return .string(text)
    case .boolean(let flag): return .boolean(flag)
    case .unsigned(let number): return .number(String(number))
    case .negative(let argument): return .number(CBORValue.decimal(ofNegative: argument))
    case .bytes(let bytes): return .string(Base64URL.encode(bytes))
    case .tagged(_, let content): return json(content)
    case .array(let items): return .array(items.map(json))
    case .map(let entries):
      let named = entries.compactMap { entry -> (String, JSONValue)? in
        guard case .text(let name) = entry.key else { return nil }
        return (name, json(entry.value))
      }
      guard named.count == entries.count else {
        return .array(entries.map { .array([json($0.key), json($0.value)]) })
      }
      return object(named)
    case .float(let number):
      if number.isNaN { return .string("NaN") }
      if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
      return .number("\(number)")
    case .null, .undefined: return .null
    case .simple(let number): return .string("simple(\(number))")
    }
  }

  static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
  }

  static func text(_ members: [(String, JSONValue)]) -> String {
    String(decoding: object(members).bytes, as: UTF8.self)
  }
}
