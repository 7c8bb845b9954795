import Checks
import DigitalCredentials
import Testing

/// The checks of a call that passed.
@Suite("Mediator: passed checks")
struct PassedCheckTests {
  private static func passed(_ effects: [CredentialMediator.Effect]) -> [BrowserCheck] {
    effects.flatMap { if case .passed(_, let checks) = $0 { checks } else { [BrowserCheck]() } }
  }

  private static func get(
    _ json: String = Fixtures.options("$mdoc"), context: CallingContext? = nil
  ) -> CredentialMediator.Event {
    .getCalled(
      1, CredentialRequestOptions.reading(Fixtures.json(json)), context ?? CallingContext(origin: Fixtures.page))
  }

  @Test("A call with a credential passes every check once, in the standard's order", arguments: BrowserProfile.all)
  func everyCheck(profile: BrowserProfile) {
    var mediator = CredentialMediator(profile: profile)
    let begun = Self.passed(mediator.receive(Self.get()))
    let ended = Self.passed(
      mediator.receive(.platformAnswered(1, protocol: "org-iso-mdoc", response: Array("{}".utf8))))
    #expect(begun + ended == BrowserCheck.allCases && ended == [.choice, .platform, .response])
    let results = profile.results(passed: begun + ended)
    #expect(results.map(\.check) == BrowserCheck.definitions.map(\.id) && results.allSatisfy { $0.status == .passed })
  }

  @Test("A rejected call passes the checks before the one that rejects")
  func rejected() {
    let rows: [(CredentialMediator.Event, [BrowserCheck])] = [
      (Self.get("5", context: CallingContext(origin: Fixtures.page, isSecureContext: false)), []),
      (Self.get("5"), [.secureContext]),
      (Self.get(context: CallingContext(origin: Fixtures.page, isFullyActive: false)), [.secureContext, .options]),
      (
        Self.get(context: CallingContext(origin: Fixtures.page, hasTransientActivation: false)),
        [
          .secureContext, .options, .fullyActive, .signal, .credentialType, .mediation, .policy, .origin, .attention,
          .protocol,
        ]
      ),
    ]
    for (event, expected) in rows {
      var mediator = CredentialMediator()
      #expect(Self.passed(mediator.receive(event)) == expected)
    }
  }

  @Test("A response that is not an object passes the checks of the choice and the platform")
  func malformedResponse() {
    var mediator = CredentialMediator()
    _ = mediator.receive(Self.get())
    let effects = mediator.receive(.platformAnswered(1, protocol: "org-iso-mdoc", response: [0x35]))
    #expect(Self.passed(effects) == [.choice, .platform])
  }

  @Test("A platform's failure passes no check", arguments: PlatformFailure.allCases)
  func failure(error: PlatformFailure) {
    var mediator = CredentialMediator()
    _ = mediator.receive(Self.get())
    #expect(Self.passed(mediator.receive(.platformFailed(1, error))).isEmpty)
  }

  @Test("A check that a browser does not make says so")
  func omitted() {
    func messages(_ profile: BrowserProfile) -> [String] {
      profile.results(passed: [.mediation, .requestData]).map { String($0.message.prefix { $0 != ":" }) }
    }
    let titles = [BrowserCheck.mediation, .requestData].map(\.definition.title)
    #expect(messages(.safari26) == titles)
    #expect(messages(.spec2026) == ["does not apply", titles[1]])
    #expect(messages(.chromium2026) == ["does not apply", "does not apply"])
  }
}
