import CBOR

/// The code and place of an error, without its message.
struct Failure: Equatable, CustomStringConvertible {
  let code: CBORError.Code
  let offset: Int

  init(_ code: CBORError.Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  init(_ error: CBORError) { self.init(error.code, at: error.offset) }

  var description: String { "\(code.rawValue) at byte \(offset)" }
}

/// Reads an item from hexadecimal digits.
func read(_ digits: String, leniency: CBORLeniency = []) throws -> CBORItem {
  try CBORReader.read(try hex(digits), leniency: leniency)
}

/// Returns the failure of reading bytes, or nil if they are accepted.
func refusal(of bytes: [UInt8], leniency: CBORLeniency = [], limits: CBORLimits = .standard) -> Failure? {
  refusal { () throws(CBORError) in try CBORReader.read(bytes, limits: limits, leniency: leniency) }
}

/// Returns the failure of reading hexadecimal digits, or nil if they are accepted.
func refusal(of digits: String, leniency: CBORLeniency = [], limits: CBORLimits = .standard) throws -> Failure? {
  refusal(of: try hex(digits), leniency: leniency, limits: limits)
}

/// Returns the failure of a use of a view, or nil if it succeeds.
func refusal<Value>(_ use: () throws(CBORError) -> Value) -> Failure? { thrownError(use).map(Failure.init) }

/// Returns the error of the body, or nil if it succeeds.
func thrownError<Value>(_ body: () throws(CBORError) -> Value) -> CBORError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

extension CBORItem {
  /// The deviations as failures.
  var findings: [Failure] { deviations.map { Failure($0.code, at: $0.offset) } }
}
