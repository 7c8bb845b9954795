import OwnServers
import OwnWallets
import Primitives
import Recordings
import ScenarioLanguage
import Vocabulary

/// What is outside the world of a case: servers by the names of their websites, and wallets by those of devices and apps.
struct Outside: Sendable {
  /// The time at which the world has to start; nil if nothing is outside it.
  private(set) var start: DateTime?
  private(set) var servers: [String: any OwnServerLink] = [:]
  private(set) var wallets: [String: any OwnWalletLink] = [:]

  /// Connects a case with its recordings, or with the run's source.
  /// - Throws: An undecided case if there is neither.
  init(of scenario: Scenario, seed: UInt64, _ source: (any OutsideSource)?) throws(ScenarioRun.Stop) {
    let live = source?.links(of: scenario.name, seed: seed)
    var starts: Set<DateTime> = []
    func links(
      _ subject: String, _ verb: String, _ recording: WorldDescription.NamedRecording?,
      _ part: (Recording) -> Recording
    ) throws(ScenarioRun.Stop) -> OutsideLinks {
      guard let recording else {
        guard let live else {
          if source != nil {
            throw .undecided("nothing of \(subject) is recorded for '\(scenario.name)' with the seed \(seed)")
          }
          throw .undecided("\(subject) is outside the world, and nothing \(verb) it here: use presentment run")
        }
        return live
      }
      guard let links = part(recording.recording).links(of: scenario.name, seed: seed) else {
        throw .undecided("\(recording.file.name) has nothing of '\(scenario.name)' with the seed \(seed)")
      }
      return links
    }
    for website in scenario.world.websites where website.server != nil {
      let name = website.identifier
      let found = try links("the server of \(name)", "calls", website.recording) { $0.calls(of: name) }
      servers[name] = found.servers
      starts.insert(found.start)
    }
    for device in scenario.world.devices {
      for app in device.apps where app.program != nil {
        let name = "\(device.identifier)/\(app.name)"
        let found = try links("the program of \(app.name)", "starts", app.recording) { $0.messages(to: name) }
        wallets[name] = found.wallets
        starts.insert(found.start)
      }
    }
    guard starts.count <= 1 else {
      throw .undecided("the servers and wallets outside the world were recorded at different times")
    }
    start = starts.first
  }

  /// Ends the programs.
  func end() { for wallet in wallets.values { wallet.end() } }
}

extension ScenarioRun {
  /// True if a case needs a server or a wallet outside its world, and has no recording of its answers.
  public static func needsOutside(_ scenario: Scenario) -> Bool {
    scenario.world.websites.contains { $0.server != nil && $0.recording == nil }
      || scenario.world.devices.flatMap(\.apps).contains { $0.program != nil && $0.recording == nil }
  }
}
