import CBOR
import Checks
import Crypto
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment

/// Parses a time.
func moment(_ text: String) throws -> DateTime { try #require(DateTime.parse(text)).moment }

/// Returns the code of the error that a body throws, or nil.
func refusal(_ body: () throws -> Void) -> ExchangeError.Code? { refusal(ExchangeError.self, body) }

extension [CheckResult] {
  /// The names of the failed checks, in order.
  var failed: [String] { filter { $0.status == .failed }.map(\.name) }
  /// The names of the deviating checks, in order.
  var deviating: [String] { filter { $0.status == .deviates }.map(\.name) }
}
