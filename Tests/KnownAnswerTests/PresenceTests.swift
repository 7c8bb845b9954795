import TestSupport
import Testing

@Suite("Presence of the vectors")
struct PresenceTests {
  @Test(
    "The folder that PRESENTMENT_VECTORS names exists",
    .enabled("PRESENTMENT_VECTORS names no folder") { Vectors.namedFolder != nil })
  func namedFolderExists() { #expect(Vectors.areHere, "no vectors in \(Vectors.folder.path)") }
}
