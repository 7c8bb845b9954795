import CBOR
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Requested elements")
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

  @Test("an age is accepted as the nearest to a requested one")
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

  @Test("an age of another name space, of another type or without a request is surplus")
  func others() {
    let one = asking("age_over_21", "name")
    #expect(unasked([age(25, true, in: "x")], by: one) == ["age_over_25"])
    let number = Element(nameSpace: "s", identifier: "age_over_25", value: .unsigned(1), isDeviceSigned: false)
    #expect(unasked([number], by: one) == ["age_over_25"])
    #expect(unasked([age(25, true)], by: asking("name")) == ["age_over_25"])
  }

  @Test("a device-signed age does not replace an issuer-signed one")
  func deviceSigned() {
    let elements = [age(25, true), age(22, true, isDeviceSigned: true)]
    #expect(unasked(elements, by: asking("age_over_21")) == [])
  }

  @Test("the first complete set of alternatives replaces an element that was not returned")
  func alternatives() {
    func name(_ identifier: String) -> AlternativeElements.Name { .init("s", identifier) }
    func text(_ identifier: String) -> Element {
      Element(nameSpace: "s", identifier: identifier, value: .text(""), isDeviceSigned: false)
    }
    let requested = RequestedElements(
      ItemsRequest(
        documentType: "t",
        nameSpaces: [ItemsRequest.NameSpace("s", [.init("age_over_18", intentToRetain: false)])],
        alternatives: [
          AlternativeElements(to: name("age_over_18"), sets: [[name("birth_date"), name("sex")], [name("years")]])
        ]))
    #expect(unasked([text("years")], by: requested) == [])
    #expect(requested.missing(from: [text("years")]).isEmpty)
    #expect(unasked([text("birth_date"), text("sex")], by: requested) == [])
    // Half a set, two sets, and a set together with the element that it replaces.
    #expect(unasked([text("sex")], by: requested) == ["sex"])
    #expect(requested.missing(from: [text("sex")]).map(\.identifier.text) == ["age_over_18"])
    #expect(unasked([text("birth_date"), text("sex"), text("years")], by: requested) == ["years"])
    #expect(unasked([age(18, true), text("years")], by: requested) == ["years"])
    #expect(unasked([age(21, true), text("years")], by: requested) == ["years"])
  }

  @Test("written alternatives are read back, and malformed ones are refused")
  func alternativesInRequests() throws {
    let request = ItemsRequest(
      documentType: "t", nameSpaces: [ItemsRequest.NameSpace("s", [.init("a", intentToRetain: true)])],
      issuerIdentifiers: [[1]],
      alternatives: [AlternativeElements(to: .init("s", "a"), sets: [[.init("s", "b"), .init("x", "c")]])])
    #expect(try ItemsRequest(CBORReader.read(request.encoded)) == request)
    func read(_ alternatives: CBORValue) throws -> ItemsRequest {
      try ItemsRequest(
        CBORReader.read(
          CBORValue.textMap([
            ("docType", .text("t")), ("nameSpaces", .textMap([("s", .textMap([("a", .boolean(true))]))])),
            ("requestInfo", .textMap([("alternativeDataElements", alternatives)])),
          ]).encoded))
    }
    let name = CBORValue.array([.text("s"), .text("a")])
    func alternative(_ sets: CBORValue, to requested: CBORValue = name) -> CBORValue {
      .array([.textMap([("requestedElement", requested), ("alternativeElementSets", sets)])])
    }
    #expect(try read(alternative(.array([.array([name])]))).alternatives.count == 1)
    let tooMany = CBORValue.array([CBORValue](repeating: .array([name]), count: AlternativeElements.maximumSets + 1))
    for malformed in [
      CBORValue.array([]), .map([]), alternative(.array([])), alternative(.array([.array([])])),
      alternative(.array([.array([.text("a")])])), alternative(.array([.array([name])]), to: .text("a")),
      alternative(tooMany),
    ] {
      #expect(throws: DeviceRequestError.self) { try read(malformed) }
    }
  }

  @Test("elements without an answer are missing")
  func missing() {
    let requested = asking("name", "age_over_21", "age_over_65")
    let name = Element(nameSpace: "s", identifier: "name", value: .text(""), isDeviceSigned: false)
    #expect(requested.missing(from: [name, age(25, true), age(60, false)]).isEmpty)
    #expect(requested.missing(from: [age(18, true)]).map(\.identifier.text) == ["name", "age_over_21", "age_over_65"])
  }
}
