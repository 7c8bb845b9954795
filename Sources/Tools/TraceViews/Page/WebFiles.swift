import Foundation

/// The components of web pages that show journals: styles, scripts and pictures. The web demo serves them, and a trace page
/// contains them.
package enum WebFiles {
  /// The folder with the files.
  /// - Throws: ``TraceViewError`` if it is missing next to the program.
  package static func folder() throws(TraceViewError) -> URL {
    guard let resources = Bundle.module.resourceURL else { throw missing }
    return resources.appendingPathComponent("Web")
  }

  /// Returns the text of a file.
  /// - Throws: ``TraceViewError`` if it is missing next to the program.
  static func text(_ name: String) throws(TraceViewError) -> String { try text(name, in: folder()) }

  /// Returns the text of a file in a folder of files for pages.
  /// - Throws: ``TraceViewError`` if it is missing next to the program.
  package static func text(_ name: String, in folder: URL) throws(TraceViewError) -> String {
    let file = folder.appendingPathComponent(name)
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { throw missing }
    return text
  }

  private static let missing = TraceViewError(.files, "the files of web pages are missing next to the program")
}
