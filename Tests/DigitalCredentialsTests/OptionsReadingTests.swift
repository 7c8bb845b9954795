import Checks
import DigitalCredentials
import JSON
import TestSupport
import Testing

@Suite("Options of a page")
struct OptionsReadingTests {
  @Test("Reads the canonical options")
  func canonical() throws {
    let text = "{\"digital\":{\"requests\":[$mdoc]},\"mediation\":\"required\"}"
    let options = try CredentialRequestOptions(reading: Fixtures.json(text))
    #expect(options == CredentialRequestOptions(requests: [Fixtures.mdoc]))
    #expect(options.digital?.requests.first?.data == Array(Fixtures.mdocData.utf8))
    #expect(options.digital?.requests.first?.text("deviceRequest") == Fixtures.deviceRequest)
    #expect(try CredentialRequestOptions(reading: options.serialized) == options)
    #expect(options.serialized == Fixtures.json(text))
  }

  @Test("Reads what it writes", arguments: CredentialRequestOptions.Mediation.allCases)
  func roundTrip(mediation: CredentialRequestOptions.Mediation) throws {
    let request = try DigitalCredentialGetRequest(
      protocol: "any \"thing\"\u{1}", data: Array(#"{"a":[1,{"b":"\ud83d\ude00"}]}"#.utf8))
    var options = CredentialRequestOptions(requests: [request, Fixtures.mdoc], mediation: mediation)
    options.others = ["publicKey"]
    #expect(try CredentialRequestOptions(reading: options.serialized) == options)
    #expect(try CredentialRequestOptions(reading: CredentialRequestOptions().serialized) == CredentialRequestOptions())
  }

  static let faults: [(json: String, code: BrowserFinding, message: String)] = [
    ("5", BrowserFinding(.options, .wrongType), "options must be an object, but is a number."),
    ("\"x\"", BrowserFinding(.options, .wrongType), "options must be an object, but is a string."),
    ("{\"digital\":5}", BrowserFinding(.options, .wrongType), "digital must be an object, but is a number."),
    ("{\"digital\":null}", BrowserFinding(.options, .missingMember), "digital.requests is required and is missing."),
    (
      "{\"digital\":{\"requests\":null}}", BrowserFinding(.options, .wrongType),
      "digital.requests must be an array, but is null."
    ),
    (
      "{\"digital\":{\"requests\":{}}}", BrowserFinding(.options, .wrongType),
      "digital.requests must be an array, but is an object."
    ),
    (
      "{\"digital\":{\"requests\":[$mdoc,5]}}", BrowserFinding(.options, .wrongType),
      "digital.requests[1] must be an object, but is a number."
    ),
    (
      "{\"digital\":{\"requests\":[{}]}}", BrowserFinding(.options, .missingMember),
      "digital.requests[0].data is required and is missing."
    ),
    (
      "{\"digital\":{\"requests\":[{\"data\":{}}]}}", BrowserFinding(.options, .missingMember),
      "digital.requests[0].protocol is required and is missing."
    ),
    (
      "{\"digital\":{\"requests\":[{\"protocol\":\"x\",\"data\":\"y\"}]}}", BrowserFinding(.options, .wrongType),
      "digital.requests[0].data must be an object, but is a string."
    ),
    (
      "{\"digital\":{\"requests\":[{\"protocol\":5,\"data\":{}}]}}", BrowserFinding(.options, .wrongType),
      "digital.requests[0].protocol must be a string, but is a number."
    ),
    (
      "{\"mediation\":\"always\"}", BrowserFinding(.options, .wrongType),
      "mediation must be one of silent, optional, conditional, required, but is \"always\"."
    ),
    (
      "{\"mediation\":true}", BrowserFinding(.options, .wrongType),
      "mediation must be one of silent, optional, conditional, required, but is a boolean."
    ),
    (
      "{\"signal\":{}}", BrowserFinding(.options, .wrongType),
      "signal must be an AbortSignal, which JSON cannot hold, but is an object."
    ),
    ("", BrowserFinding(.options, .malformed), "The options are not JSON: unexpected end of the text at byte 0."),
    (
      "{} x", BrowserFinding(.options, .malformed),
      "The options are not JSON: unexpected text after the value at byte 3."
    ),
    ("{\"a\":1,}", BrowserFinding(.options, .malformed), "The options are not JSON: expected a member name at byte 7."),
    (
      "{\"a\":01}", BrowserFinding(.options, .malformed),
      "The options are not JSON: expected a comma or the end of the object at byte 6."
    ),
    ("[\"\\ud800\"]", BrowserFinding(.options, .malformed), "The options are not JSON: unpaired surrogate at byte 8."),
    ("\u{feff}{}", BrowserFinding(.options, .malformed), "The options are not JSON: expected a value at byte 0."),
  ]

  @Test("Errors name the member", arguments: faults)
  func fault(json: String, code: BrowserFinding, message: String) {
    let expected = CredentialRequestException(code, message: message)
    #expect(expected.name == .typeError)
    #expect(CredentialRequestOptions.reading(Fixtures.json(json)) == .failure(expected))
  }

  @Test("Every truncation is a TypeError")
  func truncations() {
    let bytes = Fixtures.json(
      "{\"digital\":{\"requests\":[$mdoc,$openid]},\"mediation\":\"required\",\"x\":[1e5,\"\\u00e4\"]}")
    for length in bytes.indices { expectTypeError(Array(bytes[..<length])) }
  }

  @Test("Refuses bytes that are not UTF-8")
  func notUTF8() {
    for bytes: [UInt8] in [[0xff], [0x22, 0xc3, 0x28, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0xef, 0xbb, 0xbf]] {
      expectTypeError(bytes)
    }
  }

  @Test("Altered bytes never trap: they read as options or throw a TypeError")
  func mutations() {
    var random = SeededGenerator(seed: 0x6d65_6469)
    let base = Fixtures.json("{\"digital\":{\"requests\":[$garbage,$openid]},\"mediation\":\"optional\",\"n\":-1.5e+7}")
    for _ in 0..<10_000 {
      var bytes = base
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = bytes.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert("{}[]\",:\\0-eu".utf8.randomElement(using: &random) ?? 0, at: place)
        }
      }
      switch CredentialRequestOptions.reading(bytes) {
      case .success(let options): #expect((try? CredentialRequestOptions(reading: options.serialized)) == options)
      case .failure(let exception): #expect(exception.name == .typeError)
      }
    }
  }

