import Dispatch
import ExchangeFiles
import Primitives
import Synchronization

/// Waiting of a thread outside the pool of tasks, such as a command's.
public enum CallingThread {
  /// Waits for work that does not need a thread of its own. Tasks must not call it: with all threads of their pool
  /// waiting, the work could not begin.
  public static func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>?>(nil)
    Task.detached {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
    return try outcome.get()
  }

  /// Waits for the verification of a suite's exchange, which names no files and waits for nothing outside.
  package static func report(on file: ExchangeFile, at moment: DateTime) throws -> ExchangeReport {
    let exchange = try VerifiableExchange(file) { name in
      throw ExchangeFileError(.unreadable, nil, "no file belongs to the suite's exchange", file: name)
    }
    return try wait { await ExchangeVerifier().verify(exchange, at: moment) }
  }
}
