import Messaging
import OwnWallets
import SimulationKernel
import Vocabulary

/// The program of a provider app outside the world. Its messages and answers are messages of the world, and the time that it
/// takes passes in the world. It outlives the device's restarts, as an app's storage does.
package actor OwnWallet: StationedActor {
  package nonisolated let station: Station
  private let target: WalletTarget
  private let link: (any OwnWalletLink)?
  private let start: WorldClock.Instant

  /// The program's place in a world, which has the name of its app.
  package static func party(of app: Party) -> Party { Party(.ownWallet, app.name) }

  package init(_ target: WalletTarget, link: (any OwnWalletLink)?, station: Station) {
    self.station = station
    self.target = target
    self.link = link
    start = WorldClock.Instant(secondsSince1970: station.founded.secondsSince1970)
  }

  package func receive(_ message: Message) async {
    switch message.kind {
    case .walletMessage: await ask(message)
    case .removed: link?.end(station.party.name)
    default: station.ignore(message)
    }
  }

  private func ask(_ message: Message) async {
    let instant = Int64(start.duration(to: station.instant) / .milliseconds(1))
    do throws(WalletFailure) {
      guard let link else { throw WalletFailure(.start, "nothing starts programs outside this world") }
      let (answer, wait) = try link.ask(message.bytes, of: station.party.name, by: target, at: instant)
      // The sleep fails only at the end of the world, where no party waits for the answer.
      try? await station.scheduler.clock.sleep(until: station.instant.advanced(by: .milliseconds(wait)))
      station.answer(message, .walletAnswer, bytes: answer, as: MediaType.json)
    } catch {
      station.note(.ownWalletFailed, error.sentence)
      station.scheduler.disturb("the program of \(station.party.name): \(error.sentence)")
      station.refuse(message, code: NoteCode.ownWalletFailed.rawValue, error.message)
    }
  }
}
