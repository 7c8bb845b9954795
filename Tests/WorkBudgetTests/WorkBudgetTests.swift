import Foundation
import TestSupport
import Testing

/// The work of one operation, counted by the program `WorkCounter` in calls of functions. Counts do not depend on the
/// machine or its load, unlike times.
@Suite struct WorkBudgetTests {
  /// An operation and the most calls that it may make.
  struct Budget: CustomTestStringConvertible, Sendable {
    let operation: String
    let calls: [String: Int]
    /// Allocations of this build, which is not optimized, rounded up: other versions of the libraries change a few.
    let allocations: Int

    var testDescription: String { operation }
  }

  static let budgets = [
    Budget(
      operation: "verify",
      calls: [
        "signatures verified": 2, "keys derived": 0, "points imported": 1, "field inversions": 0, "digests": 9,
        "Foundation JSON": 0, "statements compiled": 0, "ASN.1 parses": 2, "certificates parsed": 0,
      ],
      allocations: 1_050),
    Budget(
      operation: "issue",
      calls: [
        "signatures verified": 0, "keys derived": 1, "points imported": 0, "field inversions": 1, "digests": 38,
        "Foundation JSON": 0, "ASN.1 parses": 0, "certificates parsed": 0,
      ],
      allocations: 355),
    // Of the request and of the response, by each party that relies on them. The parties have verified the certificates of
    // the site and of the issuer in an earlier presentment; the first one makes five verifications more.
    Budget(
      operation: "presentment",
      calls: [
        "signatures verified": 6, "keys derived": 5, "key agreements": 2, "points imported": 6,
        "field inversions": 7, "digests": 97, "databases opened": 0, "statements compiled": 0, "statement steps": 23,
        "Foundation JSON": 0, "ASN.1 parses": 14, "certificates parsed": 2,
      ],
      allocations: 11_100),
    Budget(
      operation: "world",
      calls: [
        "signatures verified": 4, "keys derived": 18, "key agreements": 0, "points imported": 11,
        "field inversions": 18, "digests": 192, "databases opened": 0, "statements compiled": 0,
        "statement steps": 68, "Foundation JSON": 0, "ASN.1 parses": 27, "certificates parsed": 7,
      ],
      allocations: 18_800),
  ]

  @Test("An operation makes at most its budget of calls", arguments: budgets)
  func staysWithinBudget(_ budget: Budget) async throws {
    let counts = try await Self.counts(of: budget.operation)
    var limits = budget.calls
    limits["allocations"] = budget.allocations
    for (name, most) in limits.sorted(by: { $0.key < $1.key }) {
      let count = try #require(counts[name], "\(name) is counted")
      #expect(count <= most, "\(budget.operation): \(name)")
    }
  }

  @Test("The counters count") func countersCount() async throws {
    var totals: [String: Int] = [:]
    for operation in Self.budgets.map(\.operation) + ["first world", "check of the counters"] {
      totals.merge(try await Self.counts(of: operation), uniquingKeysWith: +)
    }
    #expect(totals.count == 14)
    // Worlds sign with keys of their own signer.
    for (name, count) in totals.sorted(by: { $0.key < $1.key }) where name != "signatures made" {
      #expect(count > 0, "\(name)")
    }
  }

  /// Counts calls of an operation in a process of its own. Hashing is the same in every run, because the collisions of a
  /// dictionary change how often it allocates.
  private static func counts(of operation: String) async throws -> [String: Int] {
    let counter = Programs.built("WorkCounter")
    let run = try await Programs.run("/usr/bin/env", ["SWIFT_DETERMINISTIC_HASHING=1", counter])
    #expect(run.code == 0, "\(run)")
    let lines = run.output.split(separator: "\n").map { $0.split(separator: "\t") }
    return Dictionary(
      uniqueKeysWithValues: lines.compactMap { line in
        guard line.count == 3, line[0] == operation, let count = Int(line[2]) else { return nil }
        return (String(line[1]), count)
      })
  }
}
