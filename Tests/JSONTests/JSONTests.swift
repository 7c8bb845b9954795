import JSON
import Testing

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
    let error = #expect(throws: JSONSyntaxError.self) { try read("{\(names),\"n1\":0}", repeatedNames: .refused) }
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
    #expect { try read(text) } throws: { ($0 as? JSONSyntaxError)?.offset == offset }
  }

  @Test("Refuses bytes that are not UTF-8")
  func refusesOtherEncodings() {
    for bytes: [UInt8] in [[0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0xff, 0xfe, 0x31, 0x00]] {
      #expect(throws: JSONSyntaxError.self) { try JSONReader.read(bytes) }
    }
  }

  @Test("Refuses nesting deeper than the limit", arguments: [JSONReader.maximumDepth, 5])
  func refusesDeepNesting(limit: Int) throws {
    func nested(_ count: Int) -> [UInt8] {
      Array((String(repeating: "[", count: count) + "0" + String(repeating: "]", count: count)).utf8)
    }
    _ = try JSONReader.read(nested(limit), maximumDepth: limit)
    #expect(throws: JSONSyntaxError.self) { try JSONReader.read(nested(limit + 1), maximumDepth: limit) }
  }

  @Test("Decodes UTF-8 only, although the library's decoder accepts more")
  func decodesUTF8Only() {
    let json = "[\"a\"]"
    #expect(JSONCoding.decode([String].self, from: Array(json.utf8)) == ["a"])
    #expect(JSONCoding.decode([String].self, from: [0xef, 0xbb, 0xbf] + Array(json.utf8)) == nil)
    #expect(JSONCoding.decode([String].self, from: json.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }) == nil)
    #expect(JSONCoding.decode([Int].self, from: Array(json.utf8)) == nil)
  }

  @Test("Encodes members in alphabetical order, slashes unescaped, non-finite numbers as texts")
  func encodes() {
    #expect(JSONCoding.text(["b": "/", "a": ""]) == #"{"a":"","b":"/"}"#)
    #expect(JSONCoding.text([1.5, .infinity, .nan]) == #"[1.5,"Infinity","NaN"]"#)
  }

  private struct WrongKind: Error {}
}
