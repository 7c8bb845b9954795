/// The persistent state of a world: the sessions of its servers, the memories of its devices, and its authorities'
/// revocations.
struct WorldMemory: Sendable {
  let sessions: [String: SessionStore]
  let devices: [String: DeviceMemory]
  /// The registers of the authorities that publish lists.
  let statuses: [String: StatusRegister]

  /// Opens everything or nothing: if a database cannot be opened, the others are unchanged.
  /// - Throws: ``StorageError``.
  init(opening description: WorldDescription, in storage: WorldStorage) throws {
    var sessions: [String: SessionStore] = [:]
    var devices: [String: DeviceMemory] = [:]
    var statuses: [String: StatusRegister] = [:]
    do {
      for issuer in description.issuers where issuer.publishesStatus != nil {
        try storage.prepareForIssuers()
        statuses[issuer.identifier] = try StatusRegister(at: storage.path(.issuer, issuer.identifier))
      }
      for website in description.websites {
        sessions[website.identifier] = try SessionStore(at: storage.path(.server, website.identifier))
      }
      for device in description.devices {
        devices[device.identifier] = try DeviceMemory(opening: device, in: storage)
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

  /// Closes all files.
  func close() { Self.close(sessions, devices, statuses) }

  private static func close(
    _ sessions: [String: SessionStore], _ devices: [String: DeviceMemory], _ statuses: [String: StatusRegister]
  ) {
    for name in statuses.keys.sorted() { statuses[name]?.close() }
    for name in sessions.keys.sorted() { sessions[name]?.close() }
    for name in devices.keys.sorted() { devices[name]?.close() }
  }
}
