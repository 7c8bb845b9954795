import Foundation

/// Threads for long work that does not suspend, for example making a world, so that the threads for requests stay free.
final class Workers: Sendable {
  /// The maximum number of waiting jobs: at a few milliseconds each, the last is done within a second or two.
  static let maximumWaiting = 256

  private static let full = HTTPProblem(
    .tooManyRequests, .full, "too many requests in progress; try again later")

  private let queue: OperationQueue

  init() {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Runs work on one of the threads, from beginning to end.
  /// - Throws: ``HTTPProblem`` if too many jobs are waiting.
  func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(HTTPProblem) -> Value {
    guard queue.operationCount < Self.maximumWaiting else { throw Self.full }
    return await withCheckedContinuation { continuation in
      queue.addOperation { continuation.resume(returning: work()) }
    }
  }
}
