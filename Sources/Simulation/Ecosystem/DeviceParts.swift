import Authorities
import Certificates
import DeviceToDevice
import Devices
import DigitalCredentials
import IdentityDocumentServices
import Messaging
import MobileDocument
import OwnServers
import OwnWallets
import Primitives
import SimulationKernel
import Vocabulary
import Websites

/// The running parts of a device: its browser with a page for each website, its operating system with the sandbox, its
/// apps.
struct DeviceParts: Sendable {
  /// A website's page in the device's browser, or the script of a frame in it.
  struct Page: Sendable {
    let website: String
    /// The name of the frame in the website's page; nil for the page itself.
    let frame: String?
    let party: Party
    let page: WebsitePage
  }

  /// Name of the device.
  let device: String
  let systemParty: Party
  let system: OperatingSystem
  let sandbox: Sandbox
  let browser: Browser
  let pages: [Page]
  let apps: [ProviderApp]
  let merchantApps: [MerchantApp]
  let memory: DeviceMemory
  /// The number of times that the device was switched on in this world.
  let boot: Int
  let nearby: NearbyParts
  /// The part that presents documents to readers near the device; nil on a device that does not.
  let mdoc: MDoc?
  /// Every party of the device.
  let parties: [Party]

  /// Builds a device and connects it with the rest of the world.
  init(
    _ device: WorldDescription.Device, in world: WorldDescription, memory: DeviceMemory, paired: PairedDevice?,
    network: Network, boot: Int = 1, readerRoots: RootFingerprints, settings: DeviceSettings = DeviceSettings(),
    stations: Stations
  ) {
    let websites = world.websites
    let station = { stations($0, boot: boot) }
    let browserParty = Party(.browser, device.identifier)
    let systemParty = Party(.operatingSystem, device.identifier)
    let sandboxParty = Party(.sandbox, device.identifier)
    let mdocParty = Party(.mdoc, device.identifier)
    self.device = device.identifier
    self.memory = memory
    self.boot = boot
    self.systemParty = systemParty

    let loadable = websites.map { LoadablePage($0, on: device.identifier, in: world) }
    func start(_ name: String, in party: Party, frame: String?, of page: LoadablePage) -> Page? {
      guard let website = websites.first(where: { $0.identifier == name }) else { return nil }
      let script = WebsitePage(
        website, merchant: world.requestingApps.first { $0.server == website.identifier }?.merchantIdentifier,
        browser: browserParty, station: station(party))
      network.register(party) { await script.receive($0) }
      for other in [browserParty, Party.person, Party(.server, website.identifier)] { network.connect(party, other) }
      if let other = website.replaysRequestsOf { network.connect(party, Party(.server, other)) }
      return Page(website: page.website, frame: frame, party: party, page: script)
    }
    pages = loadable.flatMap { page in
      [start(page.website, in: page.party, frame: nil, of: page)].compactMap(\.self)
        + page.frames.compactMap { start($0.website, in: $0.party, frame: $0.name, of: page) }
    }
    let nearby = NearbyParts(device, in: world, paired: paired, network: network, boot: boot, station: station)
    self.nearby = nearby
    let lockedNearby = device.isLocked(inBoot: boot) ? nearby.answering : nil
    let isInPerson = world.presentsInPerson(device)
    let lockedParts =
      (lockedNearby.map { [$0] } ?? [])
      + (isInPerson && device.startsLocked(inBoot: boot) ? [mdocParty] : [])
    let locked = lockedParts.isEmpty ? nil : systemParty
    let platform = device.kind.hasProviderApps ? systemParty : Party(.clientPlatform, device.identifier)
    let announcer = nearby.asking ?? (device.kind.hasProviderApps ? systemParty : browserParty)
    let crossDevice = CrossDeviceParts(
      device, in: world, announcer: announcer, network: network, conduct: stations.equipment.crossDevice,
      station: station)
    let browser = Browser(
      profile: device.browserProfile, interstitial: Interstitial.Setting(device.interstitial), pages: loadable,
      platform: platform, platformProtocols: DeviceManifest(device).protocols,
      otherDevices: Browser.OtherDevices(clientPlatform: crossDevice.clientPlatform, nearby: nearby.asking),
      locked: locked, station: station(browserParty))
    self.browser = browser
    network.register(browserParty) { await browser.receive($0) }
    for other in [Party.person, systemParty] { network.connect(browserParty, other) }

    let mdoc =
      isInPerson
      ? MDoc(
        device, isUnlocked: !device.startsLocked(inBoot: boot), conduct: stations.equipment.inPerson,
        station: station(mdocParty)) : nil
    if let mdoc { network.register(mdocParty) { await mdoc.receive($0) } }
    self.mdoc = mdoc
    let sandbox = Sandbox(
      device.sandbox, launcher: stations.equipment.sandboxLauncher,
      holders: [browserParty] + [crossDevice.authenticator, nearby.answering, mdoc?.station.party].compactMap(\.self),
      station: station(sandboxParty))
    self.sandbox = sandbox
    network.register(sandboxParty) { await sandbox.receive($0) }
    for other in [systemParty, browserParty] { network.connect(sandboxParty, other) }

    let requestingApps = world.requestingApps(on: device.identifier)
    let system = OperatingSystem(
      DeviceManifest(device), requestingApps: requestingApps, database: memory.registrations,
      otherDevices: device.kind.hasProviderApps ? nearby.asking ?? crossDevice.clientPlatform : nil,
      locked: lockedParts, settings: settings, station: station(systemParty))
    network.register(systemParty) { await system.receive($0) }
    network.connect(systemParty, Party.person)
    self.system = system
    if !requestingApps.isEmpty { network.connect(systemParty, Party.developerPortal) }
    merchantApps = requestingApps.map { description in
      let party = Party.requestingApp(description.name, on: device.identifier)
      let claimed = world.claimedApp(of: description)
      let server = Party(.server, claimed.server)
      let app = MerchantApp(
        description, beginsAs: claimed.merchantIdentifier, server: server, operatingSystem: systemParty,
        locked: locked, station: station(party))
      network.register(party) { await app.receive($0) }
      for other in [systemParty, Party.person, server] { network.connect(party, other) }
      return app
    }
    let merchantParties = requestingApps.map { Party.requestingApp($0.name, on: device.identifier) }

    var apps: [ProviderApp] = []
    var appParties: [Party] = []
    for description in device.apps {
      let party = Party(.app, "\(device.identifier)/\(description.name)")
      guard let documents = memory.documents(of: description.name) else { continue }
      let app = ProviderApp(
        AppProgram(description), isInstalled: memory.installedApps.contains(description.name), database: documents,
        operatingSystem: systemParty, responseBuilder: stations.equipment.responseBuilder,
        identityAnswers: stations.equipment.identityAnswers, readerRoots: readerRoots, station: station(party))
      network.register(party) { await app.receive($0) }
      for other in [systemParty, browserParty] { network.connect(party, other) }
      for authority in description.trustsReaders { network.connect(party, Party(.readerAuthority, authority)) }
      for issuer in description.documents.map(\.issuer).uniqued() { network.connect(party, Party(.issuer, issuer)) }
      apps.append(app)
      appParties.append(party)
    }
    self.apps = apps
    nearby.connect(network, clientPlatform: crossDevice.clientPlatform, apps: appParties)
    crossDevice.connect(network, announcer: announcer, apps: appParties)
    if mdoc != nil {
      let others = [Party.person, BLEAir.party, WorldDescription.nearField, systemParty, sandboxParty]
      for other in others + appParties { network.connect(mdocParty, other) }
    }
    parties =
      pages.map(\.party) + [browserParty, sandboxParty, systemParty] + appParties + merchantParties
      + crossDevice.parties + (nearby.party.map { [$0] } ?? []) + (mdoc == nil ? [] : [mdocParty])
  }

