import CrossCheckTrait
import Foundation
import TestSupport
import TestTraits
import Testing

@Suite("Known answers", .crossChecked, .requiresVectors)
struct KnownAnswerTests {
  /// A file can be missing where the vectors were fetched: `.ci/check-vectors` refuses that where all are expected.
  @Test("every file of the folder has exercises")
  func files() throws {
    let there = try FileManager.default.contentsOfDirectory(atPath: Vectors.folder.path)
      .filter { $0.hasSuffix(".json") }
    #expect(KnownFile.all.map(\.name) == Vectors.names)
    #expect(!there.isEmpty && Set(Vectors.names.map { "\($0).json" }).isSuperset(of: there))
  }

  @Test("every entry has a unique name and an exercise of its kind", arguments: KnownFile.all.filter(\.isHere))
  func kinds(file: KnownFile) {
    let entries = file.entries
    #expect(entries.count == file.count)
    #expect(Set(entries.map(\.vector.identifier)).count == entries.count)
    for entry in entries where entry.exercise == nil {
      Issue.record("\(entry.testDescription): nothing exercises the kind \"\(entry.kind)\"")
    }
    #expect(Set(entries.map(\.kind)) == Set(file.exercises.keys), "an exercise has no entry, or an entry none")
  }

  @Test("every entry gives its stated result", arguments: KnownFile.all.filter(\.isHere).flatMap(\.entries))
  func entry(_ entry: KnownEntry) async throws {
    let exercise = try #require(entry.exercise)
    try await exercise(entry.vector)
  }
}

extension KnownFile: CustomTestStringConvertible {
  var testDescription: String { name }
}
