import JSON
import LocatedYAML
import Primitives
import ScenarioSearch

/// The cases that pass without what they are about, as text and as JSON for tools.
package struct VacuousReport {
  private let result: VacuousResult
  private let problems = ProblemCollector(limit: SourceLimits.problemsOfRun)

  /// Creates the report.
  package init(_ result: VacuousResult) {
    self.result = result
    for problem in result.failures + result.findings.map(\.problem) + result.unneeded { problems.report(problem) }
  }

  /// The findings with their lines of the files, and the sums.
  package var text: String { (problems.isEmpty ? "" : problems.rendered() + "\n\n") + summary + "\n" }

  private var summary: String {
    let sums = [
      "\(result.findings.count) without which the cases still pass", "\(result.exempted) more for a given reason",
      result.unneeded.isEmpty ? nil : "\(result.unneeded.count.counted("reason")) not needed",
      result.failures.isEmpty ? nil : "\(result.failures.count.counted("case")) that \(doNot) pass",
    ]
    let parts = result.parts == 1 ? "1 fault or change" : "\(result.parts) faults and changes"
    return "\(result.cases.counted("case")), \(parts): " + sums.compactMap(\.self).joined(separator: ", ")
  }

  private var doNot: String { result.failures.count == 1 ? "does not" : "do not" }

  /// The same in JSON, with members in alphabetical order.
  package var json: [UInt8] {
    JSONWriter.indented { json in
      json.object { json in
        json.member("cases", result.cases)
        json.member("exempted", result.exempted)
        json.member("findings", objects: result.findings) { finding, json in
          json.member("cases", finding.cases.map(\.name))
          json.member("code", finding.problem.code.rawValue)
          json.member("isSame", finding.isSame)
          json.member("kind", finding.part.kind.rawValue)
          json.member("line", finding.part.position.line)
          json.member("message", finding.problem.message)
          json.member("name", finding.part.name)
          json.member("path", finding.part.position.file.path)
        }
        json.member("parts", result.parts)
        json.member("problems", objects: result.failures + result.unneeded) { problem, json in
          json.member("code", problem.code.rawValue)
          json.member("line", problem.position?.line)
          json.member("message", problem.message)
          json.member("path", problem.path)
        }
      }
    }
  }
}
