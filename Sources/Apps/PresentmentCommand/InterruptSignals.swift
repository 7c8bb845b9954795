import Foundation
import Synchronization

/// Signals that ask a run to end. The first one ends the run in order; a later one ends the program at once.
///
/// The signals are blocked in every thread that begins later, and one thread waits for them, so that no handler runs.
final class InterruptSignals: Sendable {
  private let first = Mutex<(number: Int32, at: ContinuousClock.Instant)?>(nil)

  /// The time in which every signal is the first one: `timeout` sends it to the program and then to its group, and
  /// systemd sends SIGHUP after SIGTERM.
  private static let interval = Duration.seconds(1)

  /// Waits for signals from now on. A signal that is ignored, as under `nohup`, stays so.
  /// - Parameter interrupt: Called with the number of the first one.
  init(_ interrupt: @escaping @Sendable (Int32) -> Void) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let signals = set
    let thread = Thread { [weak self] in
      var (signals, number) = (signals, Int32(0))
      while sigwait(&signals, &number) == 0 {
        guard let self else { _exit(128 + number) }
        let now = ContinuousClock.now
        let earlier = first.withLock { first in
          let earlier = first
          first = first ?? (number, now)
          return earlier
        }
        guard let earlier else {
          interrupt(number)
          continue
        }
        if now - earlier.at >= Self.interval { _exit(128 + number) }
      }
    }
    thread.start()
  }

  /// The signal that ended the run.
  var received: Int32? { first.withLock { $0?.number } }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
