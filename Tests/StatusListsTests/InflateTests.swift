import TestSupport
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Inflate")
struct InflateTests {
  private static let phrase = Array("the list of a status token, the list of a token, ".utf8)
  private static let mixed = Hex.bytes(
    """
    62660a202061626164206464676320626164610a636366202061686462682062666163616161676561636762636861656220\
    646465626362676220646261630a6567616267680a6261686368686563650a6762626266640a6563660a6164626820636367\
    626365682067686361646765612062650a6363646861646162680a666666636762626562612062650a65626365630a666364\
    62676566686163200a0a68652062652065626361640a636665626563640a6363636165656620666364666120626762656662\
    0a612065200a0a62610a6761610a616461202062626261206662636261626262656267626768626468636464616162636363\
    206262616268656266630a61626163626168626468656763650a626720686564626567616367662063676763616862626261\
    636366202061686462682062666163616161676561636762636861656220646465626362676220646261630a656761626768\
    0a6261686368686563650a6762626266640a6563660a6164626820636367626365682067686361646765612062650a636364\
    6861646162680a666666636762626562612062650a65626365630a666364
    """)

  /// Streams from zlib.
  static let streams: [(name: String, stream: String, content: [UInt8])] = [
    ("nothing", "78da030000000001", []),
    ("stored", "7801011400ebff746865206c697374206f662061207374617475734ba70758", Array("the list of a status".utf8)),
    (
      "fixed codes", "78012bc94855c8c92c2e51c84f534854282e492c292d5628c9cf4ecdd351284191c32a384234000019e76619",
      (0..<6).flatMap { _ in phrase }
    ),
    (
      "codes of its own",
      """
      78dac550cb95453108da5b85ad0141edbf82c79d2666158f209f70aa1bc4ebf7569d01254d76f778cd8100aca1a50e6678a6\
      b819089517dc2be27467b996e4bcb2a6f029e83bf4f59ef0a2d3740cdec5885733139ce6df3ec2568d1ed77350579d037400\
      bcd298565e09f6748893bba5878576e8442d10677427087a9215fc1c3639f94eef018c44f024304795fe617da83715b87d7e\
      4c35edb476152cecffff971f23dd9386
      """, mixed
    ),
    (
      "codes of its own and no copies",
      """
      780105c1410100300803b13f2ab0d62b1df857b08457dd42d333eb46a3b25fb76eb8e6c99236f2e253e89960961ee4ca8abd\
      42e7bb38b5c09b8a5f69b8b617e77acf9a8d9a943da71157ef3d2f0435a9e0b89e87cd3bb9ab2e4d3a58537e219eb2ade4f5\
      f33c354b1ea54e57a15aa934ea06d40f23202c7bcc7946c27683b8f05c4246c75cd629b62f4356ded7deb50e90fdba75c335\
      4f96b491179f42cf04b3f4205756ec153adfc5a905de54fc4ac3b5bd38d77bd66cd4a4ec398db87aef7921a84905c7f53c1f\
      23dd9386
      """, mixed
    ),
  ]

  @Test("zlib streams inflate to the original bytes", arguments: streams)
  func known(name: String, stream: String, content: [UInt8]) throws {
    #expect(try Inflate.zlib(Hex.bytes(stream), limit: content.count) == content, "\(name)")
  }

  @Test("the checksum is that of RFC 1950")
  func checksum() {
    #expect(Inflate.adler32(Array("Wikipedia".utf8)) == 0x11e6_0398)
    #expect(Inflate.adler32([]) == 1)
  }

  @Test("stored streams inflate to the original bytes", arguments: [0, 1, 65_534, 65_535, 65_536, 140_000])
  func roundTrip(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let content = generator.bytes(count)
    #expect(try Inflate.zlib(Inflate.stored(content), limit: count) == content)
  }

  @Test("the output never exceeds the limit", arguments: streams)
  func limit(name: String, stream: String, content: [UInt8]) {
    guard !content.isEmpty else { return }
    #expect(throws: InflateError(code: .tooLong, offset: 0), "\(name)") {
      try Inflate.zlib(Hex.bytes(stream), limit: content.count - 1)
    }
  }

  /// Streams that each break one rule.
  static let broken: [(stream: String, code: InflateError.Code)] = [
    ("", .truncated), ("78", .truncated), ("78db030000000001", .header), ("79da030000000001", .header),
    ("88d1030000000001", .header), ("78bb000000000300", .dictionary), ("78da07", .blockKind),
    ("78da0700", .blockKind), ("780101ff00ffff00", .storedLength), ("7801010500faff0102", .truncated),
    ("78da0300000001", .truncated), ("78da030000000002", .checksum), ("78da03000000000100", .trailing),
    // Fixed codes: a copy of three from one before the first byte; the literal symbol 286; the distance symbol 30.
    ("78da0302", .distance), ("78da1b03", .symbol), ("78da4b043e", .symbol),
    // Codes of its own: 288 literals; 31 distances; no code lengths at all.
    ("78dafd00000000", .codeLengths), ("78da051e0000", .codeLengths), ("78da0500000000", .codeLengths),
  ]

  @Test("a broken stream is refused with its code", arguments: broken)
  func refused(stream: String, code: InflateError.Code) {
    #expect(throws: InflateError(code: code, offset: 0)) { try Inflate.zlib(Hex.bytes(stream), limit: 1000) }
  }

  @Test("every truncation is refused", arguments: streams)
  func truncated(name: String, stream: String, content: [UInt8]) {
    for damaged in Damage.truncations(of: Hex.bytes(stream)) {
      #expect(throws: InflateError.self, "\(name)") { try Inflate.zlib(damaged, limit: 1000) }
    }
  }

  @Test("every changed bit is refused with a code or does not change the output", arguments: streams)
  func changed(name: String, stream: String, content: [UInt8]) {
    let bytes = Hex.bytes(stream)
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        // The first two bytes declare a window and a level, which do not affect the output.
        guard let found = try? Inflate.zlib(changed, limit: 1000) else { continue }
        #expect(found == content, "\(name), byte \(place), bit \(bit)")
      }
    }
  }

  @Test("random bytes after a header are refused with a code")
  func drawn() {
    var generator = SeededGenerator(seed: 7)
    var codes: [String: Int] = [:]
    for _ in 0..<4000 {
      do {
        _ = try Inflate.zlib([0x78, 0xda] + generator.bytes(40), limit: 500)
        Issue.record("a drawn checksum fits")
      } catch {
        codes[error.code.rawValue, default: 0] += 1
      }
    }
    for code in [.blockKind, .storedLength, .codeLengths, .symbol, .distance] as [InflateError.Code] {
      #expect(codes[code.rawValue, default: 0] > 0, "\(code)")
    }
  }
}
