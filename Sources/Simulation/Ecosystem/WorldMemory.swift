import IdentityDocumentServices
import SimulationKernel
import Storage
import Vocabulary

/// The persistent state of a world: the sessions of its servers, the memories of its devices, and its authorities'
/// revocations.
struct WorldMemory: Sendable {
  let sessions: [String: SessionStore]
  let devices: [String: DeviceMemory]
  /// The registers of the authorities that publish lists.
  let statuses: [String: StatusRegister]

  /// Opens everything or nothing: if a database cannot be opened, the others are unchanged.
  /// - Parameter scheduler: The scheduler of the world, which a failure of this machine disturbs.
  /// - Throws: ``StorageError``.
  init(opening description: WorldDescription, in storage: WorldStorage, _ scheduler: WorldScheduler) throws {
    var sessions: [String: SessionStore] = [:]
    var devices: [String: DeviceMemory] = [:]
    var statuses: [String: StatusRegister] = [:]
    do {
      for issuer in description.issuers where issuer.publishesStatus != nil {
        try storage.prepare(for: .issuer)
        statuses[issuer.identifier] = try StatusRegister(at: storage.path(.issuer, issuer.identifier), in: scheduler)
      }
      for website in description.websites where website.server == nil {
        sessions[website.identifier] = try SessionStore(at: storage.path(.server, website.identifier), in: scheduler)
      }
      for device in description.devices {
        devices[device.identifier] = try DeviceMemory(opening: device, in: storage, scheduler)
      }
      try storage.keepRecord()
    } catch {
      Self.close(sessions, devices, statuses)
      throw error
    }
    self.sessions = sessions
    self.devices = devices
    self.statuses = statuses
  }

  /// Closes all databases.
  package func close() { Self.close(sessions, devices, statuses) }

  private static func close(
    _ sessions: [String: SessionStore], _ devices: [String: DeviceMemory], _ statuses: [String: StatusRegister]
  ) {
    for name in statuses.keys.sorted() { statuses[name]?.close() }
    for name in sessions.keys.sorted() { sessions[name]?.close() }
    for name in devices.keys.sorted() { devices[name]?.close() }
  }
}

/// The persistent state of a device: the system's registrations, and each app's documents.
struct DeviceMemory: Sendable {
  let registrations: RegistrationDatabase
  private let documents: [String: DocumentDatabase]
  private let isFile: Bool
  /// The names of the installed apps.
  let installedApps: [String]

  /// Opens the memory of a device. A new device gets its preinstalled apps.
  /// - Parameter scheduler: The scheduler of the world, which a failure of this machine disturbs.
  /// - Throws: An error if a database cannot be opened; the others are closed.
  init(opening device: WorldDescription.Device, in storage: WorldStorage, _ scheduler: WorldScheduler) throws {
    let registrations = try RegistrationDatabase(at: storage.path(.device, device.identifier), in: scheduler)
    var documents: [String: DocumentDatabase] = [:]
    do {
      for app in device.apps {
        documents[app.name] = try DocumentDatabase(
          at: storage.path(.app, "\(device.identifier)/\(app.name)"), in: scheduler)
      }
      try registrations.setUp(device.apps.filter(\.isInstalled).map { ($0.name, $0.entitledDocumentTypes, $0.status) })
      installedApps = try registrations.appNames()
    } catch {
      try? registrations.close()
      for name in documents.keys.sorted() { documents[name]?.close() }
      throw error
    }
    self.registrations = registrations
    self.documents = documents
    isFile = storage.folder != nil
  }

  private init(keeping other: DeviceMemory) throws {
    registrations = other.registrations
    documents = other.documents
    isFile = other.isFile
    installedApps = try other.registrations.appNames()
  }

  /// Returns the memory after a restart of the device: files are closed and opened again.
  /// - Throws: An error if a database cannot be opened.
  func reopened(
    _ device: WorldDescription.Device, in storage: WorldStorage, _ scheduler: WorldScheduler
  ) throws -> DeviceMemory {
    guard isFile else { return try DeviceMemory(keeping: self) }
    close()
    return try DeviceMemory(opening: device, in: storage, scheduler)
  }

  /// An app's documents, or nil if the app is unknown.
  func documents(of app: String) -> DocumentDatabase? { documents[app] }

  /// Fills the device's disk, or frees space.
  /// - Throws: An error if a database does not accept the limit.
  func setDisk(isFull: Bool) throws {
    try registrations.setFull(isFull)
    for name in documents.keys.sorted() { try documents[name]?.setFull(isFull) }
  }

  /// Closes all databases.
  func close() {
    // If closing fails the file stays as it is: SQLite recovers the content of its log.
    try? registrations.close()
    for name in documents.keys.sorted() { documents[name]?.close() }
  }
}
