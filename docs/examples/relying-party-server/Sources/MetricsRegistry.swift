import Metrics
import Synchronization

/// A backend of swift-metrics that keeps sums and writes them in the text format of Prometheus. Replace it by one of a
/// package, such as swift-prometheus.
final class MetricsRegistry: MetricsFactory {
  private let series = Mutex<[String: Series]>([:])

  /// A line of the output: a counter or gauge, or the sum and the count of what was recorded.
  final class Series: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    let name: String
    let labels: String
    private let state = Mutex<(value: Double, count: Int)>((0, 0))
    private let isDistribution: Bool

    init(_ label: String, _ dimensions: [(String, String)], isDistribution: Bool = false) {
      name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
      let pairs = dimensions.map { name, value in
        let quoted = value.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline }
        return "\(name.replacing(".", with: "_"))=\"\(quoted)\""
      }
      labels = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
      self.isDistribution = isDistribution
    }

    var text: String {
      let (value, count) = state.withLock { $0 }
      return isDistribution
        ? "\(name)_sum\(labels) \(value)\n\(name)_count\(labels) \(count)\n" : "\(name)\(labels) \(value)\n"
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { state.withLock { $0.value += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.value = value } }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { state.withLock { $0 = (isDistribution ? $0.value + value : value, $0.count + 1) } }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func reset() { set(0.0) }
  }

  /// Everything, sorted.
  var text: String { series.withLock { $0.sorted { $0.key < $1.key }.map(\.value.text) }.joined() }

  private func kept(_ one: Series) -> Series {
    series.withLock { all in
      if let known = all[one.name + one.labels] { return known }
      all[one.name + one.labels] = one
      return one
    }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    kept(Series(label + "_total", dimensions))
  }
  func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
    kept(Series(label + "_total", dimensions))
  }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { kept(Series(label, dimensions)) }
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    kept(Series(label, dimensions, isDistribution: aggregate))
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    kept(Series(label, dimensions, isDistribution: true))
  }

  func destroyCounter(_: any CounterHandler) {}
  func destroyFloatingPointCounter(_: any FloatingPointCounterHandler) {}
  func destroyMeter(_: any MeterHandler) {}
  func destroyRecorder(_: any RecorderHandler) {}
  func destroyTimer(_: any TimerHandler) {}
}
