import Checks
import DigitalCredentials
import Testing

@Suite("get(): answers of the platform")
struct OutcomeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let error: PlatformFailure
    let names: [ExceptionName]
    var testDescription: String { error.rawValue }
  }

  /// One name for each of spec-2026-08, safari-26.0, safari-main-2026 and chromium-2026.
  static let rows: [Row] = [
    Row(error: .cancelledByUser, names: [.notAllowedError, .abortError, .notAllowedError, .networkError]),
    Row(error: .cancelled, names: [.notAllowedError, .abortError, .operationError, .networkError]),
    Row(error: .invalidRequest, names: [.typeError, .typeError, .typeError, .networkError]),
    Row(
      error: .requestInProgress,
      names: [.invalidStateError, .invalidStateError, .invalidStateError, .notAllowedError]),
    Row(error: .notEntitled, names: [.notAllowedError, .notAllowedError, .notAllowedError, .networkError]),
    Row(error: .nothingCanAnswer, names: [.notAllowedError, .abortError, .notAllowedError, .networkError]),
    Row(error: .noAnswer, names: [.operationError, .operationError, .operationError, .networkError]),
    Row(error: .unknown, names: [.operationError, .unknownError, .operationError, .networkError]),
  ]

  @Test("Maps platform errors in each profile (B01)", arguments: rows)
  func errors(row: Row) throws {
    #expect(BrowserProfile.all.map(\.name) == ["spec-2026-08", "safari-26.0", "safari-main-2026", "chromium-2026"])
    for (profile, name) in zip(BrowserProfile.all, row.names) {
      try Drawing(
        row.error.rawValue, profile,
        """
        get 1                       => consume 1, present 1
        fail 1 \(row.error.rawValue) => reject 1 \(name) \(row.error.finding.name)
        get 2                       => consume 2, present 2
        """
      ).run()
    }
  }

  @Test(
    "Adds the platform's detail to the message in every profile", arguments: BrowserProfile.all.map(\.name))
  func detail(name: String) throws {
    let profile = try #require(BrowserProfile.named(name))
    let options = CredentialRequestOptions(requests: [Fixtures.mdoc])
    for (detail, message) in [
      ("A: nothing; B: nothing", "Nothing on this platform can answer the request: A: nothing; B: nothing."),
      (nil, "Nothing on this platform can answer the request."),
    ] as [(String?, String)] {
      var mediator = CredentialMediator(profile: profile)
      _ = mediator.receive(
        .getCalled(1, .success(options), CallingContext(origin: Fixtures.page, hasTransientActivation: true)))
      try #require(mediator.pendingCall == 1)
      let effects = mediator.receive(.platformFailed(1, .nothingCanAnswer, detail: detail))
      let code = BrowserFinding(.platform, .nothingCanAnswer)
      let exception = CredentialRequestException(code, name: profile.exceptionName(for: code), message: message)
      #expect(effects == [.reject(1, exception, .queuedTask)])
    }
  }

  @Test("Every platform error has a row")
  func complete() {
    #expect(Self.rows.map(\.error) == PlatformFailure.allCases)
  }

  static let drawings: [Drawing] = [
    ("RTP-01, WDR-01", "org-iso-mdoc < {\"response\":\"gmVkY2FwaQ\"}", "resolve 1 org-iso-mdoc"),
    ("RTP-03", "openid4vp-v1-unsigned < {\"vp_token\":{}}", "resolve 1 openid4vp-v1-unsigned"),
    ("an array is an object of the script", "org-iso-mdoc < []", "resolve 1 org-iso-mdoc"),
    ("not JSON", "org-iso-mdoc < {\"response\":", "reject 1 SyntaxError browser.response/not-json"),
    ("text after JSON", "org-iso-mdoc < {}{}", "reject 1 SyntaxError browser.response/not-json"),
    ("a string", "org-iso-mdoc < \"gmVkY2FwaQ\"", "reject 1 TypeError browser.response/not-object"),
    ("null", "org-iso-mdoc < null", "reject 1 TypeError browser.response/not-object"),
    ("a number", "org-iso-mdoc < 5", "reject 1 TypeError browser.response/not-object"),
    ("empty", "org-iso-mdoc", "reject 1 SyntaxError browser.response/empty"),
    ("unknown protocol", "org.iso.mdoc < {}", "reject 1 TypeError browser.response/unknown-protocol"),
  ].map { id, answer, result in
    Drawing(
      id,
      """
      get 1            => consume 1, present 1
      answer 1 \(answer) => \(result)
      answer 1 \(answer) => nothing
      get 2            => consume 2, present 2
      """)
  }

  @Test("Draws the outcomes of the chooser", arguments: drawings)
  func outcomes(drawing: Drawing) throws {
    try drawing.run()
  }

  @Test("An empty response is a TypeError in WebKit", arguments: [BrowserProfile.safari26, .safariMain2026])
  func empty(profile: BrowserProfile) throws {
    try Drawing("empty", profile, "get 1 => consume 1, present 1\nanswer 1 org-iso-mdoc => reject 1 TypeError").run()
  }

  @Test("WDR-02: the data keeps structure, order and spelling")
  func structure() throws {
    let response = #" { "z" : [1.0, 1e2, {"b":null,"a":true}], "a\u0062" : "ÄA\n" } "#
    let credential = try DigitalCredential(protocol: "org-iso-mdoc", response: Array(response.utf8))
    let data = #"{"z":[1.0,1e2,{"b":null,"a":true}],"ab":"ÄA\n"}"#
    #expect(String(decoding: credential.data, as: UTF8.self) == data)
    #expect(credential.type == "digital")
    #expect(credential.text("ab") == "ÄA\n")
    #expect(credential.text("z") == nil)
    let json = String(decoding: credential.toJSON(), as: UTF8.self)
    #expect(json == "{\"protocol\":\"org-iso-mdoc\",\"data\":\(data)}")
  }

  @Test("RTP-04: two equal requests are presented together and resolve once")
  func twice() throws {
    try Drawing(
      "RTP-04",
      """
      get 1 < {"digital":{"requests":[$mdoc,$mdoc]}} => consume 1, present 1 2
      answer 1 org-iso-mdoc < {"response":"AA"}      => resolve 1 org-iso-mdoc
      answer 1 org-iso-mdoc < {"response":"AA"}      => nothing
      """
    ).run()
  }

  @Test("Refuses a response beyond the limit")
  func tooLarge() {
    let response = Array(repeating: UInt8(ascii: " "), count: CredentialLimits.responseBytes + 1)
    #expect {
      try DigitalCredential(protocol: "org-iso-mdoc", response: response)
    } throws: { error in
      BrowserFinding(.response, .tooLarge) ~= error
    }
  }

  @Test("WDR-05: the mediators of two pages are independent")
  func pages() {
    var first = CredentialMediator()
    let second = first
    let options = CredentialRequestOptions(requests: [Fixtures.mdoc])
    _ = first.receive(.getCalled(1, .success(options), CallingContext(origin: Fixtures.page)))
    #expect(first.pendingCall == 1)
    #expect(second.pendingCall == nil)
  }
}
