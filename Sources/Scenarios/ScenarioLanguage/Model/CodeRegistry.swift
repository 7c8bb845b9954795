import CBOR
import COSE
import Certificates
import Checks
import DevicePlatform
import DigitalCredentials
import Ecosystem
import ExchangeFiles
import Faults
import IdentityDocumentServices
import Messaging
import MobileDocument
import RelyingParty
import StatusLists
import WebPresentment

/// Every code of a check, a refusal or an exception. Scenarios may use no others. A test ensures that each is listed
/// once.
public enum CodeRegistry {
  /// Checks that hide an app.
  public static let selector = NearMiss.allCases.map(\.rawValue)
  /// The declarations of the verifier's checks, in the order in which they are made.
  public static let verificationChecks =
    ExchangeCheck.definitions + ResponseCheck.definitions + StatusCheck.definitions
  /// Names of the verifier's checks, and of each with each of its reasons.
  public static let verification = verificationChecks.flatMap(\.names)
  /// Rules of certificates.
  public static let certificateRules = CertificateRule.allCases.map(\.rawValue)
  /// Codes of a refused response.
  public static let verdicts = verification
  /// Mistakes that explain why a signature or a sealed response does not fit.
  public static let explanations = VariantCodes.all
  /// Rules of a browser.
  public static let browser = BrowserCode.allCases.map(\.rawValue)
  /// Refusals of the sandbox.
  public static let sandbox = SandboxCheck.allCases.map(\.rawValue)
  /// Refusals of provider apps.
  public static let provider = ProviderCheck.allCases.map(\.rawValue)
  /// Refusals of reader authorities.
  public static let readerAuthority = ReaderCertificateRequest.Refusal.allCases.map(\.rawValue)
  /// Checks of the selector, the sandbox, apps and reader authorities that have reasons, without them.
  public static let checksAlone = checks(of: selector + sandbox + provider + readerAuthority)
  /// Names for an expectation about a hidden app: a check without a reason means any of its reasons.
  public static let selectorNames = selector + checks(of: selector)
  /// Names of exceptions.
  public static let exceptionNames = [
    "AbortError", "InvalidStateError", "NetworkError", "NotAllowedError", "NotSupportedError", "OperationError",
    "SecurityError", "SyntaxError", "TypeError", "UnknownError",
  ]
  /// Refusals of databases.
  public static let storage = StorageCheck.allCases.map(\.rawValue)
  /// Disagreements of the cross-check. They concern a run and are not in its journal.
  public static let crossCheck = CrossCheckCode.allCases.map(\.rawValue)
  /// Errors of exchange files.
  public static let exchangeFiles = ExchangeFileError.Code.allCases.map(\.rawValue)
  /// Other decisions that a journal holds.
  public static let other =
    NoteCode.allCases.map(\.rawValue) + ConsentEvent.Code.allCases.map(\.rawValue) + JournalEvent.selectionCodes
    + [VerdictEvent.Verdict.verified.rawValue, "sandbox.parsed", "reader-authority.certified"]

  /// Faults of the catalogue.
  public static let faults = FaultCatalogue.all.map(\.id)

  private static func checks(of names: [String]) -> [String] {
    var checks: [String] = []
    for name in names {
      guard let slash = name.firstIndex(of: "/") else { continue }
      let check = String(name[..<slash])
      if !checks.contains(check) { checks.append(check) }
    }
    return checks
  }

  /// All of them.
  public static let all =
    selector + verdicts + certificateRules + explanations + browser + sandbox + provider + readerAuthority + storage
    + crossCheck + exchangeFiles + checksAlone
    + other + faults
    + DeviceRequestError.Code.allCases.map(\.rawValue) + ExchangeError.Code.allCases.map(\.rawValue)
    + RevocationListCheck.allCases.map(\.rawValue)
    + CBORError.Code.allCases.map(\.rawValue)
    + COSEError.Code.allCases.map(\.rawValue) + InflateError.Code.allCases.map(\.rawValue)
}