  /// Starts the system and its apps. New apps get their documents.
  func begin(_ scheduler: WorldScheduler) {
    let system = system
    scheduler.spawn { await system.start() }
    for app in apps { scheduler.spawn { await app.start() } }
    nearby.begin(scheduler)
  }

  /// Ends all parts of the device.
  func stop() async {
    sandbox.stop()
    await system.stop()
    for app in apps { await app.close() }
  }
}

/// The parties' parts that sign, seal and start processes. A world uses the standard equipment; a world with a faulty
/// party is built with equipment that replaces that party's part.
package struct Equipment: Sendable {
  /// Signs the documents of issuing authorities.
  package var documentIssuer: any DocumentIssuer = StandardDocumentIssuer()
  /// Signs the status lists of issuing authorities.
  package var statusListIssuer: any StatusListIssuer = StandardStatusListIssuer()
  /// Signs the lists of list operators.
  package var issuerListIssuer: any IssuerListIssuer = StandardIssuerListIssuer()
  /// Makes the encryption information of verifier servers.
  package var encryptionInfoSource: any EncryptionInfoSource = StandardEncryptionInfoSource()
  /// Signs the requests of verifier servers.
  package var requestSigner: any RequestSigner = StandardRequestSigner()
  /// Decides what verifier servers keep after a session.
  package var retention: any RetentionPolicy = PromisedRetention()
  /// The conduct of the parts that reach other devices.
  package var crossDevice: any CrossDeviceConduct = HonestCrossDeviceConduct()
  /// The conduct of both ends of sessions in person.
  package var inPerson: any InPersonConduct = HonestInPersonConduct()
  /// Builds the responses of provider apps.
  package var responseBuilder: any ResponseBuilder = StandardResponseBuilder()
  /// Builds Wallet's answers to apps' requests.
  package var identityAnswers: any IdentityAnswerBuilder = StandardIdentityAnswerBuilder()
  /// Calls the servers outside the world, by the names of their websites.
  package var ownServers: [String: any OwnServerLink] = [:]
  /// Starts the programs of wallets outside the world, by their devices and apps.
  package var ownWallets: [String: any OwnWalletLink] = [:]
  /// Starts the processes of sandboxes.
  package var sandboxLauncher: any SandboxLauncher = WarmSandboxes.shared

  /// The standard equipment.
  package init() {}
}
