import Crypto
import Glibc

/// Processor time of this thread, which other load on the machine changes little, and elapsed time.
enum Stopwatch {
  /// A clock of the system.
  enum Clock {
    /// The processor time of the calling thread.
    case thread
    /// The elapsed time, for work that other processes or threads share.
    case elapsed
  }

  /// Returns the time of a clock in microseconds.
  static func now(_ clock: Clock = .thread) -> Double {
    var time = timespec()
    clock_gettime(clock == .thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// Returns the time of a body in microseconds.
  static func time(_ clock: Clock = .thread, _ body: () throws -> Void) rethrows -> Double {
    let start = now(clock)
    try body()
    return now(clock) - start
  }
}

/// The unit of the measures: a signature of the cryptographic library, timed beside each subject.
struct SignatureUnit {
  private static let count = 100
  private let key = P256.Signing.PrivateKey()
  private let message = Array("a message of one block".utf8)

  /// Times a batch of signatures, and returns the microseconds of one.
  func measure() throws -> Double {
    try Stopwatch.time {
      for _ in 0..<Self.count { let _: [UInt8] = try key.signature(for: message) }
    } / Double(Self.count)
  }
}

/// A subject of measurement.
struct Measure {
  /// One batch of the subject.
  struct Batch {
    /// The time of all operations in microseconds.
    let microseconds: Double
    /// The number of operations.
    let count: Int
  }

  /// The name in reports. Reports of two builds are compared by it.
  let name: String
  /// Times a batch that takes at least this many microseconds, or one operation.
  private let batch: (_ minimum: Double) throws -> Batch
  /// The minimum number of batches.
  private static let batches = 5

  /// A measure of an operation without preparation.
  init(_ name: String, _ operation: @escaping () throws -> Void) {
    self.name = name
    batch = { minimum in
      let start = Stopwatch.now()
      var count = 0
      var time: Double
      repeat {
        try operation()
        count += 1
        time = Stopwatch.now() - start
      } while time < minimum
      return Batch(microseconds: time, count: count)
    }
  }

  /// A measure that times its operations itself.
  static func timed(_ name: String, batch: @escaping () throws -> Batch) -> Measure {
    Measure(name: name) { _ in try batch() }
  }

  private init(name: String, batch: @escaping (_ minimum: Double) throws -> Batch) {
    self.name = name
    self.batch = batch
  }

  /// Measures the subject in batches, each between two batches of signatures.
  /// - Parameter milliseconds: The least time for all batches.
  func figure(of topic: BenchTopic, milliseconds: Int, unit: SignatureUnit) throws -> BenchFigure {
    let share = Double(milliseconds) * 1_000 / Double(Self.batches)
    let end = Stopwatch.now(.elapsed) + Double(milliseconds) * 1_000
    var units = [try unit.measure()]
    var times: [Double] = []
    while times.count < Self.batches || Stopwatch.now(.elapsed) < end {
      let batch = try batch(share)
      times.append(batch.microseconds / Double(batch.count))
      units.append(try unit.measure())
    }
    return BenchFigure(topic: topic, name: name, times: times, signatures: units)
  }
}
