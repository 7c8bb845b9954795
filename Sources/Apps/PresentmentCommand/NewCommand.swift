import ArgumentParser
import CommandSupport
import ExchangeFiles
import Foundation
import LocatedYAML
import ScenarioFiles

/// `presentment new NAME`
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write a scenario file with comments, which passes when it is run.")

  @Argument(help: "The path of the file; the extension .yaml is added if it is missing.")
  var name: String

  func run() throws {
    let url = URL(fileURLWithPath: name)
    let isNamedWhole = ["yaml", "yml"].contains(url.pathExtension.lowercased())
    let path = isNamedWhole ? name : name + ".yaml"
    let stem = isNamedWhole ? url.deletingPathExtension().lastPathComponent : url.lastPathComponent
    let words = stem.replacing(/[-_]+/, with: " ").trimmingCharacters(in: .whitespaces)
    guard !words.isEmpty else { throw ValidationError("the file needs a name") }
    guard !FileManager.default.fileExists(atPath: path) else {
      throw ValidationError("\(SourceText.visible(path)) exists")
    }
    let title = words.prefix(1).uppercased() + words.dropFirst()
    let bytes = Array(ScenarioTemplate.text(title: title).utf8)
    do throws(SourceProblem) {
      try Files.writeSource(bytes, to: path)
    } catch {
      throw ExitCode.failing(error.rendered())
    }
    StandardOutput.print("wrote \(SourceText.visible(path)); run it with: presentment run \(SourceText.visible(path))")
  }
}
