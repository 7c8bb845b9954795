import JSON
import LocatedYAML

/// A place in a file, or a whole file.
public struct ReportedPlace: Sendable, Hashable {
  /// The file, as it was named.
  public var path: String
  /// The line, from 1; nil for the whole file.
  public var line: Int?
  /// The column, from 1, in Unicode scalars; nil for the whole file.
  public var column: Int?

  /// A place.
  public init(path: String, line: Int? = nil, column: Int? = nil) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// The place of a token.
  public init(_ position: SourcePosition) {
    self.init(path: position.file.path, line: position.line, column: position.column)
  }
}

extension ReportedPlace: CustomStringConvertible {
  /// `path:line:column`, safe to print.
  public var description: String {
    ([SourceText.visible(path)] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
  }
}

extension ReportedPlace: JSONObjectWritable, JSONReadable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("column", column)
    json.member("line", line)
    json.member("path", path)
  }

  package init(json: JSONItem) throws(JSONError) {
    column = try json.optionalMember("column")
    line = try json.optionalMember("line")
    path = try json.member("path")
    guard (line ?? 1) > 0, (column ?? 1) > 0 else { throw json.error("lines and columns count from 1") }
  }
}
