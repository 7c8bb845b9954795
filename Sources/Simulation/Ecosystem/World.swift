import Authorities
import Certificates
import DeviceToDevice
import Devices
import Messaging
import MobileDocument
import OwnServers
import Primitives
import SimulationKernel
import Storage
import Synchronization
import Vocabulary
import Websites

/// A running world: its parties, the channels between them, its time and its journal. Everything in it runs on the
/// thread that calls its methods, so call them from one thread at a time.
public final class World: Sendable {
  /// Everything that happened.
  public let journal: Journal
  package let network: Network
  let scheduler: WorldScheduler
  let person: Person
  /// The stream of the times that the person takes before each action.
  let pace: Mutex<EntropyStream>
  let entropy: Entropy
  let storage: WorldStorage
  /// The current server of each website.
  let servers: Mutex<[String: RunningServer]>
  /// Issuing authorities by name.
  let issuers: [String: IssuingAuthority]
  /// Reader authorities by name.
  let readers: [String: ReaderAuthority]
  /// The fingerprints of their roots, as an app's developer has them from the authorities.
  let readerRoots: RootFingerprints
  /// List operators by name.
  let listOperators: [String: ListOperator]
  private let statuses: [String: StatusRegister]
  private let parts: Mutex<[String: DeviceParts]>
  let stations: Stations
  /// Bluetooth between the devices; nil in a world whose browsers all ask their own devices.
  let air: BLEAir?
  /// The pairing of the accounts' devices.
  let pairing: AccountPairing
  let tunnelServices: [TunnelService]
  let terminals: [Terminal]
  /// Near-field communication; nil in a world without terminals.
  let field: NFCField?
  /// The website visited last, the device used last and the page opened last.
  let focusState: Mutex<Focus>
  /// Devices whose disks are full.
  let fullDisks = Mutex<Set<String>>([])
  /// The settings of devices, where the person has changed some.
  let settings: Mutex<[String: DeviceSettings]>
  /// The root of each issuing authority by its name in the world, in DER.
  public let issuerRoots: [String: [UInt8]]
  /// The description of the world.
  public let description: WorldDescription

  /// The running server of a website.
  struct RunningServer: Sendable {
    let server: VerifierServer
    let sessions: SessionStore
    /// The number of starts in this world.
    let start: Int
  }

  /// Starts a world at a time. The same description, seed, start and files give the same bytes.
  ///
  /// - Parameter folder: The folder for persistent state, or nil for memory. A world continues from the files of an
  ///   earlier one with the same seed.
  /// - Throws: An error if a certificate cannot be made, or a database cannot be opened.
  public convenience init(
    _ description: WorldDescription, seed: UInt64, start: DateTime, folder: String? = nil
  ) throws {
    try self.init(description, seed: seed, start: start, folder: folder, equipment: Equipment())
  }

  /// Starts a world with other equipment than the standard one.
  /// - Throws: An error if a certificate cannot be made, or a database cannot be opened.
  package convenience init(
    _ description: WorldDescription, seed: UInt64, start: DateTime, folder: String? = nil, equipment: Equipment
  ) throws {
    let storage = try folder.map { try WorldStorage(folder: $0, seed: seed, start: start) }
    try self.init(
      description, entropy: Entropy(seed: seed),
      start: WorldClock.Instant(secondsSince1970: start.secondsSince1970),
      storage: storage ?? WorldStorage(start: start), journal: Journal(), equipment: equipment)
  }

