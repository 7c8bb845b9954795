import MobileDocument
import Simulation
import Synchronization

/// A world that runs: its parties, the channels between them, its time and its journal. Everything in it happens on
/// the thread that calls its methods, which must not be called from two threads at once.
public final class World: Sendable {
  /// Everything that happened.
  public let journal: Journal
  let network: Network
  let scheduler: WorldScheduler
  let person: Person
  let pace: PersonPace
  let entropy: Entropy
  let storage: WorldStorage
  private let servers: Mutex<[String: RunningServer]>
  /// Issuing authorities by name.
  let issuers: [String: IssuingAuthority]
  private let statuses: [String: StatusRegister]
  private let parts: Mutex<[String: DeviceParts]>
  /// What a scenario lets parties do wrong.
  let mistakes: PlannedMistakes
  /// Devices whose disks are full.
  let fullDisks = Mutex<Set<String>>([])
  /// The root of each issuing authority by its name in the world, in DER.
  public let issuerRoots: [String: [UInt8]]
  /// What the world was made from.
  public let description: WorldDescription

  /// A website's server as it runs now.
  private struct RunningServer: Sendable {
    let server: VerifierServer
    let sessions: SessionStore
    /// How often it was started in this world.
    let start: Int
  }

  /// The person's party: everybody's devices are in one person's hands.
  static let personParty = Party(.person, "person")

  /// Brings a world to life at a time. Same description, seed, start and files, same bytes.
  ///
  /// - Parameter folder: where what lasts is written; nil to keep it in memory. A world goes on from the files that
  ///   another one of the same seed left there.
  /// - Throws: when a certificate cannot be made, or a database cannot be opened.
  public convenience init(
    _ description: WorldDescription, seed: UInt64, start: DateTime, folder: String? = nil
  ) throws {
    let storage = try folder.map { try WorldStorage(folder: $0, seed: seed, start: start) }
    try self.init(
      description, entropy: Entropy(seed: seed),
      start: WorldClock.Instant(secondsSince1970: start.secondsSince1970),
      storage: storage ?? WorldStorage(start: start), journal: Journal())
  }

  private init(
    _ description: WorldDescription, entropy: Entropy, start: WorldClock.Instant, storage: WorldStorage,
    journal: Journal
  ) throws {
    let life = Station.Life(worldStart: storage.starts, boot: 1)
    let memory = try WorldMemory(opening: description, in: storage)
    let scheduler = WorldScheduler(start: start, choices: entropy.stream("world/schedule\(life.suffix)"))
    let network = Network(
      scheduler: scheduler, journal: journal, latency: entropy.stream("world/latency\(life.suffix)"))
    self.description = description
    self.entropy = entropy
    self.storage = storage
    self.journal = journal
    self.scheduler = scheduler
    self.network = network
    let mistakes = PlannedMistakes(websites: description.websites)
    self.mistakes = mistakes
    func station(_ party: Party) -> Station {
      Station(
        party: party, network: network, scheduler: scheduler, entropy: entropy, journal: journal, life: life,
        founded: storage.founded, mistakes: mistakes)
    }

    let personParty = Self.personParty
    pace = PersonPace(entropy.stream("person/pace\(life.suffix)"))
    let person = Person(station: station(personParty))
    self.person = person
    network.register(personParty) { await person.receive($0) }

    statuses = memory.statuses
    do {
      issuers = try Self.addAuthorities(of: description, statuses: memory.statuses, to: network, station: station)
      issuerRoots = try issuers.mapValues { try $0.authority.root.derEncoded() }
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
      guard let sessions = memory.sessions[website.identifier] else { continue }
      let server = VerifierServer(
        website, sessions: sessions, hosts: Self.hosts(of: description), station: station(party))
      network.register(party) { await server.receive($0) }
      servers[website.identifier] = RunningServer(server: server, sessions: sessions, start: 1)
    }
    self.servers = Mutex(servers)
    var parts: [String: DeviceParts] = [:]
    for device in description.devices {
      guard let memory = memory.devices[device.identifier] else { continue }
      parts[device.identifier] = DeviceParts(
        device, websites: description.websites, memory: memory, network: network, station: station)
    }
    self.parts = Mutex(parts)
  }

