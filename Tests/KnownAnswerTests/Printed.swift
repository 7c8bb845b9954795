import CBOR
import Certificates
import Checks
import Crypto
import Inspection
import MobileDocument
import Primitives
import TestSupport
import Testing
import X509

/// A time in the notation of the vectors.
func moment(_ text: String?) throws -> DateTime {
  // Python's notation of UTC.
  let text = try #require(text).replacing("+00:00", with: "Z")
  return try #require(DateTime.parse(text)).moment
}

/// The bytes of a hexadecimal text in a vector.
func hexadecimalBytes(_ json: JSON?) throws -> [UInt8] {
  let text = try #require(json?.text)
  return try #require(Hex.decode(text))
}

/// The certificates of a list of hexadecimal texts.
func certificates(_ json: JSON?) throws -> [Certificate] {
  try (json?.array ?? []).map { try Certificate(derEncoded: hexadecimalBytes($0)) }
}

/// Returns whether a value equals a vector's printed value.
func isPrinted(_ value: CBORValue, _ printed: JSON) -> Bool {
  switch value {
  case .text(let text): return printed.text == text
  case .boolean(let flag): return printed.boolean == flag
  case .null, .undefined: return printed == .null
  case .unsigned(let number): return printed.number == Double(number)
  case .negative(let number): return printed.number == -1 - Double(number)
  case .float(let number): return printed.number == number
  case .bytes(let bytes):
    if let text = printed["hex"]?.text { return Hex.decode(text) == bytes }
    return printed["bstr_len"]?.number == Double(bytes.count)
      && printed["sha256"]?.text == hexadecimal(SHA256.hash(data: bytes))
  case .tagged(2, .bytes(let bytes)): return printed.number == magnitude(bytes)
  case .tagged(3, .bytes(let bytes)): return printed.number == -1 - magnitude(bytes)
  case .tagged(let tag, let inside):
    guard let content = printed["value"] else { return false }
    return printed["tag"]?.number == Double(tag) && isPrinted(inside, content)
  case .array(let items):
    guard let wanted = printed.array, wanted.count == items.count else { return false }
    return zip(items, wanted).allSatisfy(isPrinted)
  case .map(let entries):
    guard let wanted = printed.object, wanted.count == entries.count else { return false }
    return entries.allSatisfy { entry in
      name(entry.key).flatMap { wanted[$0] }.map { isPrinted(entry.value, $0) } ?? false
    }
  case .simple: return false
  }
}

/// A bignum of RFC 8949, 3.4.3, in the precision of a floating-point number.
private func magnitude(_ bytes: [UInt8]) -> Double { bytes.reduce(0) { $0 * 256 + Double($1) } }

/// A key as JSON.
private func name(_ key: CBORValue) -> String? {
  switch key {
  case .text(let text): text
  case .unsigned(let number): String(number)
  case .negative(let number) where number < 1 << 62: String(-1 - Int(number))
  default: nil
  }
}

/// Expects that an inspection of some bytes succeeds and identifies them in its second line.
func expectInspected(
  _ vector: Vector, _ bytes: [UInt8], as title: String?, sourceLocation: SourceLocation = #_sourceLocation
) {
  switch Inspector.inspect(bytes, options: [.offsets, .full]) {
  case .success(let text):
    let second = text.split(separator: "\n").dropFirst().first.map { $0.drop { $0 == " " || $0.isNumber } }
    if let title { #expect(second.map(String.init) == title, "\(vector)", sourceLocation: sourceLocation) }
  case .failure(let failure): Issue.record("\(vector): \(failure)", sourceLocation: sourceLocation)
  }
}

extension VerificationReport {
  /// The codes that failed, each once, in order.
  var failed: [String] { codes(.failed) }
  /// The codes that deviate, each once, in order.
  var deviating: [String] { codes(.deviates) }

  private func codes(_ outcome: CheckResult.Status) -> [String] {
    var seen: Set<String> = []
    return checks.filter { $0.status == outcome && seen.insert($0.name).inserted }.map(\.name)
  }
}
