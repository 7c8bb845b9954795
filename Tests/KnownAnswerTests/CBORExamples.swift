import CBOR
import TestSupport
import Testing

extension KnownFile {
  /// RFC 8949, appendices A and F, with the additions of mobile documents.
  static var cbor: KnownFile {
    KnownFile(
      "cbor_rfc8949", count: 199, kind: CBORExample.kind,
      [
        "value": { try CBORExample.value($0) }, "notation": { try CBORExample.value($0) },
        "null": { try CBORExample.value($0) },
        "not well-formed": { try CBORExample.notWellFormed($0) }, "pitfall": { try CBORExample.pitfall($0) },
        "depth": { try CBORExample.depth($0) },
      ])
  }
}

private enum CBORExample {
  static func kind(_ entry: Vector) -> String {
    if entry["well_formed"]?.boolean == false { return "not well-formed" }
    if entry["depths"] != nil { return "depth" }
    if entry["name"] != nil { return "pitfall" }
    if entry["decoded"] != nil { return entry["decoded"] == .null ? "null" : "value" }
    return entry["diagnostic"] == nil ? "null" : "notation"
  }

  /// The code of a refusal, or nil if the bytes are read.
  private static func refusal(_ bytes: [UInt8], _ leniency: CBORLeniency = []) -> CBORError.Code? {
    do {
      _ = try CBORReader.read(bytes, leniency: leniency)
      return nil
    } catch { return error.code }
  }

  /// Appendix A: the published items are read; in strict mode only those in preferred serialization.
  static func value(_ entry: Vector) throws {
    let bytes = try entry.bytes("hex")
    let item = try CBORReader.read(bytes, leniency: .received)
    if let printed = entry["diagnostic"]?.text {
      #expect(item.diagnostic == printed)
    } else {
      #expect(isPrinted(CBORValue(item), entry["decoded"] ?? .null))
    }
    let isPreferred = try #require(entry["preferred_and_definite"]?.boolean as Bool?)
    #expect(item.deviations.isEmpty == isPreferred)
    #expect(refusal(bytes) == item.deviations.first?.code)
    #expect((CBORValue(item).encoded == bytes) == isPreferred)
  }

  /// Appendix F: refused with any leniency.
  static func notWellFormed(_ entry: Vector) throws {
    let bytes = try entry.bytes("hex")
    #expect(refusal(bytes, .received) != nil)
    #expect(refusal(bytes) != nil)
  }

  /// The error code of each pitfall, strict and lenient; nil if it is accepted.
  private static let pitfalls: [String: (strict: CBORError.Code?, lenient: CBORError.Code?)] = [
    "well-formed; violates preferred serialization": (.nonMinimalHead, nil),
    "well-formed; seen in the wild (auth0-lab/mdl vectors); accept and keep bytes": (.nonMinimalHead, nil),
    "well-formed; not preferred": (.nonMinimalHead, nil),
    "well-formed but invalid: reject": (.duplicateKey, .duplicateKey),
    "well-formed; forbidden in 18013-5": (.indefiniteLength, nil),
    "valid": (nil, nil), "plain text": (nil, nil), "valid simple value": (nil, nil),
    "valid RFC 3339; MSO profile forbids fraction": (nil, nil), "valid, beyond Int64": (nil, nil),
    "well-formed; embedded data invalid: reject when opened": (.trailingBytes, .trailingBytes),
    "well-formed; invalid tag content: reject": (.badEmbeddedItem, .badEmbeddedItem),
    "well-formed head but invalid text: reject": (.invalidUTF8, .invalidUTF8),
    "not well-formed (input ends); must not allocate": (.truncated, .truncated),
    "not well-formed; must not allocate": (.truncated, .truncated),
  ]

  static func pitfall(_ entry: Vector) throws {
    let bytes = try entry.bytes("hex")
    let expected = try #require(pitfalls[entry.text("expected")])
    #expect(refusal(bytes) == expected.strict)
    #expect(refusal(bytes, .received) == expected.lenient)
    guard expected.lenient == nil else { return }
    #expect([UInt8](try CBORReader.read(bytes, leniency: .received).encoded) == bytes)
  }

  /// Nesting gives a value up to the limit and an error beyond it, at any depth.
  static func depth(_ entry: Vector) throws {
    let head = try #require(Hex.decode(String(entry.text("hex_pattern").prefix(2)))?.first)
    for depth in try #require(entry["depths"]?.array).compactMap({ $0.number.map { Int($0) } }) {
      let bytes = [UInt8](repeating: head, count: depth) + [0]
      let code = refusal(bytes, .received)
      #expect(code == (depth < CBORLimits.standard.depth ? nil : .tooDeep), "\(depth) levels")
    }
  }
}
