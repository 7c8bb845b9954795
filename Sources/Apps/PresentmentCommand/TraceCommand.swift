import ArgumentParser
import CommandSupport
import ExchangeFiles
import Foundation
import Reports
import TraceViews

/// `presentment trace FILE|FOLDER… --html PAGE`
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Show a trace as a web page in one file.",
    discussion: """
      Several traces, or a folder of them, get a page each, NAME.html in the folder that --html names. Exit codes: 0 if \
      every page was written, 2 if a trace could not be read or a page not be written.
      """)

  @Argument(help: "Traces, NAME.trace.jsonl, and folders of them; - for standard input.")
  var files: [String]

  @Option(
    help: "Write the page into this file, or - for standard output; the pages of several traces into this folder.")
  var html: String

  func run() throws {
    let chosen = ChosenFiles(files, endings: [TraceComparison.ending])
    let isPrinted = html == Files.standardInput
    if isPrinted, chosen.areSeveral {
      throw ExchangeFileError(.content, "--html", "standard output takes one page; name a folder for several traces")
    }
    let pages = try chosen.places(at: html, without: [TraceComparison.ending]) { _ in ".html" }
    try Files.requireDistinct(isPrinted ? [] : pages.all, from: chosen.files)
    try chosen.each { file, _ in
      do {
        let page = try Self.page(of: file)
        if isPrinted {
          StandardOutput.print(page, terminator: "")
        } else {
          try ReportFile.write(Array(page.utf8), to: pages[file])
        }
        return 0
      } catch let error as ExchangeFileError {
        throw error
      } catch {
        StandardError.write("\(error)")
        return 2
      }
    }
  }

  private static func page(of file: String) throws -> String {
    let bytes = try Files.read(file, upTo: TraceFile.maximumLength)
    let isInput = file == Files.standardInput
    let trace = try TraceFile(bytes, name: isInput ? "standard input" : file)
    let title = isInput ? "trace" : URL(fileURLWithPath: file).lastPathComponent
    return try TracePage.html(of: trace.entries, result: TracePage.Result(title: title))
  }
}
