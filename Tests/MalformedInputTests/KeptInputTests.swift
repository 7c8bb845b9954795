import Foundation
import TestSupport
import Testing
import UntrustedParsers

/// Passes the inputs that `make fuzz-all` begins with to their readers. A trap would end the tests. An input that once
/// crashed a reader is among them.
@Suite("Kept inputs of the fuzzer give a value or a coded error")
struct KeptInputTests {
  /// The maximum size of all kept inputs: a small part of a checkout.
  private static let maximumSize = 1 << 20

  @Test("every reader has kept inputs, and none of them breaks a guarantee", arguments: UntrustedParser.all)
  func inputs(parser: UntrustedParser) {
    let inputs = parser.corpus()
    #expect(!inputs.isEmpty)
    for input in inputs {
      if case .broken(let promise) = parser.ending(of: input.bytes) { Issue.record("\(input.name): \(promise)") }
    }
  }

  @Test("every folder of kept inputs is of a reader, and together they are small")
  func folders() throws {
    let corpus = Programs.package.appendingPathComponent("Tests/Fuzzing/Corpus")
    let folders = try FileManager.default.contentsOfDirectory(atPath: corpus.path)
    #expect(folders.sorted() == UntrustedParser.all.map(\.name).sorted())
    let size = UntrustedParser.all.reduce(0) { $0 + $1.corpus().reduce(0) { $0 + $1.bytes.count } }
    #expect(size <= Self.maximumSize)
  }
}
