import CFuzzer
import Foundation
import UntrustedParsers

/// Passes libFuzzer's inputs to one reader of untrusted bytes: `Fuzzer READER FOLDER [FOLDER | OPTION OF LIBFUZZER]...`.
/// The first folder gets the reader's seeds, except when libFuzzer merges, and what is found to reach new code. With a file
/// in place of the folder the reader is given that input alone; without arguments the readers are listed. The variable
/// `SLOWEST_INPUT` names a file for the input that took longest; its processor time is printed at the end.
@main
enum Fuzzer {
  /// The reader under test. Set once, before the first input.
  nonisolated(unsafe) private static var parser: UntrustedParser?
  /// The input that took most processor time so far, and that time in nanoseconds.
  nonisolated(unsafe) private static var slowest: (input: [UInt8], time: UInt64) = ([], 0)

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let parser = UntrustedParser.named(arguments[1]) else {
      print(UntrustedParser.all.map(\.name).joined(separator: "\n"))
      exit(arguments.count > 1 ? 2 : 0)
    }
    var isFolder: ObjCBool = true
    let merges = arguments.contains { $0.hasPrefix("-merge=") || $0.hasPrefix("-set_cover_merge=") }
    if !FileManager.default.fileExists(atPath: arguments[2], isDirectory: &isFolder) || isFolder.boolValue, !merges {
      try write(parser.seeds(), to: URL(fileURLWithPath: arguments[2], isDirectory: true))
    }
    // What the reader prepares once is not part of the time of its first input.
    if let seed = parser.seeds().first { _ = parser.ending(of: seed) }
    self.parser = parser
    atexit { Fuzzer.reportSlowest() }
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

  private static func write(_ seeds: [[UInt8]], to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, seed) in seeds.enumerated() {
      try Data(seed).write(to: folder.appendingPathComponent("seed-\(number)"))
    }
  }

  /// Ends the process when a reading ends as it must not, so that libFuzzer keeps the input.
  private static func read(_ input: UnsafeBufferPointer<UInt8>) -> CInt {
    let bytes = Array(input)
    let start = processorTime
    let ending = parser?.ending(of: bytes)
    let time = processorTime - start
    if time > slowest.time { slowest = (bytes, time) }
    if case .broken(let promise)? = ending {
      FileHandle.standardError.write(Data("broken promise: \(promise)\n".utf8))
      abort()
    }
    return 0
  }

  /// The processor time of this process, in nanoseconds.
  private static var processorTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func reportSlowest() {
    let milliseconds = Double(slowest.time) / 1e6
    FileHandle.standardError.write(Data("slowest_input_ms: \(milliseconds)\n".utf8))
    if let path = ProcessInfo.processInfo.environment["SLOWEST_INPUT"] {
      try? Data(slowest.input).write(to: URL(fileURLWithPath: path))
    }
  }
}
