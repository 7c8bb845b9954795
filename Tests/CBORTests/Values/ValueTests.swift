import CBOR
import Testing

@Suite("CBOR values")
struct ValueTests {
  static let every: CBORValue = .array([
    .unsigned(.max), .negative(.max), .bytes([0, 255]), .text("a\u{6c34}"), .array([]), .map([]),
    .map([.init(.integer(1), .text("x")), .init(.text("y"), .null)]), .tagged(24, .bytes([0x00])), .boolean(true),
    .boolean(false), .null, .undefined, .simple(0), .simple(255), .float(1.5), .float(-0.0), .float(.nan),
  ])

  @Test func everyKindSurvivesARoundTrip() throws {
    #expect(CBORValue(try CBORReader.read(Self.every.encoded)) == Self.every)
  }

  @Test func deviatingEncodingsGiveTheSameValue() throws {
    let value = CBORValue(try read("b90001 7f6161 6162ff 9f 1801 5f4102 4103ff fa3f800000 ff", leniency: .received))
    let expected = CBORValue.textMap([("ab", .array([.integer(1), .bytes([2, 3]), .float(1)]))])
    #expect(value == expected)
    #expect(digits(value.encoded) == "a1" + "626162" + "83" + "01" + "420203" + "f93c00")
  }

  @Test func contentOfTag24StaysBytes() throws {
    #expect(CBORValue(try read("d818 43 820102")) == .tagged(24, .bytes([0x82, 1, 2])))
  }

  @Test func integersChooseTheirSign() {
    #expect(CBORValue.integer(0) == .unsigned(0))
    #expect(CBORValue.integer(-1) == .negative(0))
    #expect(CBORValue.integer(.max) == .unsigned(1 << 63 - 1))
    #expect(CBORValue.integer(.min) == .negative(1 << 63 - 1))
  }

  @Test func equalityIsByKindAndContent() {
    #expect(CBORValue.float(.nan) == .float(Double(nan: 1, signaling: false)))
    #expect(CBORValue.float(0) != .float(-0.0))
    #expect(CBORValue.float(1) != .unsigned(1))
    #expect(CBORValue.unsigned(0) != .negative(0))
    #expect(CBORValue.text("a") != .bytes([0x61]))
    #expect(CBORValue.text("\u{e9}") != .text("e\u{301}"))
    #expect(CBORValue.null != .undefined)
    #expect(CBORValue.boolean(true) != .simple(21))
    #expect(CBORValue.tagged(0, .null) != .tagged(1, .null))
    #expect(CBORValue.tagged(0, .null) != .tagged(0, .undefined))
  }

  @Test func equalityDependsOnTheOrderOfEntries() {
    let forth = CBORValue.textMap([("a", .null), ("b", .null)])
    let back = CBORValue.textMap([("b", .null), ("a", .null)])
    #expect(forth != back)
    #expect(forth.deterministic == back.deterministic)
    #expect(CBORValue.array([.null]) != .array([.null, .null]))
  }

  @Test func allKindsDiffer() throws {
    guard case .array(let values) = Self.every else {
      Issue.record("the sample is an array")
      return
    }
    for (left, one) in values.enumerated() {
      for (right, other) in values.enumerated() {
        #expect((one == other) == (left == right))
      }
    }
  }
}
