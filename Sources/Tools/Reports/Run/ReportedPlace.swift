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

extension ReportedPlace: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("path", \.path), Member(optional: "line", \.line), Member(optional: "column", \.column)
  ).checking { (place, json) throws(JSONError) in
    guard (place.line ?? 1) > 0, (place.column ?? 1) > 0 else { throw json.error("lines and columns count from 1") }
  }
}