  @Test("Refuses options beyond the limits of size and depth")
  func limits() {
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: CredentialLimits.optionsBytes - 2)
    #expect(CredentialRequestOptions.reading(Array("{}".utf8) + spaces) == .success(CredentialRequestOptions()))
    let over = CredentialRequestOptions.reading(Array("{} ".utf8) + spaces)
    #expect(over == .failure(CredentialRequestException(BrowserFinding(.options, .tooLarge))))
    let depth = JSONReader.maximumDepth
    let nested = { (count: Int) in
      Array((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
    }
    #expect(CredentialRequestOptions.reading(nested(depth)) == .success(CredentialRequestOptions()))
    expectTypeError(nested(depth + 2))
    expectTypeError(nested(CredentialLimits.optionsBytes / 2))
    expectTypeError([UInt8](repeating: UInt8(ascii: "["), count: CredentialLimits.optionsBytes))
  }

  @Test("A repeated name keeps its position and takes its last value; equivalent names stay distinct")
  func duplicates() throws {
    let request = try DigitalCredentialGetRequest(
      protocol: "x", data: Array("{\"a\":1,\"b\":2,\"a\":3,\"\u{e9}\":4,\"e\u{301}\":5}".utf8))
    #expect(request.data == Array("{\"a\":3,\"b\":2,\"\u{e9}\":4,\"e\u{301}\":5}".utf8))
  }

  @Test("Handles repeated names in objects of any size", arguments: [1, 14, 15, 16, 17, 18, 40])
  func manyDuplicates(count: Int) throws {
    let written = { (values: Range<Int>) in
      values.map { "\"k\($0 % count)\":\($0)" }.joined(separator: ",")
    }
    let request = try DigitalCredentialGetRequest(protocol: "x", data: Array("{\(written(0..<3 * count))}".utf8))
    #expect(request.data == Array("{\(written(2 * count..<3 * count))}".utf8))
  }

  @Test("Writes the same bytes each time")
  func deterministic() throws {
    let names = (0..<200).map { "\"k\(199 - $0)\":\($0)" }.joined(separator: ",")
    let data = Array("{\(names)}".utf8)
    for _ in 0..<20 {
      #expect(try DigitalCredentialGetRequest(protocol: "x", data: data).data == data)
    }
  }

  private func expectTypeError(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    guard case .failure(let exception) = CredentialRequestOptions.reading(bytes) else {
      Issue.record("read \(bytes.count) bytes", sourceLocation: sourceLocation)
      return
    }
    #expect(exception.name == .typeError, sourceLocation: sourceLocation)
    #expect(exception.code.name == "browser.options/malformed", sourceLocation: sourceLocation)
  }
}
