import Foundation

/// Threads for what takes a while and does not suspend, such as making a world: whoever answers requests must not wait
/// for it.
final class Workers: Sendable {
  /// Most pieces of work that wait for a thread: at a few milliseconds each, the last is done within a second or two.
  static let maximumWaiting = 256

  private static let full = HTTPProblem(
    .tooManyRequests, .full, "more is asked already than can be answered soon; ask again")

  private let queue: OperationQueue

  init() {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Does work on one of the threads, from beginning to end.
  /// - Throws: ``HTTPProblem`` when too much waits already.
  func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(HTTPProblem) -> Value {
    guard queue.operationCount < Self.maximumWaiting else { throw Self.full }
    return await withCheckedContinuation { continuation in
      queue.addOperation { continuation.resume(returning: work()) }
    }
  }
}
