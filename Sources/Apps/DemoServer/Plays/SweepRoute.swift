import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import Primitives
import Reports
import ScenarioLanguage
import ScenarioRunner
import ScenarioSearch

/// The map of who notices each altered byte of a run: the page that `sweep --html` writes, as a view of the stage.
struct SweepRoute: Sendable {
  let plays: PlayRoutes

  /// The maximum number of flipped bits of a page, for a page in seconds: a flip is a run of the case, which takes a
  /// hundredth of one.
  static let flipLimit = 600

  /// The page forbids everything but its own styles.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  /// Responds to `/api/play/sweep`. The work does not begin for a client that has left, and ends when it leaves.
  func respond(_ request: Request, to client: Client) async throws(HTTPProblem) -> Response {
    var wanted = try plays.wanted(request)
    guard wanted.setting.faults.isEmpty else {
      throw HTTPProblem(.badRequest, .member, "fault: a sweep alters a run without faults")
    }
    let message = try request.query("message").map { text throws(HTTPProblem) in
      guard let number = Int(text) else { throw HTTPProblem(.badRequest, .member, "message: not a number") }
      return number
    }
    // As the command does: a process for each run would take several times as long.
    wanted.setting.sandbox = plays.sandbox ?? .inProcess
    let setting = wanted.setting
    let isWanted: @Sendable () -> Bool = { !client.hasLeft }
    let view = Self.view(of: request, setting, message: message)
    let page = try await plays.pageWorkers.attempt(isWanted: isWanted) { () throws(HTTPProblem) in
      try Self.html(of: setting, message: message, in: view, isWanted: isWanted)
    }
    var response = Reply.bytes(Data(page.utf8), type: "text/html; charset=utf-8")
    response.headers[.contentSecurityPolicy] = Self.policy
    return response
  }

  /// Returns the page.
  ///
  /// - Parameter isWanted: Returns false if the page has become useless; then no further run begins.
  static func html(
    of setting: DemoConfiguration, message: Int?, in view: SweepReport.View, isWanted: @escaping @Sendable () -> Bool
  ) throws(HTTPProblem) -> String {
    let scenario: Scenario
    do throws(InteractiveWorldError) { scenario = try setting.playedScenario() } catch { throw HTTPProblem(error) }
    var plan = SweepPlan(scenario)
    plan.seed = setting.seed
    plan.onlyMessage = message
    plan.flipLimit = flipLimit
    plan.flipsOnly = message == nil
    let result: SweepResult
    do throws(SweepError) { result = try plan.run(isWanted: isWanted) } catch {
      throw error.code == .noMessage
        ? HTTPProblem(.notFound, .notFound, error.message)
        : HTTPProblem(.badRequest, .member, "scenario: \(error.message)")
    }
    guard isWanted() else { throw HTTPProblem(.gone, .gone, "the client does not wait for the page") }
    return SweepReport(result).html(in: view)
  }

  private static func view(of request: Request, _ setting: DemoConfiguration, message: Int?) -> SweepReport.View {
    let names = ["scenario=", "seed=", "language="]
    let query = (request.uri.query ?? "").split(separator: "&").filter { part in names.contains { part.hasPrefix($0) } }
      .joined(separator: "&")
    var command = "presentment sweep \(CaseResult.quoted(setting.path))"
    if let name = setting.caseName { command += " --case \(CaseResult.quoted(name))" }
    if let seed = setting.seed { command += " --seed \(seed)" }
    if let message { command += " --only \(message)" }
    return SweepReport.View(run: "/?\(query)", query: query, message: message, allBytes: command + " --html map.html")
  }
}
