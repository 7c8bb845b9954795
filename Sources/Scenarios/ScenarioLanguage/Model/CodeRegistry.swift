import CBOR
import COSE
import Checks
import Ecosystem
import Faults
import Messaging
import MobileDocument
import RelyingParty
import StatusLists
import WebPresentment

/// The names of checks, errors and exceptions. Scenarios may use no other.
public enum CodeRegistry {
  /// Names of the verifier's checks, and of each with each of its reasons.
  public static let verdicts = CheckTable.verifier.flatMap(\.names)
  /// Names of the selector's checks. A check alone covers each of its reasons.
  public static let selectorNames = CheckTable.selector.names
  /// Known mistakes that explain a signature or an encryption that does not fit.
  public static let explanations = VariantCodes.all
  /// Names of the browser's checks. A check alone covers each of its reasons.
  public static let browser = CheckTable.browser.names
  /// Names of exceptions.
  public static let exceptionNames = [
    "AbortError", "InvalidStateError", "NetworkError", "NotAllowedError", "NotSupportedError", "OperationError",
    "SecurityError", "SyntaxError", "TypeError", "UnknownError",
  ]
  /// Other events that a journal holds.
  private static let events = JournalEvent.definitions.map(\.code)

  /// Names of every check, and of each with each of its reasons.
  public static let checks = CheckTable.all.flatMap(\.names)
  /// Codes of errors.
  private static let errors =
    DeviceRequestError.Code.allCases.map(\.rawValue) + ExchangeError.Code.allCases.map(\.rawValue)
    + CBORError.Code.allCases.map(\.rawValue) + COSEError.Code.allCases.map(\.rawValue)
    + InflateError.Code.allCases.map(\.rawValue)

  /// All of them.
  public static let all =
    checks + explanations + events + FaultCatalogue.all.map(\.id) + errors
}
