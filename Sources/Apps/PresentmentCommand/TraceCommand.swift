import ArgumentParser
import CommandSupport
import ExchangeFiles
import Foundation
import Reports
import TraceViews

/// `presentment trace FILE --html F`
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Show a trace as a web page in one file.")

  @Argument(help: "The trace, NAME.trace.jsonl, or - for standard input.")
  var file: String

  @Option(help: "Write the page into this file, or - for standard output.")
  var html: String

  func run() throws {
    do {
      try Files.requireDistinct([html == Files.standardInput ? nil : html], from: [file])
      let bytes = try Files.read(file, upTo: TraceFile.maximumLength)
      let trace = try TraceFile(bytes, name: file == Files.standardInput ? "standard input" : file)
      let title = file == Files.standardInput ? "trace" : URL(fileURLWithPath: file).lastPathComponent
      let page = try TracePage.html(of: trace.entries, result: TracePage.Result(title: title))
      if html == Files.standardInput {
        StandardOutput.print(page, terminator: "")
      } else {
        try ReportFile.write(Array(page.utf8), to: html)
      }
    } catch let error as ExchangeFileError {
      throw ExchangeCommands.fail(error)
    } catch {
      StandardError.write("\(error)")
      throw ExitCode(2)
    }
  }
}
