import ArgumentParser
import CommandSupport
import Foundation
import Primitives
import QRCode

/// `presentment qr TEXT…`
struct QRCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr",
    abstract: "Draw a text, for example a FIDO:/ URI, as a QR code.",
    discussion: """
      On a terminal the code is black on white. In a pipe it has no colors: ## is a dark module. Several texts are drawn \
      one after the other, each code below its text. Exit codes: 0 if every text was drawn, 2 otherwise.
      """)

  @Argument(help: "A text or several.")
  var texts: [String]

  @Option(help: "The level of error correction: L or M.")
  var level = QRSymbol.Level.medium

  @Option(
    help: "The output file: FILE.svg, or FILE.pbm for a bitmap. It takes one text, because a text has no file name.")
  var out: String?

  /// The forms of output files, by the ending of the name.
  private enum Form: String, CaseIterable {
    case svg, pbm
  }

  private func form(of path: String) -> Form? { Form(rawValue: URL(fileURLWithPath: path).pathExtension.lowercased()) }

  func validate() throws {
    guard out == nil || texts.count == 1 else {
      throw ValidationError("--out takes one text, found \(texts.count): a text has no name for a file of its own")
    }
    if let out, form(of: out) == nil {
      throw ValidationError("--out '\(TerminalSafe.text(out))': unsupported ending; expected .svg or .pbm")
    }
  }

  func run() throws {
    var hasFailed = false
    for text in texts {
      let heading = texts.count > 1 ? TerminalSafe.text(text) + ":\n" : ""
      let symbol: QRSymbol
      do throws(QRCodeError) {
        symbol = try QRSymbol(text, level: level)
      } catch {
        StandardError.write("\(heading)\(error)")
        hasFailed = true
        continue
      }
      try show(symbol, below: heading)
    }
    if hasFailed { throw ExitCode(2) }
  }

  private func show(_ symbol: QRSymbol, below heading: String) throws {
    guard let out, let form = form(of: out) else {
      let drawing = isatty(STDOUT_FILENO) == 1 ? symbol.terminalText : symbol.plainText
      StandardOutput.print(heading + drawing, terminator: "")
      return
    }
    let image =
      switch form {
      case .svg: symbol.svg
      case .pbm: symbol.portableBitmap
      }
    try Files.write([Files.Output(path: out, bytes: Array(image.utf8), isSecret: false)])
  }
}

extension QRSymbol.Level: ExpressibleByArgument {}
