import CBOR
import Testing

@testable import MobileDocument

@Suite("Elements that were asked for")
struct RequestedElementsTests {
  private typealias Element = VerifiedDocument.Element

  private func age(_ age: Int, _ value: Bool, isDeviceSigned: Bool = false, in nameSpace: String = "s") -> Element {
    Element(
      nameSpace: nameSpace, identifier: AgeOver.identifier(for: age), value: .boolean(value),
      isDeviceSigned: isDeviceSigned)
  }

  private func asking(_ identifiers: String...) -> RequestedElements {
    RequestedElements(
      ItemsRequest(
        documentType: "t",
        nameSpaces: [ItemsRequest.NameSpace("s", identifiers.map { .init($0, intentToRetain: false) })]))
  }

  private func unasked(_ elements: [Element], by requested: RequestedElements) -> [String] {
    requested.unasked(of: elements).map(\.identifier)
  }

  @Test("of ages the one counts that comes nearest to one that was named, and what was named")
  func ages() {
    let one = asking("age_over_21")
    #expect(unasked([age(21, true)], by: one) == [])
    #expect(unasked([age(25, true)], by: one) == [] && unasked([age(18, false)], by: one) == [])
    #expect(unasked([age(18, true)], by: one) == ["age_over_18"])
    #expect(unasked([age(21, true), age(65, false)], by: one) == ["age_over_65"])
    #expect(unasked([age(21, true), age(25, true)], by: one) == ["age_over_25"])
    let all = (1...99).map { age($0, $0 < 40) }
    #expect(unasked(all, by: one).count == 98)
    let two = asking("age_over_18", "age_over_65")
    #expect(unasked([age(18, true), age(65, false)], by: two) == [])
    #expect(unasked([age(21, true), age(60, false)], by: two) == [])
    #expect(unasked([age(21, true), age(30, true), age(60, false)], by: two) == ["age_over_30"])
  }

  @Test("an age of another name space, one that is no truth value, and one without a request are surplus")
  func others() {
    let one = asking("age_over_21", "name")
    #expect(unasked([age(25, true, in: "x")], by: one) == ["age_over_25"])
    let number = Element(nameSpace: "s", identifier: "age_over_25", value: .unsigned(1), isDeviceSigned: false)
    #expect(unasked([number], by: one) == ["age_over_25"])
    #expect(unasked([age(25, true)], by: asking("name")) == ["age_over_25"])
  }

  @Test("what the device says of an age does not take the place of what the issuer signed")
  func deviceSigned() {
    let elements = [age(25, true), age(22, true, isDeviceSigned: true)]
    #expect(unasked(elements, by: asking("age_over_21")) == [])
  }

  @Test("missing is what nothing answers")
  func missing() {
    let requested = asking("name", "age_over_21", "age_over_65")
    let name = Element(nameSpace: "s", identifier: "name", value: .text(""), isDeviceSigned: false)
    #expect(requested.missing(from: [name, age(25, true), age(60, false)]).isEmpty)
    #expect(requested.missing(from: [age(18, true)]).map(\.identifier) == ["name", "age_over_21", "age_over_65"])
  }
}
