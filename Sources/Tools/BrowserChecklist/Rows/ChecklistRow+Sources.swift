import DigitalCredentials

/// The files that the rows restate, by the commits that were read.
enum ChecklistSource {
  static let get = "web-platform-tests/wpt get.https (020c7eb684dc, d314add532d9)"
  static let concurrent = "web-platform-tests/wpt concurrent-requests.https (ec0b413e7c37)"
  static let activation = "web-platform-tests/wpt user-activation-get.https (9848f8888d57)"
  static let filtering = "w3c-fedid/digital-credentials#558"
  static let documents = "web-platform-tests/wpt non-fully-active.https (1e3cb3fc7be5)"
  static let protocols = "web-platform-tests/wpt protocol-filtering.https (605d34596129)"
  static let allows = "web-platform-tests/wpt user-agent-allows-protocol.https (c5d32bc2)"
  static let presentationProtocols = "Digital Credentials, DigitalCredentialPresentationProtocol; OpenID4VP, A.1"
  static let policy = "web-platform-tests/wpt allow-attribute-with-get.https (a5cb0fdd9356)"
  static let defaultPolicy = "web-platform-tests/wpt default-permissions-policy.https.sub (7361eb6edc20)"
  static let opaque = "w3c-fedid/digital-credentials#535, WebKit get-opaque-origin-combinations (b6072167)"
  static let secure = "WebKit non-secure-contexts.http (b6072167)"
  static let validation = "web-platform-tests/wpt get-mdoc-request-validation.https (86f0df01588b)"
  static let malformed = "web-platform-tests/wpt mdoc/malformed-requests.https (fe442a7e)"
  static let encryption = "web-platform-tests/wpt mdoc/encryption-info-validation.https (fe442a7e)"
  static let mixed = "web-platform-tests/wpt mdoc/mixed-requests.https (fe442a7e)"
  static let origins = "web-platform-tests/wpt mdoc/origin-binding.https (fe442a7e)"
  static let roundTrip = "web-platform-tests/wpt mdoc/valid-roundtrip.https (fe442a7e)"
  static let driver = "web-platform-tests/wpt webdriver (b6072167, 4c63febd)"
  static let create = "web-platform-tests/wpt create.tentative.https (b677061f92bb), WebKit (b6072167)"
  static let issue = "web-platform-tests/wpt issue.tentative.https (d9dd69d61b1e)"
}

/// Differences that several rows have.
extension ChecklistRow.Difference {
  static func safari(_ expected: String, _ source: String) -> [Self] {
    [Self(.safari26, expected, source), Self(.safariMain2026, expected, source)]
  }

  static func safari26(_ expected: String, _ source: String) -> [Self] { [Self(.safari26, expected, source)] }
  static func chromium(_ expected: String, _ source: String) -> [Self] { [Self(.chromium2026, expected, source)] }

  /// The results where OpenID4VP is not allowed.
  static func withoutOpenID4VP(_ expected: String) -> [Self] {
    safari(expected, "WebKit DigitalCredential.cpp: openid4vp-v1-* needs a runtime setting (WebKit/WebKit#69803)")
  }

  /// The results of `create()` where it ignores the member `digital`.
  static func withoutCreate(_ expected: String) -> [Self] {
    safari(expected, "WebKit create.tentative (b6072167): NotSupportedError: No credential type was specified.")
  }

  /// The results of `issue()` where it does not exist.
  static func withoutIssue(_ expected: String) -> [Self] {
    let source = "w3c-fedid/digital-credentials#546 is open: DigitalCredential.issue is not a function"
    return safari(expected, source) + chromium(expected, source)
  }

  /// The results where the platform finds a request invalid.
  static func leftToPlatform(_ expected: String) -> [Self] {
    chromium(expected, "Chromium digital_identity_credential.cc: every failure of a wallet is a NetworkError")
  }

  /// The results where a chooser opens without a valid request.
  static func emptyChooser(_ expected: String) -> [Self] {
    safari26(expected, "WebKit/WebKit#64534: before May 2026 an empty chooser could open")
  }

  static func opaqueOrigin(_ expected: String) -> [Self] {
    chromium(expected, "Chromium get-opaque-origin-combinations (732afded)")
  }
}
