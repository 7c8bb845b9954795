import DigitalCredentials
import Testing

@Suite("create(), issue(), values outside JSON, and interstitials")
struct IssuanceAndInterstitialTests {
  private static let issuing = "{\"digital\":{\"requests\":[{\"protocol\":\"openid4vci-v1\",\"data\":{}}]}}"

  static let drawings: [Drawing] = [
    Drawing(
      "create() where it exists",
      """
      create 1 < \(issuing)        => consume 1, present 1
      create 2 < {}                => reject 2 NotSupportedError browser.credential-type/missing
      create 3 < {"digital":{}}    => reject 3 TypeError browser.options/missing-member
      abort 1                      => dismiss 1, reject 1 AbortError
      create 4                     => warn 4, reject 4 TypeError browser.protocol/unknown
      """),
    Drawing("create() for other types only", .safariMain2026, "create 1 < 5 => reject 1 NotSupportedError"),
    Drawing(
      "issue() where it exists",
      """
      issue 1 < {}                                         => reject 1 TypeError browser.options/missing-member
      issue 2 no-act < {"requests":[]}                     => reject 2 NotAllowedError browser.user-activation
      issue 3 < {"requests":[]}                            => consume 3, reject 3 TypeError browser.requests/empty queued
      issue 4 no-policy unfocused < {"requests":[]}        => reject 4 NotAllowedError browser.attention
      issue 5 < {"requests":[{"protocol":"openid4vci-v1","data":{}}]} => consume 5, present 5
      """),
    Drawing(
      "issue() where it does not", .chromium2026, "issue 1 => reject 1 TypeError browser.credential-type/no-method"),
    Drawing(
      "a BigInt, a cycle and a toJSON that throws",
      """
      get 1 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"a":{"$bigint":"1"}}}]}} => consume 1, reject 1 TypeError browser.request-data/not-serializable
      get 2 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"$cycle":1}}]}} => consume 2, reject 2 TypeError browser.request-data/not-serializable
      get 3 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"a":[{"$throws":"Oops"}]}}]}} => consume 3, reject 3 Oops browser.request-data/not-serializable
      """),
    Drawing(
      "a BigInt, a symbol and a function as data",
      """
      get 1 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"$bigint":"1"}}]}} => reject 1 TypeError browser.options/wrong-type
      get 2 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"$symbol":"x"}}]}} => reject 2 TypeError browser.options/wrong-type
      get 3 < {"digital":{"requests":[{"protocol":{"$symbol":"x"},"data":{}}]}} => reject 3 TypeError browser.options/wrong-type
      get 4 < {"digital":{"$undefined":1}} => reject 4 NotSupportedError
      get 5 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"$function":1}}]}} => consume 5, reject 5 TypeError browser.request-data/not-serializable
      """),
    Drawing(
      "WebKit serializes before it looks for a pending call", .safariMain2026,
      """
      get 1 => consume 1, present 1
      get 2 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"$cycle":1}}]}} => consume 2, reject 2 TypeError browser.request-data/not-serializable at-once
      """),
    Drawing(
      "the interstitial", .chromium2026, interstitial: .byRule,
      """
      get 1                          => consume 1, interstitial 1 low-risk
      answer 1 org-iso-mdoc < {}     => nothing
      fail 1 unknown                 => nothing
      get 2 frame                    => consume 2, reject 2 NotAllowedError browser.single-call
      continue 2                     => nothing
      continue 1                     => present 1
      continue 1                     => nothing
      cancel 1                       => nothing
      answer 1 org-iso-mdoc < {}     => resolve 1
      get 3                          => consume 3, interstitial 3
      cancel 3                       => reject 3 NetworkError browser.choice queued
      get 4                          => consume 4, interstitial 4
      abort 4                        => dismiss 4, reject 4 AbortError
      get 5                          => consume 5, interstitial 5
      gone page                      => dismiss 5, reject 5 AbortError
      continue 5                     => nothing
      """),
    Drawing("no interstitial elsewhere", .spec2026, interstitial: .byRule, "get 1 => consume 1, present 1"),
    Drawing(
      "high risk by setting", .chromium2026, interstitial: .init(.highRisk),
      "get 1 => consume 1, interstitial 1 high-risk"),
  ]

  @Test("Draws calls of other methods, and the interstitial", arguments: drawings)
  func draws(drawing: Drawing) throws { try drawing.run() }

  /// Requests, and whether the rule of Chromium shows an interstitial for them.
  static let requests: [(String, Bool)] = [
    ("$mdoc", true),
    (query(["age_over_21"]), false),
    (query(["age_over_21", "age_in_years", "birth_date"]), false),
    (query(["age_over_211"]), true),
    (query(["age_over_x1"]), true),
    (query(["family_name"]), true),
    (query(["age_over_18", "family_name"]), true),
    (query(["subscription_hint", "carrier_hint"], types: ["number-verification/verify/ts43"]), false),
    (query(["subscription_hint"], types: ["https://id.example/person"]), true),
    (query([]), false),
    ("{\"protocol\":\"openid4vp-v1-unsigned\",\"data\":{}}", true),
    (
      "{\"protocol\":\"openid4vp-v1-unsigned\",\"data\":{\"presentation_definition\":{},\"dcql_query\":{\"credentials\":[]}}}",
      true
    ),
    ("{\"protocol\":\"openid4vp-v1-signed\",\"data\":{\"request\":\"e30.\(payload).AA\"}}", false),
    ("{\"protocol\":\"openid4vp-v1-signed\",\"data\":{\"request\":\"e30.\(payload)\"}}", true),
    ("{\"protocol\":\"openid4vp-v1-signed\",\"data\":{\"request\":5}}", true),
    ("\(query(["age_over_21"])),$mdoc", true),
  ]

