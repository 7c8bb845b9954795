import DigitalCredentials
import Foundation
import InteractiveWorlds
import Messaging
import ScenarioLanguage
import Testing

@Suite struct ExternalPageTests {
  private static let changes = """
    websites:
      spaceship-rentals: { origin: "http://spaceship-rentals.localhost:8080", script: external }
    """

  private static let tablet = """
    devices:
      kellys-tablet:
        apps:
          Wallet:
            trusts-readers: [apple-business-connect]
            documents:
              - type: org.iso.18013.5.1.mDL
                issuer: spaceport-dmv
                elements: { family_name: Rover, given_name: Kelly, issuing_country: US, portrait: sample }
    """

  private struct Begun: Decodable {
    var session: String
    var `protocol`: String
    var data: [String: String]
  }

  private func json(_ value: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]), as: UTF8.self)
  }

  private func begin(_ page: ExternalPage) async throws -> (begun: Begun, options: String) {
    let answer = try #require(try await page.ask(.beginPresentment, "[]"))
    let begun = try JSONDecoder().decode(Begun.self, from: Data(answer.bytes))
    let options = try json([
      "digital": ["requests": [["protocol": begun.protocol, "data": begun.data]]], "mediation": "required",
    ])
    return (begun, options)
  }

  @Test func aScriptOutsideGetsTheRealAnswer() async throws {
    let world = try InteractiveWorld(InteractiveSample.headline(changes: Self.changes), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-iphone", in: world)
    try await world.perform(text: "person: { visits: spaceship-rentals }")
    let (begun, options) = try await begin(page)
    try await world.perform(text: "person: { taps: Verify Identity }")
    async let outcome = page.getCredential(options, call: 1)
    try await whenSelectorOpens(world)
    try await world.perform(text: "person: { picks: Wallet }")
    try await world.perform(text: "person: { authorizes-with: face-id }")
    let credential = try #require(try await outcome)
    #expect(credential.kind == .credential)
    var answer = try #require(try JSONSerialization.jsonObject(with: Data(credential.bytes)) as? [String: Any])
    answer["call"] = nil
    answer["session"] = begun.session
    let result = try #require(try await page.ask(.submitResponse, try json(answer)))
    #expect(String(decoding: result.bytes, as: UTF8.self).contains(#""verdict":"verified""#))
    #expect(String(decoding: result.bytes, as: UTF8.self).contains(#""portrait":"_9j_"#), "a JPEG to draw")
    try InteractiveSample.expectReplay(of: world)
  }

  @Test(arguments: [true, false]) func aCallThatNobodyWaitsForIsTakenBack(_ isAsking: Bool) async throws {
    let world = try InteractiveWorld(InteractiveSample.headline(changes: Self.changes), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-iphone", in: world)
    try await world.perform(text: "person: { visits: spaceship-rentals }")
    let (_, options) = try await begin(page)
    try await world.perform(text: "person: { taps: Verify Identity }")
    let waiting = Task { try await page.getCredential(options, call: 1) }
    // Cancelled before the world has seen the call, or while the phone asks.
    if isAsking { try await whenSelectorOpens(world) }
    waiting.cancel()
    #expect(try await waiting.value == nil)
    #expect(world.snapshot?.view.selector(on: "kellys-iphone") == nil)
    #expect(String(decoding: world.journal.trace(), as: UTF8.self).contains("the page has gone"))
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func aCallIsTakenBackOnTheDeviceThatItWasMadeOn() async throws {
    let world = try InteractiveWorld(
      InteractiveSample.headline(changes: Self.changes + "\n" + Self.tablet), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-tablet", in: world)
    let (_, options) = try await begin(page)
    async let outcome = page.getCredential(options, call: 1, after: .init(isOpened: true, isTapped: true))
    try await whenSelectorOpens(world, on: "kellys-tablet")
    try await world.perform(text: "person: { visits: spaceship-rentals, on: kellys-iphone }")
    try await page.abort(call: 1, "the person has put it away")
    let exception = try #require(try await outcome)
    #expect(String(decoding: exception.bytes, as: UTF8.self).contains("the person has put it away"))
    #expect(world.snapshot?.view.selector(on: "kellys-tablet") == nil)
    #expect(world.snapshot?.device == "kellys-iphone", "what a page does alone takes no device into the hand")
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func anAbortThatOvertakesItsCallEndsIt() async throws {
    let world = try InteractiveWorld(InteractiveSample.headline(changes: Self.changes), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-iphone", in: world)
    let (_, options) = try await begin(page)
    try await page.abort(call: 1, "the person has gone")
    let exception = try #require(
      try await page.getCredential(options, call: 1, after: .init(isOpened: true, isTapped: true)))
    #expect(String(decoding: exception.bytes, as: UTF8.self).contains("the person has gone"))
    // The abort was for that call only, and one for a call that has ended does nothing.
    try await page.abort(call: 1, "too late")
    async let outcome = page.getCredential(options, call: 2, after: .init(isTapped: true))
    try await whenSelectorOpens(world)
    try await page.abort(call: 2, "enough")
    #expect(String(decoding: try #require(try await outcome).bytes, as: UTF8.self).contains("enough"))
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func nobodyComesBetweenAVisitATapAndACall() async throws {
    let world = try InteractiveWorld(
      InteractiveSample.headline(changes: Self.changes + "\n" + Self.tablet), clock: SetClock())
    defer { world.stop() }
    let devices = ["kellys-tablet", "kellys-iphone"]
    for round in 1...5 {
      var calls: [Task<ExternalPage.Answer?, any Error>] = []
      for device in devices {
        let page = ExternalPage("spaceship-rentals", on: device, in: world)
        let options = try await begin(page).options
        calls.append(
          Task { try await page.getCredential(options, call: round, after: .init(isOpened: true, isTapped: true)) })
      }
      for device in devices { try await whenSelectorOpens(world, on: device) }
      for call in calls {
        call.cancel()
        #expect(try await call.value == nil)
      }
    }
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func aPageThatIsOpenIsNotOpenedAnewForACall() async throws {
    let world = try InteractiveWorld(InteractiveSample.headline(changes: Self.changes), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-iphone", in: world)
    for call in 1...2 {
      let outcome = try await page.getCredential("{}", call: call, after: .init(isOpened: true, isTapped: true))
      #expect(outcome?.kind == .exception)
    }
    #expect(world.recording.yaml.components(separatedBy: "visits").count == 2)
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func withoutATapTheCallIsRejected() async throws {
    let world = try InteractiveWorld(InteractiveSample.headline(changes: Self.changes), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-iphone", in: world)
    try await world.perform(text: "person: { visits: spaceship-rentals }")
    let (_, options) = try await begin(page)
    let outcome = try #require(try await page.getCredential(options, call: 1))
    #expect(outcome.kind == .exception)
    #expect(String(decoding: outcome.bytes, as: UTF8.self).contains("NotAllowedError"))
  }

  private static let issuance = #"{"protocol":"openid4vci-v1","data":{}}"#

  @Test(arguments: [
    // No app is an issuer's, so the platform refuses the request, unless the script ends the call before.
    (CredentialOperation.create, true, String?.none, "NotAllowedError", "openid4vci-v1"),
    (.issue, true, nil, "NotAllowedError", "openid4vci-v1"), (.create, true, "no", "AbortError", "no"),
    (.issue, true, "no", "AbortError", "no"), (.issue, false, "no", "NotAllowedError", "user activation"),
  ])
  func theMethodsOfAnIssuanceAreChecked(
    _ method: CredentialOperation, _ isTapped: Bool, _ abortion: String?, _ name: String, _ message: String
  ) async throws {
    let profile = "devices: { kellys-iphone: { browser: spec-2026-08 } }"
    let world = try InteractiveWorld(
      InteractiveSample.headline(changes: Self.changes + "\n" + profile), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-iphone", in: world)
    let list = #"{"requests":[\#(Self.issuance)]}"#
    let options = ExternalPage.Options(method == .issue ? list : #"{"digital":\#(list)}"#, of: method)
    let outcome = try #require(
      try await page.call(
        options, call: 1, after: .init(isOpened: true, isTapped: isTapped), abortedWith: abortion))
    let text = String(decoding: outcome.bytes, as: UTF8.self)
    #expect(outcome.kind == .exception && text.contains(name) && text.lowercased().contains(message), "\(text)")
    #expect(outcome.consumesActivation == isTapped)
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func dataThatCannotBeSerializedIsRejectedAfterTheActivation() async throws {
    let world = try InteractiveWorld(InteractiveSample.headline(changes: Self.changes), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-iphone", in: world)
    let request = #"{"protocol":"org-iso-mdoc","data":{"$throws":"RangeError"}}"#
    let options = ExternalPage.Options(#"{"digital":{"requests":[\#(request)]}}"#, isMarked: true)
    var names: [Bool] = []
    for isTapped in [false, true] {
      let outcome = try await page.call(
        options, call: names.count + 1, after: .init(isOpened: true, isTapped: isTapped))
      names.append(String(decoding: outcome?.bytes ?? [], as: UTF8.self).contains("RangeError"))
    }
    #expect(names == [false, true])
  }

  @Test(arguments: [
    "{}", "[]", "7", #"{"digital":{"requests":[]}}"#, #"{"digital":{"requests":[{"protocol":"x","data":1}]}}"#,
  ])
  func optionsOfAnyKindEndInAnException(_ options: String) async throws {
    let world = try InteractiveWorld(InteractiveSample.headline(changes: Self.changes), clock: SetClock())
    defer { world.stop() }
    let page = ExternalPage("spaceship-rentals", on: "kellys-iphone", in: world)
    try await world.perform(text: "person: { visits: spaceship-rentals }")
    try await world.perform(text: "person: { taps: Verify Identity }")
    let outcome = try #require(try await page.getCredential(options, call: 3))
    #expect(outcome.kind == .exception)
    try InteractiveSample.expectReplay(of: world)
  }

  @Test func whatWasRefusedBeforeThePageCameIsNoAnswerToIt() throws {
    let world = InteractiveSample.folder + "/reader/brand-refused.yaml"
    let moment = try InteractiveSample.headline().clock
    let refusal = #expect(throws: InteractiveWorldError.self) {
      try WalletResponse(
        to: Array("{}".utf8),
        WalletQuery(world: world, device: "kellys-iphone", origin: "https://site.example", moment: moment))
    }
    #expect(refusal?.code.rawValue.hasPrefix("browser.") == true, "\(refusal?.description ?? "")")
  }

  /// Waits until a selector opens, or the world ends.
  private func whenSelectorOpens(_ world: InteractiveWorld, on device: String = "kellys-iphone") async throws {
    let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
    let watch = world.watch(
      { changed.yield($0.view.selector(on: device) != nil) }, ended: { changed.finish() })
    defer { world.unwatch(watch) }
    for await isOpen in changes where isOpen { return }
    Issue.record("no selector opens on \(device)")
  }
}
