import MobileDocument
import SimulationKernel

/// Devices, servers and whole worlds that end and begin again from what their storage holds.
extension World {
  /// Switches a device off and on: whatever ran on it is gone, and it goes on from what its storage holds.
  /// - Throws: when a database cannot be opened again.
  func restart(_ device: String) throws -> WorldScheduler.Outcome {
    guard let description = description.devices.first(where: { $0.identifier == device }), let old = parts(of: device)
    else { return .quiet }
    let stopped = stop(old)
    guard stopped == .quiet else { return stopped }
    let memory = try old.memory.reopened(description, in: storage)
    if fullDisks.withLock({ $0.contains(device) }) { try memory.setDisk(isFull: true) }
    let boot = old.boot + 1
    let new = DeviceParts(
      description, websites: self.description.websites, memory: memory, network: network, boot: boot,
      stations: stations)
    replaceParts(of: device, with: new)
    note(.note, by: new.systemParty, .osStarted, "started", "\(device) starts for the \(boot). time")
    new.begin(scheduler)
    return scheduler.drain()
  }

  /// Ends a website's server and starts it again: it gets new reader certificates and goes on with the sessions that its
  /// storage holds.
  /// - Throws: when the database cannot be opened again.
  func restartServer(of website: String) throws -> WorldScheduler.Outcome {
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
      description, sessions: sessions, hosts: Self.hosts(of: self.description), equipment: stations.equipment,
      station: stations(party, boot: old.start + 1))
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
      description, entropy: entropy, start: scheduler.clock.now, storage: storage, journal: journal,
      equipment: stations.equipment)
    for fault in faults { successor.network.add(fault) }
    let focus = focus
    successor.focusState.withLock { $0 = Focus(website: focus.website, device: focus.device) }
    for device in fullDisks.withLock({ $0.sorted() }) { try successor.setDisk(isFull: true, of: device) }
    note(.note, by: Self.personParty, .worldStarted, "started", "the world begins for the \(storage.starts). time")
    return successor
  }
}
