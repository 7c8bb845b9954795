import JSON
import TestSupport
import Testing

@testable import DigitalCredentials

/// The virtual wallet alone, and with a mediator.
@Suite("The virtual wallet") struct VirtualWalletTests {
  private static let order = VirtualWallet.PersonOrder(app: "Wallet")

  /// A browser as far as the virtual wallet needs one.
  private struct Browser {
    var mediator: CredentialMediator
    var wallet = VirtualWallet()
    var contexts: [CallID: String] = [:]
    /// The calls that the platform serves, and the order for each.
    var shown: [CallID: VirtualWallet.PersonOrder?] = [:]
    var settled: [CallID: [String]] = [:]

    init(_ profile: BrowserProfile = .spec2026) { mediator = CredentialMediator(profile: profile) }

    mutating func set(_ behavior: VirtualWallet.Behavior?, for context: String? = nil) {
      carryOut(wallet.receive(.behaviorSet(behavior, context: context)))
    }

    mutating func get(_ call: CallID, in context: String = "page", of document: DocumentID = .page) {
      contexts[call] = context
      let reading = CredentialRequestOptions.reading(Fixtures.json(Fixtures.options("$short")))
      let place = CallingContext(document: document, origin: Fixtures.page)
      receive(.getCalled(call, reading, place))
    }

    mutating func receive(_ event: CredentialMediator.Event) {
      for effect in mediator.receive(event) {
        switch effect {
        case .present(let call, let request):
          carryOut(wallet.receive(.presented(call, request, context: contexts[call])))
        case .dismiss(let call): carryOut(wallet.receive(.dismissed(call)))
        case .resolve(let call, let credential):
          settled[call, default: []].append(credential.map { String(decoding: $0.toJSON(), as: UTF8.self) } ?? "null")
        case .reject(let call, let exception, _): settled[call, default: []].append(exception.name.text)
        case .consumeActivation, .passed, .warnPerson, .warn: break
        }
      }
    }

    private mutating func carryOut(_ effects: [VirtualWallet.Effect]) {
      for effect in effects {
        switch effect {
        case .settle(let event): receive(event)
        case .present(let call, _, let order): shown[call] = .some(order)
        case .dismiss(let call): shown[call] = nil
        }
      }
    }
  }

  @Test func leavesCallsToThePlatformWithoutABehavior() {
    var browser = Browser()
    browser.get(1)
    #expect(browser.shown == [1: nil])
    #expect(browser.settled.isEmpty)
  }

  @Test func respondsWithExactlyTheResponse() {
    var browser = Browser()
    browser.set(.respond(.presentation(.openID4VPSigned), response: Array(#"{"token":[1,{"a":null}]}"#.utf8)))
    browser.get(1)
    #expect(browser.settled == [1: [#"{"protocol":"openid4vp-v1-signed","data":{"token":[1,{"a":null}]}}"#]])
    #expect(browser.mediator.pendingCall == nil)
    #expect(browser.shown.isEmpty)
  }

  @Test(arguments: BrowserProfile.all)
  func declinesAsAPersonInTheBrowserOfTheProfile(_ profile: BrowserProfile) {
    var browser = Browser(profile)
    browser.set(.decline)
    browser.get(1)
    #expect(browser.settled == [1: [profile.exceptionName(for: BrowserFinding(.choice)).text]])
    #expect(browser.mediator.pendingCall == nil)
  }

  @Test func waitsUntilThePageAbortsAndThenTakesTheNextCall() {
    var browser = Browser()
    browser.set(.wait)
    browser.get(1)
    #expect(browser.mediator.pendingCall == 1)
    browser.get(2)
    #expect(browser.settled == [2: ["NotAllowedError"]])
    // The behavior of a call that waits does not change.
    browser.set(.decline)
    #expect(browser.mediator.pendingCall == 1)
    browser.receive(.signalAborted(1, AbortReason(name: "PageError", message: "enough")))
    #expect(browser.settled[1] == ["PageError"])
    browser.get(3)
    #expect(browser.settled[3] == ["NotAllowedError"])
    #expect(browser.shown.isEmpty)
  }

  @Test func prefersTheBehaviorOfTheContextToTheSessions() {
    var browser = Browser()
    browser.set(.decline)
    browser.set(.respond(.presentation(.mobileDocument), response: Array("{}".utf8)), for: "frame")
    browser.get(1, in: "page")
    browser.get(2, in: "frame", of: 1)
    #expect(browser.settled == [1: ["NotAllowedError"], 2: [#"{"protocol":"org-iso-mdoc","data":{}}"#]])
    browser.set(nil, for: "frame")
    browser.get(3, in: "frame", of: 1)
    #expect(browser.settled[3] == ["NotAllowedError"])
    browser.set(nil)
    browser.get(4, in: "frame", of: 1)
    #expect(browser.shown == [4: nil])
  }

  @Test func givesThePersonAnOrderAndForwardsTheAbort() {
    var browser = Browser()
    browser.set(.person(Self.order))
    browser.get(1)
    #expect(browser.shown == [1: Self.order])
    browser.receive(.documentInactive(.page))
    #expect(browser.shown.isEmpty)
    #expect(browser.settled == [1: ["AbortError"]])
  }

  // MARK: Random sequences

  @Test(arguments: BrowserProfile.all, 0..<8)
  func settlesEveryCallOnceInRandomSequences(_ profile: BrowserProfile, _ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) &+ 71)
    var browser = Browser(profile)
    var next = 1
    let contexts = ["page", "frame", "inner"]
    let behaviors: [VirtualWallet.Behavior?] = [
      nil, .wait, .decline, .person(Self.order), .respond(.presentation(.mobileDocument), response: Array("{}".utf8)),
      .respond(.presentation(.mobileDocument), response: Array("[]".utf8)),
      .respond(.presentation(.mobileDocument), response: []),
    ]
    for _ in 0..<600 {
      let call = browser.mediator.pendingCall ?? CallID(rawValue: Int.random(in: 0...next, using: &random))
      let place = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        browser.set(behaviors.randomElement(using: &random) ?? nil, for: random.chance(50) ? contexts[place] : nil)
      case 2, 3, 4:
        browser.get(CallID(rawValue: next), in: contexts[place], of: DocumentID(rawValue: place))
        next += 1
      case 5: browser.receive(.signalAborted(call, .unspecified))
      case 6: browser.receive(.documentInactive(DocumentID(rawValue: place)))
      default:
        // The platform answers only what it serves.
        guard let shown = browser.shown.keys.first(where: { $0 == browser.mediator.pendingCall }) else { continue }
        browser.receive(.platformFailed(shown, .noAnswer))
      }
      #expect(browser.settled.values.allSatisfy { $0.count == 1 })
      let open = (1..<next).map(CallID.init(rawValue:)).filter { browser.settled[$0] == nil }
      #expect(open == (browser.mediator.pendingCall.map { [$0] } ?? []), "one call is pending, or none")
      browser.shown = browser.shown.filter { $0.key == browser.mediator.pendingCall }
    }
  }

