import ArgumentParser
import Foundation

/// `presentment bench`
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the work of a presentment on this machine.",
    discussion: """
      Compare the figures of one run with each other, never with those of another machine. With --tsv each line is a
      name, microseconds and times a second, between tabs.
      """)

  @Flag(help: "Print tab-separated values.")
  var tsv = false

  @Option(help: "For how many milliseconds each measure runs.")
  var milliseconds = 400

  func run() throws {
    guard (1...60_000).contains(milliseconds) else {
      throw ValidationError("--milliseconds takes a number from 1 to 60000")
    }
    let measures = try FormatMeasures().all + WorldMeasures().all
    var lines: [(name: String, microseconds: Double)] = []
    for measure in measures {
      let microseconds = try time(measure)
      lines.append((measure.name, microseconds))
      if tsv {
        print("\(measure.name)\t\(decimal(microseconds))\t\(decimal(1_000_000 / microseconds))")
      } else {
        print(line(measure.name, microseconds))
      }
    }
    guard !tsv, let signature = lines.first(where: { $0.name == FormatMeasures.librarySignature })?.microseconds else {
      return
    }
    print("\nIn signatures of the cryptographic library, which take \(decimal(signature)) us here:")
    for (name, microseconds) in lines { print("  \(name): \(decimal(microseconds / signature))") }
  }

  /// Microseconds that one round takes: the best of five batches, because everything else on a machine only adds.
  private func time(_ measure: Measure) throws -> Double {
    let clock = ContinuousClock()
    var best = Double.infinity
    for _ in 0..<5 {
      let end = clock.now.advanced(by: .milliseconds(milliseconds / 5 + 1))
      let start = clock.now
      var rounds = 0
      repeat {
        try measure.round()
        rounds += 1
      } while clock.now < end
      let duration = start.duration(to: clock.now).components
      let microseconds = Double(duration.seconds) * 1_000_000 + Double(duration.attoseconds) / 1e12
      best = min(best, microseconds / Double(rounds) / Double(measure.countInRound))
    }
    return best
  }

  private func line(_ name: String, _ microseconds: Double) -> String {
    let padded = name + String(repeating: " ", count: max(1, 58 - name.count))
    return "\(padded)\(decimal(microseconds)) us   \(decimal(1_000_000 / microseconds)) a second"
  }

  private func decimal(_ value: Double) -> String {
    value >= 100 ? String(Int(value.rounded())) : String((value * 100).rounded() / 100)
  }
}

/// Something to be timed.
struct Measure {
  let name: String
  /// How many of what is named one round does.
  var countInRound = 1
  let round: () throws -> Void
}
