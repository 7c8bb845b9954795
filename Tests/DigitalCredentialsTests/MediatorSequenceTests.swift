import Checks
import DigitalCredentials
import Testing

/// Long random sequences of events from a seed, with the invariants checked after each event.
@Suite("Mediator: random sequences")
struct MediatorSequenceTests {
  private static let runs: UInt64 = 500
  private static let eventsPerRun = 200

  @Test("Invariants hold in every profile", arguments: BrowserProfile.all)
  func invariants(profile: BrowserProfile) {
    for seed in 0..<Self.runs {
      var run = DrawnRun(profile: profile, seed: seed)
      for _ in 0..<Self.eventsPerRun {
        if let fault = run.step() {
          Issue.record("\(profile.name), seed \(seed): \(fault)")
          return
        }
      }
    }
  }

  @Test("The same seed gives the same effects")
  func repeatable() {
    let draw = {
      var run = DrawnRun(profile: .spec2026, seed: 7)
      return (0..<Self.eventsPerRun).map { _ in
        _ = run.step()
        return run.last.compactMap(Drawing.words)
      }
    }
    #expect(draw() == draw())
  }

  @Test("Random sequences reach every rule except those of reading and size")
  func coverage() {
    var seen: Set<String> = []
    for profile in BrowserProfile.all {
      for seed in 0..<40 {
        var run = DrawnRun(profile: profile, seed: UInt64(seed))
        for _ in 0..<Self.eventsPerRun {
          _ = run.step()
          for case .reject(_, let exception, _) in run.last { seen.insert(exception.code.name) }
        }
      }
    }
    let unseen = BrowserFinding.all.filter { !seen.contains($0.name) }
    // The options come from JSON, and the method is always get().
    let expected: [BrowserFinding] = [
      BrowserFinding(.options, .tooLarge), BrowserFinding(.credentialType, .noMethod),
      BrowserFinding(.requestData, .notSerializable), BrowserFinding(.response, .tooLarge),
    ]
    #expect(unseen == expected)
  }
}
