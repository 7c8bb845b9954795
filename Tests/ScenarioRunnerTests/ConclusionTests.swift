import Checks
import Messaging
import ScenarioRunner
import ShippedScenarios
import Telling
import Testing

@Suite("Conclusions")
struct ConclusionTests {
  private static func relativePath(_ result: CaseResult) -> String {
    String(result.scenario.path.dropFirst(ShippedScenarios.folder.count + 1))
  }

  private static func hasFault(_ result: CaseResult) -> Bool {
    result.journal.entries.contains { $0.event.fault?.effect == .applied }
  }

  /// True if a check failed or found a deviation.
  private static func isNoticed(_ result: CaseResult) -> Bool {
    result.journal.entries.contains { [.failed, .deviates].contains($0.event.check?.status) }
  }

  @Test("A fault that a check notices is never said to go unnoticed")
  func noticedFaults() async throws {
    let noticed = try await ShippedScenarios.results().filter { Self.hasFault($0) && Self.isNoticed($0) }
    #expect(noticed.count > 400)
    for result in noticed {
      let conclusion = Conclusion(of: result.journal.entries)
      #expect(conclusion?.title != "Nobody noticed.", "\(result.scenario.path): \(result.scenario.name)")
    }
  }

  @Test("Every fault in the folder of faults that a check notices has a conclusion with a code")
  func faultsOfTheFolder() async throws {
    for result in try await ShippedScenarios.results() where Self.relativePath(result).hasPrefix("faults/") {
      guard Self.hasFault(result), Self.isNoticed(result) else { continue }
      let conclusion = try #require(Conclusion(of: result.journal.entries), "\(result.scenario.name)")
      // The sandbox's process recovers, and the person verifies at the second attempt.
      let isSecondAttempt = Self.relativePath(result).hasPrefix("faults/sandbox/")
      #expect(conclusion.code != nil || isSecondAttempt, "\(result.scenario.name): \(conclusion)")
      #expect(conclusion.tone != .good || isSecondAttempt, "\(result.scenario.name): \(conclusion)")
    }
  }

