import CrossCheckTrait
import Foundation
import TestSupport
import Testing

@testable import ExchangeFiles

/// Exchanges that the programs in `Tests/External/Interoperability` made: other implementations of the wallet, the issuing
/// authority and the website's request. They need no Python, so they are verified wherever the tests run.
@Suite("Exchanges of another implementation", .crossChecked)
struct KnownExchangeTests {
  private static func file(_ name: String) throws -> Any {
    let file = Programs.package.appendingPathComponent("Tests/WebPresentmentTests/Vectors/\(name).json")
    return try JSONSerialization.jsonObject(with: Data(contentsOf: file))
  }

  private static func draft(_ json: Any) throws -> Draft {
    try Draft(ExchangeFile([UInt8](JSONSerialization.data(withJSONObject: json))))
  }

  @Test("The answer to an app's request verifies, with its document")
  func inApp() async throws {
    let known = try #require(try Self.file("in-app") as? [String: Any])
    let report = try await Self.draft(try #require(known["exchange"])).verified(at: moment("2026-06-01T00:00:00Z"))
    #expect(report.isVerified, "\(report.text)")
    #expect(report.json.contains(#""given_name":"Erika""#) && report.json.contains(#""age_over_21":true"#))
    #expect(!report.json.contains("family_name"))
  }

  @Test("The answer to a website's request verifies, and another origin's transcript does not open it")
  func web() async throws {
    var draft = try Self.draft(try Self.file("web"))
    let time = try moment("2027-01-01T00:00:00Z")
    let report = try await draft.verified(at: time)
    #expect(report.isVerified, "\(report.text)")
    for element in [#""family_name":"Müstermann""#, #""birth_date":"1971-09-01""#] {
      #expect(report.json.contains(element))
    }
    draft.members["origin"] = .string("https://other.example")
    #expect(try await draft.verified(at: time).failure?.check == "response.decryption")
  }

  @Test("The reader's signature over a website's request verifies for its origin alone")
  func request() async throws {
    let exchange = try ExchangeFile([UInt8](JSONSerialization.data(withJSONObject: try Self.file("web"))))
    let wallet = WalletResponder(documents: [])
    let time = try moment("2027-01-01T00:00:00Z")
    let findings = await wallet.findings(about: exchange, origin: nil, at: time)
    #expect(findings.contains { $0.contains("readerAuthAll[0] verifies") }, "\(findings)")
    let elsewhere = await wallet.findings(about: exchange, origin: "https://other.example", at: time)
    #expect(elsewhere.contains { $0.contains("readerAuthAll[0] does not verify") }, "\(elsewhere)")
  }
}
