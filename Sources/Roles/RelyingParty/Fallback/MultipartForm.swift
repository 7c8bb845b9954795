import Foundation

/// An HTML form as `multipart/form-data` (RFC 7578): fields and files in their order.
package struct MultipartForm: Sendable, Equatable {
  /// A field, or a file with its name and its media type.
  package struct Part: Sendable, Equatable {
    /// The name of the field.
    package var name: String
    /// The name of the file; nil for a field without a file.
    package var fileName: String?
    /// The media type that the sender states.
    package var mediaType: String?
    /// The content.
    package var bytes: [UInt8]

    /// Creates a part.
    package init(_ name: String, fileName: String? = nil, mediaType: String? = nil, bytes: [UInt8]) {
      self.name = name
      self.fileName = fileName
      self.mediaType = mediaType
      self.bytes = bytes
    }
  }

  /// The media type without its parameters.
  package static let mediaType = "multipart/form-data"
  /// The maximum number of parts that are read: more than a page's form has fields.
  package static let maximumParts = 32
  /// The maximum length in bytes of a part's headers: a long file name and its media type.
  package static let maximumHeader = 4 << 10

  /// The parts.
  package var parts: [Part]

  /// Creates a form.
  package init(_ parts: [Part]) { self.parts = parts }

  /// The first part with a name.
  package func part(_ name: String) -> Part? { parts.first { $0.name == name } }

  /// The text of a field; nil for a file, and for bytes that are not UTF-8.
  package func text(_ name: String) -> String? {
    part(name).flatMap { $0.fileName == nil ? String(validating: $0.bytes, as: UTF8.self) : nil }
  }

  /// The form's bytes between boundaries.
  package func encoded(boundary: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      let file = part.fileName.map { "; filename=\"\(Self.escaped($0))\"" } ?? ""
      let type = part.mediaType.map { "Content-Type: \($0)\r\n" } ?? ""
      let disposition = "Content-Disposition: form-data; name=\"\(Self.escaped(part.name))\"\(file)"
      bytes += Array("--\(boundary)\r\n\(disposition)\r\n\(type)\r\n".utf8) + part.bytes + Array("\r\n".utf8)
    }
    return bytes + Array("--\(boundary)--\r\n".utf8)
  }

  /// The media type with the boundary, as in the header `Content-Type`.
  package static func contentType(boundary: String) -> String { "\(mediaType); boundary=\(boundary)" }

  /// Reads a form. Returns nil for another media type, and for bytes that are not a form.
  /// - Parameter contentType: The header `Content-Type`.
  package init?(_ body: [UInt8], contentType: String) {
    let fields = Self.fields(of: contentType)
    guard fields.value == Self.mediaType, let boundary = fields.parameters["boundary"],
      (1...70).contains(boundary.utf8.count)
    else { return nil }
    // The first delimiter may lack its line break.
    let data = Data("\r\n".utf8) + Data(body)
    let delimiter = Data("\r\n--\(boundary)".utf8)
    guard let first = data.firstRange(of: delimiter) else { return nil }
    var parts: [Part] = []
    var position = first.upperBound
    while !data[position...].starts(with: Data("--".utf8)) {
      guard parts.count < Self.maximumParts, data[position...].starts(with: Data("\r\n".utf8)),
        let end = data[position...].firstRange(of: delimiter), let part = Self.part(data[position..<end.lowerBound])
      else { return nil }
      parts.append(part)
      position = end.upperBound
    }
    self.parts = parts
  }

  /// Reads the headers and the content of a part.
  private static func part(_ data: Data) -> Part? {
    let window = data.prefix(maximumHeader)
    guard let gap = window.firstRange(of: Data("\r\n\r\n".utf8)),
      let header = String(validating: data[data.startIndex..<gap.lowerBound], as: UTF8.self)
    else { return nil }
    var headers: [String: String] = [:]
    for line in header.split(separator: "\r\n", omittingEmptySubsequences: true) {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let disposition = fields(of: headers["content-disposition"] ?? "")
    guard disposition.value == "form-data", let name = disposition.parameters["name"] else { return nil }
    return Part(
      name, fileName: disposition.parameters["filename"], mediaType: headers["content-type"],
      bytes: [UInt8](data[gap.upperBound...]))
  }

  /// A header's value and its parameters, in quotes or without.
  private static func fields(of header: String) -> (value: String, parameters: [String: String]) {
    var parameters: [String: String] = [:]
    var pieces: [String] = [""]
    var isQuoted = false
    for character in header {
      if character == "\"" { isQuoted.toggle() }
      if character == ";" && !isQuoted { pieces.append("") } else { pieces[pieces.count - 1].append(character) }
    }
    for piece in pieces.dropFirst() {
      guard let equals = piece.firstIndex(of: "=") else { continue }
      let name = piece[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
      let value = piece[piece.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      parameters[name] =
        value.hasPrefix("\"") && value.hasSuffix("\"") ? unescaped(value.dropFirst().dropLast()) : value
    }
    return (pieces[0].trimmingCharacters(in: .whitespaces).lowercased(), parameters)
  }

  /// The three replacements of HTML's encoding of forms.
  private static let replacements = [("\"", "%22"), ("\r", "%0D"), ("\n", "%0A")]

  private static func escaped(_ text: String) -> String {
    replacements.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  private static func unescaped(_ text: some StringProtocol) -> String {
    replacements.reduce(String(text)) { $0.replacingOccurrences(of: $1.1, with: $1.0) }
  }
}
