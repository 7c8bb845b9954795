import Primitives
import Testing

/// Returns the code of the error of a type with which a body refuses, or nil if it does not. Any other error fails the
/// test.
public func refusal<Refused: CodedError>(_ type: Refused.Type, _ body: () throws -> Void) -> Refused.Code? {
  do {
    try body()
    return nil
  } catch let error as Refused {
    return error.code
  } catch {
    Issue.record("refused without a code: \(error)")
    return nil
  }
}
