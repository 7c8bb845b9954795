import TestSupport
import Testing

@Suite("The known answers")
struct PresenceTests {
  @Test("are here, unless somebody said to go without them")
  func presence() {
    #expect(
      Vectors.areHere || Vectors.areDispensedWith,
      "no vectors in \(Vectors.folder.path): set PRESENTMENT_VECTORS, or PRESENTMENT_WITHOUT_VECTORS=1 to go without")
  }
}
