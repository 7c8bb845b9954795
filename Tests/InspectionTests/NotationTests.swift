import CBOR
import Inspection
import Testing

@Suite("Annotated diagnostic notation")
struct NotationTests {
  @Test("each item has a line, and embedded items are opened")
  func lines() throws {
    let value = CBORValue.map([
      .init(.text("a"), .array([.unsigned(1), .negative(1), .float(1.5), .null, .boolean(true)])),
      .init(.unsigned(2), .tagged(24, .bytes(CBORValue.array([.text("in\u{7}side")]).encoded))),
      .init(.text("empty"), .map([])),
      .init(.text("when"), .tagged(0, .text("2025-09-15T17:00:00Z"))),
      .init(.text("held"), .bytes(CBORValue.array([.unsigned(7)]).encoded)),
      .init(.text("big"), .tagged(2, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
    ])
    let text = try Inspector.inspect(value.encoded).get()
    #expect(
      text == """
        read as raw CBOR: \(value.encoded.count) bytes
          CBOR in diagnostic notation
            {
              "a": [
                1,
                -2,
                1.5,
                null,
                true
              ],
              2: 24(<<
                [
                  "in\\u{7}side"
                ]
              >>),
              "empty": {},
              "when": 0("2025-09-15T17:00:00Z"), / date and time /
              "held": <<
                [
                  7
                ]
              >>,
              "big": 18446744073709551616 / big number /
            }

        """)
  }

  @Test("the offsets of all items, embedded ones included, are at the left")
  func offsets() throws {
    let value = CBORValue.array([.text("abc"), .tagged(24, .bytes([0x81, 0x05]))])
    #expect(
      try Inspector.inspect(value.encoded, options: .offsets).get() == """
           read as raw CBOR: 10 bytes
        0    CBOR in diagnostic notation
        0      [
        1        "abc",
        5        24(<<
        8          [
        9            5
                   ]
                 >>)
               ]

        """)
  }

  @Test("long byte strings and texts are cut, unless printed in full")
  func lengths() throws {
    let value = CBORValue.array([
      .bytes([UInt8](repeating: 0xee, count: 40)), .text(String(repeating: "x", count: 500)),
    ])
    expect(
      try inspected(value.encoded),
      has: ["h'eeeeeeeeeeeeeeee...eeeeeeeeeeeeeeee' (40 bytes),", "\"xxxx"])
    let whole = try inspected(value.encoded, .full)
    expect(whole, has: ["h'\(String(repeating: "ee", count: 40))',", "\"\(String(repeating: "x", count: 500))\""])
  }

  @Test("deviations from the required encoding are listed")
  func deviations() throws {
    expect(
      try inspected([0x9f, 0x18, 0x01, 0x5f, 0x41, 0x01, 0xff, 0xff]),
      has: [
        "[_", "1,", "/ in chunks / h'01'", "encoding deviates: heads or floats longer than needed at byte 1",
        "encoding deviates: indefinite lengths at byte 0, 3",
      ])
  }

  @Test("certificates in byte strings are shown, and unreadable ones with the reason")
  func contents() throws {
    let sample = try Sample()
    let value = CBORValue.array([.bytes(sample.issuerRoot), .tagged(24, .bytes([0xff]))])
    expect(
      try inspected(value.encoded),
      has: ["h'3082", "certificate", "subject: CN=Spaceport DMV Root", "24( / cannot be opened: ", "h'ff'"])
  }

  @Test("nesting of encoded CBOR is printed up to the limit")
  func depth() throws {
    var bytes: [UInt8] = [0x81, 0x01]
    for _ in 0..<200 { bytes = CBORValue.array([.bytes(bytes)]).encoded }
    #expect(try Inspector.inspect(bytes).get().contains("nested too deep to print"))
  }
}