  private static func addAuthorities(
    of description: WorldDescription, statuses: [String: StatusRegister], to network: Network,
    station: (Party) -> Station
  ) throws -> [String: IssuingAuthority] {
    var issuers: [String: IssuingAuthority] = [:]
    for issuer in description.issuers {
      let party = Party(.issuer, issuer.identifier)
      let authority = try IssuingAuthority(
        issuer, register: register(of: issuer.identifier, in: description), statuses: statuses[issuer.identifier],
        station: station(party))
      network.register(party) { await authority.receive($0) }
      issuers[issuer.identifier] = authority
    }
    for reader in description.readerAuthorities {
      let party = Party(.readerAuthority, reader.identifier)
      let customers = description.websites.filter { $0.signsFor.contains(reader.identifier) }.map { website in
        ReaderAuthority.Customer(
          server: Party(.server, website.identifier), domain: website.origin.host ?? "",
          organization: website.brand.name,
          approvedBrand: reader.refuses.contains(website.identifier) ? nil : website.brand)
      }
      let authority = try ReaderAuthority(reader, customers: customers, station: station(party))
      network.register(party) { await authority.receive($0) }
    }
    return issuers
  }

  /// Whose each host is that publishes lists.
  private static func hosts(of description: WorldDescription) -> [String: Party] {
    Dictionary(description.issuers.map { ($0.host, Party(.issuer, $0.identifier)) }) { first, _ in first }
  }

  /// The name of a record in an authority's register of people.
  static func record(of document: String, in app: String, on device: String) -> String {
    "\(device)/\(app)/\(document)"
  }

  private static func register(of issuer: String, in description: WorldDescription) -> [String: IssuingAuthority.Record]
  {
    var register: [String: IssuingAuthority.Record] = [:]
    for device in description.devices {
      for app in device.apps {
        for document in app.documents where document.issuer == issuer {
          register[record(of: document.identifier, in: app.name, on: device.identifier)] = IssuingAuthority.Record(
            documentType: document.documentType, nameSpaces: document.nameSpaces, validDays: document.validDays)
        }
      }
    }
    return register
  }

  static func pageParty(_ website: String, on device: String) -> Party { Party(.page, "\(website)@\(device)") }

  /// A device's parties as they run now.
  func parts(of device: String) -> DeviceParts? { parts.withLock { $0[device] } }

  private var allServers: [RunningServer] {
    servers.withLock { servers in description.websites.compactMap { servers[$0.identifier] } }
  }

  var allParts: [DeviceParts] {
    parts.withLock { parts in description.devices.compactMap { parts[$0.identifier] } }
  }

  /// Lets everybody get ready: certificates, documents, registrations. What a device's apps had in files they have
  /// already.
  public func prepare() -> WorldScheduler.Outcome {
    for running in allServers { scheduler.spawn { await running.server.prepare() } }
    for part in allParts { part.begin(scheduler) }
    return scheduler.drain()
  }

  /// Does something in the world and lets everything come to rest.
  func perform(_ body: @escaping @Sendable () async -> Void) -> WorldScheduler.Outcome {
    scheduler.spawn(body)
    return scheduler.drain()
  }

  /// The world's time.
  public var now: DateTime { DateTime(secondsSince1970: scheduler.clock.now.secondsSince1970) }

