import DigitalCredentials
import JSON
import Primitives
import WebPresentment

/// A value of a JSON file with the path by which errors name it.
struct Member {
  let value: JSONValue
  /// As `request.deviceRequest`; nil for the file itself.
  let path: String?

  /// A whole file: one JSON object. No name may come twice in an object, because readers differ in which they take.
  init(file bytes: [UInt8]) throws(ExchangeFileError) {
    guard bytes.count <= ExchangeLimits.fileBytes else {
      throw ExchangeFileError(
        .tooLarge, nil, "the file has \(bytes.count) bytes; at most \(ExchangeLimits.fileBytes) are read")
    }
    do {
      value = try JSONReader.read(TextFile.withoutMark(bytes), repeatedNames: .refused)
    } catch {
      throw ExchangeFileError(.json, nil, "the file is no JSON: \(error.reason), at byte \(error.offset)")
    }
    path = nil
    guard case .object = value else {
      throw ExchangeFileError(.json, nil, "the file holds \(value.kind) where an object is expected")
    }
  }

  init(_ value: JSONValue, _ path: String?) {
    self.value = value
    self.path = path
  }

  /// A member; nil when there is none, or this is no object.
  subscript(name: String) -> Member? { value.member(name).map { Member($0, join(name)) } }

  /// A member that has to be there.
  func required(_ name: String) throws(ExchangeFileError) -> Member {
    guard case .object = value else { throw wrongKind("an object") }
    guard let member = self[name] else { throw ExchangeFileError(.memberMissing, join(name), "it is missing") }
    return member
  }

  /// The members of an object, in the order of the file.
  func members() throws(ExchangeFileError) -> [(name: String, member: Member)] {
    guard case .object(let members) = value else { throw wrongKind("an object") }
    return members.map { ($0.name, Member($0.value, join($0.name))) }
  }

  /// The elements of an array.
  func elements() throws(ExchangeFileError) -> [Member] {
    guard case .array(let elements) = value else { throw wrongKind("an array") }
    return elements.enumerated().map { Member($1, "\(path ?? "")[\($0)]") }
  }

  /// A text.
  func text() throws(ExchangeFileError) -> String {
    guard let text = value.text else { throw wrongKind("a text") }
    return text
  }

  /// A text that is not empty and not long.
  func shortText() throws(ExchangeFileError) -> String {
    let text = try text()
    guard !text.isEmpty else { throw ExchangeFileError(.content, path, "it is empty") }
    guard text.utf8.count <= ExchangeLimits.textBytes else {
      throw ExchangeFileError(
        .tooLarge, path, "it has \(text.utf8.count) bytes; at most \(ExchangeLimits.textBytes) are read")
    }
    return text
  }

  /// The bytes of a text in base64url, at least one.
  func base64URL() throws(ExchangeFileError) -> [UInt8] {
    let text = try text()
    guard !text.isEmpty else { throw ExchangeFileError(.base64URL, path, "it is empty") }
    guard let bytes = Base64URL.decode(text) else {
      throw ExchangeFileError(.base64URL, path, "it is not base64url without padding (RFC 4648, 5)")
    }
    return bytes
  }

  func wrongKind(_ expected: String) -> ExchangeFileError {
    let code = path == nil ? ExchangeFileError.Code.json : .memberKind
    return ExchangeFileError(code, path, "it is \(value.kind), and must be \(expected)")
  }

  private func join(_ name: String) -> String { path.map { "\($0).\(name)" } ?? name }
}
