/// What a world keeps: the sessions of its servers and the memories of its devices.
struct WorldMemory: Sendable {
  let sessions: [String: SessionStore]
  let devices: [String: DeviceMemory]

  /// Opens everything, or nothing: a database that cannot be opened leaves the others as they were.
  /// - Throws: ``StorageError``.
  init(opening description: WorldDescription, in storage: WorldStorage) throws {
    var sessions: [String: SessionStore] = [:]
    var devices: [String: DeviceMemory] = [:]
    do {
      for website in description.websites {
        sessions[website.identifier] = try SessionStore(at: storage.path(.server, website.identifier))
      }
      for device in description.devices {
        devices[device.identifier] = try DeviceMemory(opening: device, in: storage)
      }
      try storage.keepRecord()
    } catch {
      Self.close(sessions, devices)
      throw error
    }
    self.sessions = sessions
    self.devices = devices
  }

  /// Closes files.
  func close() { Self.close(sessions, devices) }

  private static func close(_ sessions: [String: SessionStore], _ devices: [String: DeviceMemory]) {
    for name in sessions.keys.sorted() { sessions[name]?.close() }
    for name in devices.keys.sorted() { devices[name]?.close() }
  }
}
