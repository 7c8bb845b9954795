import Foundation
import Testing

/// One row of the table of examples in RFC 8949, appendix A.
struct Example: Decodable, Sendable, CustomTestStringConvertible {
  let hex: String
  /// The text of the table, which is ASCII: other characters are escaped as in JSON.
  let diagnostic: String
  /// True if the bytes are in preferred serialization.
  let roundtrip: Bool

  var testDescription: String { hex }

  /// The text of the table with its escaped characters written out.
  var unescapedDiagnostic: String {
    get throws {
      guard diagnostic.contains("\\u") else { return diagnostic }
      return "\"" + (try JSONDecoder().decode(String.self, from: Data(diagnostic.utf8))) + "\""
    }
  }

  static func all() throws -> [Example] { try vectors(named: "rfc8949-appendix-a") }
}

/// One kind of error that RFC 8949, appendix F, has examples for.
struct NotWellFormed: Decodable, Sendable, CustomTestStringConvertible {
  let kind: String
  let inputs: [String]

  var testDescription: String { kind }

  static func all() throws -> [NotWellFormed] { try vectors(named: "rfc8949-appendix-f") }
}

struct MissingVectors: Error {
  let name: String
}

private func vectors<Row: Decodable>(named name: String) throws -> [Row] {
  guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors") else {
    throw MissingVectors(name: name)
  }
  return try JSONDecoder().decode([Row].self, from: Data(contentsOf: url))
}
