import Foundation
import TestSupport
import Testing

/// The table of faults in docs/your-site.md: `presentment answer` with each fault, and what `presentment verify` says to
/// the answer.
@Suite("Faults for an external site") struct MakeItFailTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// The names of the faults, separated by spaces as in `data-fault`.
    let faults: String
    /// The failed check, with its reason; for a refusal by the phone, the code of the command.
    let check: String

    var testDescription: String { faults }
  }

  private static let rows: [Row] = {
    let page = Programs.package.appendingPathComponent("docs/your-site.md")
    guard let text = try? String(contentsOf: page, encoding: .utf8),
      let part = text.components(separatedBy: "\n## ").first(where: { $0.hasPrefix("Make it fail\n") })
    else { return [] }
    return part.matches(of: /\n\| `([a-z. -]+)` \|[^|]*\| `([a-z.\/-]+)` \|/).map {
      Row(faults: String($0.output.1), check: String($0.output.2))
    }
  }()

  @Test func thePageHasATable() { #expect(Self.rows.count >= 8) }

  @Test(arguments: rows) func theServerSaysWhatThePageSays(_ row: Row) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func run(_ arguments: [String]) async throws -> Programs.Run {
      try await Programs.run(Programs.presentment, arguments, in: folder)
    }
    let origin = "http://localhost:9000"
    let asked = try await run([
      "request", "--origin", origin, "--document-type", "org.iso.18013.5.1.mDL", "--element",
      "org.iso.18013.5.1:given_name", "--out", "exchange.json", "--page", "page.json",
    ])
    try #require(asked.code == 0, "\(asked)")
    let world = Programs.package.appendingPathComponent("scenarios/worlds/any-site.yaml").path
    let answered = try await run(
      [
        "answer", "--request", "page.json", "--origin", origin, "--world", world, "--sandbox", "in-process",
        "--issuer-roots", "roots.pem",
      ] + row.faults.split(separator: " ").flatMap { ["--fault", String($0)] })
    guard answered.code == 0 else {
      #expect(answered.code == 1 && answered.errors.contains("[\(row.check)]"), "\(answered)")
      return
    }
    let file = folder.appendingPathComponent("exchange.json")
    var exchange = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    exchange["response"] = try JSONSerialization.jsonObject(with: Data(answered.output.utf8))
    try JSONSerialization.data(withJSONObject: exchange).write(to: file)
    let verified = try await run(["verify", "exchange.json", "--json", "--issuer-root", "roots.pem"])
    struct Report: Decodable {
      struct Failure: Decodable {
        var check: String
        var reason: String?
      }

      var failure: Failure?
    }
    let failure = try JSONDecoder().decode(Report.self, from: Data(verified.output.utf8)).failure
    let said = failure.map { [$0.check, $0.reason].compactMap(\.self).joined(separator: "/") }
    #expect(verified.code == 1 && said == row.check, "\(verified)")
  }

  @Test func theCommandRefusesFaultsOfSimulatedWebsites() async throws {
    let run = try await Programs.run(
      Programs.presentment,
      [
        "answer", "--request", "page.json", "--origin", "http://localhost:9000", "--world", "world.yaml", "--fault",
        "website.request-too-deep",
      ])
    #expect(run.code == 2 && run.errors.contains("a real site brings its own server"), "\(run)")
  }
}
