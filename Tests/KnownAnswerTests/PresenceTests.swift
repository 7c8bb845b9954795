import TestSupport
import Testing

@Suite("Presence of the vectors")
struct PresenceTests {
  @Test("The folder that PRESENTMENT_VECTORS names exists", .enabled(if: Vectors.namedFolder != nil))
  func namedFolderExists() { #expect(Vectors.areHere, "no vectors in \(Vectors.folder.path)") }
}
