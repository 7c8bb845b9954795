import Primitives
import Testing

@testable import JSON

@Suite("JSON")
struct JSONTests {
  private func read(_ text: String, repeatedNames: JSONReader.RepeatedNames = .lastCounts) throws -> JSONValue {
    try JSONReader.read(Array(text.utf8), repeatedNames: repeatedNames)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("Keeps the order of members and the spelling of numbers")
  func keepsOrderAndSpelling() throws {
    let value = try read(#" { "z" : [1.0, 1e2, -0, {"b":null,"a":true}], "a\u0062" : "ÄA\n\u0001\/" } "#)
    #expect(text(value.bytes) == #"{"z":[1.0,1e2,-0,{"b":null,"a":true}],"ab":"ÄA\n\u0001/"}"#)
    #expect(value.member("ab")?.text == "ÄA\n\u{1}/")
    #expect(value.member("z")?.text == nil)
  }

  @Test("Reads its own compact and indented writing")
  func readsItsOwnWriting() throws {
    let value = try read(#"{"a":[1,[],{}],"b":{"c":"\"\\"}}"#)
    #expect(try JSONReader.read(value.bytes) == value)
    #expect(try JSONReader.read(value.indented) == value)
    #expect(
      text(value.indented) == """
        {
          "a": [
            1,
            [],
            {}
          ],
          "b": {
            "c": "\\"\\\\"
          }
        }

        """)
  }

  @Test("Compares names by their bytes")
  func comparesNamesByTheirBytes() throws {
    let value = try read("{\"\u{212b}\":1,\"\u{c5}\":2}")
    #expect(value.member("\u{c5}") == .number("2"))
    #expect(value.member("A\u{30a}") == nil)
  }

  @Test("A repeated name keeps its position and takes its last value", arguments: [3, 40])
  func repeatedName(count: Int) throws {
    let names = (0..<count).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
    let value = try read("{\(names),\"n1\":\"last\"}")
    guard case .object(let members) = value else { throw WrongKind() }
    #expect(members.map(\.name) == (0..<count).map { "n\($0)" })
    #expect(members[1].value == .string("last"))
    let error = #expect(throws: JSONError.self) { try read("{\(names),\"n1\":0}", repeatedNames: .refused) }
    #expect(error?.code == .repeatedName)
  }

  @Test(
    "Refuses a text that is not one JSON value, and names the place",
    arguments: [
      ("", 0), ("{} x", 3), ("\u{feff}{}", 0), ("[1,]", 3), ("{\"a\" 1}", 5), ("01", 1), ("1.", 2), ("+1", 0),
      ("nul", 3),
      ("\"a", 2), ("\"\t\"", 1), (#""\x""#, 3), (#""\ud800""#, 7), (#""\udc00""#, 7), (#""\u12g4""#, 5),
    ])
  func refusesMalformedText(text: String, offset: Int) {
    #expect { try read(text) } throws: { ($0 as? JSONError)?.offset == offset }
  }

  @Test("Refuses bytes that are not UTF-8")
  func refusesOtherEncodings() {
    for bytes: [UInt8] in [[0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0xff, 0xfe, 0x31, 0x00]] {
      #expect(throws: JSONError.self) { try JSONReader.read(bytes) }
    }
  }

  @Test("Refuses nesting deeper than the limit", arguments: [JSONReader.maximumDepth, 5])
  func refusesDeepNesting(limit: Int) throws {
    func nested(_ count: Int) -> [UInt8] {
      Array((String(repeating: "[", count: count) + "0" + String(repeating: "]", count: count)).utf8)
    }
    _ = try JSONReader.read(nested(limit), maximumDepth: limit)
    #expect(throws: JSONError.self) { try JSONReader.read(nested(limit + 1), maximumDepth: limit) }
  }

  @Test("Decodes UTF-8 only")
  func decodesUTF8Only() throws {
    let json = "[\"a\"]"
    #expect(try JSONCoding.decode([String].self, from: Array(json.utf8)) == ["a"])
    for wrong in [[0xef, 0xbb, 0xbf] + Array(json.utf8), json.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }] {
      #expect(throws: JSONError.self) { try JSONCoding.decode([String].self, from: wrong) }
    }
    #expect(throws: JSONError.self) { try JSONCoding.decode([Int].self, from: Array(json.utf8)) }
  }

  @Test("Encodes members in alphabetical order, slashes unescaped, non-finite numbers as texts")
  func encodes() {
    #expect(JSONCoding.text(["b": "/", "a": ""]) == #"{"a":"","b":"/"}"#)
    #expect(
      JSONCoding.text(["\u{10000}": 1, "\u{ffff}": 2, "": 3, "a10": 4, "a9": 5]).hasPrefix(#"{"":3,"a10":4,"a9":5,"#))
    #expect(JSONCoding.text([1.5, .infinity, .nan]) == #"[1.5,"Infinity","NaN"]"#)
    #expect(JSONCoding.text([0, -0.0, 1e21, 811_184_400]) == "[0,-0,1e+21,811184400]")
  }

  @Test("Escapes what a string must not contain, and nothing else", arguments: [0, 1, 7, 8, 9, 31, 32, 33, 40])
  func escapes(prefix: Int) throws {
    let plain = String(repeating: "x", count: prefix)
    let all = plain + String(String.UnicodeScalarView((0..<0x100).compactMap(Unicode.Scalar.init))) + "\u{2028}/😀"
    let written = JSONCoding.text([all])
    #expect(written.hasPrefix(#"["\#(plain)\u0000\u0001"#))
    #expect(written.contains(#"\u0007\b\t\n\u000b\f\r\u000e"#) && written.contains(##"\u001f !\"#$"##))
    #expect(written.contains("[\\\\]") && written.contains("~\u{7f}\u{80}") && written.hasSuffix("\u{2028}/😀\"]"))
    #expect(try JSONCoding.decode([String].self, from: Array(written.utf8)) == [all])
    let spelled = #"["\#(plain)\ud83d\ude00\u00e9\/\u0022\#(plain)"]"#
    #expect(try JSONCoding.decode([String].self, from: Array(spelled.utf8)) == ["\(plain)😀é/\"\(plain)"])
  }

  @Test("Finds each byte that a string must not contain unescaped, at each place", arguments: [0x21, 0x7f, 0x80, 0xff])
  func escapePlaces(filler: UInt8) {
    for byte in UInt8.min ... .max {
      let isEscaped = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      for place in 0..<50 {
        var text = [UInt8](repeating: filler, count: 75)
        text[place] = byte
        // A later escape does not hide the first one.
        text[74] = 0x22
        #expect(JSONEscape.plainCount(text.span, from: 0) == (isEscaped ? place : 74))
        #expect(JSONEscape.plainCount(text.span, from: place) == (isEscaped ? 0 : 74 - place))
      }
    }
    #expect(JSONEscape.plainCount([UInt8](repeating: filler, count: 75).span, from: 3) == 72)
  }

  @Test("Writes bytes in base64url and reads them back, also from escaped text")
  func base64URLBytes() throws {
    for bytes: [UInt8] in [[], [0], [0xfb, 0xff], [1, 2, 3], [UInt8](0...255)] {
      let written = JSONCoding.encode([Base64URLBytes(bytes)])
      #expect(text(written) == #"["\#(Base64URL.encode(bytes))"]"#)
      #expect(try JSONCoding.decode([Base64URLBytes].self, from: written).map(\.bytes) == [bytes])
    }
    let escaped = Array(#"["\u0041\u0051"]"#.utf8)
    #expect(try JSONCoding.decode([Base64URLBytes].self, from: escaped).map(\.bytes) == [[1]])
    for wrong in [#"["AQ=="]"#, #"["AR"]"#, #"["A"]"#, #"["+Q"]"#, "[1]"] {
      #expect(throws: JSONError.self) { try JSONCoding.decode([Base64URLBytes].self, from: Array(wrong.utf8)) }
    }
  }

  @Test("Refuses a repeated name in an object of any size", arguments: [1, 2, 23, 24, 25, 26, 60])
  func repeatedNames(count: Int) throws {
    let names = (0..<count).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
    let decoded = try JSONCoding.decode([String: Int].self, from: Array("{\(names)}".utf8))
    #expect(decoded == Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0)", $0) }))
    for repeated in ["n0", "n\(count - 1)", "\\u006e0"] {
      let error = #expect(throws: JSONError.self) {
        try JSONCoding.decode([String: Int].self, from: Array("{\(names),\"\(repeated)\":0}".utf8))
      }
      #expect(error?.code == .repeatedName && error?.offset == names.utf8.count + 2)
    }
  }

  @Test("Refuses a text beyond the limits of bytes, depth and values")
  func limits() throws {
    let text = Array(#"{"a":[1,2],"b":3}"#.utf8)
    let limits = JSONLimits(bytes: text.count, depth: 2, values: 7)
    #expect(try JSONReader.item(text, limits: limits).kind == .object)
    var less = limits
    less.bytes -= 1
    #expect(try #require(throws: JSONError.self) { try JSONReader.item(text, limits: less) }.code == .tooLarge)
    less = limits
    less.values -= 1
    #expect(try #require(throws: JSONError.self) { try JSONReader.item(text, limits: less) }.code == .tooLarge)
    less = limits
    less.depth -= 1
    #expect(try #require(throws: JSONError.self) { try JSONReader.item(text, limits: less) }.code == .tooDeep)
  }

  @Test("Views name the kind, the place and the value")
  func views() throws {
    let item = try JSONReader.item(Array(#" {"a":[true,null],"b":"AQ==","c":"AQ","d":null}"#.utf8))
    #expect(item.offset == 1 && item.kind == .object)
    #expect(try item.item("b").base64() == [1] && item.base64URLMember("c") == [1])
    #expect(try item.optionalItem("d") == nil && item.optionalItem("e") == nil)
    #expect(try item.item("a").elements().map(\.kind) == [.boolean, .null])
    #expect(try item.members().map(\.name) == ["a", "b", "c", "d"])
    let error = #expect(throws: JSONError.self) { try item.base64URLMember("b") }
    #expect(error?.code == .badValue && error?.offset == 22 && error?.message == "the text is padded")
    #expect(throws: JSONError.self) { try item.onlyMember() }
    #expect(throws: JSONError.self) { try item.item("c").base64() }
    #expect(throws: JSONError.self) {
      let text: String = try item.member("d"); return text
    }
  }

  private struct WrongKind: Error {}
}
