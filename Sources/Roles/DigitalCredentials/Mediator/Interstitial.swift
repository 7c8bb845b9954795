import JSON
import Primitives

/// The page that Chromium shows before the chooser of a risky request (`ComputeInterstitialType` in
/// `digital_identity_request_impl.cc`, 2026). The person continues or cancels.
public enum Interstitial: String, CaseIterable, Hashable, Sendable {
  /// The page for an ordinary request.
  case lowRisk = "low-risk"
  /// The page for a dangerous request; only a setting of the browser chooses it.
  case highRisk = "high-risk"

  /// The setting of the browser: the field-trial parameter `dialog`, and the origins that a service marks as low friction.
  public struct Setting: Hashable, Sendable {
    /// The value of the parameter `dialog`.
    public enum Dialog: String, CaseIterable, Hashable, Sendable {
      /// No interstitial at all.
      case none = "no_dialog"
      /// Always the one for low risk.
      case lowRisk = "low_risk"
      /// Always the one for high risk.
      case highRisk = "high_risk"
      /// The rule decides; without a parameter.
      case byRule = "by_rule"
    }

    /// The parameter.
    public var dialog: Dialog

    /// The origins that count as low risk. The list that is built into Chromium is empty.
    public var lowRiskOrigins: [Origin]

    /// Creates a setting.
    public init(_ dialog: Dialog, lowRiskOrigins: [Origin] = []) {
      self.dialog = dialog
      self.lowRiskOrigins = lowRiskOrigins
    }

    /// No interstitial.
    public static let none = Setting(.none)
    /// The interstitial that the rule chooses, without origins of low risk.
    public static let byRule = Setting(.byRule)
  }

  /// Returns the interstitial for a request, or nil if none is shown.
  public static func forRequest(_ request: CredentialRequestContext, setting: Setting) -> Interstitial? {
    switch setting.dialog {
    case .none: return nil
    case .lowRisk: return .lowRisk
    case .highRisk: return .highRisk
    case .byRule:
      if setting.lowRiskOrigins.contains(where: { $0.isSameSite(as: request.origin) }) { return nil }
      return request.requests.allSatisfy(\.bypassesInterstitial) ? nil : .lowRisk
    }
  }
}

extension Origin {
  /// Compares scheme, host and port without a leading `www.` (`digital_identity_low_risk_origins.cc`).
  fileprivate func isSameSite(as other: Origin) -> Bool {
    !isOpaque && scheme == other.scheme && port == other.port && plainHost == other.plainHost
  }

  private var plainHost: String? { host.map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 } }
}

extension DigitalCredentialGetRequest {
  private static let harmlessClaims: Set<String> = [
    "age_in_years", "age_birth_year", "birth_date", "subscription_hint", "carrier_hint", "android_carrier_hint",
  ]
  private static let harmlessTypes: Set<String> = [
    "number-verification/device-phone-number/ts43", "number-verification/verify/ts43",
  ]

  /// Indicates whether the request asks for little enough: OpenID4VP, and nothing but ages or the verification of a phone
  /// number. A mobile document request never does, whatever it asks for: Chromium does not read it.
  fileprivate var bypassesInterstitial: Bool {
    guard `protocol`.hasPrefix("openid4vp"), failure == nil, case .object = value else { return false }
    guard let request = value.member("request") else { return Self.isHarmless(value) }
    guard let token = request.text, let payload = Self.payload(of: token) else { return false }
    return Self.isHarmless(payload)
  }

  /// The payload of a signed request, whose signature is not checked.
  private static func payload(of token: String) -> JSONValue? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])),
      let value = try? JSONReader.read(bytes), case .object = value
    else { return nil }
    return value
  }

  private static func isHarmless(_ request: JSONValue) -> Bool {
    guard request.member("presentation_definition") == nil, let query = request.member("dcql_query"),
      case .array(let credentials)? = query.member("credentials")
    else { return false }
    return credentials.allSatisfy { credential in
      guard case .object = credential else { return false }
      return claims(of: credential).allSatisfy(isHarmless(claim:))
        && types(of: credential).allSatisfy(harmlessTypes.contains)
    }
  }

  private static func isHarmless(claim: String) -> Bool {
    if harmlessClaims.contains(claim) { return true }
    let digits = claim.utf8.dropFirst("age_over_".utf8.count)
    return claim.hasPrefix("age_over_") && digits.count == 2 && digits.allSatisfy(\.isDigit)
  }

  /// The last words of the claims' paths. A list with a malformed claim counts as empty, as in Chromium.
  private static func claims(of credential: JSONValue) -> [String] {
    guard case .array(let claims)? = credential.member("claims") else { return [] }
    var names: [String] = []
    for claim in claims {
      guard case .array(let path)? = claim.member("path"), let name = path.last?.text else { return [] }
      names.append(name)
    }
    return names
  }

  private static func types(of credential: JSONValue) -> [String] {
    guard case .array(let values)? = credential.member("meta")?.member("vct_values") else { return [] }
    let names = values.compactMap(\.text)
    return names.count == values.count ? names : []
  }
}
