import Certificates
import DigitalCredentials
import JSON
import Primitives
import WebPresentment

/// A value of a JSON file, with its path for errors.
struct JSONField {
  let value: JSONValue
  /// For example `request.deviceRequest`; nil for the whole file.
  let path: String?

  /// Reads a whole file: one JSON object. Repeated names are refused, because readers differ in the one they take.
  init(file bytes: [UInt8]) throws(ExchangeFileError) {
    guard bytes.count <= ExchangeLimits.fileBytes else {
      throw ExchangeFileError(
        .tooLarge, nil, "the file has \(bytes.count) bytes; the limit is \(ExchangeLimits.fileBytes)")
    }
    do {
      value = try JSONReader.read(TextFile.withoutMark(bytes), repeatedNames: .refused)
    } catch {
      throw ExchangeFileError(.json, nil, "the file is not JSON: \(error.message), at byte \(error.offset)")
    }
    path = nil
    guard case .object = value else { throw ExchangeFileError(.json, nil, "expected an object, found \(value.kind)") }
  }

  init(_ value: JSONValue, _ path: String?) {
    self.value = value
    self.path = path
  }

  /// A member; nil if it is missing or this is not an object.
  subscript(name: String) -> JSONField? { value.member(name).map { JSONField($0, join(name)) } }

  /// Returns a required member.
  func required(_ name: String) throws(ExchangeFileError) -> JSONField {
    guard case .object = value else { throw wrongKind("an object") }
    guard let member = self[name] else { throw ExchangeFileError(.memberMissing, join(name), "missing") }
    return member
  }

  /// Returns the members of an object, in the order of the file.
  func members() throws(ExchangeFileError) -> [(name: String, member: JSONField)] {
    guard case .object(let members) = value else { throw wrongKind("an object") }
    return members.map { ($0.name, JSONField($0.value, join($0.name))) }
  }

  /// Returns the elements of an array.
  func elements() throws(ExchangeFileError) -> [JSONField] {
    guard case .array(let elements) = value else { throw wrongKind("an array") }
    return elements.enumerated().map { JSONField($1, "\(path ?? "")[\($0)]") }
  }

  /// Returns a text.
  func text() throws(ExchangeFileError) -> String {
    guard let text = value.text else { throw wrongKind("a text") }
    return text
  }

  /// Returns a text that is neither empty nor longer than the limit.
  func shortText() throws(ExchangeFileError) -> String {
    let text = try text()
    guard !text.isEmpty else { throw ExchangeFileError(.content, path, "empty") }
    guard text.utf8.count <= ExchangeLimits.textBytes else {
      throw ExchangeFileError(
        .tooLarge, path, "\(text.utf8.count) bytes exceed the limit of \(ExchangeLimits.textBytes)")
    }
    return text
  }

  /// Returns the bytes of a base64url text, at least one.
  func base64URL() throws(ExchangeFileError) -> [UInt8] {
    let text = try text()
    guard !text.isEmpty else { throw ExchangeFileError(.base64URL, path, "empty") }
    guard let bytes = Base64URL.decode(text) else {
      throw ExchangeFileError(
        .base64URL, path,
        "the text \(Base64URL.violation(in: text) ?? "is not base64url"); expected base64url without padding")
    }
    return bytes
  }

  /// Returns the bytes of a text in base64 of either alphabet, at least one. The text itself is not part of a transcript,
  /// so its padding and white space do not matter.
  func pastedBytes() throws(ExchangeFileError) -> [UInt8] {
    let text = try text()
    guard !text.isEmpty else { throw ExchangeFileError(.base64URL, path, "empty") }
    guard let bytes = PastedBase64.decode(text) else {
      throw ExchangeFileError(.base64URL, path, "not base64: found \(FoundContent.description(of: Array(text.utf8)))")
    }
    return bytes
  }

  func wrongKind(_ expected: String) -> ExchangeFileError {
    let code = path == nil ? ExchangeFileError.Code.json : .memberKind
    return ExchangeFileError(code, path, "expected \(expected), found \(value.kind)")
  }

  private func join(_ name: String) -> String { path.map { "\($0).\(name)" } ?? name }
}

/// Text files from editors.
enum TextFile {
  /// Returns a text without the byte order mark of some editors, which RFC 8259, 8.1 allows readers to ignore.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
  }
}
