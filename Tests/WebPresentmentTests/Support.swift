import CBOR
import Checks
import Crypto
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment

/// A moment that a test wrote as text.
func moment(_ text: String) throws -> DateTime { try #require(DateTime.parse(text)).moment }

/// A private key that never changes.
func fixedKey(_ number: UInt8 = 1) throws -> P256.KeyAgreement.PrivateKey {
  try P256.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: number, count: 32))
}

/// The code that a body is refused with; nil when it is not refused.
func refusal(_ body: () throws -> Void) -> ExchangeError.Code? {
  do {
    try body()
    return nil
  } catch let error as ExchangeError {
    return error.code
  } catch {
    Issue.record("refused without a code: \(error)")
    return nil
  }
}

extension [CheckResult] {
  /// The codes that failed, in order.
  var failed: [String] { filter { $0.status == .failed }.map(\.name) }
  /// The codes that deviate, in order.
  var deviating: [String] { filter { $0.status == .deviates }.map(\.name) }
}

extension VerifierSession.Effect {
  /// The opened response and the checks before it, when the server is told to verify one.
  var opened: (response: [UInt8], checks: [CheckResult])? {
    if case .verify(let response, let checks) = self { (response, checks) } else { nil }
  }

  /// The checks of a refusal.
  var refused: [CheckResult]? { if case .refuse(let checks) = self { checks } else { nil } }

  /// Whether the server is told to remember that the session is used.
  var marksUsed: Bool { if case .markUsed = self { true } else { false } }
}
