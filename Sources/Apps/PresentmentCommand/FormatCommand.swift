import ArgumentParser
import CommandSupport
import LocatedYAML
import ScenarioFiles

/// `presentment format PATH...`
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format", abstract: "Write scenario files, worlds and flows in one layout.",
    discussion: """
      Values, comments and anchors stay as they are. A file that the layout cannot keep is not changed, and the reason \
      is printed. Exit codes: 2 if a file cannot be formatted, otherwise 0, or with --check 1 if a file has another \
      layout.
      """)

  @Argument(help: "Files or folders; the extension .yaml is optional.")
  var paths: [String]

  @Flag(help: "Name the files with another layout, and change none.")
  var check = false

  func run() throws {
    let problems = ProblemCollector(limit: SourceLimits.problemsOfRun)
    var changed = 0
    let paths = ScenarioFinder.allFiles(at: paths, problems)
    for path in paths {
      do throws(SourceProblem) {
        let file = try SourceFile(readingFrom: path)
        let text = try YAMLFormatter.formatted(file)
        guard text != file.text else { continue }
        changed += 1
        if !check { try Files.writeSource(Array(text.utf8), to: path) }
        StandardOutput.print("\(check ? "has another layout" : "formatted")  \(SourceText.visible(path))")
      } catch {
        problems.report(error)
      }
    }
    if !problems.isEmpty { throw ExitCode.failing(problems.rendered()) }
    if check && changed > 0 { throw ExitCode(1) }
  }
}
