import Foundation
import Primitives
import Proximity
import WebPresentment

/// The forms of input files, tried in this order.
public enum InputForm: String, Sendable, CaseIterable {
  /// Raw CBOR. A file of printable characters only does not count as CBOR.
  case cbor = "raw CBOR"
  /// Hexadecimal digits in pairs, white space ignored.
  case hexadecimal = "hexadecimal text"
  /// Base64 of RFC 4648, section 5, white space ignored.
  case base64URL = "base64url text"
  /// Base64 of RFC 4648, section 4, white space ignored.
  case base64 = "base64 text"
  /// Certificates, certificate requests and keys between `BEGIN` and `END` lines (RFC 7468).
  case pem = "PEM"
  /// A certificate in DER.
  case certificate = "a DER certificate"
  /// A certificate request in DER.
  case certificateRequest = "a DER certificate request"
  /// A public key in DER.
  case publicKey = "a DER public key"
  /// A point of a curve, as it is in keys.
  case point = "a raw public point"
  /// A message of records, as NFC tags have them.
  case nearFieldMessage = "an NDEF message"
  /// A private key in DER, which is never printed.
  case privateKey = "a DER private key"
  /// The text of a QR code: of a client platform (CTAP, hybrid transport), or of an mdoc.
  case qrCode = "the text of a QR code"
  /// The compact serialization of a signed or encrypted object in JSON, or an SD-JWT.
  case jose = "a JOSE object"
  /// Sealed bytes, if their key is given.
  case sealedBytes = "sealed bytes"
  /// Lines of `trace.jsonl`.
  case trace = "a trace"
  /// JSON that may contain artifacts in base64url.
  case json = "JSON"

  /// The forms that are tried without a key.
  public static let unsealed = allCases.filter { $0 != .sealedBytes }

  /// The forms of sealed bytes.
  static let sealed: [InputForm] = [.hexadecimal, .base64URL, .sealedBytes]

  /// Writes bytes in this form.
  func read(_ bytes: [UInt8], into outline: inout Outline) throws(InspectionFailure) {
    switch self {
    case .cbor: try readCBOR(bytes, into: &outline)
    case .hexadecimal: try readDigits(bytes, into: &outline)
    case .base64URL: try readBase64URL(bytes, into: &outline)
    case .base64: try readBase64(bytes, into: &outline)
    case .pem: try outline.pem(try text(of: bytes))
    case .certificate:
      try titled(bytes, &outline) { (inside) throws(InspectionFailure) in try inside.certificate(der: bytes) }
    case .certificateRequest:
      try titled(bytes, &outline) { (inside) throws(InspectionFailure) in try inside.certificateRequest(der: bytes) }
    case .publicKey:
      try titled(bytes, &outline) { (inside) throws(InspectionFailure) in try inside.publicKey(der: bytes) }
    case .point: try titled(bytes, &outline) { (inside) throws(InspectionFailure) in try inside.point(bytes) }
    case .nearFieldMessage:
      try titled(bytes, &outline) { (inside) throws(InspectionFailure) in try inside.nearFieldMessage(bytes) }
    case .privateKey:
      try titled(bytes, &outline) { (inside) throws(InspectionFailure) in try inside.privateKey(der: bytes) }
    case .qrCode: try readQRCode(bytes, into: &outline)
    case .jose:
      let object = try text(of: bytes).trimmingCharacters(in: .whitespacesAndNewlines)
      try titled(bytes, &outline) { (inside) throws(InspectionFailure) in try inside.jose(object) }
    case .sealedBytes:
      try titled(bytes, &outline) { (inside) throws(InspectionFailure) in
        try inside.content(bytes, accepting: .structures)
      }
    case .trace: try outline.trace(bytes)
    case .json: try readJSON(bytes, into: &outline)
    }
  }

  private func titled(
    _ bytes: [UInt8], _ outline: inout Outline, _ body: (inout Outline) throws(InspectionFailure) -> Void
  ) throws(InspectionFailure) {
    try outline.under("read as \(rawValue): \(bytes.count.counted("byte"))", body)
  }

  private func readCBOR(_ bytes: [UInt8], into outline: inout Outline) throws(InspectionFailure) {
    guard !bytes.allSatisfy(Self.isPrintable) else {
      throw InspectionFailure("all bytes are printable characters; arrays, maps and tags begin with another byte")
    }
    try titled(bytes, &outline) { (inside) throws(InspectionFailure) in try inside.cbor(bytes, accepting: .anyItem) }
  }