  /// `{"dcql_query":{"credentials":[]}}` in base64url.
  private static let payload = "eyJkY3FsX3F1ZXJ5Ijp7ImNyZWRlbnRpYWxzIjpbXX19"

  private static func query(_ claims: [String], types: [String] = []) -> String {
    let paths = claims.map { "{\"path\":[\"org.iso.18013.5.1\",\"\($0)\"]}" }.joined(separator: ",")
    let values = types.map { "\"\($0)\"" }.joined(separator: ",")
    return "{\"protocol\":\"openid4vp-v1-unsigned\",\"data\":{\"dcql_query\":{\"credentials\":[{\"claims\":[\(paths)],"
      + "\"meta\":{\"vct_values\":[\(values)]}}]}}}"
  }

  @Test("The rule looks at protocols, claims and types", arguments: requests)
  func rule(request: String, isShown: Bool) throws {
    try Drawing(
      request, .chromium2026, interstitial: .byRule,
      "get 1 < \(Fixtures.options(request)) => consume 1, \(isShown ? "interstitial" : "present") 1"
    ).run()
  }

  @Test(
    "Origins of low risk are compared without www.",
    arguments: [
      ("https://page.example", false), ("https://www.page.example", false), ("http://page.example", true),
      ("https://page.example:8443", true), ("https://other.example", true),
    ])
  func lowRisk(origin: String, isShown: Bool) throws {
    let setting = Interstitial.Setting(.byRule, lowRiskOrigins: [try Origin(serialized: origin)])
    try Drawing(
      origin, .chromium2026, interstitial: setting, "get 1 => consume 1, \(isShown ? "interstitial" : "present") 1"
    ).run()
  }

  @Test("A browser that prefers mobile documents drops other protocols")
  func preference() throws {
    var profile = BrowserProfile.safariMain2026
    profile.allowedProtocols = DigitalCredentialPresentationProtocol.allCases
    let options = Fixtures.options("$openid,$mdoc,$openid")
    try Drawing("both", profile, "get 1 < \(options) => consume 1, warn 1, warn 1, present 1 1").run()
    try Drawing("one", profile, "get 1 < \(Fixtures.options("$openid")) => consume 1, present 1 1").run()
    try Drawing("spec", "get 1 < \(options) => consume 1, present 1 3").run()
  }

  @Test("The platform gets the request that its apps can answer")
  func answerable() throws {
    func first(
      _ requests: String, in protocols: [DigitalCredentialPresentationProtocol] = [.mobileDocument]
    ) throws -> String? {
      var mediator = CredentialMediator()
      let reading = CredentialRequestOptions.reading(Fixtures.json(Fixtures.options(requests)))
      for case .present(_, let context) in mediator.receive(
        .getCalled(1, reading, CallingContext(origin: Fixtures.page)))
      {
        return context.answerable(in: protocols)?.protocol
      }
      return nil
    }
    #expect(try first("$openid,$mdoc") == "org-iso-mdoc")
    #expect(try first("$openid") == "openid4vp-v1-unsigned")
    let both = DigitalCredentialPresentationProtocol.allCases
    #expect(try first("$openid,$mdoc", in: both) == "openid4vp-v1-unsigned")
    #expect(try first("$mdoc,$openid", in: both) == "org-iso-mdoc")
    #expect(try first("$mdoc,$openid", in: [.openID4VPUnsigned]) == "openid4vp-v1-unsigned")
    #expect(try first("$mdoc,$openid", in: []) == "org-iso-mdoc")
  }

  @Test("userAgentAllowsProtocol() covers presentation and issuance")
  func allows() {
    #expect(BrowserProfile.spec2026.userAgentAllowsProtocol("openid4vci-v1"))
    #expect(!BrowserProfile.safari26.userAgentAllowsProtocol("openid4vci-v1"))
    #expect(!BrowserProfile.safari26.userAgentAllowsProtocol("openid4vp-v1-signed"))
    #expect(BrowserProfile.safari26.userAgentAllowsProtocol("org-iso-mdoc"))
    #expect(!BrowserProfile.spec2026.userAgentAllowsProtocol("protocol.banana"))
  }

  @Test(
    "Reads allowlists of a Permissions-Policy header",
    arguments: [
      ("digital-credentials-get=(self)", true, false), ("digital-credentials-get=()", false, false),
      ("camera=(), digital-credentials-get=*", true, true), ("digital-credentials-get=self", true, false),
      ("digital-credentials-get=(\"https://frame.example\")", false, true),
      ("digital-credentials-get=(self \"https://frame.example\")", true, true),
      ("digital-credentials-get=(*)", true, true), ("digital-credentials-get=(unquoted)", false, false),
    ])
  func header(text: String, own: Bool, other: Bool) throws {
    let list = try #require(PolicyAllowlist.reading(header: text, origin: Fixtures.page))
    #expect(list.matches(Fixtures.page) == own && list.matches(Fixtures.frame) == other)
    #expect(PolicyAllowlist.reading(header: "camera=*", origin: Fixtures.page) == nil)
  }
}
