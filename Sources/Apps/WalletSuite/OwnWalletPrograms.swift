import CaseSuites
import OwnWallets
import Primitives
import Recordings
import Synchronization

/// Starts the programs of wallets outside the worlds of a run, and keeps what they answer.
public final class OwnWalletPrograms: Sendable {
  fileprivate let isAllowed: Bool
  private let recorded = Mutex<[Recording.WalletExchange]>([])

  /// Creates programs.
  /// - Parameter isAllowed: True if the programs that files name may be started.
  public init(isAllowed: Bool) { self.isAllowed = isAllowed }

  /// The messages so far with their answers.
  public var recording: Recording { Recording(messages: recorded.withLock { $0 }) }

  fileprivate func keep(_ exchange: Recording.WalletExchange) { recorded.withLock { $0.append(exchange) } }

  /// The link of a case.
  public func link(of scenario: String, seed: UInt64, at time: MachineTime) -> any OwnWalletLink {
    LiveWallets(self, scenario: scenario, seed: seed, time: time)
  }
}

/// The programs of one world.
private final class LiveWallets: OwnWalletLink {
  private let programs: OwnWalletPrograms
  private let scenario: String
  private let seed: UInt64
  private let time: MachineTime
  private let running = Mutex<[String: Running]>([:])

  /// A program, with the number of its messages.
  private struct Running {
    let program: WalletProgram
    var count = 0
  }

  init(_ programs: OwnWalletPrograms, scenario: String, seed: UInt64, time: MachineTime) {
    self.programs = programs
    self.scenario = scenario
    self.seed = seed
    self.time = time
  }

  func ask(
    _ message: [UInt8], of app: String, by target: WalletTarget, at instant: Int64
  ) throws(WalletFailure) -> (answer: [UInt8], wait: Int64) {
    guard programs.isAllowed else {
      throw WalletFailure(
        .start, "the program is not started: give --programs if you trust the scenario file",
        evidence: target.program.joined(separator: " "))
    }
    if let problem = time.wait(until: instant) {
      throw WalletFailure(
        .timeout, problem, evidence: "a person who waits makes a program outside the world wait as long")
    }
    let (program, number) = try running.withLock { running throws(WalletFailure) in
      if running[app] == nil { running[app] = Running(program: try WalletProgram(target)) }
      guard let program = running[app]?.program, let count = running[app]?.count else {
        throw WalletFailure(.ended, "the wallet's program does not run")
      }
      running[app]?.count = count + 1
      return (program, count + 1)
    }
    let line = WalletMessage.numbered(message, number)
    let answer = try program.ask(line, number: number)
    let wait = time.since(instant)
    programs.keep(
      Recording.WalletExchange(
        scenario: scenario, seed: seed, worldStart: time.start, app: app, message: line, answer: answer,
        instant: instant, wait: wait))
    return (answer, wait)
  }

  func end(_ app: String) { running.withLock { $0.removeValue(forKey: app) }?.program.end() }

  func end() {
    let ended = running.withLock { running in
      defer { running = [:] }
      return running.sorted { $0.key < $1.key }.map(\.value.program)
    }
    for program in ended { program.end() }
  }
}
