import CrossCheckTrait
import Foundation
import TestSupport
import TestTraits
import Testing

@Suite("Known answers", .crossChecked, .requiresVectors)
struct KnownAnswerTests {
  @Test("every file of the folder has exercises, and every exercise has a file")
  func files() throws {
    let there = try FileManager.default.contentsOfDirectory(atPath: Vectors.folder.path)
      .filter { $0.hasSuffix(".json") }.sorted()
    #expect(there == KnownFile.all.map { "\($0.name).json" }.sorted())
  }

  @Test("every entry has a unique name and an exercise of its kind", arguments: KnownFile.all)
  func kinds(file: KnownFile) {
    let entries = file.entries
    #expect(entries.count == file.count)
    #expect(Set(entries.map(\.vector.identifier)).count == entries.count)
    for entry in entries where entry.exercise == nil {
      Issue.record("\(entry.testDescription): nothing exercises the kind \"\(entry.kind)\"")
    }
    #expect(Set(entries.map(\.kind)) == Set(file.exercises.keys), "an exercise has no entry, or an entry none")
  }

  @Test("every entry gives its stated result", arguments: KnownFile.all.flatMap(\.entries))
  func entry(_ entry: KnownEntry) async throws {
    let exercise = try #require(entry.exercise)
    try await exercise(entry.vector)
  }
}

extension KnownFile: CustomTestStringConvertible {
  var testDescription: String { name }
}
