import BatchRuns
import Reports
import ScenarioRunner
import ShippedScenarios
import Testing

@testable import ScenarioLanguage

@Suite("The choice of cases")
struct CaseSelectionTests {
  @Test(
    "an expression holds for the right texts",
    arguments: [
      ("a", ["a"], true), ("a", ["b"], false), ("a and b", ["a"], false), ("a and b", ["a", "b"], true),
      ("a or b", ["b"], true), ("not a", ["a"], false), ("not not a", ["a"], true),
      // 'and' binds more than 'or'.
      ("a or b and c", ["a"], true), ("(a or b) and c", ["a"], false), ("not a and b", ["b"], true),
      ("not (a and b)", ["a"], true),
      // Words that follow each other are one text.
      ("valid for  no time", ["valid for no time"], true), ("valid for", ["valid"], false),
      ("\"and\"", ["and"], true), ("'a b' or c", ["a b"], true), ("'(a)'", ["(a)"], true), ("''", [""], true),
      ("Kelly's", ["Kelly's"], true),
    ])
  func holds(expression: String, texts: [String], expected: Bool) throws {
    #expect(try CaseExpression(expression).holds(texts.contains) == expected)
  }

  @Test(
    "an expression with a mistake is refused",
    arguments: [
      ("", "expression.incomplete"), ("and", "expression.incomplete"), ("a and", "expression.incomplete"),
      ("a or or b", "expression.incomplete"), ("not", "expression.incomplete"), ("()", "expression.incomplete"),
      ("(a", "expression.unclosed"), ("'a", "expression.unclosed"), ("a)", "expression.trailing"),
      ("a (b)", "expression.trailing"), ("a not b", "expression.trailing"),
      (String(repeating: "(", count: 10_000), "expression.too-deep"),
      (String(repeating: "not ", count: 10_000), "expression.too-deep"),
    ])
  func refuses(expression: String, code: String) {
    let error = #expect(throws: CaseExpressionError.self) { try CaseExpression(expression) }
    #expect(error?.code.rawValue == code)
  }

  private static func names(_ change: (inout CaseSelection) throws -> Void) throws -> [String] {
    var selection = CaseSelection()
    try change(&selection)
    return try ShippedScenarios.cases().filter(selection.contains).map(\.name)
  }

  @Test("every condition must hold, and the name of a case is exact") func selects() throws {
    let all = try ShippedScenarios.cases()
    let withName = try #require(all.first { $0.caseName != nil })
    #expect(try Self.names { _ in }.count == all.count)
    let one = try Self.names {
      $0.caseName = withName.caseName
      $0.filters = [try CaseExpression("'\(withName.path)'")]
    }
    #expect(one == [withName.name])
    #expect(try Self.names { $0.tags = [try CaseExpression("no-such-tag")] }.isEmpty)
    #expect(try Self.names { $0.tags = [try CaseExpression("not no-such-tag")] }.count == all.count)
    #expect(try Self.names { $0.only = EarlierFailures(cases: [CaseIdentity(withName)]) } == [withName.name])
  }
}
