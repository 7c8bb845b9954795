import Foundation
import TestSupport
import Testing

/// The work of one operation, counted by the program `WorkCounter` in calls of functions. Counts do not depend on the
/// machine or its load, unlike times.
@Suite struct WorkBudgetTests {
  /// An operation and the most calls that it may make.
  struct Budget: CustomTestStringConvertible, Sendable {
    let operation: String
    /// Calls that every build makes.
    let calls: [String: Int]
    /// Calls that are counted in optimized builds only, by the names that the compiler gives their functions.
    let optimizedCalls: [String: Int]
    /// Allocations of an optimized build, rounded up: other versions of the libraries change a few.
    let allocations: Int

    var testDescription: String { operation }
  }

  static let budgets = [
    Budget(
      operation: "verify",
      calls: [
        "signatures verified": 3, "keys derived": 0, "points imported": 1, "field inversions": 0, "digests": 9,
        "Foundation JSON": 0, "statements compiled": 0,
      ],
      optimizedCalls: ["ASN.1 parses": 2, "certificates parsed": 0], allocations: 225),
    Budget(
      operation: "issue",
      calls: [
        "signatures verified": 0, "keys derived": 1, "points imported": 0, "field inversions": 1, "digests": 38,
        "Foundation JSON": 0,
      ],
      optimizedCalls: ["ASN.1 parses": 0, "certificates parsed": 0], allocations: 175),
    // Of the request and of the response, by each party that relies on them. The phone has compared the site's certificates
    // with those of the registered authorities in an earlier presentment; the first one makes two verifications more.
    Budget(
      operation: "presentment",
      calls: [
        "signatures verified": 9, "keys derived": 5, "key agreements": 2, "points imported": 6,
        "field inversions": 7, "digests": 97, "databases opened": 0, "statements compiled": 0, "statement steps": 23,
        "Foundation JSON": 0,
      ],
      optimizedCalls: ["ASN.1 parses": 14, "certificates parsed": 2], allocations: 2_620),
    Budget(
      operation: "world",
      calls: [
        "signatures verified": 4, "keys derived": 18, "key agreements": 0, "points imported": 11,
        "field inversions": 18, "digests": 192, "databases opened": 0, "statements compiled": 0,
        "statement steps": 68, "Foundation JSON": 0,
      ],
      optimizedCalls: ["ASN.1 parses": 27, "certificates parsed": 5], allocations: 3_060),
  ]

  /// The counter of an optimized build, which `make budgets` names.
  private static let optimizedCounter = ProcessInfo.processInfo.environment["PRESENTMENT_WORK_COUNTER"]
  private static var isOptimized: Bool { optimizedCounter != nil }

  @Test("An operation makes at most its budget of calls", arguments: budgets)
  func staysWithinBudget(_ budget: Budget) async throws {
    let counts = try await Self.counts(of: budget.operation)
    var limits = budget.calls
    if Self.isOptimized {
      limits.merge(budget.optimizedCalls) { $1 }
      limits["allocations"] = budget.allocations
    }
    for (name, most) in limits.sorted(by: { $0.key < $1.key }) {
      let count = try #require(counts[name], "\(name) is counted")
      #expect(count <= most, "\(budget.operation): \(name)")
    }
  }

  @Test("The counters count") func countersCount() async throws {
    let uncounted: Set<String> =
      Self.isOptimized
      ? ["signatures made"] : ["ASN.1 parses", "certificates parsed", "signatures made"]
    var totals: [String: Int] = [:]
    for operation in Self.budgets.map(\.operation) + ["first world", "check of the counters"] {
      totals.merge(try await Self.counts(of: operation), uniquingKeysWith: +)
    }
    #expect(totals.count == 14)
    // Worlds sign with keys of their own signer.
    for (name, count) in totals.sorted(by: { $0.key < $1.key }) where !uncounted.contains(name) {
      #expect(count > 0, "\(name)")
    }
  }

  /// Counts calls of an operation in a process of its own. Hashing is the same in every run, because the collisions of a
  /// dictionary change how often it allocates.
  private static func counts(of operation: String) async throws -> [String: Int] {
    let counter = optimizedCounter ?? Programs.built("WorkCounter")
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
