import Checks
import MobileDocument

/// Departures from ISO/IEC 18013-7 annex C around the device response that are seen in the wild: each is accepted with a
/// finding of its own, and refused by a strict policy.
public enum ExchangeDeviation: String, CheckCode {
  case olderProtocol = "response.form.older-protocol"
  case olderMember = "response.form.older-member"

  /// What departs, for a person to read.
  public var sentence: String {
    switch self {
    case .olderProtocol: "the answer names its protocol as an older draft of the standard does"
    case .olderMember: "the answer has the member Response of an older draft of the standard"
    }
  }
}
