/// The modules of a page as one script. Each becomes a function that returns what it exports, so that the names in it stay
/// its own.
struct ScriptBundle {
  /// The script.
  private(set) var text = ""
  private var names: [String: String] = [:]

  /// Joins a module and all that it imports.
  /// - Parameters:
  ///   - entry: The name of the module that starts the page.
  ///   - read: Returns the text of a module.
  /// - Throws: what `read` throws.
  init(entry: String, read: (String) throws(TraceViewError) -> String) throws(TraceViewError) {
    try add(entry, read)
  }

  private mutating func add(_ name: String, _ read: (String) throws(TraceViewError) -> String) throws(TraceViewError) {
    guard names[name] == nil else { return }
    let source = try read(name)
    var exports: [String] = []
    var body = ""
    var pending: String?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      // An import may take several lines; its last one has the name of the module.
      if pending != nil || line.hasPrefix("import ") {
        let statement = (pending ?? "") + line
        guard line.hasSuffix(";") else {
          pending = statement + " "
          continue
        }
        pending = nil
        body += try binding(statement, read)
        continue
      }
      if let match = line.prefixMatch(of: /export (?:async )?(?:const|function|class) ([A-Za-z]+)/) {
        exports.append(String(match.1))
        body += line.dropFirst("export ".count) + "\n"
      } else {
        body += line + "\n"
      }
    }
    let variable = "module\(names.count)"
    names[name] = variable
    text += "const \(variable) = (() => {\n\(body)return { \(exports.joined(separator: ", ")) };\n})();\n"
  }

  private mutating func binding(
    _ statement: String, _ read: (String) throws(TraceViewError) -> String
  ) throws(TraceViewError) -> String {
    guard let match = statement.wholeMatch(of: /import (\{.*\}) from "\/([a-z-]+\.js)";/) else {
      throw TraceViewError(.files, "the script has an import in another form: \(statement)")
    }
    try add(String(match.2), read)
    return "const \(match.1) = \(names[String(match.2)] ?? "");\n"
  }
}
