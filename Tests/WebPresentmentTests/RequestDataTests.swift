import Foundation
import MobileDocument
import TestSupport
import Testing
import WebPresentment

@Suite("RequestData")
struct RequestDataTests {
  private func read(_ json: String) throws -> RequestData { try RequestData(json: Array(json.utf8)) }

  @Test("request data is written with its members in order, and read back")
  func roundTrip() throws {
    let data = RequestData(deviceRequest: "AAEC", encryptionInfo: "gmVk")
    #expect(String(decoding: data.json, as: UTF8.self) == #"{"deviceRequest":"AAEC","encryptionInfo":"gmVk"}"#)
    #expect(try RequestData(json: data.json) == data)
    #expect(try data.deviceRequestBytes() == [0, 1, 2])
  }

  @Test(
    "text with escapes is read back",
    arguments: ["\"", "\\", "\n", "\u{1}", "a/b", "é", "\u{2028}", #"","encryptionInfo":"x"#, "😀", "\u{0}"])
  func escaping(text: String) throws {
    let data = RequestData(deviceRequest: text, encryptionInfo: "gmVk" + text)
    #expect(try RequestData(json: data.json) == data)
  }

  @Test("order, white space and unknown members do not matter")
  func otherForms() throws {
    let wanted = RequestData(deviceRequest: "AA", encryptionInfo: "BB")
    #expect(try read(#" { "encryptionInfo" : "BB" , "deviceRequest" : "AA" } "#) == wanted)
    #expect(try read(#"{"deviceRequest":"AA","encryptionInfo":"BB","more":{"a":[1,null]}}"#) == wanted)
  }

  @Test(
    "JSON other than an object with two strings is refused",
    arguments: [
      "", " ", "null", "true", "1", "\"text\"", "[]", "{}", "{", "}", #"{"deviceRequest":"AA"}"#,
      #"{"encryptionInfo":"BB"}"#, #"{"deviceRequest":1,"encryptionInfo":"BB"}"#,
      #"{"deviceRequest":null,"encryptionInfo":"BB"}"#, #"{"deviceRequest":["AA"],"encryptionInfo":"BB"}"#,
      #"{"deviceRequest":"AA","encryptionInfo":{}}"#, #"{"DeviceRequest":"AA","encryptionInfo":"BB"}"#,
      #"{"deviceRequest":"AA","encryptionInfo":"BB"}x"#, #"{"deviceRequest":"AA","encryptionInfo":"BB"},"#,
      #"{"deviceRequest":"AA","encryptionInfo":"BB"}{}"#, #"{'deviceRequest':'AA','encryptionInfo':'BB'}"#,
      #"{deviceRequest:"AA",encryptionInfo:"BB"}"#, #"[{"deviceRequest":"AA","encryptionInfo":"BB"}]"#,
      #"// {"deviceRequest":"AA","encryptionInfo":"BB"}"#,
    ])
  func refused(json: String) {
    #expect(refusal { _ = try read(json) } == .requestData)
  }

  @Test("bytes that are not UTF-8 are refused")
  func encoding() {
    let json = Array(#"{"deviceRequest":"A"#.utf8) + [0xff] + Array(#"","encryptionInfo":"BB"}"#.utf8)
    #expect(refusal { _ = try RequestData(json: json) } == .requestData)
  }

  @Test("encodings other than UTF-8 and a byte order mark are refused")
  func otherEncodings() throws {
    let json = #"{"deviceRequest":"AA","encryptionInfo":"BB"}"#
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf16] {
      let data = try #require(json.data(using: encoding))
      #expect(refusal { _ = try RequestData(json: [UInt8](data)) } == .requestData, "\(encoding)")
    }
    #expect(refusal { _ = try RequestData(json: [0xef, 0xbb, 0xbf] + Array(json.utf8)) } == .requestData)
  }

  @Test("data of the maximum length is read, longer data is refused")
  func length() throws {
    let frame = #"{"deviceRequest":"","encryptionInfo":""}"#.utf8.count
    let text = String(repeating: "A", count: RequestLimit.data.maximum - frame)
    #expect(try read(#"{"deviceRequest":"\#(text)","encryptionInfo":""}"#).deviceRequest == text)
    #expect(refusal { _ = try read(#"{"deviceRequest":"\#(text)A","encryptionInfo":""}"#) } == .requestData)
  }

  @Test("a device request that is not base64url is refused", arguments: ["AAE=", "A", "A+/A", "AA EC"])
  func deviceRequest(text: String) {
    let data = RequestData(deviceRequest: text, encryptionInfo: "")
    #expect(refusal { _ = try data.deviceRequestBytes() } == .requestData)
  }

  @Test("damaged JSON gives a value or a coded error")
  func damage() {
    let whole = RequestData(deviceRequest: "AAEC", encryptionInfo: "gmVk").json
    for bytes in Damage.truncations(of: whole) {
      #expect(refusal { _ = try RequestData(json: bytes) } == .requestData)
    }
    for bytes in Damage.sample(of: whole, seed: 5) {
      let code = refusal { _ = try RequestData(json: bytes) }
      #expect([nil, .requestData].contains(code))
    }
  }
}
