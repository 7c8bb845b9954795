import IdentityDocumentServices

/// What a device keeps when it is switched off: the system's registrations, and each app's documents.
struct DeviceMemory: Sendable {
  let registrations: RegistrationDatabase
  private let documents: [String: DocumentDatabase]
  private let isFile: Bool
  /// Names of the apps that are on the device.
  let installedApps: [String]

  /// Opens the memory of a device. One that has never been switched on gets the apps that are on it from the beginning.
  /// - Throws: when a database cannot be opened; those that were opened before are closed.
  init(opening device: WorldDescription.Device, in storage: WorldStorage) throws {
    let registrations = try RegistrationDatabase(at: storage.path(.device, device.identifier))
    var documents: [String: DocumentDatabase] = [:]
    do {
      for app in device.apps {
        documents[app.name] = try DocumentDatabase(at: storage.path(.app, "\(device.identifier)/\(app.name)"))
      }
      try registrations.setUp(
        device.apps.filter(\.isInstalled).map { ($0.name, $0.entitledDocumentTypes, $0.status) })
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

  /// The memory as it is after the device was switched off and on: files are closed and opened again.
  /// - Throws: when a database cannot be opened.
  func reopened(_ device: WorldDescription.Device, in storage: WorldStorage) throws -> DeviceMemory {
    guard isFile else { return try DeviceMemory(keeping: self) }
    close()
    return try DeviceMemory(opening: device, in: storage)
  }

  /// An app's documents; nil for an app that the device does not know.
  func documents(of app: String) -> DocumentDatabase? { documents[app] }

  /// Makes the device's disk as full as it is now, or gives it room again.
  /// - Throws: when a database does not take the limit.
  func setDisk(isFull: Bool) throws {
    if isFull { try registrations.limitSize() } else { try registrations.liftSizeLimit() }
    for name in documents.keys.sorted() { try documents[name]?.setFull(isFull) }
  }

  /// Closes files.
  func close() {
    guard isFile else { return }
    // A file that cannot be closed is left as it is; SQLite recovers what is in its log.
    try? registrations.close()
    for name in documents.keys.sorted() { documents[name]?.close() }
  }
}
