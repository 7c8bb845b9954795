import JSON
import Primitives

/// A JSON text in which `$name` is replaced by a value of the session.
public indirect enum JSONTemplate: Sendable, Equatable {
  /// A text. If it is `$name` alone, the value is put in as it is, of whatever kind.
  case text(String)
  /// A number, `true`, `false` or `null`.
  case plain(String)
  /// A list.
  case array([JSONTemplate])
  /// A mapping.
  case object([Named<JSONTemplate>])

  /// The value with everything put in.
  package func filled(with values: SessionValues) -> JSONValue {
    switch self {
    case .text(let text):
      if text.hasPrefix("$"), let value = values[String(text.dropFirst())] { return value }
      return .string(values.filling(text))
    case .plain(let spelling): return (try? JSONReader.read(Array(spelling.utf8))) ?? .null
    case .array(let items): return .array(items.map { $0.filled(with: values) })
    case .object(let members): return JSONValue(members: members.map { ($0.name, $0.value.filled(with: values)) })
    }
  }
}

/// Texts with names that begin with `$`.
package enum TemplateText {
  /// Replaces each `$name` for which there is a value.
  package static func replacing(_ text: String, _ value: (String) -> String?) -> String {
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      let name = rest[rest.index(after: dollar)...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      if !name.isEmpty, let value = value(String(name)) {
        result += value
      } else {
        result += rest[dollar..<name.endIndex]
      }
      rest = rest[name.endIndex...]
    }
    return result + rest
  }
}

/// The values of a session: those of the answer that began it, and the credential.
package struct SessionValues: Sendable {
  /// The values, in their order.
  package private(set) var members: [JSONValue.Member] = []

  /// Creates no values.
  package init() {}

  /// The value with a name.
  package subscript(name: String) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append(JSONValue.Member(name: name, value: newValue)) }
    }
  }

  /// A text with the values put in. A value that is not text is put in as JSON.
  package func filling(_ text: String) -> String {
    TemplateText.replacing(text) { name in self[name].map { $0.text ?? String(decoding: $0.bytes, as: UTF8.self) } }
  }

  /// An address with the values put in, each percent-encoded (RFC 3986, 2.3).
  package func fillingAddress(_ text: String) -> String {
    TemplateText.replacing(text) { name in
      self[name].map { value in
        (value.text ?? String(decoding: value.bytes, as: UTF8.self)).utf8.map(Self.encoded).joined()
      }
    }
  }

  private static func encoded(_ byte: UInt8) -> String {
    let scalar = Unicode.Scalar(byte)
    let isUnreserved =
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
    return isUnreserved ? String(Character(scalar)) : "%" + hexadecimal([byte]).uppercased()
  }
}
