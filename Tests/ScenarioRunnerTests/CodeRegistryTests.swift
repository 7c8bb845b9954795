import Certificates
import Checks
import DevicePlatform
import DigitalCredentials
import IdentityDocumentServices
import Messaging
import MobileDocument
import OpenID4VP
import RelyingParty
import SDJWT
import ShippedScenarios
import Testing
import TrustLists
import WebPresentment

@testable import ScenarioLanguage

@Suite("Codes")
struct CodeRegistryTests {
  @Test("each code is in the registry once")
  func unique() {
    var seen: Set<String> = []
    let repeated = CodeRegistry.all.filter { !seen.insert($0).inserted }
    #expect(repeated.isEmpty)
    #expect(CodeRegistry.all.count > 100)
  }

  @Test("codes are lower-case words joined by dots")
  func shape() {
    for code in CodeRegistry.all {
      #expect(
        code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*(\/[a-z0-9]+(-[a-z0-9]+)*)?/) != nil,
        "\(code)")
    }
  }

  @Test("journals of shipped scenarios contain registered codes only")
  func complete() async throws {
    let known = Set(CodeRegistry.all)
    for result in try await ShippedScenarios.results() {
      let unknown = result.journal.entries.compactMap(\.event.code).filter { !known.contains($0) }
      #expect(unknown == [], "\(result.scenario.path)")
    }
  }

  @Test("the events of shipped scenarios have the declared role and outcome")
  func declared() async throws {
    let definitions = Dictionary(uniqueKeysWithValues: JournalEvent.definitions.map { ($0.code, $0) })
    var found: Set<String> = []
    for result in try await ShippedScenarios.results() {
      for entry in result.journal.entries {
        guard let definition = entry.event.code.flatMap({ definitions[$0] }) else { continue }
        found.insert(definition.code)
        let place = "\(definition.code) in \(result.scenario.path), line \(entry.number)"
        #expect(definition.roles.isEmpty || definition.roles.contains(entry.party.role), "\(place)")
        switch definition.outcome {
        case .none: #expect(entry.event.outcome == nil, "\(place)")
        case .severity(let severity):
          #expect(entry.event.outcome == severity.rawValue, "\(place)")
          #expect(entry.event.note?.severity == severity, "\(place)")
        case .word(let word): #expect(entry.event.outcome == word, "\(place)")
        case .value: #expect(entry.event.note?.value != nil, "\(place)")
        }
      }
    }
    #expect(found.count > 30)
  }

  @Test("every verification that passes lists the same checks in the same order")
  func sameChecks() async throws {
    // A server also fetches roots and lists of them: at its start, and before some verifications.
    let ofRoots = Set((RootCheck.definitions + VICALCheck.definitions).map(\.id))
    let firstOfDocuments = [ResponseCheck.issuerForm.id, SDJWTCheck.structure.id]
    var lists: Set<[String]> = []
    for result in try await ShippedScenarios.results() {
      var checks: [String] = []
      for entry in result.journal.entries {
        if let made = entry.event.check, entry.party.role == .server {
          if ofRoots.contains(made.check) { continue }
          if checks.last != made.check { checks.append(made.check) }
        } else if let verdict = entry.event.verdict {
          // Of one document: the others repeat its checks.
          let isOfOneDocument = checks.count { firstOfDocuments.contains($0) } == 1
          if verdict.verdict == .verified, isOfOneDocument {
            lists.insert(checks.filter { !$0.hasPrefix("status.") })
          }
          checks = []
        }
      }
    }
    let ofSession = ExchangeCheck.definitions.map(\.id).filter { $0.hasPrefix("session.") }
    func inOpenID4VP(isEncrypted: Bool, _ ofDocument: [String]) -> [String] {
      ofSession + [ExchangeCheck.protocol.id] + PresentationResponseCheck.ofToken(isEncrypted: isEncrypted).map(\.id)
        + ofDocument
        + (PresentationResponseCheck.ofPresentation + PresentationResponseCheck.ofExchange(hasTransactions: false)).map(
          \.id)
    }
    let inAnnexC = [
      ExchangeCheck.definitions + ResponseCheck.definitions,
      ExchangeCheck.definitions + ResponseCheck.definitions + ProductionCheck.definitions,
    ]
    let inOpenID4VP = [ResponseCheck.definitions, SDJWTCheck.definitions].flatMap { ofDocument in
      [true, false].map { inOpenID4VP(isEncrypted: $0, ofDocument.map(\.id)) }
    }
    let inApp = ofSession + (InAppCheck.definitions + ResponseCheck.definitions).map(\.id)
    #expect(lists == Set(inAnnexC.map { $0.map(\.id) } + inOpenID4VP + [inApp]))
  }

  /// The checks of a party's runs, a list for each run. A run ends where the checks begin again.
  private static func runs<Family: CheckFamily>(
    _ journal: Journal, of role: Party.Role, _ family: Family.Type
  ) -> [[CheckResult]] {
    let first = Family.definitions.first?.id
    let known = Set(Family.definitions.map(\.id))
    var runs: [Party: [[CheckResult]]] = [:]
    for entry in journal.entries where entry.party.role == role {
      guard let result = entry.event.check, known.contains(result.check) else { continue }
      if result.check == first { runs[entry.party, default: []].append([]) }
      guard let last = runs[entry.party]?.indices.last else { continue }
      runs[entry.party]?[last].append(result)
    }
    return runs.sorted { $0.key.description < $1.key.description }.flatMap(\.value)
  }

  @Test("every answer of a provider app lists the same checks in the same order")
  func sameProviderChecks() async throws {
    var statuses: Set<String> = []
    for result in try await ShippedScenarios.results() {
      for run in Self.runs(result.journal, of: .app, ProviderCheck.self) {
        let isInProduction = run.contains { $0.check == ProviderCheck.production.id }
        let every = ProviderCheck.made(inProduction: isInProduction).map(\.id)
        let answer = run.prefix(every.count)
        #expect(answer.map(\.check) == every, "\(result.scenario.path)")
        statuses.insert(answer.map { $0.status == .passed ? "+" : $0.status == .failed ? "!" : "-" }.joined())
        // An app that refuses a later request before it shows its view records the check that failed, alone.
        for refusal in run.dropFirst(every.count) {
          #expect(refusal.status == .failed, "\(result.scenario.path)")
          #expect(
            [ProviderCheck.reader.id, ProviderCheck.domain.id].contains(refusal.check), "\(result.scenario.path)")
        }
      }
    }
    #expect(statuses.isSuperset(of: ["+++++++", "!------", "+!-----", "++!----", "+++!---", "++++-++", "+++++!-"]))
  }

  @Test("every call with a credential lists the same checks of the browser in the same order")
  func sameBrowserChecks() async throws {
    let every = BrowserCheck.definitions.map(\.id)
    let beforeTheChoice = every.prefix { $0 != BrowserCheck.choice.id }
    var complete = 0
    for result in try await ShippedScenarios.results() {
      for run in Self.runs(result.journal, of: .browser, BrowserCheck.self) {
        #expect(run.allSatisfy { $0.status == .passed })
        // A call can be rejected while another one is pending, whose last checks follow then.
        let names = run.map(\.check)
        let begun = names.filter(beforeTheChoice.contains)
        let ended = names.filter { !beforeTheChoice.contains($0) }
        #expect(begun == every.filter(begun.contains), "\(result.scenario.path)")
        #expect(ended.isEmpty || ended == every.filter(ended.contains), "\(result.scenario.path)")
        if begun.elementsEqual(beforeTheChoice), ended.last == every.last {
          #expect(names == every, "\(result.scenario.path)")
          complete += 1
        }
      }
    }
    #expect(complete > 100)
  }

  @Test("every run of a sandbox or a reader authority lists each of its checks once, in the order of the declarations")
  func sameChecksOfOthers() async throws {
    let sandbox = [false, true].map { SandboxCheck.made(ofOpenID4VP: $0).map(\.id) }
    let plans: [Party.Role: [[String]]] = [
      .sandbox: sandbox, .readerAuthority: [ReaderAuthorityCheck.allCases.map(\.id)],
    ]
    var outcomes: [Party.Role: Set<[CheckResult.Status]>] = [:]
    for result in try await ShippedScenarios.results() {
      for (role, plans) in plans {
        let results = result.journal.entries.filter { $0.party.role == role }.compactMap(\.event.check)
        let made = results.filter { $0.check != SandboxCheck.worker.id }
        // Every plan of a role begins with the same check.
        let starts = made.indices.filter { made[$0].check == plans[0][0] }
        #expect(starts.first ?? 0 == 0, "\(result.scenario.path)")
        for (start, end) in zip(starts, starts.dropFirst() + [made.count]) {
          let run = made[start..<end]
          #expect(plans.contains(run.map(\.check)), "\(result.scenario.path)")
          outcomes[role, default: []].insert(run.map(\.status))
        }
      }
    }
    for (role, plan) in plans.flatMap({ role, plans in plans.map { (role, $0) } }) {
      let found = outcomes[role] ?? []
      #expect(found.contains(plan.map { _ in .passed }) && found.count > 1, "\(role)")
    }
    let alteredSignature: [CheckResult.Status] = [
      .notReached, .passed, .passed, .notReached, .passed, .notReached, .failed, .notReached,
    ]
    #expect(outcomes[.sandbox]?.contains(alteredSignature) == true)
  }
}
