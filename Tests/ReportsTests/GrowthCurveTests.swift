import Testing

@testable import Reports

@Suite("Curves of what grows")
struct GrowthCurveTests {
  @Test("measures whose names differ in one number are a curve, in the order of the number")
  func curves() {
    let measures: [(name: String, value: Double, before: Double?)] = [
      ("2 apps, 1 document", 20, nil), ("1 app, 1 document", 10, 5), ("16 apps, 1 document", 90, 50),
      ("2 apps, 2 documents", 22, nil), ("the start", 3, nil), ("0 apps, 1 document", 0, nil),
    ]
    let curves = GrowthCurve.all(measures)
    #expect(curves.map(\.name) == ["n apps, 1 document"])
    #expect(curves.first?.points.map(\.size) == [1, 2, 16])
    #expect(curves.first?.points.map(\.value) == [10, 20, 90])
    #expect(GrowthCurve.all(Array(measures.prefix(2))).isEmpty)
  }

  @Test("a number with thousands is one, and a name without a number is of no curve")
  func families() {
    #expect(GrowthCurve.families(of: "open 1,000 files").map(\.size) == [1000])
    #expect(
      GrowthCurve.families(of: "a presentment after 240 in the same world").map(\.name)
        == ["a presentment after n in the same world"])
    #expect(GrowthCurve.families(of: "SHA-256 of a page").isEmpty)
  }

  @Test("a drawing has a point for each measure, and the older curve where it has two points")
  func drawing() {
    let measures = [1.0, 2, 4].map { (name: "\(Int($0)) <apps>", value: $0 * 10, before: Optional($0 * 5)) }
    let drawing = GrowthCurve.drawings(of: GrowthCurve.all(measures))
    #expect(drawing.matches(of: /<circle/).count == 3 && drawing.matches(of: /<polyline/).count == 2)
    #expect(drawing.contains("n &lt;apps&gt;") && !drawing.contains("<apps>"))
  }
}