  init(
    _ description: WorldDescription, entropy: Entropy, start: WorldClock.Instant, storage: WorldStorage,
    journal: Journal, equipment: Equipment, settings: [String: DeviceSettings] = [:]
  ) throws {
    let suffix = Station.Life(worldStart: storage.starts, boot: 1).suffix
    let scheduler = WorldScheduler(start: start, choices: entropy.stream("world/schedule\(suffix)"))
    let memory = try WorldMemory(opening: description, in: storage, scheduler)
    let network = Network(scheduler: scheduler, journal: journal, latency: entropy.stream("world/latency\(suffix)"))
    self.description = description
    self.settings = Mutex(settings)
    for device in description.devices.map(\.identifier) where settings[device]?.isOn(.flightMode) == true {
      network.setFlightMode(true, of: device)
    }
    focusState = Mutex(
      Focus(
        website: description.websites.first?.identifier ?? "", device: description.devices.first?.identifier ?? ""))
    self.entropy = entropy
    self.storage = storage
    self.journal = journal
    self.scheduler = scheduler
    self.network = network
    let stations = Stations(
      network: network, scheduler: scheduler, entropy: entropy, journal: journal, worldStart: storage.starts,
      founded: storage.founded, equipment: equipment, languages: description.languages)
    self.stations = stations

    pace = Mutex(entropy.stream("person/pace\(suffix)"))
    let person = Person(station: stations(Party.person))
    self.person = person
    network.register(Party.person) { await person.receive($0) }

    statuses = memory.statuses
    do {
      try Self.addPortal(of: description, to: network, stations: stations)
      (issuers, readers) = try Self.addAuthorities(
        of: description, statuses: memory.statuses, to: network, stations: stations)
      listOperators = try Self.addListOperators(
        of: description, roots: issuers.mapValues(\.root), to: network, stations: stations)
      issuerRoots = issuers.mapValues(\.root)
      readerRoots = RootFingerprints(of: readers.mapValues(\.root))
    } catch {
      network.close()
      memory.close()
      throw error
    }
    var servers: [String: RunningServer] = [:]
    for website in description.websites {
      let party = Party(.server, website.identifier)
      for authority in website.signsFor { network.connect(party, Party(.readerAuthority, authority)) }
      for issuer in website.acceptsIssuers { network.connect(party, Party(.issuer, issuer)) }
      if let list = website.acceptsList {
        network.connect(party, Party(.listOperator, list))
        // Documents of a listed authority may name its status lists.
        for issuer in description.issuers(listedBy: list) { network.connect(party, Party(.issuer, issuer)) }
      }
      let apps = description.requestingApps.filter { $0.server == website.identifier }
      if !apps.isEmpty { network.connect(party, Party.developerPortal) }
      if let target = website.server {
        Self.addOwnServer(website, target, to: network, stations: stations)
        continue
      }
      guard let sessions = memory.sessions[website.identifier] else { continue }
      let server = VerifierServer(
        website, apps: apps, sessions: sessions, hosts: Self.hosts(of: description),
        requirements: Self.requirements(of: description), requestSigner: equipment.requestSigner,
        encryptionInfoSource: equipment.encryptionInfoSource, retention: equipment.retention,
        roots: RootFingerprints(of: issuerRoots), listRoots: Self.listRoots(of: website, listOperators),
        station: stations(party))
      network.register(party) { await server.receive($0) }
      servers[website.identifier] = RunningServer(server: server, sessions: sessions, start: 1)
    }
    self.servers = Mutex(servers)
    (air, tunnelServices) = Self.addSurroundings(of: description, to: network, stations: stations)
    terminals = Self.addTerminals(of: description, roots: issuerRoots, to: network, stations: stations)
    field = Self.addField(of: description, to: network, stations: stations)
    let pairing = AccountPairing(of: description, entropy: entropy)
    self.pairing = pairing
    var parts: [String: DeviceParts] = [:]
    for device in description.devices {
      for app in device.apps { Self.addProgram(of: app, on: device, to: network, stations: stations) }
      guard let memory = memory.devices[device.identifier] else { continue }
      parts[device.identifier] = DeviceParts(
        device, in: description, memory: memory, paired: pairing.record(of: device.identifier), network: network,
        readerRoots: readerRoots, settings: settings[device.identifier] ?? DeviceSettings(),
        stations: stations)
    }
    self.parts = Mutex(parts)
  }

  /// Adds a verifier server outside the world, and its client in the place of the website's server.
  private static func addOwnServer(
    _ website: WorldDescription.Website, _ target: VerifierTarget, to network: Network, stations: Stations
  ) {
    var target = target
    (target.name, target.origin) = (website.identifier, website.origin)
    let (party, outside) = (Party(.server, website.identifier), OwnServer.party(of: website.identifier))
    let client = OwnServerClient(website, target, station: stations(party))
    let server = OwnServer(target, link: stations.equipment.ownServers[website.identifier], station: stations(outside))
    network.register(party) { await client.receive($0) }
    network.register(outside) { await server.receive($0) }
    network.connect(party, outside)
  }

  /// Adds the program of a provider app, if it is outside the world.
  private static func addProgram(
    of app: WorldDescription.App, on device: WorldDescription.Device, to network: Network, stations: Stations
  ) {
    guard let target = app.program else { return }
    let party = Party(.app, "\(device.identifier)/\(app.name)")
    let outside = OwnWallet.party(of: party)
    let program = OwnWallet(target, link: stations.equipment.ownWallets[party.name], station: stations(outside))
    network.register(outside) { await program.receive($0) }
    network.connect(party, outside)
  }

