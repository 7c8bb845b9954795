import Certificates
import DeviceToDevice
import Messaging
import MobileDocument
import SimulationKernel
import Storage
import Synchronization
import Vocabulary
import Websites

/// Restarts of devices, servers and whole worlds from their storage.
extension World {
  /// Switches a device off and on. Running parties end, and the device continues from its storage.
  /// - Throws: An error if a database cannot be opened.
  func restart(_ device: String) throws -> WorldScheduler.Outcome {
    guard let description = description.devices.first(where: { $0.identifier == device }), let old = parts(of: device)
    else { return .quiet }
    let stopped = stop(old)
    guard stopped == .quiet else { return stopped }
    let memory = try old.memory.reopened(description, in: storage, scheduler)
    if fullDisks.withLock({ $0.contains(device) }) { try memory.setDisk(isFull: true) }
    let boot = old.boot + 1
    let new = DeviceParts(
      description, in: self.description, memory: memory, paired: pairing.record(of: device), network: network,
      boot: boot, readerRoots: readerRoots, settings: settings(of: device), stations: stations)
    replaceParts(of: device, with: new)
    note(by: new.systemParty, .osStarted, "\(device) starts, boot \(boot)")
    new.begin(scheduler)
    return scheduler.drain()
  }

  /// Ends a website's server and starts it again, with new reader certificates and the stored sessions.
  /// - Throws: An error if the database cannot be opened.
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
      sessions = try SessionStore(at: storage.path(.server, website), in: scheduler)
    }
    let server = VerifierServer(
      description, apps: self.description.requestingApps.filter { $0.server == website }, sessions: sessions,
      hosts: Self.hosts(of: self.description), requirements: Self.requirements(of: self.description),
      requestSigner: stations.equipment.requestSigner,
      encryptionInfoSource: stations.equipment.encryptionInfoSource, retention: stations.equipment.retention,
      roots: RootFingerprints(of: issuerRoots), listRoots: Self.listRoots(of: description, listOperators),
      station: stations(party, boot: old.start + 1))
    network.register(party) { await server.receive($0) }
    let running = RunningServer(server: server, sessions: sessions, start: old.start + 1)
    servers.withLock { $0[website] = running }
    return perform { await server.prepare() }
  }

  private func stop(_ parts: DeviceParts) -> WorldScheduler.Outcome {
    let person = person
    let (air, field) = (air, field)
    let services = tunnelServices
    for party in parts.parties { network.retire(party) }
    scheduler.spawn {
      await parts.stop()
      await air?.switchOff(parts.device)
      await field?.takeAway(parts.device)
      for service in services { for party in parts.parties { await service.disconnect(party) } }
      await person.lookAway(
        from: parts.systemParty,
        pages: parts.pages.map(\.party) + parts.merchantApps.map { Party.requestingApp($0.name, on: parts.device) }
      )
    }
    return scheduler.drain()
  }

  /// Ends the world and starts it again from its storage, at the same time. The journal continues.
  /// - Throws: An error if a certificate cannot be made, or a database cannot be opened.
  public func restarted() throws -> World {
    guard let folder = storage.folder else { throw WorldStorage.nothingKept }
    let (faults, interceptions) = (network.faults, network.interceptions)
    let surroundings = air.flatMap { [field] air in
      answer {
        let present = await air.surroundings
        let isFieldInterrupted = await field?.isInterrupted ?? false
        return (air: present, isFieldInterrupted: isFieldInterrupted)
      }
    }
    close()
    let storage = try WorldStorage(folder: folder, seed: entropy.seed, start: now)
    let successor = try World(
      description, entropy: entropy, start: scheduler.clock.now, storage: storage, journal: journal,
      equipment: stations.equipment, settings: settings.withLock { $0 })
    for fault in faults { successor.network.add(fault) }
    for interception in interceptions { successor.network.intercept(interception) }
    if let air = successor.air, let surroundings {
      let field = successor.field
      _ = successor.perform {
        await air.continue(in: surroundings.air)
        await field?.interrupt(surroundings.isFieldInterrupted)
      }
    }
    let focus = focus
    successor.focusState.withLock { $0 = Focus(website: focus.website, device: focus.device) }
    for device in fullDisks.withLock({ $0.sorted() }) { try successor.setDisk(isFull: true, of: device) }
    note(by: Party.person, .worldStarted, "the world starts, start \(storage.starts)")
    return successor
  }
}
