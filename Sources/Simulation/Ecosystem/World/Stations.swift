import MobileDocument
import Primitives
import SimulationKernel

/// Hands each party of a world what it has at its disposal.
struct Stations: Sendable {
  let network: Network
  let scheduler: WorldScheduler
  let entropy: Entropy
  let journal: Journal
  /// How often the world was started, this time included.
  let worldStart: Int
  /// When the world began for the first time.
  let founded: DateTime
  /// What the parties sign, seal and start processes with.
  let equipment: Equipment

  /// What a party has in the given life of its device or server.
  func callAsFunction(_ party: Party, boot: Int = 1) -> Station {
    Station(
      party: party, network: network, scheduler: scheduler, entropy: entropy, journal: journal,
      life: Station.Life(worldStart: worldStart, boot: boot), founded: founded)
  }
}