  /// Switches a device off and on: whatever ran on it is gone, and it goes on from what its storage holds.
  /// - Throws: when a database cannot be opened again.
  public func restart(_ device: String) throws -> WorldScheduler.Outcome {
    guard let description = description.devices.first(where: { $0.identifier == device }), let old = parts(of: device)
    else { return .quiet }
    let stopped = stop(old)
    guard stopped == .quiet else { return stopped }
    let memory = try old.memory.reopened(description, in: storage)
    if fullDisks.withLock({ $0.contains(device) }) { try memory.setDisk(isFull: true) }
    let boot = old.boot + 1
    let new = DeviceParts(
      description, websites: self.description.websites, memory: memory, network: network, boot: boot
    ) { station($0, boot: boot) }
    if let drill = old.sandbox.pendingDrill { new.sandbox.drill(drill) }
    parts.withLock { $0[device] = new }
    journal.record(
      .decision(
        Decision(
          by: new.systemParty, .note, code: JournalCode.osStarted.rawValue, outcome: "started",
          sentence: "\(device) starts for the \(boot). time")),
      at: scheduler.clock.now)
    new.begin(scheduler)
    return scheduler.drain()
  }

  /// What a party has at its disposal that begins again in this world.
  private func station(_ party: Party, boot: Int) -> Station {
    Station(
      party: party, network: network, scheduler: scheduler, entropy: entropy, journal: journal,
      life: Station.Life(worldStart: storage.starts, boot: boot), founded: storage.founded, mistakes: mistakes)
  }

  /// Ends a website's server and starts it again: it gets new reader certificates and goes on with the sessions that its
  /// storage holds.
  /// - Throws: when the database cannot be opened again.
  public func restartServer(of website: String) throws -> WorldScheduler.Outcome {
    let party = Party(.server, website)
    guard let description = description.websites.first(where: { $0.identifier == website }),
      let old = servers.withLock({ $0[website] })
    else { return .quiet }
    network.retire(party)
    _ = scheduler.drain()
    var sessions = old.sessions
    if storage.folder != nil {
      sessions.close()
      sessions = try SessionStore(at: storage.path(.server, website))
    }
    let server = VerifierServer(
      description, sessions: sessions, hosts: Self.hosts(of: self.description),
      station: station(party, boot: old.start + 1))
    network.register(party) { await server.receive($0) }
    let running = RunningServer(server: server, sessions: sessions, start: old.start + 1)
    servers.withLock { $0[website] = running }
    return perform { await server.prepare() }
  }

  private func stop(_ parts: DeviceParts) -> WorldScheduler.Outcome {
    let person = person
    for party in parts.parties { network.retire(party) }
    scheduler.spawn {
      await parts.stop()
      await person.lookAway(from: parts.systemParty, pages: parts.pages.map(\.party))
    }
    return scheduler.drain()
  }

  /// Ends the world and begins it again from its storage, at the time it had reached. The journal goes on.
  /// - Throws: when a certificate cannot be made, or a database cannot be opened.
  public func restarted() throws -> World {
    guard let folder = storage.folder else { throw WorldStorage.nothingKept }
    let faults = network.faults
    close()
    let storage = try WorldStorage(folder: folder, seed: entropy.seed, start: now)
    let successor = try World(
      description, entropy: entropy, start: scheduler.clock.now, storage: storage, journal: journal)
    for fault in faults { successor.network.add(fault) }
    successor.mistakes.take(over: mistakes)
    for part in allParts {
      if let drill = part.sandbox.pendingDrill { successor.parts(of: part.device)?.sandbox.drill(drill) }
    }
    for device in fullDisks.withLock({ $0.sorted() }) { try successor.setDisk(isFull: true, of: device) }
    journal.record(
      .decision(
        Decision(
          by: Self.personParty, .note, code: JournalCode.worldStarted.rawValue, outcome: "started",
          sentence: "the world begins for the \(storage.starts). time")),
      at: scheduler.clock.now)
    return successor
  }

  /// Ends the world: nobody waits any longer, and files are closed.
  public func close() {
    network.close()
    let parts = allParts
    scheduler.spawn { for part in parts { await part.stop() } }
    scheduler.discardTimers()
    _ = scheduler.drain()
    for part in parts { part.memory.close() }
    if storage.folder != nil {
      for running in allServers { running.sessions.close() }
      for name in statuses.keys.sorted() { statuses[name]?.close() }
    }
  }
}
