import CBOR
import COSE
import Certificates
import Checks
import DevicePlatform
import DigitalCredentials
import Faults
import HybridTransport
import IdentityDocumentServices
import Invariants
import JOSE
import Messaging
import MobileDocument
import NearbyDevices
import OpenID4VP
import OwnServers
import OwnWallets
import Proximity
import RelyingParty
import SDJWT
import StatusLists
import Storage
import TranscriptDiagnosis
import TrustLists
import WebPresentment

/// The names of checks, errors and exceptions. Scenarios may use no other.
public enum CodeRegistry {
  /// Names of the verifier's checks, and of each with each of its reasons; with those of the person at a counter.
  public static let verdicts =
    CheckTable.verifier.flatMap(\.names) + CheckTable.ownServer.names
    + ProximityCheck.portrait.definition.names
  /// Names of the selector's checks. A check alone covers each of its reasons.
  public static let selectorNames = CheckTable.selector.names
  /// Known mistakes that explain a signature or an encryption that does not fit.
  public static let explanations = VariantCodes.all
  /// Names of the browser's checks. A check alone covers each of its reasons.
  public static let browser = CheckTable.browser.names
  /// Names of exceptions: those of browsers, and usual ones of scripts, for their own reasons to abort and in `toJSON`.
  public static let exceptionNames = (ExceptionName.standard.map(\.text) + ["RangeError", "TimeoutError"]).sorted()
  /// Other events that a journal holds.
  private static let events = JournalEvent.definitions.map(\.code)

  /// Names of every check, and of each with each of its reasons.
  public static let checks = CheckTable.all.flatMap(\.names)
  /// The keys that take a code, in words; nil for an unknown code.
  static func place(of code: String) -> String? {
    if selectorNames.contains(code) { return "it is a reason of the selector, for 'hides'" }
    if verdicts.contains(code) { return "it is a check of a verifier, for 'refused'" }
    if explanations.contains(code) { return "it is a known mistake, for 'explained'" }
    if browser.contains(code) { return "it is a rule of the browser, for the 'code' of an 'exception'" }
    if exceptionNames.contains(code) { return "it is the name of an exception" }
    if FaultCatalogue.fault(code) != nil { return "it is a fault, for 'fault'" }
    return all.contains(code) ? "it is a decision of a party, for the 'code' of a 'decision'" : nil
  }

  /// Returns true for the name of a check without a reason. A check is reported when it passes too.
  static func isCheckThatCanPass(_ name: String) -> Bool { checkNames.contains(name) }

  private static let checkNames = Set(CheckTable.all.flatMap(\.definitions).map(\.id))

  /// Codes of refused pictures.
  public static let scanErrors = ScanError.Code.allCases.map(\.rawValue)
  /// Codes of errors.
  private static let errors =
    DeviceRequestError.Code.allCases.map(\.rawValue) + ExchangeError.Code.allCases.map(\.rawValue)
    + CBORError.Code.allCases.map(\.rawValue) + COSEError.Code.allCases.map(\.rawValue)
    + InflateError.Code.allCases.map(\.rawValue) + scanErrors
    + JOSEErrorCode.allCases.map(\.rawValue) + SDJWTErrorCode.allCases.map(\.rawValue)
    + DCQLErrorCode.allCases.map(\.rawValue)

  /// All of them.
  public static let all = checks + explanations + events + FaultCatalogue.all.map(\.id) + errors
}

/// The checks of one party or of one part of a verification, as the reference page lists them.
public struct CheckTable: Sendable {
  /// The name of the table's marker in the page.
  public let name: String
  /// The declarations, in the order in which the checks are made.
  public let definitions: [CheckDefinition]

  init<Family: CheckFamily>(_ name: String, _ family: Family.Type) {
    self.name = name
    definitions = Family.definitions
  }

