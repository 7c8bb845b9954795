import Foundation

/// A reader of QR codes that is independent of the project: `zbarimg` of the Debian package zbar-tools.
public enum BarcodeReader {
  private static let path = "/usr/bin/zbarimg"

  /// True if the reader is installed. `make test` installs it.
  public static let isHere: Bool = {
    if FileManager.default.isExecutableFile(atPath: path) { return true }
    let line = "there is no \(path): tests that read QR codes are skipped; make test installs zbar-tools\n"
    FileHandle.standardError.write(Data(line.utf8))
    return false
  }()

  /// Reads the symbols of images, each in the form of its file name's ending.
  /// - Returns: The text of each image's symbol, or nil if the reader finds none.
  /// - Throws: An error if the reader cannot be started.
  public static func texts(in images: [String], ending: String) async throws -> [String?] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try images.enumerated().map { number, image in
      let file = folder.appendingPathComponent("\(number).\(ending)")
      try Data(image.utf8).write(to: file)
      return file.path
    }
    // One start for all: each takes longer than the reading.
    let run = try await Programs.run(path, ["--quiet", "--xml", "-S*.disable", "-Sqr.enable"] + files)
    var texts: [String?] = []
    for file in files { texts.append(try await text(of: file, in: run.output)) }
    return texts
  }

  private static func text(of file: String, in output: String) async throws -> String? {
    guard let source = output.range(of: "href='\(file)'") else { return nil }
    let rest = output[source.upperBound...]
    let symbols = rest[..<(rest.range(of: "</source>")?.lowerBound ?? rest.endIndex)]
    // The reader's base64 of other characters than those of ASCII is wrong.
    if symbols.contains("format='base64'") {
      return String(try await Programs.run(path, ["--quiet", "--raw", file]).output.dropLast())
    }
    guard let start = symbols.range(of: "<![CDATA["), let end = symbols.range(of: "]]>") else { return nil }
    return String(symbols[start.upperBound..<end.lowerBound])
  }
}
