import MobileDocument

/// Why a provider app did not answer a request.
public enum ProviderCheck: String, CheckCode {
  case noOrigin = "provider.no-origin"
  case rawRequestUnreadable = "provider.raw-request-unreadable"
  case rawRequestDiffers = "provider.raw-request-differs"
  case readerSignature = "provider.reader-signature"
  case readerUnsigned = "provider.reader-unsigned"
  case readerNotTrusted = "provider.reader-not-trusted"
  case documentNotHeld = "provider.document-not-held"
  case responseNotMade = "provider.response-not-made"

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .noOrigin: "there is no origin to bind a response to"
    case .rawRequestUnreadable: "the raw request cannot be read"
    case .rawRequestDiffers: "the raw request asks for something else than the person agreed to"
    case .readerSignature: "a reader signature in the raw request does not verify"
    case .readerUnsigned: "the raw request is not signed, and the app answers signed requests only"
    case .readerNotTrusted: "no reader authority that the app trusts vouches for the requester"
    case .documentNotHeld: "the app does not hold the documents that are needed together"
    case .responseNotMade: "the response could not be made"
    }
  }
}

/// A refusal of a provider app, thrown inside `sendResponse`.
struct ProviderRefusal: Error, Sendable, CustomStringConvertible {
  let check: ProviderCheck
  let detail: String?

  init(_ check: ProviderCheck, _ detail: String? = nil) {
    self.check = check
    self.detail = detail
  }

  var description: String { check.sentence + (detail.map { ": \($0)" } ?? "") }
}
