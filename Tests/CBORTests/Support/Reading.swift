import CBOR

/// Reads an item from hexadecimal digits.
func read(_ digits: String, leniency: CBORLeniency = []) throws -> CBORItem {
  try CBORReader.read(try hex(digits), leniency: leniency)
}

/// The error a reading ends in, or nil when the bytes are accepted.
func refusal(
  of bytes: [UInt8], leniency: CBORLeniency = [], limits: CBORLimits = .standard
) -> CBORError? {
  do {
    _ = try CBORReader.read(bytes, limits: limits, leniency: leniency)
    return nil
  } catch {
    return error
  }
}

/// The error a reading of hexadecimal digits ends in, or nil when the bytes are accepted.
func refusal(
  of digits: String, leniency: CBORLeniency = [], limits: CBORLimits = .standard
) throws -> CBORError? {
  refusal(of: try hex(digits), leniency: leniency, limits: limits)
}

/// The error that using a view ends in, or nil when it gives a value.
func refusal<Value>(_ use: () throws(CBORError) -> Value) -> CBORError? {
  do {
    _ = try use()
    return nil
  } catch {
    return error
  }
}

extension CBORError {
  /// An error to compare with: errors are equal when code and place are.
  init(_ code: Code, at offset: Int) { self.init(code, at: offset, "expected") }
}

extension CBORItem {
  /// The deviations in the form of errors, which can be compared.
  var findings: [CBORError] { deviations.map { CBORError($0.code, at: $0.offset) } }
}
