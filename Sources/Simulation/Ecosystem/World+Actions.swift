import Authorities
import DeviceToDevice
import JSON
import Messaging
import MobileDocument
import SimulationKernel
import Synchronization
import Vocabulary

/// Actions in a world. Each performs one operation and runs until the world is idle, after the time that a person
/// takes.
extension World {
  /// The time that a person takes before each action, in milliseconds: from a quick tap to reading a sheet.
  static let thinkingMilliseconds = 600...2_400

  /// Performs an action and runs until the world is idle.
  /// - Throws: If a device or a server cannot be started again, or a disk cannot be changed.
  public func perform(_ action: Action) throws -> WorldScheduler.Outcome {
    switch action {
    case .person(let action): return try perform(action)
    case .page(let action, let website, let device, let frame):
      return perform(action, pageOf: website ?? focus.website, frame, on: device ?? focus.device)
    case .app(let action, let name):
      guard let app = parts(of: focus.device)?.apps.first(where: { $0.name == name }) else { return .quiet }
      return perform { await app.perform(action) }
    case .requestingApp(let action, let name):
      guard let app = parts(of: focus.device)?.merchantApps.first(where: { $0.name == name }) else { return .quiet }
      return perform {
        switch action {
        case .request: await app.request()
        case .cancel: await app.cancel()
        case .replay(let session): await app.replay(to: session)
        }
      }
    case .authority(let action, let name):
      guard let authority = issuers[name] else { return .quiet }
      let used = focus.device
      return perform {
        switch action {
        case .change(let change, let document, let app, let device):
          await authority.change(change, of: Self.record(of: document, in: app, on: device ?? used))
        }
      }
    case .readerAuthority(let action, let name):
      guard let authority = readers[name] else { return .quiet }
      return perform { await authority.perform(action) }
    case .clerk(.compare(let isAlike), let name):
      let asked = name ?? focus.terminal
      guard let index = description.terminals.firstIndex(where: { $0.identifier == asked }) else { return .quiet }
      let terminal = terminals[index]
      return perform { await terminal.compare(isAlike: isAlike) }
    case .restartServer(let website): return try restartServer(of: website)
    case .website(let action, let website):
      guard let server = servers.withLock({ $0[website]?.server }) else { return .quiet }
      return perform { await server.perform(action) }
    }
  }

  private func perform(_ action: Action.ByPerson) throws -> WorldScheduler.Outcome {
    switch action {
    case .on(let device, let action):
      turn(to: device)
      return try perform(action)
    case .visit(let website, let device):
      focusState.withLock { focus in
        focus.device = device ?? focus.device
        focus.open(website: website)
      }
      let origin = description.websites.first { $0.identifier == website }?.origin.serialized ?? ""
      let browser = Party(.browser, focus.device)
      return noticingFrames(on: focus.device, personSends(.visit, VisitBody(origin: origin), to: browser))
    case .open(let app, let device):
      focusState.withLock { focus in
        focus.device = device ?? focus.device
        focus.open(app: app)
      }
      return personSends(.open, to: Party.requestingApp(app, on: focus.device))
    case .tap(let label, let frame):
      let device = focus.device
      if view().authorization(on: device) != nil { return touch(.tap(label)) }
      if let app = focus.openApp {
        return personSends(.tap, TapBody(label: label), to: Party.requestingApp(app, on: device))
      }
      return personSends(.tap, TapBody(frame: frame, label: label), to: Party(.browser, device))
    case .browse(let use): return browse(use)
    case .upload(let file):
      return personSends(.choose, file.bytes, as: file.contentType, to: Party(.browser, focus.device))
    case .cancelCode(let device):
      let shown = device ?? focus.openPage?.device ?? focus.device
      let role = view().codeInPerson(on: shown) == nil ? Party.Role.clientPlatform : .mdoc
      return personSends(.cancel, to: Party(role, shown))
    case .scan(let device, let phone): return scan(view().code(on: device)?.uri ?? "", with: phone)
    case .scanText(let text, let phone): return scan(text, with: phone)
    case .showCode: return personSends(.engage, to: Party(.mdoc, focus.device))
    case .hold(let terminal, .nfc):
      focusState.withLock { $0.hold(to: terminal) }
      guard let field else { return .quiet }
      let device = focus.device
      return personDoes { _ in await field.hold(device, to: terminal) }
    case .hold(let terminal, .qrCode):
      focusState.withLock { $0.hold(to: terminal) }
      let text = view().codeInPerson(on: focus.device)?.uri ?? ""
      return personSends(.scan, Array(text.utf8), as: MediaType.text, to: Party(.terminal, terminal))
    case .unlock(let device):
      focusState.withLock { $0.device = device }
      return personSends(.unlocked, to: Party(.operatingSystem, device))
    case .carry(let device, let place):
      guard let air else { return .quiet }
      return personDoes { [field] _ in
        await field?.takeAway(device)
        await air.carry(device, to: place)
      }
    case .answerNotification(let device, let isAccepted):
      focusState.withLock { $0.device = device }
      let label = isAccepted ? NotificationScreen.continue : NotificationScreen.decline
      return personSends(.tap, TapBody(label: label), to: Party(.nearby, device))
    case .leaveContinueSheet(let device, let forCode):
      focusState.withLock { $0.device = device }
      let label = forCode ? ContinueScreen.useQRCode : ContinueScreen.cancel
      return personSends(.tap, TapBody(label: label), to: Party(.nearby, device))
    case .touch(.turn(let setting, let isOn)): return turn(setting, isOn: isOn)
    case .touch(let what): return touch(what)
    case .wait(let duration): return wait(duration)
    case .restart(let device):
      focusState.withLock { $0.restart(device) }
      return try restart(device)
    }
  }

