import Messaging
import Primitives
import SimulationKernel
import Vocabulary

/// Creates the station of each party of a world.
struct Stations: Sendable {
  let network: Network
  let scheduler: WorldScheduler
  let entropy: Entropy
  let journal: Journal
  /// The number of starts of the world, including this one.
  let worldStart: Int
  /// The time of the world's first start.
  let founded: DateTime
  /// The parties' equipment for signing, sealing and starting processes.
  let equipment: Equipment

  /// Returns the station of a party in the given life of its device or server.
  func callAsFunction(_ party: Party, boot: Int = 1) -> Station {
    Station(
      party: party, network: network, scheduler: scheduler, entropy: entropy, journal: journal,
      life: Station.Life(worldStart: worldStart, boot: boot), founded: founded)
  }
}
