import Foundation

/// The components of web pages that show journals: styles, scripts and pictures. The web demo serves them, and a trace page
/// contains them.
package enum WebFiles {
  /// Returns the folder of files that a target's manifest copies beside the program.
  ///
  /// `Bundle.module` would look in the folder of the build, too: it writes that folder's path into the program, so that
  /// builds in two folders differ, and it traps where the files are missing.
  /// - Throws: ``TraceViewError`` if it is missing next to the program.
  package static func folder(of target: String = "TraceViews") throws(TraceViewError) -> URL {
    let folder = Bundle.main.bundleURL.appendingPathComponent("presentment_\(target).resources/Web")
    guard FileManager.default.fileExists(atPath: folder.path) else { throw missing }
    return folder
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
