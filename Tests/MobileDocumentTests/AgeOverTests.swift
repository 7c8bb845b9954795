import MobileDocument
import TestSupport
import TestTraits
import Testing

@Suite("age_over_NN")
struct AgeOverTests {
  @Test("the identifier holds two digits", arguments: [0, 1, 9, 10, 18, 21, 65, 99])
  func identifier(age: Int) {
    #expect(AgeOver.identifier(for: age).utf8.count == 11)
    #expect(AgeOver.age(in: AgeOver.identifier(for: age)) == age)
  }

  @Test(
    "other identifiers do not name an age",
    arguments: [
      "age_over_", "age_over_1", "age_over_100", "age_over_-1", "age_over_1a", "age_over_٢١", "age_over_ 1",
      "Age_over_18", "age_in_years", "", "age_over_18 ",
    ])
  func noAge(identifier: String) {
    #expect(AgeOver.age(in: identifier) == nil)
  }

  @Test("the smallest true one at or above the age answers, else the largest false one at or below it")
  func nearest() {
    let held = [(age: 65, value: false), (18, true), (21, true), (60, false)]
    #expect(AgeOver.nearest(to: 16, in: held) == 18)
    #expect(AgeOver.nearest(to: 18, in: held) == 18)
    #expect(AgeOver.nearest(to: 19, in: held) == 21)
    #expect(AgeOver.nearest(to: 22, in: held) == nil)
    #expect(AgeOver.nearest(to: 60, in: held) == 60)
    #expect(AgeOver.nearest(to: 64, in: held) == 60)
    #expect(AgeOver.nearest(to: 70, in: held) == 65)
    #expect(AgeOver.nearest(to: 18, in: []) == nil)
  }

  @Test("an attestation is conclusive only for the ages on its side")
  func conclusions() {
    #expect(AgeOver.conclusion(about: 21, from: (25, true)) == true)
    #expect(AgeOver.conclusion(about: 21, from: (21, true)) == true)
    #expect(AgeOver.conclusion(about: 21, from: (18, true)) == nil)
    #expect(AgeOver.conclusion(about: 21, from: (18, false)) == false)
    #expect(AgeOver.conclusion(about: 21, from: (21, false)) == false)
    #expect(AgeOver.conclusion(about: 21, from: (25, false)) == nil)
  }

  @Test("every answer is a held attestation with a true conclusion, for every age and request")
  func holds() {
    let attested = [12, 16, 18, 21, 25, 40, 65]
    for holder in 0...99 {
      let held = attested.map { (age: $0, value: holder >= $0) }
      for asked in 0...99 {
        guard let nearest = AgeOver.nearest(to: asked, in: held) else { continue }
        let conclusion = AgeOver.conclusion(about: asked, from: (nearest, holder >= nearest))
        #expect(attested.contains(nearest))
        #expect(conclusion == (holder >= asked))
      }
    }
  }
}

@Suite("Table D.1 of ISO/IEC 18013-5", .requiresVectors("age_over"))
struct AgeTableTests {
  @Test("the table has all 55 cells")
  func count() {
    let entries = Vectors.entries(of: "age_over.json")
    #expect(entries.count == 55)
    #expect(entries.contains { $0["response"] == nil } && entries.contains { $0["response"] != nil })
  }

  @Test("each request is answered as the table says", arguments: Vectors.entries(of: "age_over.json"))
  func cell(of entry: Vector) throws {
    let held = try #require(entry["on_mdl"]?.object).map { identifier, value in
      (age: try #require(AgeOver.age(in: identifier)), value: try #require(value.boolean as Bool?))
    }
    let asked = try #require(AgeOver.age(in: try entry.text("request")))
    let printed = entry["response"]?.object?.keys.first.flatMap { AgeOver.age(in: $0) }
    #expect(AgeOver.nearest(to: asked, in: held) == printed)
  }
}
