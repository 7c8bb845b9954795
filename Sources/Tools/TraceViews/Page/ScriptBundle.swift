/// The modules of a page as one script. Each becomes a function that returns what it exports, so that the names in it stay
/// its own.
package struct ScriptBundle {
  /// The script, without a scope of its own.
  package private(set) var text = ""
  private var names: [String: String] = [:]
  /// The modules whose imports are being joined.
  private var open: [String] = []

  /// Joins a module and all that it imports.
  /// - Parameters:
  ///   - entry: The name of the module that starts the page.
  ///   - read: Returns the text of a module.
  /// - Throws: What `read` throws, and ``TraceViewError`` for a module in another form.
  package init(entry: String, read: (String) throws(TraceViewError) -> String) throws(TraceViewError) {
    try add(entry, read)
  }

  private mutating func add(_ name: String, _ read: (String) throws(TraceViewError) -> String) throws(TraceViewError) {
    guard names[name] == nil else { return }
    guard !open.contains(name) else {
      let names = (open + [name]).joined(separator: ", ")
      throw TraceViewError(.files, "modules of the script import each other: \(names)")
    }
    open.append(name)
    defer { open.removeLast() }
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
      guard line.hasPrefix("export ") else {
        body += line + "\n"
        continue
      }
      // An imported name keeps its first value, so a variable cannot be exported.
      guard let match = line.prefixMatch(of: /export (?:async )?(?:const|function|class) (\w+)/) else {
        throw TraceViewError(.files, "the script has an export in another form: \(line)")
      }
      exports.append(String(match.1))
      body += line.dropFirst("export ".count) + "\n"
    }
    let variable = "module\(names.count)"
    names[name] = variable
    text += "const \(variable) = (() => {\n\(body)return { \(exports.joined(separator: ", ")) };\n})();\n"
  }

  private mutating func binding(
    _ statement: String, _ read: (String) throws(TraceViewError) -> String
  ) throws(TraceViewError) -> String {
    guard let match = statement.wholeMatch(of: /import (\{.*\}) from "\.?\/([a-z-]+\.js)";/) else {
      throw TraceViewError(.files, "the script has an import in another form: \(statement)")
    }
    try add(String(match.2), read)
    return "const \(match.1) = \(names[String(match.2)] ?? "");\n"
  }
}