  private static func isPrintable(_ byte: UInt8) -> Bool { (0x20..<0x7f).contains(byte) || isWhiteSpace(byte) }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private func text(of bytes: [UInt8]) throws(InspectionFailure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InspectionFailure("the bytes are not UTF-8")
    }
    return text
  }

  private func readDigits(_ bytes: [UInt8], into outline: inout Outline) throws(InspectionFailure) {
    var start = bytes.drop(while: Self.isWhiteSpace)
    if start.starts(with: Array("0x".utf8)) { start = start.dropFirst(2) }
    let digits = try characters(of: start) { $0.hexadecimalValue != nil }
    guard let decoded = Hexadecimal.decode(String(decoding: digits, as: UTF8.self)) else {
      throw InspectionFailure("\(digits.count.counted("digit")) are not whole bytes")
    }
    try readContent(decoded, accepting: .anyItem, note: nil, into: &outline)
  }

  /// Returns the characters of a text without white space.
  /// - Throws: ``InspectionFailure`` with the first character outside the alphabet.
  private func characters(
    of bytes: ArraySlice<UInt8>, in alphabet: (UInt8) -> Bool
  ) throws(InspectionFailure) -> [UInt8] {
    // Searching for a foreign character first is fast for files in other forms.
    if let foreign = bytes.first(where: { !alphabet($0) && !Self.isWhiteSpace($0) }) {
      let name =
        (0x21..<0x7f).contains(foreign)
        ? "\"\(String(Unicode.Scalar(foreign)))\"" : "the byte \(Printed.bytes([foreign], full: true))"
      throw InspectionFailure("\(name) is outside its alphabet")
    }
    return bytes.filter { !Self.isWhiteSpace($0) }
  }

  private func readBase64URL(_ bytes: [UInt8], into outline: inout Outline) throws(InspectionFailure) {
    let (text, isPadded) = try base64Characters(of: bytes, otherThanLettersAndDigits: "-_")
    guard let decoded = Base64URL.decode(String(decoding: text, as: UTF8.self)) else { throw Self.badEnd(text) }
    let note = isPadded ? "the text is padded, which ISO/IEC 18013-7 annex C does not allow" : nil
    try readContent(decoded, accepting: .structures, note: note, into: &outline)
  }

  private func readBase64(_ bytes: [UInt8], into outline: inout Outline) throws(InspectionFailure) {
    let (text, _) = try base64Characters(of: bytes, otherThanLettersAndDigits: "+/")
    guard let decoded = Data(base64Encoded: Data(text + Self.padding(of: text))) else { throw Self.badEnd(text) }
    try readContent([UInt8](decoded), accepting: .structures, note: nil, into: &outline)
  }

  private static func badEnd(_ text: [UInt8]) -> InspectionFailure {
    InspectionFailure("a text of \(text.count.counted("character")) with this end does not encode whole bytes")
  }

  private static func padding(of text: [UInt8]) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
  }

  /// Returns the characters of a base64 text without its padding, which must be correct or absent.
  private func base64Characters(
    of bytes: [UInt8], otherThanLettersAndDigits others: String
  ) throws(InspectionFailure) -> (text: [UInt8], isPadded: Bool) {
    let further = Array("\(others)=".utf8)
    let all = try characters(of: bytes[...]) { $0.isLetter || $0.isDigit || further.contains($0) }
    let text = Array(all.prefix { $0 != UInt8(ascii: "=") })
    let padding = all.dropFirst(text.count)
    guard padding.isEmpty || padding.elementsEqual(Self.padding(of: text)) else {
      throw InspectionFailure("unexpected padding \"=\"")
    }
    return (text, !padding.isEmpty)
  }

  private func readContent(
    _ decoded: [UInt8], accepting accepted: AcceptedCBOR, note: String?, into outline: inout Outline
  ) throws(InspectionFailure) {
    guard !decoded.isEmpty else { throw InspectionFailure("the text is empty") }
    try titled(decoded, &outline) { (inside) throws(InspectionFailure) in
      if let note { inside.line("note: \(note)") }
      try inside.content(decoded, accepting: accepted)
    }
  }

  private func readQRCode(_ bytes: [UInt8], into outline: inout Outline) throws(InspectionFailure) {
    let text = try text(of: bytes).trimmingCharacters(in: .whitespacesAndNewlines)
    try titled(bytes, &outline) { (inside) throws(InspectionFailure) in
      if text.prefix(DeviceEngagement.scheme.count).lowercased() == DeviceEngagement.scheme {
        try inside.engagementCode(text)
      } else {
        try inside.qrCode(text)
      }
    }
  }

  private func readJSON(_ bytes: [UInt8], into outline: inout Outline) throws(InspectionFailure) {
    let value = try Outline.readJSON(bytes)
    try titled(bytes, &outline) { (inside) throws(InspectionFailure) in inside.json(value, of: bytes) }
  }
}
