import ArgumentParser
import DemoServer
import Foundation

/// `presentment bench serve`
extension BenchCommand {
  /// The number of presentments in each half: about a morning of tests.
  private static let presentments = 250

  /// Answers presentments over HTTP, and prints the time of each and the memory that the second half adds: the first
  /// half fills the caches.
  func measureServe() async throws {
    let measures = try await ServeMeasures()
    defer { measures.stop() }
    let first = try await measures.answer(Self.presentments)
    let before = ResidentMemory.read()?.now
    let second = try await measures.answer(Self.presentments)
    let after = ResidentMemory.read()?.now
    let microseconds = (first + second) / Double(2 * Self.presentments) * 1e6
    show("answer over HTTP, \(ServeMeasures.connections) connections", microseconds: microseconds)
    if let before, let after {
      show("memory after \(Self.presentments) answers", bytes: before)
      show("memory after \(2 * Self.presentments) answers", bytes: after)
    }
  }
}