  /// Adds Bluetooth and the tunnel services that the devices need to reach each other.
  private static func addSurroundings(
    of description: WorldDescription, to network: Network, stations: Stations
  ) -> (air: BLEAir?, services: [TunnelService]) {
    guard description.hasBluetooth else { return (nil, []) }
    let air = BLEAir(
      description.bluetooth,
      places: description.devices.map { ($0.identifier, $0.place) }
        + description.terminals.map { ($0.identifier, $0.place) },
      listeners: description.devices.filter(description.canAskAnother).map { Party(.clientPlatform, $0.identifier) },
      station: stations(BLEAir.party))
    network.register(BLEAir.party) { await air.receive($0) }
    guard description.isCrossDevice else { return (air, []) }
    let services = description.tunnelHosts.map { host in
      let party = TunnelService.party(host)
      let service = TunnelService(
        description.tunnelLimits(of: host), conduct: stations.equipment.crossDevice, station: stations(party))
      network.register(party) { await service.receive($0) }
      return service
    }
    return (air, services)
  }

  /// Adds the terminals, which have the fingerprints of the issuing authorities' roots from their operators.
  private static func addTerminals(
    of description: WorldDescription, roots: [String: [UInt8]], to network: Network, stations: Stations
  ) -> [Terminal] {
    description.terminals.map { described in
      let party = Party(.terminal, described.identifier)
      let terminal = Terminal(
        described, hosts: hosts(of: description), roots: RootFingerprints(of: roots),
        retention: stations.equipment.retention, conduct: stations.equipment.inPerson, station: stations(party))
      network.register(party) { await terminal.receive($0) }
      for authority in described.signsFor { network.connect(party, Party(.readerAuthority, authority)) }
      for issuer in described.acceptsIssuers { network.connect(party, Party(.issuer, issuer)) }
      for other in [Party.person, BLEAir.party] { network.connect(party, other) }
      return terminal
    }
  }

  /// Adds near-field communication between devices and terminals.
  private static func addField(of description: WorldDescription, to network: Network, stations: Stations) -> NFCField? {
    guard description.isInPerson else { return nil }
    let field = NFCField(station: stations(WorldDescription.nearField))
    network.register(WorldDescription.nearField) { await field.receive($0) }
    for terminal in description.terminals {
      network.connect(WorldDescription.nearField, Party(.terminal, terminal.identifier))
    }
    return field
  }

  /// The running parts of a device.
  func parts(of device: String) -> DeviceParts? { parts.withLock { $0[device] } }

  /// Replaces the ended parts of a device.
  func replaceParts(of device: String, with new: DeviceParts) { parts.withLock { $0[device] = new } }

  private var allServers: [RunningServer] {
    servers.withLock { servers in description.websites.compactMap { servers[$0.identifier] } }
  }

  var allParts: [DeviceParts] { parts.withLock { parts in description.devices.compactMap { parts[$0.identifier] } } }

  /// Prepares all parties: certificates, documents, registrations. Apps with stored documents do not order them again.
  public func prepare() -> WorldScheduler.Outcome {
    for running in allServers { scheduler.spawn { await running.server.prepare() } }
    for terminal in terminals { scheduler.spawn { await terminal.prepare() } }
    for part in allParts { part.begin(scheduler) }
    return scheduler.drain()
  }

  /// Runs a body and continues until the world is idle.
  func perform(_ body: @escaping @Sendable () async -> Void) -> WorldScheduler.Outcome {
    scheduler.spawn(body)
    return scheduler.drain()
  }

  /// Asks parties for something, and continues until the world is idle.
  /// - Returns: Nil if the world ends before they answer.
  func answer<Value: Sendable>(_ question: @escaping @Sendable () async -> Value) -> Value? {
    let found = Mutex<Value?>(nil)
    _ = perform {
      let value = await question()
      found.withLock { $0 = value }
    }
    return found.withLock { $0 }
  }

  /// The world's time.
  public var instant: WorldClock.Instant { scheduler.clock.now }

  /// The time of the next event that needs no action, for example the end of a session.
  public var nextDeadline: WorldClock.Instant? { scheduler.nextDeadline }

  /// The world's time, to the second.
  public var now: DateTime { DateTime(secondsSince1970: scheduler.clock.now.secondsSince1970) }

  /// Ends the world: stops waiting tasks and closes its databases.
  public func close() {
    network.close()
    let parts = allParts
    scheduler.spawn { for part in parts { await part.stop() } }
    scheduler.discardTimers()
    _ = scheduler.drain()
    for part in parts { part.memory.close() }
    for running in allServers { running.sessions.close() }
    for name in statuses.keys.sorted() { statuses[name]?.close() }
  }
}

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
  /// The languages of the devices.
  let languages: [String: Language]

  /// Returns the station of a party in the given life of its device or server.
  func callAsFunction(_ party: Party, boot: Int = 1) -> Station {
    Station(
      party: party, network: network, scheduler: scheduler, entropy: entropy, journal: journal,
      life: Station.Life(worldStart: worldStart, boot: boot), founded: founded,
      language: party.deviceWithScreens.flatMap { languages[$0] } ?? .english)
  }
}
