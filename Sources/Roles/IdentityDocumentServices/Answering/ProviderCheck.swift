import Checks
import FoundationEssentials
import MobileDocument

/// Why a provider app did not answer a request.
public enum ProviderCheck: String, CheckCode {
  case rawRequestUnreadable = "provider.raw-request/unreadable"
  case rawRequestDiffers = "provider.raw-request/differs"
  case noOrigin = "provider.origin"
  case readerSignature = "provider.reader-signature"
  case readerUnsigned = "provider.reader/unsigned"
  case readerNotTrusted = "provider.reader/untrusted"
  case documentNotHeld = "provider.document"
  case responseNotMade = "provider.response"

  /// What it means when this fails, for a person to read.
  public var message: String {
    switch self {
    case .rawRequestUnreadable: "the raw request cannot be read"
    case .rawRequestDiffers: "the raw request asks for something else than the person agreed to"
    case .noOrigin: "there is no origin to bind a response to"
    case .readerSignature: "a reader signature in the raw request does not verify"
    case .readerUnsigned: "the raw request is not signed, and the app answers signed requests only"
    case .readerNotTrusted: "no reader authority that the app trusts vouches for the requester"
    case .documentNotHeld: "the app does not hold the documents that are needed together"
    case .responseNotMade: "the response could not be made"
    }
  }
}

/// A refusal of a provider app: why it does not answer. Thrown inside `sendResponse`, it ends the presentment.
public struct ProviderRefusal: Error, LocalizedError, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken.
  public let check: ProviderCheck
  /// What exactly was found, for a person to read; nil when the rule says it all.
  public let detail: String?
  /// What to look at.
  public let evidence: [CheckResult.Evidence]

  /// A refusal from its parts.
  public init(_ check: ProviderCheck, _ detail: String? = nil, evidence: [CheckResult.Evidence] = []) {
    self.check = check
    self.detail = detail
    self.evidence = evidence
  }

  /// The rule and what was found.
  public var description: String { check.message + (detail.map { ": \($0)" } ?? "") }

  /// The error for a person to read.
  public var errorDescription: String? { description }

  /// Equal when the rules are equal.
  public static func == (left: Self, right: Self) -> Bool { left.check == right.check }
}
