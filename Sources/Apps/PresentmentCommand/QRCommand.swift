import ArgumentParser
import CommandSupport
import ExchangeFiles
import Foundation
import Primitives
import QRCode

/// `presentment qr TEXT`
struct QRCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr",
    abstract: "Draw a text, for example a FIDO:/ URI, as a QR code.",
    discussion: """
      On a terminal the code is black on white. In a pipe it has no colors: ## is a dark module.
      """)

  @Argument(help: "The text.")
  var text: String

  @Option(help: "The level of error correction: L or M.")
  var level = QRSymbol.Level.medium

  @Option(help: "The output file: FILE.svg, or FILE.pbm for a bitmap.")
  var out: String?

  /// The forms of output files, by the ending of the name.
  private enum Form: String, CaseIterable {
    case svg, pbm
  }

  private func form(of path: String) -> Form? {
    Form(rawValue: URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  func validate() throws {
    if let out, form(of: out) == nil {
      throw ValidationError("--out '\(TerminalSafe.text(out))': unsupported ending; expected .svg or .pbm")
    }
  }

  func run() throws {
    let symbol: QRSymbol
    do throws(QRCodeError) {
      symbol = try QRSymbol(text, level: level)
    } catch {
      StandardError.write("\(error)")
      throw ExitCode(2)
    }
    guard let out, let form = form(of: out) else {
      StandardOutput.print(isatty(STDOUT_FILENO) == 1 ? symbol.terminalText : symbol.plainText, terminator: "")
      return
    }
    let image =
      switch form {
      case .svg: symbol.svg
      case .pbm: symbol.portableBitmap
      }
    do throws(ExchangeFileError) {
      try Files.write([Files.Output(path: out, bytes: Array(image.utf8), isSecret: false)])
    } catch {
      throw ExchangeCommands.fail(error)
    }
  }
}

extension QRSymbol.Level: ExpressibleByArgument {}
