import CBOR
import Checks
import JSON
import MobileDocument
import OpenID4VP
import Primitives

/// The verdict on an answer: every check, and the verified documents and credentials if no check failed.
public struct VerificationVerdict: Sendable {
  /// The checks of the exchange, in their order; empty for an unencrypted response.
  public let exchange: [CheckResult]
  /// The checks of the device response or the presentations, and of the status of their documents, in the order of the
  /// standard; empty if the answer did not open.
  public let response: [CheckResult]
  /// The verified response; nil if a check failed. Those of several presentations are joined.
  public let verified: VerifiedDeviceResponse?
  /// The verified presentations of an answer with OpenID4VP, with the credential queries that they answer; empty if a check
  /// failed.
  public let presentations: [VerifiedPresentation]

  /// The issuer's data of a response without a session transcript; nil when a check failed. Possession of the documents
  /// was not shown.
  public let issuerData: IssuerData?

  /// Creates a verdict. A failed check refuses.
  package init(
    exchange: [CheckResult] = [], response: [CheckResult] = [], verified: VerifiedDeviceResponse? = nil,
    presentations: [VerifiedPresentation] = [],
    issuerData: IssuerData? = nil
  ) {
    let isRefused = (exchange.failure ?? response.failure) != nil
    self.issuerData = isRefused ? nil : issuerData
    self.exchange = exchange
    self.response = response
    self.verified = isRefused ? nil : verified
    self.presentations = isRefused || verified == nil ? [] : presentations
  }

  /// Returns the verdict after a further check. A failed one refuses.
  package func adding(_ check: CheckResult) -> VerificationVerdict {
    VerificationVerdict(
      exchange: exchange, response: response + [check], verified: verified, presentations: presentations,
      issuerData: issuerData)
  }

  /// Every check that was made, and those that an earlier failure left out, in their order.
  public var checks: [CheckResult] { exchange + response }

  /// True if every check passed or has an accepted finding.
  public var isVerified: Bool { verified != nil }

  /// The verified documents; empty if a check failed. An SD-JWT credential is one too: ``VerifiedPresentation``.
  public var documents: [VerifiedDocument] { verified?.documents ?? [] }

  /// The first check that failed, or that was not reached if none failed; nil if the answer is verified.
  public var failure: CheckResult? {
    isVerified || issuerData != nil ? nil : checks.failure ?? checks.first { $0.status == .notReached }
  }

  /// A human-readable description of the verdict.
  public var message: String {
    failure?.message
      ?? (isVerified
        ? "the response is genuine"
        : issuerData == nil ? "no answer was verified" : "the issuer's data are genuine; possession was not shown")
  }

  /// `verified`, `issuer-verified` or `refused`.
  public var outcome: String { isVerified ? "verified" : issuerData == nil ? "refused" : "issuer-verified" }

  /// The checks of documents that were not reached, if no document was checked.
  package var unreachedChecks: [CheckResult] {
    guard !response.contains(where: { $0.subject != nil }),
      !exchange.contains(where: { $0.check == PresentationResponseCheck.structure.id })
    else { return [] }
    let named = Set(response.map(\.check))
    return CheckRun(ResponseCheck.allCases) { _ in .notReached }.results.filter { !named.contains($0.check) }
  }
}

/// The JSON of a verdict, for scripts and for a site's page:
///
/// ```
/// json      {"verdict", "failure": {"check", "reason"} or null, "checks": […],  "documents": […]}
/// pageJSON  {"verdict", "failure": {"check", "reason"} or null, "message": "…", "documents": […]}
/// ```
///
/// `elements` of a document are those that the issuer signed. Elements that only the device signed are in
/// `deviceSignedElements`, which is absent without such elements. A document that answers a credential query of OpenID4VP has
/// the query's identifier in `id`.
///
/// An SD-JWT credential has `vct` in place of `docType`, and in place of `elements` the claims that answer its query in
/// `claims`, by their paths such as `address.locality` or `nationalities[0]`. An index counts the elements that the holder
/// disclosed.
///
/// A page gets no list of checks: their evidence has values of the session and of other sessions, and tells an attacker in
/// the browser how far a forged answer came.
extension VerificationVerdict {
  /// The verdict with every check as one line of JSON. It contains elements only if every check passed.
  public var json: String { Self.text(members) }