  private func scan(_ text: String, with phone: String?) -> WorldScheduler.Outcome {
    let phone = phone ?? scanningPhone
    focusState.withLock { $0.device = phone }
    return personSends(.scan, Array(text.utf8), as: MediaType.text, to: Party(.authenticator, focus.device))
  }

  private func touch(_ touch: Action.Touch) -> WorldScheduler.Outcome {
    let system = Party(.operatingSystem, focus.device)
    return personDoes { await $0.touch(touch, on: system) }
  }

  /// Turns a setting of the device used last on or off.
  private func turn(_ setting: Action.DeviceSetting, isOn: Bool) -> WorldScheduler.Outcome {
    let device = focus.device
    let outcome = touch(.turn(setting, isOn: isOn))
    settings.withLock { _ = $0[device, default: DeviceSettings()].turn(setting, isOn: isOn) }
    guard outcome == .quiet, setting == .flightMode else { return outcome }
    network.setFlightMode(isOn, of: device)
    guard isOn, let parts = parts(of: device) else { return outcome }
    let services = tunnelServices
    return perform { for service in services { for party in parts.parties { await service.disconnect(party) } } }
  }

  private func personDoes(_ body: @escaping @Sendable (Person) async -> Void) -> WorldScheduler.Outcome {
    let person = person
    guard description.takesTimeToThink else { return perform { await body(person) } }
    let range = Self.thinkingMilliseconds
    let pause = Duration.milliseconds(range.lowerBound + pace.withLock { $0.below(range.count) })
    let outcome = scheduler.advance(by: pause)
    guard outcome == .quiet else { return outcome }
    return perform { await body(person) }
  }

  /// Lets the person do something with a device or a terminal.
  private func personSends(
    _ kind: MessageKind, _ bytes: [UInt8], as mediaType: String, to party: Party
  ) -> WorldScheduler.Outcome {
    personDoes { await $0.send(kind, bytes, as: mediaType, to: party) }
  }

  private func personSends<Body: JSONWritable>(
    _ kind: MessageKind, _ body: Body = [String](), to party: Party
  ) -> WorldScheduler.Outcome {
    personSends(kind, JSONCoding.encode(body), as: MediaType.json, to: party)
  }

  /// Uses the window of the browser, and notes the website in front afterwards.
  private func browse(_ use: Action.BrowserUse) -> WorldScheduler.Outcome {
    let device = focus.device
    let website: String? =
      switch use {
      case .openTab(let website), .showTab(let website), .closeTab(let website): website
      case .go, .changeWindow, .focus, .touch, .answerWarning: nil
      }
    let origin = description.websites.first { $0.identifier == website }?.origin.serialized
    let outcome = personSends(.browse, BrowserUseBody(use: use, origin: origin), to: Party(.browser, device))
    guard outcome == .quiet, let browser = parts(of: device)?.browser else { return outcome }
    let found = Mutex<String?>(nil)
    let asked = perform {
      let website = await browser.frontWebsite
      found.withLock { $0 = website }
    }
    let front = found.withLock { $0 }
    focusState.withLock { focus in
      if let front { focus.open(website: front) } else { focus.closeBrowser() }
    }
    return noticingFrames(on: device, asked)
  }

  /// Lets the person notice which frames a browser does not show any more.
  private func noticingFrames(on device: String, _ outcome: WorldScheduler.Outcome) -> WorldScheduler.Outcome {
    guard outcome == .quiet, description.websites.contains(where: { !$0.page.frames.isEmpty }),
      let browser = parts(of: device)?.browser
    else { return outcome }
    let person = person
    return perform { await person.miss(browser.removedFrames, on: device) }
  }

  private func perform(
    _ action: Action.ByPage, pageOf website: String, _ frame: String?, on device: String
  ) -> WorldScheduler.Outcome {
    let pages = parts(of: device)?.pages ?? []
    guard let page = pages.first(where: { $0.website == website && $0.frame == frame })?.page else { return .quiet }
    let outcome = perform {
      switch action {
      case .call(let call): await page.call(call)
      case .abort(let reason, let name): await page.abort(reason: reason, name: name)
      case .change(let change): await page.change(change)
      case .replayResponse(let session): await page.replayResponse(to: session)
      case .send(let message): await page.send(message)
      }
    }
    return noticingFrames(on: device, outcome)
  }

