import ArgumentParser
import DemoServer
import Foundation

/// `presentment bench serve`
extension BenchCommand {
  /// Presentments that are answered in each half: as many as a morning of tests asks for.
  private static let presentments = 250

  /// Answers presentments over HTTP and shows how long each took and what memory the second half of them added: the first
  /// fills what is kept.
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
