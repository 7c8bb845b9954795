import BatchRuns
import Checks
import DigitalCredentials
import IdentityDocumentServices
import Messaging
import RelyingParty
import Reports
import ScenarioFiles
import ShippedScenarios
import Testing

@testable import LocatedYAML
@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("The explanation of a selection")
struct ExplainReportTests {
  private func explained(
    _ path: String, case name: String? = nil, about topic: ExplainReport.Topic = .selector
  ) throws -> String {
    let problems = ProblemCollector()
    let cases = try #require(ScenarioReader.read("\(ShippedScenarios.folder)/\(path).yaml", problems))
    let scenario = try #require(cases.first { $0.caseName == name })
    return ExplainReport.text(of: ScenarioRun.run(scenario), about: topic)
  }

  @Test("every app is listed with its conditions, and hidden apps with the reason")
  func headline() throws {
    #expect(
      try explained("headline") == """
        Rent a spaceship with an ID in Wallet

        17:00:03 kellys-iphone: https://spaceship-rentals.example asks
          document  org.iso.18013.5.1.mDL, of any issuer
          use case  mandatory: org.iso.18013.5.1.mDL
          signed by spaceship-rentals.example
          authority 84cdf0746a110d2ac6a22c7f1e21fb8f4d461fb4, Apple Business Connect Reader Root
          signed by spaceship-rentals.example
          authority 10ebe2e408edd8b49002dbbf0809b5f9b228b667, Local Driving Authority Reader Root
          compared  the authority of each chain's topmost certificate (root)

          registrations
          Wallet
            document     mDL, org.iso.18013.5.1.mDL
            issuer keys  dc5905dbbd2300bd7cb0b0f0acc51c5f951a9bdb
            readers      Apple Business Connect Reader Root (84cdf0746a110d2ac6a22c7f1e21fb8f4d461fb4)
            until        2026-09-15T17:00:00Z
            last request offered
          Other Wallet
            document     mDL, org.iso.18013.5.1.mDL
            issuer keys  dc5905dbbd2300bd7cb0b0f0acc51c5f951a9bdb
            readers      fdf2bb7c20cb1e99942f421c3131dd4ff26f331a
            until        2026-09-15T17:00:00Z
            last request not offered: the request is not signed for a reader authority that the app trusts
                         [selector.reader/untrusted]
          Local Driving Authority
            document     mDL, org.iso.18013.5.1.mDL
            issuer keys  400c53985d08b1b7d6d8a8c769c549e7da75cb8b
            readers      Local Driving Authority Reader Root (10ebe2e408edd8b49002dbbf0809b5f9b228b667)
            until        2026-09-15T17:00:00Z
            last request offered

          app                     authorized registered entitled requested current reader issuer use case
          Local Driving Authority yes        yes        yes      yes       yes     yes    yes    yes
            offered: mDL, org.iso.18013.5.1.mDL
          Wallet                  yes        yes        yes      yes       yes     yes    yes    yes
            offered: mDL, org.iso.18013.5.1.mDL
          Other Wallet            yes        yes        yes      yes       yes     NO     -      -
            hidden: the request is not signed for a reader authority that the app trusts
                [selector.reader/untrusted]
            it would appear: sign the request with a valid certificate of an authority that Other Wallet
                trusts (fdf2bb7c20cb1e99942f421c3131dd4ff26f331a)

        """)
  }

  @Test("what is missing is listed for each app when no app can answer")
  func nobody() throws {
    #expect(
      try explained("selector/no-app-can-answer", case: "Chromium") == """
        Every app is hidden, each for another reason: Chromium

        17:00:04 kellys-iphone: https://spaceship-rentals.example asks
          document  org.iso.18013.5.1.mDL, of any issuer
          use case  mandatory: org.iso.18013.5.1.mDL
          signed by spaceship-rentals.example
          authority 46a8dc2100ad63bf397e6f200f2bf6fca976c32d, Harbor Authority Reader Root
          compared  the authority of each chain's topmost certificate (root)

          registrations
          Wallet
            document     mDL, org.iso.18013.5.1.mDL
            issuer keys  a58e66b9c736f81cab7a461359276c2b1907d782
            readers      0ea6b304103fd30855e1caab5e2e77c1a065f650
            until        2026-09-15T17:00:00Z
            last request not offered: the request is not signed for a reader authority that the app trusts
                         [selector.reader/untrusted]

          app                     authorized registered entitled requested current reader issuer use case
          Local Driving Authority NO         -          -        -         -       -      -      -
            hidden: the person has not allowed the app to provide documents [selector.app-authorization]
            it would appear: allow Local Driving Authority in Settings
          Other Wallet            yes        NO         -        -         -       -      -      -
            hidden: the app has registered no document [selector.registration]
            it would appear: add a document to Other Wallet
          Wallet                  yes        yes        yes      yes       yes     NO     -      -
            hidden: the request is not signed for a reader authority that the app trusts
                [selector.reader/untrusted]
            it would appear: sign the request with a valid certificate of an authority that Wallet trusts
                (0ea6b304103fd30855e1caab5e2e77c1a065f650)
          No app can answer.

        """)
  }

  @Test("every authority of a chain is named, with those that the lists are compared with")
  func chain() throws {
    let text = try explained(
      "selector/intermediate-certificates",
      case: "through an intermediate, any in the chain read, the intermediate named")
    let lines = text.split(separator: "\n")
    let signer = try #require(lines.firstIndex(of: "  signed by spaceship-rentals.example"))
    #expect(lines[signer + 1].hasSuffix(", Apple Business Connect Reader Issuing"))
    #expect(lines[signer + 2].hasSuffix(", Apple Business Connect Reader Root"))
    #expect(lines.contains("  compared  the authority of every certificate (any-in-chain)"))
  }

  @Test("an unsigned request and the named issuers are reported")
  func unsigned() throws {
    let text = try explained(
      "selector/issuer-not-accepted", case: "an unsigned request names another issuer")
    #expect(text.contains("\n  unsigned\n"))
    #expect(text.contains(#/document  org.iso.18013.5.1.mDL, of issuers [0-9a-f]{40},\n +[0-9a-f]{40}\n/#))
  }

  @Test("the reason is shown when no request reached the selector")
  func noSelection() throws {
    let text = try explained("browser/no-user-gesture", case: "right after it loaded")
    #expect(text.contains("\nNo request reached the selector.\n  browser:kellys-iphone: The call needs a user"))
    #expect(text.contains("[browser.user-activation]"))
  }

  @Test("every check of every party is listed, with the evidence of a failure")
  func checks() throws {
    let passed = try explained("headline", about: .checks)
    for id in BrowserCheck.allCases.map(\.id) + ProviderCheck.made(inProduction: false).map(\.id)
      + ExchangeCheck.allCases.map(\.id)
    {
      #expect(passed.contains("\n  ok   \(id) "), "\(id)")
    }
    #expect(!passed.contains("\n  NO "))
    let failed = try explained("reader/certificate-expires-while-the-person-reads", about: .checks)
    #expect(failed.contains("\n  ok   provider.reader-signature "))
    #expect(failed.contains("\n  NO   provider.reader/expired "))
    #expect(failed.contains("\n  -    provider.document "))
    #expect((passed + failed).split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("a device without apps is reported")
  func noApp() throws {
    let text = try explained("selector/no-app-can-answer", case: "a device without apps")
    #expect(text.contains("\n  The device has no apps.\n"))
  }

  @Test(
    "every app has a row, every hidden app a NO, and lines fit", arguments: ShippedScenarios.files)
  func fits(file: String) async throws {
    // A literal is compiled at each use.
    let row = #/ (yes|NO) +(yes|NO|-) +(yes|NO|-) +(yes|NO|-) +(yes|NO|-)/#
    for result in try await ShippedScenarios.results(of: file) {
      let lines = ExplainReport.text(of: result, about: .selector).split(separator: "\n").dropFirst()
      #expect(lines.allSatisfy { $0.count <= 100 }, "\(lines.filter { $0.count > 100 })")
      let outcomes = result.journal.entries.compactMap { $0.event.selection == nil ? nil : $0.event.outcome }
      let rows = lines.filter { $0.contains(row) }
      #expect(rows.count { $0.contains(" NO ") || $0.hasSuffix(" NO") } == outcomes.count { $0 == "hidden" })
      #expect(rows.count { !$0.contains(" NO ") && !$0.hasSuffix(" NO") } == outcomes.count { $0 == "offered" })
    }
  }

  @Test("the explanation is printed before the result of its case")
  func batch() throws {
    var batch = BatchRun(paths: [ShippedScenarios.folder + "/headline"])
    batch.views = [{ ExplainReport.text(of: $0, about: .selector) }]
    let output = BatchRunTests.run(batch).output
    #expect(output.count == 3)
    #expect(output.first == (try explained("headline")))
    #expect(output.dropFirst().first?.hasPrefix("passed  ") ?? false)
  }

  @Test("long names and marks keep their columns, and control characters are replaced")
  func longName() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write(
      "long.yaml",
      """
      scenario: A long name
      world: spaceport
      changes:
        devices:
          kellys-iphone:
            apps: { "The Wallet of the United\\u0007 Harbors and their Lighthouses": { documents: [] } }
      steps:
        - person: { visits: spaceship-rentals }
        - person: { taps: Verify Identity }
        - released: never
      """)
    var batch = BatchRun(paths: [folder.path])
    batch.views = [{ ExplainReport.text(of: $0, about: .selector) }]
    let lines = (BatchRunTests.run(batch).output.first ?? "").split(separator: "\n")
    let row = try #require(lines.firstIndex { $0.contains("The Wallet of the") })
    #expect(lines[row].contains(" yes        NO         -"))
    #expect(lines[row + 1].hasPrefix("  ") && lines[row + 1].count <= 28)
    #expect(lines.allSatisfy { $0.count <= 100 && !$0.contains("\u{7}") })
  }
}