  /// Lets time pass, with everything that is due.
  private func wait(_ duration: Duration) -> WorldScheduler.Outcome {
    let outcome = scheduler.advance(by: duration)
    return outcome == .quiet ? scheduler.drain() : outcome
  }

  /// Limits a device's disk to its current content, or frees space.
  /// - Throws: If the database does not take the limit.
  public func setDisk(isFull: Bool, of device: String) throws {
    try parts(of: device)?.memory.setDisk(isFull: isFull)
    fullDisks.withLock { disks in
      if isFull { disks.insert(device) } else { disks.remove(device) }
    }
  }

  /// Lets an issuing authority issue a document for use elsewhere.
  /// - Returns: `IssuerSigned` in CBOR.
  /// - Throws: An error if the world has no such authority, or it cannot issue the document.
  public func issue(_ draft: DocumentDraft, by issuer: String) throws -> [UInt8] {
    guard let authority = issuers[issuer] else {
      throw DocumentError(.notIssued, "the world has no issuing authority \(issuer)")
    }
    let issued = answer { () -> Result<[UInt8], any Error> in
      do { return .success(try await authority.issue(draft)) } catch { return .failure(error) }
    }
    guard let issued else { throw DocumentError(.notIssued, "the world is not idle") }
    return try issued.get()
  }

  /// The status lists that the issuing authorities publish now, by their addresses, for verifiers outside the world.
  package func publishedStatusLists() -> [String: PublishedList] {
    let authorities = description.issuers.filter { $0.publishesStatus != nil }.compactMap { issuers[$0.identifier] }
    guard !authorities.isEmpty else { return [:] }
    let found = answer {
      var found: [String: PublishedList] = [:]
      for authority in authorities {
        let lists = (try? await authority.publishedLists()) ?? [:]
        found.merge(lists) { $1 }
      }
      return found
    }
    return found ?? [:]
  }

  /// The lists that an issuing authority publishes, in their current state.
  package func statusLists(of issuer: String) -> [StatusListIssuance] {
    guard let authority = issuers[issuer] else { return [] }
    return answer { (try? await authority.currentLists()) ?? [] } ?? []
  }
}

/// The state of a world, as a scenario sees it.
extension World {
  /// The phone of a scan that names none: the device used last if it answers requests, otherwise the world's first that does.
  public var scanningPhone: String {
    let used = focus.device
    let phones = description.devices.filter(\.kind.answersOthers).map(\.identifier)
    return phones.contains(used) ? used : phones.first ?? used
  }

  /// The website and the device of actions that do not name their own.
  public var focus: Focus { focusState.withLock { $0 } }

  /// Turns the person to a device, which becomes the device used last.
  public func turn(to device: String) { focusState.withLock { $0.turn(to: device) } }

  /// The settings of a device.
  public func settings(of device: String) -> DeviceSettings { settings.withLock { $0[device] ?? DeviceSettings() } }

  /// Returns true if an app is on a device now.
  public func isInstalled(_ app: String, on device: String) -> Bool {
    let names = try? parts(of: device)?.memory.registrations.appNames()
    return names?.contains(app) ?? false
  }

  /// Identifiers of the documents that an app on a device holds.
  public func documents(of app: String, on device: String) -> [String] {
    guard isInstalled(app, on: device) else { return [] }
    return (try? parts(of: device)?.memory.documents(of: app)?.identifiers()) ?? []
  }

  /// Returns the screens that the person sees. Runs the scheduler to ask the person, so call it between actions.
  public func view() -> PersonView { answer { [person] in await person.view } ?? PersonView() }

  /// Writes a step of the scenario into the journal.
  public func note(step message: String) { journal.record(.step(message), by: Party.person, at: scheduler.clock.now) }

  /// Records a note of the world or of a part of it, which no party in the world receives.
  func note(by party: Party, _ code: NoteCode, _ message: String) {
    journal.record(.note(Note(code, message)), by: party, at: scheduler.clock.now)
  }
}

extension World {
  /// Records a fault of the surroundings, which no party makes.
  package func record(_ fault: FaultEvent) { journal.record(.fault(fault), by: BLEAir.party, at: scheduler.clock.now) }

  /// Lets an attacker begin or end an attack by radio.
  /// - Returns: False if there is nothing to attack: no device that hears adverts, or no advert to send again.
  package func perform(_ attack: AirAttack, begins: Bool) -> Bool {
    guard let air else { return false }
    let field = field
    let isDone = Mutex(true)
    _ = perform {
      await air.perform(attack, begins: begins)
      if attack == .field { await field?.interrupt(begins) }
      let hasRecorded = await air.hasRecorded
      if attack == .replay { isDone.withLock { $0 = hasRecorded } }
      let hasRecordedSession = await air.hasRecordedSession
      if attack == .parts(.replaysSession) { isDone.withLock { $0 = hasRecordedSession } }
    }
    return isDone.withLock { $0 }
  }
}
