import CWorkCounters
import Foundation
import MeasuredWork
import MobileDocument
import Primitives

/// Counts the calls of one verification, one issuing, one presentment and one world. Prints lines of a subject, a counter
/// and its value, with tabs between. Its argument, if there is one, is the number of rounds before the counted one, so that
/// a profiler sees more than the first rounds.
@main
enum WorkCounter {
  static func main() throws {
    try count("first world", afterRounds: 0) { try MeasuredWorld().makeReady().close() }
    let document = try MeasuredDocument(at: DateTime(secondsSince1970: 1_757_955_600))
    try count("verify", document.verify)
    try count("issue", document.issue)
    let world = try MeasuredWorld().makeReady()
    try count("presentment") { try MeasuredWorld.present(in: world) }
    try count("world") { try MeasuredWorld().makeReady().close() }
    world.close()
    // Nothing else encodes with Foundation, and the test of the counters needs a call of each.
    try count("check of the counters") { _ = try JSONDecoder().decode([Int].self, from: JSONEncoder().encode([1])) }
  }

  /// Counts the calls of one round after rounds that fill the caches of the program.
  private static func count(_ subject: String, afterRounds rounds: Int = warmUps, _ round: () throws -> Void) throws {
    for _ in 0..<rounds { try round() }
    let before = counts
    try round()
    for (before, after) in zip(before, counts) {
      print("\(subject)\t\(String(cString: after.name))\t\(after.calls - before.calls)")
    }
  }

  /// The number of rounds that fill the caches of the program.
  private static let warmUps = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3

  /// The positions of all counters.
  private static let positions = Array((Int32(0)...).prefix { work_count($0).name != nil })

  private static var counts: [work_count] { positions.map(work_count) }
}
