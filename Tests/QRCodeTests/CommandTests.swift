import Foundation
import QRCode
import TestSupport
import TestTraits
import Testing

@Suite("presentment qr")
struct CommandTests {
  private static let text = "FIDO:/5415095681731805469892753618602991407053417478"

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test("Prints the code without colors in a pipe", .requiresBarcodeReader)
  func printsTheCode() async throws {
    let run = try await Programs.run(Programs.presentment, ["qr", Self.text])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run)")
    let read = try await BarcodeReader.texts(in: [Picture(plain: run.output).bitmap], ending: "pbm")
    #expect(read == [Self.text])
  }

  @Test("Prints the code black on white in a terminal", .requiresPython, .requiresBarcodeReader)
  func printsToATerminal() async throws {
    // Gives the command a terminal and copies its output.
    let script = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
    let run = try await Programs.run(Programs.python, ["-c", script, Programs.presentment, "qr", Self.text])
    #expect(run.code == 0, "\(run)")
    let drawing = run.output.replacing("\r\n", with: "\n")
    #expect(drawing.hasPrefix("\u{1b}[38;5;16;48;5;231m"))
    let read = try await BarcodeReader.texts(in: [Picture(terminal: drawing).bitmap], ending: "pbm")
    #expect(read == [Self.text])
  }

  @Test("Writes an image in the form of the file's ending", arguments: ["svg", "pbm"])
  func writesAnImage(ending: String) async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try await Programs.run(
      Programs.presentment, ["qr", Self.text, "--level", "L", "--out", "code.\(ending)"], in: folder)
    #expect(run.code == 0 && run.output.isEmpty, "\(run)")
    let image = try String(contentsOf: folder.appendingPathComponent("code.\(ending)"), encoding: .utf8)
    let symbol = try QRSymbol(Self.text, level: .low)
    #expect(image == (ending == "svg" ? symbol.svg : symbol.portableBitmap))
  }

  @Test("Draws several texts, each below its name, also if one cannot be drawn")
  func drawsSeveral() async throws {
    let drawings = try ["one", "two"].map { "\($0):\n\(try QRSymbol($0, level: .medium).plainText)" }
    let run = try await Programs.run(Programs.presentment, ["qr", "one", "", "two"])
    #expect(run.code == 2 && run.output == drawings.joined(), "\(run)")
    #expect(run.errors == ":\nthe text is empty (qr.empty)\n")
  }

  @Test(
    "Refuses what cannot be drawn or written",
    arguments: [
      ([""], "the text is empty (qr.empty)"),
      ([String(repeating: "a", count: 332)], "the text is too long for a QR code of version 13 at level M"),
      (["text", "--out", "code.png"], "unsupported ending; expected .svg or .pbm"),
      (["text", "--out", "missing/code.svg"], "missing/code.svg"),
      (["text", "--level", "H"], "level"),
      (["text", "other", "--out", "code.svg"], "--out takes one text, found 2"),
    ])
  func refuses(arguments: [String], message: String) async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try await Programs.run(Programs.presentment, ["qr"] + arguments, in: folder)
    #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(message), "\(run)")
  }
}
