/// A result of a measurement.
struct BenchFigure: Codable {
  /// The kinds of values.
  enum Kind: String, Codable {
    case microseconds, bytes, count, ratio
  }

  let topic: BenchTopic
  let name: String
  let kind: Kind
  /// The smallest value of the batches, since other load only adds time.
  let best: Double
  let median: Double
  /// The microseconds of one signature in the same minutes: the smallest and the median; nil for values other than times.
  let signature: Double?
  let medianSignature: Double?

  /// The value that reports of two machines can be compared by: times in signatures.
  var comparable: Double { signature.map { best / $0 } ?? best }

  /// The comparable value of the median.
  var comparableMedian: Double { medianSignature.map { median / $0 } ?? median }

  /// The relative distance between best and median: a measure of the noise.
  var spread: Double { comparable > 0 ? abs(comparableMedian - comparable) / comparable : 0 }
}

extension BenchFigure {
  /// A time from its batches, in microseconds.
  init(topic: BenchTopic, name: String, times: [Double], signatures: [Double]) {
    self.init(
      topic: topic, name: name, kind: .microseconds, best: times.min() ?? 0, median: times.median,
      signature: signatures.min(), medianSignature: signatures.median)
  }

  /// A value other than a time.
  init(topic: BenchTopic, name: String, _ value: Double, _ kind: Kind) {
    self.init(topic: topic, name: name, kind: kind, best: value, median: value, signature: nil, medianSignature: nil)
  }
}

extension [Double] {
  /// The middle value, or 0 without values.
  fileprivate var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
