import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import DemoServer

/// Comparisons of two plays, called without a socket.
@Suite("Comparisons over HTTP") struct BesideTests {
  private struct Compared: Decodable {
    struct Difference: Decodable {
      struct Field: Decodable, Equatable {
        var name: String
        var left: String?
        var right: String?
      }

      struct Marks: Decodable {
        var left: [Int]
        var right: [Int]
      }

      var row: Int
      var fields: [Field]
      var count: Int
      var marks: Marks
    }

    struct First: Decodable {
      var row: Int
      var text: String
    }

    var isMasked: Bool
    var moments: [[Int]]
    var rows: [[Int]]
    var differences: [Difference]
    var first: First?
  }

  private static func compare(_ client: TestClient, _ query: String) async throws -> Compared {
    let response = try await client.execute(uri: "/api/beside?\(query)", method: .get)
    #expect(response.status == .ok, "\(String(buffer: response.body))")
    return try JSONDecoder().decode(Compared.self, from: Data(buffer: response.body))
  }

  @Test func theFirstDifferenceOfABrokenRunIsWhatTheFaultChanges() async throws {
    try await ServedStage.test { client in
      let compared = try await Self.compare(client, "scenario=headline&with-fault=network.response-altered")
      #expect(!compared.isMasked)
      // The fault is a step of its own on the right.
      #expect(compared.moments.prefix(3) == [[0, 0], [0, 1], [1, 2]] && compared.moments.last == [7, 8])
      let first = try #require(compared.first)
      #expect(first.text.hasPrefix("Message "), "\(first.text)")
      #expect(first.text.contains("cipherText"), "\(first.text)")
      #expect(compared.rows[first.row].last == 2 && !compared.rows[first.row].contains(0))
      let difference = try #require(compared.differences.first { $0.row == first.row })
      #expect(difference.count == 1 && difference.marks.left.count == 1 && difference.marks.right.count == 1)
      // Everything before it but the fault's own lines is the same.
      let earlier = compared.rows[..<first.row].filter { $0[2] == 2 }
      #expect(earlier.count == 2 && earlier.allSatisfy { $0[0] == 0 })
      #expect(compared.differences.contains { $0.fields.contains { $0.name == "outcome" && $0.right == "failed" } })
    }
  }

  @Test func anUnsignedRequestDiffersAtTheCertificatesBeforeTheFirstStep() async throws {
    try await ServedStage.test { client in
      let compared = try await Self.compare(client, "scenario=headline&with-fault=unsigned")
      #expect(compared.moments.last == [7, 7] && compared.first != nil)
    }
  }

  @Test func twoSeedsHaveNoDifferenceApartFromTheirValues() async throws {
    try await ServedStage.test { client in
      let compared = try await Self.compare(client, "scenario=headline&seed=7&with-seed=8")
      #expect(compared.isMasked && compared.first == nil && compared.differences.isEmpty)
      #expect(compared.rows.allSatisfy { $0[0] > 0 && $0[1] > 0 && $0[2] < 2 })
      #expect(compared.moments == (0...7).map { [$0, $0] })
    }
  }

  @Test func twoBrowsersThrowExceptionsWithOtherNames() async throws {
    try await ServedStage.test { client in
      let name = "scenario=browser/causes/platform-nothing-can-answer%23"
      let compared = try await Self.compare(client, "\(name)spec-2026-08&with-\(name)safari-26.0")
      #expect(
        compared.first?.text
          == "On the left, the browser throws NotAllowedError (browser.platform/nothing-can-answer). On the right "
          + "instead, the browser throws AbortError (browser.platform/nothing-can-answer).")
      // The expectations differ, and are one step.
      #expect(compared.moments == (0...5).map { [$0, $0] })
    }
  }

  @Test func twoScenariosAreAligned() async throws {
    try await ServedStage.test { client in
      let compared = try await Self.compare(client, "scenario=headline&with-scenario=consent/declined-in-wallet")
      #expect(compared.first != nil)
      for side in [0, 1] {
        let lines = compared.rows.map { $0[side] }.filter { $0 > 0 }
        #expect(Set(lines).count == lines.count, "a line is in two rows")
        #expect(compared.moments.map { $0[side] } == compared.moments.map { $0[side] }.sorted())
      }
    }
  }

  @Test func theRightRunIsThatOfTheLeftUnlessItIsNamed() async throws {
    try await ServedStage.test { client in
      let same = try await Self.compare(client, "scenario=headline&seed=9")
      #expect(!same.isMasked && same.first == nil && same.rows.allSatisfy { $0[2] == 0 && $0[0] == $0[1] })
      // The faults are those of one side.
      #expect(try await Self.compare(client, "scenario=headline&fault=issuer.expired").first != nil)
      let both = try await Self.compare(client, "scenario=headline&fault=issuer.expired&with-fault=issuer.expired")
      #expect(both.first == nil)
    }
  }

  @Test func anUnchangedComparisonIsNotSentAgain() async throws {
    try await ServedStage.test { client in
      let path = "/api/beside?scenario=headline&with-seed=8"
      let first = try await client.execute(uri: path, method: .get)
      let tag = try #require(first.headers[.eTag])
      let again = try await client.execute(uri: path, method: .get, headers: [.ifNoneMatch: tag])
      #expect(again.status == .notModified && again.body.readableBytes == 0)
      let other = try await client.execute(
        uri: "/api/beside?scenario=headline&with-seed=9", method: .get, headers: [.ifNoneMatch: tag])
      #expect(other.status == .ok)
    }
  }

  @Test(arguments: [
    ("", 400, "http.member"), ("scenario=headline&with-scenario=nothing", 404, "http.not-found"),
    ("scenario=headline&with-seed=x", 400, "http.member"),
    ("scenario=headline&with-fault=nothing", 400, "http.member"),
    ("with-scenario=headline", 400, "http.member"),
  ])
  func wrongQuestionsAreRefused(_ query: String, _ status: Int, _ code: String) async throws {
    try await ServedStage.test { client in
      let response = try await client.execute(uri: "/api/beside?\(query)", method: .get)
      #expect(response.status.code == status && String(buffer: response.body).contains("\"\(code)\""))
      #expect(try await client.execute(uri: "/api/beside?\(query)", method: .post).status == .methodNotAllowed)
    }
  }

  @Test func thePageLoadsNothingFromElsewhere() async throws {
    try await ServedStage.test { client in
      let page = try await client.execute(uri: "/beside?scenario=headline", method: .get)
      #expect(page.status == .ok)
      let policy = try #require(page.headers[.contentSecurityPolicy])
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    }
  }
}
