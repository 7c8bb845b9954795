import OwnServers
import OwnWallets
import Primitives

/// The connections of one world to servers and wallets outside it.
public struct OutsideLinks: Sendable {
  /// The time at which the world starts.
  public let start: DateTime
  /// The connection to servers.
  public let servers: any OwnServerLink
  /// The connection to wallets.
  public let wallets: any OwnWalletLink

  /// Creates connections.
  public init(start: DateTime, servers: any OwnServerLink, wallets: any OwnWalletLink) {
    self.start = start
    self.servers = servers
    self.wallets = wallets
  }
}

/// The connections of the worlds of a run.
public protocol OutsideSource: Sendable {
  /// The connections of a case; nil for a case without one.
  func links(of scenario: String, seed: UInt64) -> OutsideLinks?
}

extension Recording: OutsideSource {
  /// The recorded answers of a case.
  public func links(of scenario: String, seed: UInt64) -> OutsideLinks? {
    let calls = calls.filter { $0.scenario == scenario && $0.seed == seed }
    let messages = messages.filter { $0.scenario == scenario && $0.seed == seed }
    guard let start = calls.first?.worldStart ?? messages.first?.worldStart else { return nil }
    return OutsideLinks(start: start, servers: RecordedServers(calls), wallets: RecordedWallets(messages))
  }

  /// The answers of one website's server alone.
  package func calls(of server: String) -> Recording { Recording(calls: calls.filter { $0.server == server }) }

  /// The answers of one app's program alone.
  package func messages(to app: String) -> Recording { Recording(messages: messages.filter { $0.app == app }) }
}
