import Foundation
import LocatedYAML
import ScenarioFiles
import Testing

@testable import ScenarioLanguage

/// Steps of the shipped scenarios.
enum ShippedSteps {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("scenarios").path
  static let files = ScenarioFinder.files(at: [folder], ProblemCollector())

  static func cases(of file: String) throws -> [Scenario] {
    let problems = ProblemCollector()
    return try #require(ScenarioReader.read(file, problems), "\(problems.rendered())")
  }
}

@Suite("Written steps")
struct StepWritingTests {
  @Test("every step of a shipped scenario survives a round trip", arguments: ShippedSteps.files)
  func roundTrip(file: String) throws {
    for scenario in try ShippedSteps.cases(of: file) {
      #expect(!scenario.steps.isEmpty)
      for located in scenario.steps {
        let text = located.step.text
        #expect(try Step(text, called: "written", for: scenario) == located.step, "\(text)")
      }
    }
  }

  @Test("each kind of step is written in its own form")
  func kinds() throws {
    var written: Set<String> = []
    for file in ShippedSteps.files {
      for step in try ShippedSteps.cases(of: file).flatMap(\.steps) {
        let value = StepForm.write(step.step)
        guard case .mapping(let entries) = value else {
          Issue.record("\(value.flow) is not a mapping")
          continue
        }
        let kinds = entries.map(\.key).filter { !StepForm.shared.map(\.name).contains($0) }
        #expect(kinds.count == 1, "\(value.flow)")
        written.formUnion(kinds)
      }
    }
    #expect(StepKind.all.map(\.key.name).filter { !written.contains($0) } == [])
  }

  @Test("the positions of a step's parts are found")
  func positions() throws {
    let scenario = try #require(try ShippedSteps.cases(of: ShippedSteps.folder + "/headline.yaml").first)
    let selector = try #require(
      scenario.steps.first { if case .expectation(.selector) = $0.step.content { true } else { false } })
    let line = selector.position.file.line(selector.position.line)
    func marked(_ path: StepPath) -> String {
      let position = selector.position(of: path)
      return String(line.dropFirst(position.column - 1).prefix(position.length))
    }
    #expect(marked(.step) == "selector")
    #expect(marked(StepPath("selector", "shows", end: .key)) == "shows")
    #expect(marked(StepPath("selector", "shows", end: .item("Local Driving Authority"))) == "Local Driving Authority")
    #expect(marked(StepPath("selector", "hides", "Other Wallet", end: .key)) == "Other Wallet")
    #expect(marked(StepPath("selector", "offers")) == "selector", "a part that the file does not write")
  }
}
