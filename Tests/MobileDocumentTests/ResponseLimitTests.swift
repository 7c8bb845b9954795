import CBOR
import TestSupport
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Limits of a response")
struct ResponseLimitTests {
  private static func item(_ identifier: String) -> CBORValue {
    let item = CBORValue.textMap([
      ("digestID", .unsigned(0)), ("random", .bytes([UInt8](repeating: 1, count: 16))),
      ("elementIdentifier", .text(identifier)), ("elementValue", .boolean(true)),
    ])
    return .tagged(24, .bytes(item.encoded))
  }

  private static func response(
    nameSpaces: [(String, CBORValue)] = [("s", .array([item("a")]))], documentType: String = "t",
    deviceElements: [(String, CBORValue)] = [], errors: [CBORValue]? = nil
  ) -> [UInt8] {
    let deviceSpaces = CBORValue.textMap(deviceElements.isEmpty ? [] : [("s", .textMap(deviceElements))])
    let document = CBORValue.textMap([
      ("docType", .text(documentType)),
      ("issuerSigned", .textMap([("nameSpaces", .textMap(nameSpaces)), ("issuerAuth", .array([]))])),
      (
        "deviceSigned",
        .textMap([("nameSpaces", .tagged(24, .bytes(deviceSpaces.encoded))), ("deviceAuth", .textMap([]))])
      ),
    ])
    return CBORValue.textMap(
      [("version", .text("1.0")), ("documents", .array([document])), ("status", .unsigned(0))]
        + (errors.map { [("documentErrors", .array($0))] } ?? [])
    ).encoded
  }

  private static func code(_ bytes: [UInt8]) -> CBORError.Code? {
    do throws(CBORError) {
      _ = try UnverifiedDeviceResponse(bytes)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("a response within the limits is read")
  func within() {
    #expect(Self.code(Self.response()) == nil)
    let most = (0..<ResponseLimits.elements).map { Self.item("e\($0)") }
    #expect(Self.code(Self.response(nameSpaces: [("s", .array(most))])) == nil)
    let longest = String(repeating: "n", count: ResponseLimits.nameLength)
    let named = Self.response(nameSpaces: [(longest, .array([Self.item(longest)]))], documentType: longest)
    #expect(Self.code(named) == nil)
  }

  @Test("a response above a limit is refused")
  func beyond() {
    let spaces = (0...ResponseLimits.nameSpaces).map { ("s\($0)", CBORValue.array([Self.item("a")])) }
    #expect(Self.code(Self.response(nameSpaces: spaces)) == .outOfBounds)
    let elements = (0...ResponseLimits.elements).map { Self.item("e\($0)") }
    #expect(Self.code(Self.response(nameSpaces: [("s", .array(elements))])) == .outOfBounds)
    let tooLong = String(repeating: "n", count: ResponseLimits.nameLength + 1)
    #expect(Self.code(Self.response(nameSpaces: [(tooLong, .array([Self.item("a")]))])) == .outOfBounds)
    #expect(Self.code(Self.response(nameSpaces: [("s", .array([Self.item(tooLong)]))])) == .outOfBounds)
    #expect(Self.code(Self.response(documentType: tooLong)) == .outOfBounds)
    let signed = (0...ResponseLimits.elements).map { ("e\($0)", CBORValue.boolean(true)) }
    #expect(Self.code(Self.response(deviceElements: signed)) == .outOfBounds)
    let errors = (0...UnverifiedDeviceResponse.maximumDocuments).map { CBORValue.textMap([("t\($0)", .unsigned(0))]) }
    #expect(Self.code(Self.response(errors: errors)) == .outOfBounds)
  }

  @Test("two spellings of one name are refused, because one could hide the other")
  func spellings() {
    // The kelvin sign is canonically equivalent to the letter K.
    let spaces = [("US-KY", CBORValue.array([Self.item("a")])), ("US-\u{212A}Y", .array([Self.item("a")]))]
    #expect(Self.code(Self.response(nameSpaces: spaces)) == .badValue)
    let signed = [("k\u{212A}", CBORValue.boolean(true)), ("kK", .boolean(false))]
    #expect(Self.code(Self.response(deviceElements: signed)) == .badValue)
  }
}
