/// The lines of help and of errors about arguments that the library for arguments does not wrap.
package enum HelpText {
  /// The beginnings of these lines.
  private static let beginnings = ["USAGE: ", "Usage: ", "Error: ", "Help:  "]

  /// Wraps the lines that are longer than a width. An option stays together with its value.
  package static func wrapped(_ text: String, toColumns width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let begins = beginnings.first(where: line.hasPrefix)
      return begins.map { wrapped(line, behind: $0.count, toColumns: width) } ?? String(line)
    }.joined(separator: "\n")
  }

  private static func wrapped(_ line: Substring, behind indent: Int, toColumns width: Int) -> String {
    guard line.count > width else { return String(line) }
    var lines: [String] = []
    var current = ""
    for part in parts(of: line) {
      if !current.isEmpty, current.count + 1 + part.count > width {
        lines.append(current)
        current = String(repeating: " ", count: indent) + part
      } else {
        current += current.isEmpty ? part : " " + part
      }
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// The words of a line, with those in brackets as one, and an option with its value.
  private static func parts(of line: Substring) -> [String] {
    var parts: [String] = []
    var depth = 0
    let hasOptions = line.hasPrefix("USAGE") || line.hasPrefix("Usage")
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let isValue = word.hasPrefix("<") && parts.last?.hasPrefix("--") == true
      if depth > 0 || isValue, let last = parts.popLast() {
        parts.append("\(last) \(word)")
      } else {
        parts.append(String(word))
      }
      if hasOptions { depth = max(0, depth + word.reduce(0) { $0 + ($1 == "[" ? 1 : $1 == "]" ? -1 : 0) }) }
    }
    return parts
  }
}
