import Crypto
import MobileDocument
import Primitives
import TestSupport
import Testing
import X509

/// A time from its text.
package func moment(_ text: String) throws -> DateTime { try #require(DateTime.parse(text)).moment }

/// The certificate in a vector.
package func certificate(_ der: [UInt8]) throws -> Certificate { try Certificate(derEncoded: der) }

extension VerificationReport {
  /// The codes of the failed checks, in order.
  package var failed: [String] { checks.filter { $0.status == .failed }.map(\.name) }
  /// The codes of the deviating checks, in order.
  package var deviating: [String] { checks.filter { $0.status == .deviates }.map(\.name) }
}

/// The code of the error that a closure throws while it reads a request, or nil if it does not throw.
package func refusal(_ body: () throws -> Void) -> DeviceRequestError.Code? { refusal(DeviceRequestError.self, body) }