  // MARK: Commands

  private static func command(_ text: String) throws -> VirtualWalletCommand {
    try VirtualWalletCommand(parameters: try JSONReader.read(Array(text.utf8)))
  }

  @Test(arguments: [
    (#"{"action":"decline"}"#, VirtualWallet.Behavior.decline), (#"{"action":"wait","extra":1}"#, .wait),
    (#"{"action":"clear"}"#, nil),
    (
      #"{"action":"respond","protocol":"org-iso-mdoc","response":{"response":"AA"}}"#,
      .respond(.presentation(.mobileDocument), response: Array(#"{"response":"AA"}"#.utf8))
    ),
    (
      #"{"action":"respond","protocol":"openid4vci-v1","response":{}}"#,
      .respond(.issuance(.openID4VCI), response: Array("{}".utf8))
    ),
    (#"{"action":"respond","presentment:app":"Wallet"}"#, .person(order)),
    (
      #"{"action":"respond","presentment:app":"Wallet","presentment:decision":"decline"}"#,
      .person(VirtualWallet.PersonOrder(app: "Wallet", decision: .decline))
    ),
  ])
  func readsCommands(_ text: String, _ behavior: VirtualWallet.Behavior?) throws {
    #expect(try Self.command(text).behavior == behavior)
    #expect(try Self.command(text.dropLast() + #","context":"c"}"#).event == .behaviorSet(behavior, context: "c"))
  }

  @Test(arguments: [
    "[]", "{}", #"{"action":"accept"}"#, #"{"action":1}"#, #"{"action":"Decline"}"#,
    #"{"action":"wait","context":null}"#,
    #"{"action":"decline","protocol":"org-iso-mdoc"}"#, #"{"action":"clear","response":{}}"#,
    #"{"action":"wait","presentment:app":"Wallet"}"#, #"{"action":"respond"}"#,
    #"{"action":"respond","protocol":"org-iso-mdoc"}"#, #"{"action":"respond","response":{}}"#,
    #"{"action":"respond","protocol":"unknown","response":{}}"#,
    #"{"action":"respond","protocol":"org-iso-mdoc","response":"text"}"#,
    #"{"action":"respond","protocol":"org-iso-mdoc","response":[]}"#,
    #"{"action":"respond","protocol":"org-iso-mdoc","response":{},"presentment:app":"Wallet"}"#,
    #"{"action":"respond","presentment:decision":"authorize"}"#,
    #"{"action":"respond","presentment:app":"Wallet","presentment:decision":"maybe"}"#,
  ])
  func refusesOtherParametersAsAnInvalidArgument(_ text: String) {
    let error = #expect(throws: VirtualWalletError.self) { try Self.command(text) }
    #expect(error?.code.rawValue == "invalid argument")
  }

  @Test func refusesALongContext() {
    #expect(throws: VirtualWalletError.self) {
      try Self.command(#"{"action":"wait","context":"\#(String(repeating: "c", count: 300))"}"#)
    }
  }
}
