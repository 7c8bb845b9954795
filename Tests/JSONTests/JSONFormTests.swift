import JSON
import Testing

private struct Parcel: Equatable {
  var weight: Int
  var address: String
  var note: String?
  var content: [UInt8]
  var upper = ""
}

extension Parcel: JSONObject {
  static let json = JSONForm<Self>(
    { Parcel(weight: $0, address: $1, note: $2, content: $3, upper: $4) }, Member("weight", \.weight, "in grams"),
    Member("address", \.address, "where it goes", type: .words(["home", "work"])),
    Member(optional: "note", \.note, "for the person"), Member(base64URL: "content", \.content),
    Member("Address", \.upper))
}

extension Parcel: JSONTyped {}

private enum Delivery: Equatable {
  case left(place: String)
  case handed(Parcel, to: String)
}

extension Delivery: JSONChoice {
  static let json = [
    JSONAlternative<Self>(
      "left", "it is left", JSONForm<String>({ $0 }, Member("place", \.self, "the place")), { .left(place: $0) },
      { if case .left(let place) = $0 { place } else { nil } }),
    JSONAlternative<Self>(
      "handed", "a person has it",
      JSONForm<(parcel: Parcel, name: String)>(
        { ($0, $1) }, Member("parcel", \.parcel, "what"), Member("name", \.name, "who")),
      { .handed($0.parcel, to: $0.name) },
      { if case .handed(let parcel, let name) = $0 { (parcel, name) } else { nil } }),
  ]
}

@Suite("Forms of JSON objects")
struct JSONFormTests {
  private static let parcel = Parcel(weight: 3, address: "home", note: nil, content: [0xfb, 0xff], upper: "")
  private static let text = #"{"Address":"","address":"home","content":"-_8","weight":3}"#

  @Test("Members are written in alphabetical order, and none for nil")
  func written() {
    #expect(JSONCoding.text(Self.parcel) == Self.text)
    var other = Self.parcel
    other.note = "fragile"
    #expect(
      JSONCoding.text(other) == #"{"Address":"","address":"home","content":"-_8","note":"fragile","weight":3}"#)
  }

  @Test("Members are read in any order; null is read as nil, and unknown members are ignored")
  func read() throws {
    for text in [Self.text, #"{"x":[],"weight":3,"note":null,"content":"-_8","address":"home","Address":""}"#] {
      #expect(try JSONCoding.decode(Parcel.self, from: Array(text.utf8)) == Self.parcel)
    }
  }

  @Test(
    "A missing member and another type are refused with their place",
    arguments: [
      (#"{"Address":"","address":"home","content":"-_8"}"#, JSONError.Code.missingMember, 0),
      (#"{"Address":"","address":"home","content":"-_8","weight":"3"}"#, .wrongType, 56),
      (#"{"Address":"","address":"home","content":"-_8=","weight":3}"#, .badValue, 41),
      ("[]", .wrongType, 0),
    ])
  func refused(_ text: String, _ code: JSONError.Code, _ offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSONCoding.decode(Parcel.self, from: Array(text.utf8)) }
    #expect(error?.code == code && error?.offset == offset)
  }

  @Test("The path of a place leads to the innermost value")
  func paths() throws {
    let text = #"{"a":[{"b":5},[true]],"c":"x"}"#
    let item = try JSONReader.item(Array(text.utf8))
    for (found, path) in [("5", "a[0].b"), ("true", "a[1][0]"), ("[true]", "a[1]"), (#""x""#, "c"), ("{", "")] {
      let offset = try #require(text.firstRange(of: found)).lowerBound
      #expect(item.path(to: text.utf8.distance(from: text.startIndex, to: offset)) == path)
    }
  }

  @Test("A form says what its members mean, in the order of their declaration")
  func documented() throws {
    guard case .object(let members) = Parcel.jsonType else { throw JSONFormError() }
    #expect(members.map(\.name) == ["weight", "address", "note"])
    #expect(members.map(\.isOptional) == [false, false, true])
    #expect(members.map(\.meaning) == ["in grams", "where it goes", "for the person"])
    guard case .words(["home", "work"]) = members[1].type, case .number = members[0].type else { throw JSONFormError() }
  }

  @Test("A choice has one member, named for the kind of the value")
  func choice() throws {
    for (value, text) in [
      (Delivery.left(place: "porch"), #"{"left":{"place":"porch"}}"#),
      (.handed(Self.parcel, to: "Kelly"), #"{"handed":{"name":"Kelly","parcel":\#(Self.text)}}"#),
    ] {
      #expect(JSONCoding.text(value) == text)
      #expect(try JSONCoding.decode(Delivery.self, from: Array(text.utf8)) == value)
    }
    for text in ["{}", #"{"lost":{}}"#, #"{"left":{"place":""},"handed":{}}"#, #"{"left":{}}"#, "5"] {
      #expect(throws: JSONError.self) { try JSONCoding.decode(Delivery.self, from: Array(text.utf8)) }
    }
    guard case .oneOf(let kinds) = Delivery.jsonType else { throw JSONFormError() }
    #expect(kinds.map(\.name) == ["left", "handed"] && kinds[0].meaning == "it is left")
  }
}

/// A form has another type than expected.
private struct JSONFormError: Error {}