  @Test("The faults that no party can notice")
  func unnoticedFaults() async throws {
    let unnoticed = try await ShippedScenarios.results().filter {
      Conclusion(of: $0.journal.entries)?.title == "Nobody noticed."
    }
    #expect(
      Set(unnoticed.compactMap(\.scenario.caseName)) == [
        "the same advert is repeated while the session runs", "the attacker relays the advert",
        "the page names an origin in its options", "elements that it only shows", "the response", "relayed radio",
      ])
  }

  @Test("A conclusion has the code of the line that it points at")
  func linesAndCodes() async throws {
    for result in try await ShippedScenarios.results() {
      let entries = result.journal.entries
      guard let conclusion = Conclusion(of: entries) else { continue }
      let entry = try #require(entries.first { $0.number == conclusion.line }, "\(result.scenario.name): \(conclusion)")
      if let code = conclusion.code { #expect(entry.event.code == code, "\(result.scenario.name): \(conclusion)") }
      #expect(conclusion.text.hasSuffix(".") && !conclusion.text.contains(".."), "\(conclusion)")
    }
  }

  /// The first case of a file, or the one with a name, and its conclusion.
  private static let table: [(String, String?, Conclusion.Tone, String, String)] = [
    ("headline", nil, .good, "Verified: it is Kelly.", "It received First Name, Last Name, Age over 21"),
    ("consent/declined-in-wallet", nil, .calm, "The person said no.", "as it does when no app may answer"),
    ("browser/page-aborts", nil, .calm, "The page ended its call.", "Nothing about the person left the phone."),
    ("selector/unsigned-request", nil, .bad, "No app may answer.", "cannot tell this from a refusal by the person"),
    ("reader/unknown-authority", nil, .bad, "No app may answer.", "both are NotAllowedError."),
    (
      "documents/element-not-held", "weight", .good, "Verified, with less than the site asked for.",
      "not receive Weight."
    ),
    ("faults/network/response-altered", nil, .bad, "The server noticed.", "This was broken: "),
    ("faults/network/reader-signature-altered", nil, .bad, "The sandbox noticed.", "readerAuthAll[0] does not verify"),
    ("faults/browser/raw-request-replaced", nil, .bad, "Wallet noticed.", "asks for something else"),
    (
      "faults/issuer/deviations", "root in chain", .warning, "The server noticed, and accepted it.",
      "The chain includes a root"
    ),
    ("session/verified-twice", nil, .good, "Verified: it is Kelly.", "none failed"),
    (
      "revocation/revoked", nil, .good, "Verified: it is Kelly.",
      "Before that, the server noticed [status.revocation/revoked]."
    ),
    ("headline", nil, .good, "Verified: it is Kelly.", "Then the server told the page."),
    (
      "in-app/accepted", "the elements of the app", .good, "Verified, with less than the app asked for.",
      "and this app accepts it"
    ),
    (
      "cross-device/phishing-relays-the-code", "the laptop is far away", .bad, "The client platform noticed.",
      "No advert was heard."
    ),
    (
      "cross-device/adverts", "all adverts are jammed", .bad, "The client platform noticed.", "No advert was heard."
    ),
    (
      "cross-device/adverts", "the advert is jammed, and replayed when the tunnel has ended", .bad,
      "The client platform noticed.", "The tunnel service refused the connection."
    ),
    (
      "own-server/a-signing-server-outside", nil, .warning, "Wallet noticed, and accepted it.",
      "The response was verified."
    ),
    (
      "faults/list-operator/issuer-list", "signed by another operator", .warning, "The server noticed.",
      "A response was verified all the same."
    ),
    ("in-app/not-answered", "the person declines", .calm, "The person said no.", "left the phone."),
    (
      "checkout/identity-step", "a page that orders without a verified session", .bad,
      "The server of imitation noticed.", "has no verified documents."
    ),
  ]

  @Test("The sentences of shipped scenarios", arguments: table)
  func sentences(_ file: String, _ name: String?, _ tone: Conclusion.Tone, _ title: String, _ text: String) async throws
  {
    let results = try await ShippedScenarios.results(of: "\(ShippedScenarios.folder)/\(file).yaml")
    let result = try #require(results.first { name == nil || $0.scenario.caseName == name })
    let conclusion = try #require(Conclusion(of: result.journal.entries, lastLine: result.lastLine))
    #expect(conclusion.tone == tone && conclusion.title == title, "\(conclusion)")
    #expect(conclusion.text.contains(text), "\(conclusion)")
  }

  @Test("A presentment has no conclusion before its end")
  func beginnings() async throws {
    let headline = try await ShippedScenarios.results(of: ShippedScenarios.folder + "/headline.yaml")
    let entries = try #require(headline.first).journal.entries
    #expect(Conclusion(of: []) == nil)
    let verdict = try #require(entries.firstIndex { $0.event.verdict != nil })
    for end in [1, verdict / 2, verdict] { #expect(Conclusion(of: Array(entries[..<end])) == nil) }
    #expect(Conclusion(of: entries) != nil)
    // Another visit begins another one.
    let visit = try #require(entries.first { $0.event.message?.kind == .visit })
    #expect(Conclusion(of: entries + [visit]) == nil)
  }

  @Test("A change of the world that hides apps counts as noticed only beside a run without it")
  func hiddenApps() async throws {
    let headline = try await ShippedScenarios.results(of: ShippedScenarios.folder + "/headline.yaml")
    let entries = try #require(headline.first).journal.entries
    let changes = ["Another reader authority signs the request"]
    // The headline hides Other Wallet, which is not the change's doing if the honest run hides it, too.
    let same = try #require(Conclusion(of: entries, changes: changes) { entries })
    #expect(same.title == "Nobody noticed." && same.tone == .warning)
    let offersAll = entries.filter { if case .hidden? = $0.event.selection { false } else { true } }
    let hidden = try #require(Conclusion(of: entries, changes: changes) { offersAll })
    #expect(hidden.title == "The operating system noticed.", "\(hidden)")
    #expect(hidden.text.contains("It hid Other Wallet") && hidden.code == "selector.reader/untrusted", "\(hidden)")
    let unknown = try #require(Conclusion(of: entries, changes: changes))
    #expect(unknown.title == "No check failed." && unknown.text.contains("Only a run without the fault"), "\(unknown)")
  }
}
