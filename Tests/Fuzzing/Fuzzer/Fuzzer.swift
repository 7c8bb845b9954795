import CFuzzer
import Foundation
import OutsideParsers

/// Gives one reader of strangers' bytes whatever libFuzzer thinks of: `Fuzzer READER FOLDER [OPTION OF LIBFUZZER]...`.
/// The folder gets the reader's seeds and what is found to reach new code; without arguments the readers are listed.
@main
enum Fuzzer {
  /// Which reader is tried. Set once, before the first input.
  nonisolated(unsafe) private static var parser: OutsideParser?

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let parser = OutsideParser.named(arguments[1]) else {
      print(OutsideParser.all.map(\.name).joined(separator: "\n"))
      exit(arguments.count > 1 ? 2 : 0)
    }
    let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, seed) in parser.seeds().enumerated() {
      try Data(seed).write(to: folder.appendingPathComponent("seed-\(number)"))
    }
    self.parser = parser
    var given: [UnsafeMutablePointer<CChar>?] =
      ([arguments[0], arguments[2]] + arguments.dropFirst(3)).map { strdup($0) } + [nil]
    exit(
      given.withUnsafeMutableBufferPointer { pointers in
        var count = CInt(pointers.count - 1)
        var values = pointers.baseAddress
        return LLVMFuzzerRunDriver(&count, &values) { data, size in
          Fuzzer.read(UnsafeBufferPointer(start: data, count: size))
        }
      })
  }

  /// Ends the process when a reading ends as it must not, so that libFuzzer keeps the input.
  private static func read(_ input: UnsafeBufferPointer<UInt8>) -> CInt {
    if case .broken(let promise)? = parser?.ending(of: Array(input)) { preconditionFailure(promise) }
    return 0
  }
}
