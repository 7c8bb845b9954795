/// The result of the web server's measurement, which it prints as JSON: the time and the memory of answers over HTTP.
package struct MeasuredAnswers: Codable {
  /// The number of connections at the same time.
  package static let connections = 16

  /// The elapsed time of an answer in each half, in microseconds.
  package let microseconds: [Double]
  /// The resident memory after each half, in bytes; empty if the system does not report it.
  package let memory: [Int]

  /// Creates a result.
  package init(microseconds: [Double], memory: [Int]) {
    self.microseconds = microseconds
    self.memory = memory
  }
}
