import DigitalCredentials
import Foundation
import TestSupport
import Testing

@Suite("Exceptions looked up")
struct ExceptionSituationTests {
  @Test("Each finding has one situation, with advice")
  func complete() {
    let findings = ExceptionSituation.all.map(\.finding)
    #expect(Set(findings) == Set(BrowserFinding.all) && findings.count == BrowserFinding.all.count)
    for situation in ExceptionSituation.all {
      #expect(situation.text.hasSuffix(".") && situation.advice.hasSuffix("."))
      #expect(BrowserProfile.all.contains(where: situation.occurs), "\(situation.finding.name)")
    }
  }

  @Test("The most likely cause comes first, in one browser and in all")
  func causes() {
    #expect(ExceptionSituation.causes(of: .notAllowedError).first?.finding == BrowserFinding(.choice))
    #expect(
      ExceptionSituation.causes(of: .notAllowedError, in: .chromium2026).first?.finding
        == BrowserFinding(.userActivation))
    #expect(ExceptionSituation.causes(of: .abortError, in: .safari26).first?.finding == BrowserFinding(.choice))
    #expect(ExceptionSituation.causes(of: .networkError, in: .spec2026).isEmpty)
    #expect(!ExceptionSituation.causes(of: .networkError).isEmpty)
  }

  @Test("A situation occurs in a browser if a random sequence reaches it there")
  func occurrence() {
    for profile in BrowserProfile.all {
      for seed in 0..<40 {
        var run = DrawnRun(profile: profile, seed: UInt64(seed))
        for _ in 0..<200 {
          _ = run.step()
          for case .reject(_, let exception, _) in run.last {
            let situation = ExceptionSituation.all.first { $0.finding == exception.code }
            #expect(situation?.occurs(in: profile) == true, "\(exception.code.name) in \(profile.name)")
          }
        }
      }
    }
  }

  @Test("The scenario of a situation has a case for each browser in which it occurs", arguments: ExceptionSituation.all)
  func scenario(situation: ExceptionSituation) throws {
    guard let scenario = situation.scenario else { return }
    let text = try String(contentsOf: Programs.package.appendingPathComponent(scenario + ".yaml"), encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for profile in BrowserProfile.all {
      guard let name = situation.exceptionName(in: profile) else { continue }
      #expect(lines.contains("- case: \(profile.name)"), "\(scenario)")
      #expect(text.contains("name: \(name), code: \(situation.finding.name) }"), "\(scenario): \(name)")
    }
  }

  @Test("No scenario shows a cause that the table does not have")
  func files() throws {
    let folder = Programs.package.appendingPathComponent("scenarios/browser/causes")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { $0.replacing(".yaml", with: "") }
    let named = ExceptionSituation.all.compactMap(\.scenario).map { String($0.split(separator: "/").last ?? "") }
    #expect(Set(files) == Set(named))
  }

  @Test("The page has every situation with its name in each browser")
  func page() {
    for situation in ExceptionSituation.all {
      #expect(ExceptionPage.text.contains("| `\(situation.finding.name)` |"))
    }
  }
}
