import MobileDocument
import Simulation

/// A world that runs: its parties, the channels between them, its time and its journal. Everything in it happens on
/// the thread that calls its methods, which must not be called from two threads at once.
public final class World: Sendable {
  /// Everything that happened.
  public let journal = Journal()
  let network: Network
  let scheduler: WorldScheduler
  let person: Person
  let pages: [(website: String, device: String, page: WebsitePage)]
  private let apps: [ProviderApp]
  let sandboxes: [Sandbox]
  private let servers: [VerifierServer]
  let pace: PersonPace
  /// What the world was made from.
  public let description: WorldDescription

  /// The person's party: everybody's devices are in one person's hands.
  static let personParty = Party(.person, "person")

  /// Brings a world to life at a time. Same description, seed and start, same bytes.
  /// - Throws: when a certificate cannot be made or a database cannot be opened.
  public init(_ description: WorldDescription, seed: UInt64, start: DateTime) throws {
    let entropy = Entropy(seed: seed)
    let scheduler = WorldScheduler(
      start: WorldClock.Instant(secondsSince1970: start.secondsSince1970),
      choices: entropy.stream("world/schedule"))
    let network = Network(scheduler: scheduler, journal: journal, latency: entropy.stream("world/latency"))
    self.description = description
    self.scheduler = scheduler
    self.network = network
    let journal = journal
    func station(_ party: Party) -> Station {
      Station(party: party, network: network, scheduler: scheduler, entropy: entropy, journal: journal)
    }

    let personParty = Self.personParty
    pace = PersonPace(entropy.stream("person/pace"))
    let person = Person(station: station(personParty))
    self.person = person
    network.register(personParty) { await person.receive($0) }

    for issuer in description.issuers {
      let party = Party(.issuer, issuer.identifier)
      let authority = try IssuingAuthority(
        issuer, register: Self.register(of: issuer.identifier, in: description), station: station(party))
      network.register(party) { await authority.receive($0) }
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
    var servers: [VerifierServer] = []
    for website in description.websites {
      let party = Party(.server, website.identifier)
      let server = try VerifierServer(website, station: station(party))
      network.register(party) { await server.receive($0) }
      for authority in website.signsFor { network.connect(party, Party(.readerAuthority, authority)) }
      for issuer in website.acceptsIssuers { network.connect(party, Party(.issuer, issuer)) }
      servers.append(server)
    }
    self.servers = servers
    var pages: [(website: String, device: String, page: WebsitePage)] = []
    var apps: [ProviderApp] = []
    var sandboxes: [Sandbox] = []
    for device in description.devices {
      let added = try Self.assemble(device, websites: description.websites, network: network, station: station)
      pages += added.pages
      apps += added.apps
      sandboxes.append(added.sandbox)
    }
    self.pages = pages
    self.apps = apps
    self.sandboxes = sandboxes
  }

  private static func register(of issuer: String, in description: WorldDescription) -> [String: IssuingAuthority.Record]
  {
    var register: [String: IssuingAuthority.Record] = [:]
    for device in description.devices {
      for app in device.apps {
        for document in app.documents where document.issuer == issuer {
          register["\(device.identifier)/\(app.name)/\(document.identifier)"] = IssuingAuthority.Record(
            documentType: document.documentType, nameSpaces: document.nameSpaces, validDays: document.validDays)
        }
      }
    }
    return register
  }

  /// Builds a device: its browser with a page for each website, its operating system with sandbox, its apps.
  private static func assemble(
    _ device: WorldDescription.Device, websites: [WorldDescription.Website], network: Network,
    station: (Party) -> Station
  ) throws -> (
    pages: [(website: String, device: String, page: WebsitePage)], apps: [ProviderApp], sandbox: Sandbox
  ) {
    let browserParty = Party(.browser, device.identifier)
    let systemParty = Party(.operatingSystem, device.identifier)
    let sandboxParty = Party(.sandbox, device.identifier)

    var pages: [(website: String, device: String, page: WebsitePage)] = []
    for website in websites {
      let party = pageParty(website.identifier, on: device.identifier)
      let page = WebsitePage(website, browser: browserParty, person: personParty, station: station(party))
      network.register(party) { await page.receive($0) }
      network.connect(party, browserParty)
      network.connect(party, personParty)
      network.connect(party, Party(.server, website.identifier))
      if let other = website.replaysRequestsOf { network.connect(party, Party(.server, other)) }
      pages.append((website.identifier, device.identifier, page))
    }
    let browser = Browser(
      profile: device.browserProfile,
      pages: websites.map { ($0.origin, pageParty($0.identifier, on: device.identifier)) },
      operatingSystem: systemParty, station: station(browserParty))
    network.register(browserParty) { await browser.receive($0) }
    network.connect(browserParty, personParty)
    network.connect(browserParty, systemParty)

    let sandbox = Sandbox(device.sandbox, station: station(sandboxParty))
    network.register(sandboxParty) { await sandbox.receive($0) }
    network.connect(sandboxParty, systemParty)

    let system = try OperatingSystem(
      device, browser: browserParty, sandbox: sandboxParty, person: personParty, station: station(systemParty))
    network.register(systemParty) { await system.receive($0) }
    network.connect(systemParty, personParty)

    var apps: [ProviderApp] = []
    for description in device.apps {
      let party = Party(.app, "\(device.identifier)/\(description.name)")
      let app = ProviderApp(description, operatingSystem: systemParty, station: station(party))
      network.register(party) { await app.receive($0) }
      network.connect(party, systemParty)
      for authority in description.trustsReaders { network.connect(party, Party(.readerAuthority, authority)) }
      for issuer in description.documents.map(\.issuer).uniqued() { network.connect(party, Party(.issuer, issuer)) }
      apps.append(app)
    }
    return (pages, apps, sandbox)
  }

  static func pageParty(_ website: String, on device: String) -> Party { Party(.page, "\(website)@\(device)") }

  /// Lets everybody get ready: certificates, documents, registrations.
  public func prepare() -> WorldScheduler.Outcome {
    for server in servers { scheduler.spawn { await server.prepare() } }
    for app in apps { scheduler.spawn { await app.prepare() } }
    return scheduler.drain()
  }

  /// Does something in the world and lets everything come to rest.
  func perform(_ body: @escaping @Sendable () async -> Void) -> WorldScheduler.Outcome {
    scheduler.spawn(body)
    return scheduler.drain()
  }

  /// The world's time.
  public var now: DateTime { DateTime(secondsSince1970: scheduler.clock.now.secondsSince1970) }

  /// Ends the world: nobody waits any longer.
  public func close() {
    network.close()
    for app in apps { scheduler.spawn { await app.close() } }
    _ = scheduler.drain()
  }
}