  /// The members of ``json``.
  package var members: [(String, JSONValue)] { head + [("checks", .array(everyCheck.map(Self.json)))] + tail }

  /// The verdict for a site's page as one line of JSON.
  public var pageJSON: String { Self.text(head + [("message", .string(message))] + tail) }

  private var head: [(String, JSONValue)] {
    let failure = failure.map {
      JSONValue(members: [("check", .string($0.check)), ("reason", $0.reason.map(JSONValue.string) ?? .null)])
    }
    return [("verdict", .string(outcome)), ("failure", failure ?? .null)]
  }

  private var tail: [(String, JSONValue)] {
    if !presentations.isEmpty {
      let documents = presentations.flatMap { presentation in
        presentation.documents.map { Self.json(of: $0, answering: presentation.id) }
      }
      return [("documents", .array(documents))]
    }
    return [("documents", .array((issuerData?.documents ?? documents).map { Self.json(of: $0) }))]
  }

  private var everyCheck: [CheckResult] { checks + unreachedChecks }

  private static func json(of check: CheckResult) -> JSONValue {
    JSONValue(members: [
      ("check", .string(check.check)), ("status", .string(check.status.rawValue)),
      ("reason", check.reason.map(JSONValue.string) ?? .null), ("message", .string(check.message)),
      ("subject", check.subject.map(JSONValue.string) ?? .null),
      ("evidence", .array(check.evidence.map(json))),
    ])
  }

  private static func json(of evidence: CheckResult.Evidence) -> JSONValue {
    JSONValue(
      members: [("field", evidence.field), ("expected", evidence.expected), ("found", evidence.found)]
        .compactMap { name, value in value.map { (name, .string($0)) } })
  }

  private static func json(of document: VerifiedDocument, answering id: String? = nil) -> JSONValue {
    let deviceSigned = document.elements.filter(\.isDeviceSigned)
    let answered = id.map { [("id", JSONValue.string($0))] } ?? []
    let issuer = document.issuer.map(JSONValue.string) ?? .null
    guard document.isMobileDocument else {
      let type = CredentialFormat.ofRegisteredType(document.documentType).type
      let claims = document.elements.map { ($0.identifier, json(of: $0)) }
      return JSONValue(
        members: answered + [("vct", .string(type)), ("issuer", issuer), ("claims", JSONValue(members: claims))])
    }
    return JSONValue(
      members: answered + [
        ("docType", .string(document.documentType)), ("issuer", issuer),
        ("elements", json(of: document.elements.filter { !$0.isDeviceSigned })),
      ] + (deviceSigned.isEmpty ? [] : [("deviceSignedElements", json(of: deviceSigned))]))
  }

  /// Elements by their name spaces.
  private static func json(of elements: [VerifiedDocument.Element]) -> JSONValue {
    JSONValue(
      members: elements.map(\.nameSpace).uniqued().map { nameSpace in
        (
          nameSpace,
          JSONValue(members: elements.filter { $0.nameSpace == nameSpace }.map { ($0.identifier, json(of: $0)) })
        )
      })
  }

  private static func json(of element: VerifiedDocument.Element) -> JSONValue {
    element.written.flatMap { try? JSONReader.read($0) } ?? JSONValue(element.value)
  }

  private static func text(_ members: [(String, JSONValue)]) -> String {
    String(decoding: JSONValue(members: members).bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// An element value, which always has a form here: undefined becomes null, floats that are no numbers become `"NaN"`,
  /// `"Infinity"` or `"-Infinity"`, other simple values become `"simple(n)"`, and a map with a key other than a text becomes
  /// an array of `[key, value]`.
  package init(_ value: CBORValue) {
    self =
      value.json { value in
        switch value {
        case .map(let entries): .array(entries.map { .array([JSONValue($0.key), JSONValue($0.value)]) })
        case .float(let number): .string(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
        case .simple(let number): .string("simple(\(number))")
        default: .null
        }
      } ?? .null
  }
}

/// A verified presentation that answers a credential query (OpenID4VP, 8.6).
public struct VerifiedPresentation: Sendable {
  /// The identifier of the credential query.
  public let id: String
  /// The documents: one, unless the policy accepts a device response with several.
  ///
  /// An SD-JWT credential is one too: its type is that of the credential after `dc+sd-jwt` and a space, and its elements in the
  /// name space `claims` are the claims that answer the query, with their paths as identifiers.
  public let documents: [VerifiedDocument]
}