  /// Names of the checks, and of each with each of its reasons.
  public var names: [String] { definitions.flatMap(\.names) }
  /// Names of the findings: `check/reason`, or the check alone if it has one way to fail.
  public var findings: [String] { definitions.flatMap(\.findings) }

  /// Checks of the session, the answer and its encryption.
  public static let exchange = CheckTable("exchange", ExchangeCheck.self)
  /// Checks of the HPKE envelope of an app's request.
  public static let inApp = CheckTable("in-app", InAppCheck.self)
  /// Checks of a device response.
  public static let response = CheckTable("response", ResponseCheck.self)
  /// Checks of an answer with OpenID4VP, around its presentations and against the query.
  public static let presentation = CheckTable("presentation", PresentationResponseCheck.self)
  /// Checks of a presented SD-JWT credential.
  public static let sdJWT = CheckTable("sd-jwt", SDJWTCheck.self)
  /// Checks of an OpenID4VP request.
  public static let presentationRequest = CheckTable("presentation-request", PresentationRequestCheck.self)
  /// Checks of the status of a document.
  public static let status = CheckTable("status", StatusCheck.self)
  /// Checks of a verifier in production.
  public static let production = CheckTable("production", ProductionCheck.self)
  /// The conclusion of a server outside the world.
  public static let ownServer = CheckTable("own-server", OwnServerCheck.self)
  /// The conclusions of a wallet outside the world.
  public static let ownWallet = CheckTable("own-wallet", OwnWalletCheck.self)
  /// Checks of roots that are fetched.
  public static let root = CheckTable("root", RootCheck.self)
  /// Checks of the browser's call.
  public static let browser = CheckTable("browser", BrowserCheck.self)
  /// Checks of the sandbox.
  public static let sandbox = CheckTable("sandbox", SandboxCheck.self)
  /// Accepted departures of a reader signature.
  public static let reader = CheckTable("reader", ReaderCheck.self)
  /// Checks of the selection rule.
  public static let selector = CheckTable("selector", SelectorCheck.self)
  /// Checks of a provider app.
  public static let provider = CheckTable("provider", ProviderCheck.self)
  /// Checks of the system for an app's request.
  public static let identityRequest = CheckTable("identity-request", IdentityRequestCheck.self)
  /// Checks of both ends of the hybrid transport.
  public static let hybrid = CheckTable("hybrid", HybridCheck.self)
  /// Checks of a Mac and an iPhone, in the model of a nearby iPhone.
  public static let nearby = CheckTable("nearby", NearbyCheck.self)
  /// Checks of both ends of a session in person.
  public static let proximity = CheckTable("proximity", ProximityCheck.self)
  /// Checks of the developer portal.
  public static let portal = CheckTable("portal", PortalCheck.self)
  /// Checks of a reader authority.
  public static let readerAuthority = CheckTable("reader-authority", ReaderAuthorityCheck.self)
  /// Checks of a certificate by itself.
  public static let certificate = CheckTable("certificate", CertificateCheck.self)
  /// Checks of lists of revoked certificates.
  public static let revocationList = CheckTable("revocation-list", RevocationListCheck.self)
  /// Checks of lists of issuing authorities' certificates.
  public static let vical = CheckTable("vical", VICALCheck.self)
  /// Checks of databases.
  public static let storage = CheckTable("storage", StorageCheck.self)
  /// Properties of every run.
  public static let invariants = CheckTable("invariants", InvariantCheck.self)
  /// Checks by another implementation.
  public static let comparison = CheckTable("cross-check", ComparisonCheck.self)

  /// The checks of a verifier, in the order in which they are made.
  public static let verifier = [exchange, inApp, response, presentation, sdJWT, status, production]

  /// Every table, in the order of the page.
  public static let all =
    verifier + [
      ownServer, ownWallet, sandbox, presentationRequest, reader, selector, provider, identityRequest, hybrid, nearby,
      proximity, portal,
      readerAuthority, browser,
      certificate,
      revocationList, root, vical, storage,
      invariants, comparison,
    ]
}
