import Primitives
import Testing

/// Returns the error of a type with which a body refuses, or nil if it does not. Any other error fails the test.
public func errorOfRefusal<Refused: Error>(_ type: Refused.Type, _ body: () throws -> Void) -> Refused? {
  do {
    try body()
  } catch let error as Refused {
    return error
  } catch {
    Issue.record("refused with another error: \(error)")
  }
  return nil
}

/// Returns the code of the error of a type with which a body refuses, or nil if it does not. Any other error fails the
/// test.
public func refusal<Refused: CodedError>(_ type: Refused.Type, _ body: () throws -> Void) -> Refused.Code? {
  errorOfRefusal(type, body)?.code
}
