import Foundation
import ShippedScenarios
import Testing

@Suite("Every verification reaches the witness")
struct SourceTests {
  /// Calls that verify, with the files that report to the witness.
  private static let homes: [String: [String]] = [
    "isValidSignature(": [
      "Sources/Formats/COSE/VerificationKey.swift",
      "Sources/Trust/Certificates/WitnessedSignatures.swift",
    ],
    // The library's own path building, which does not report what it verifies.
    ".validate(leaf:": [],
  ]

  private static func sources() throws -> [(path: String, text: String)] {
    let folder = ShippedScenarios.root.appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
      ("Sources/" + $0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
    }
  }

  @Test("Only the reporting files verify signatures and chains", arguments: homes.keys.sorted())
  func elsewhere(word: String) throws {
    #expect(try Self.sources().filter { $0.text.contains(word) }.map(\.path) == Self.homes[word])
  }

  @Test("Only the command and CrossCheck import libcrypto")
  func imports() throws {
    let users = try Self.sources().filter {
      $0.text.contains("import CrossCheck") || $0.text.contains("import COpenSSL")
    }
    #expect(
      users.allSatisfy {
        $0.path.hasPrefix("Sources/Apps/PresentmentCommand/") || $0.path.hasPrefix("Sources/Tools/CrossCheck/")
      })
    #expect(!users.isEmpty)
  }
}
