import MobileDocument
import SimulationKernel
import Synchronization

/// What a scenario can do in a world, and what it can see of it. Each call does one thing and lets everything come to
/// rest, after the moment of thought that a person takes.
extension World {
  /// How long a person takes before each action, in milliseconds: from a quick tap to reading a sheet.
  static let thinkingMilliseconds = 600...2_400

  private func personDoes(_ body: @escaping @Sendable (Person) async -> Void) -> WorldScheduler.Outcome {
    let person = person
    guard description.personHesitates else { return perform { await body(person) } }
    let range = Self.thinkingMilliseconds
    let pause = Duration.milliseconds(range.lowerBound + pace.below(range.count))
    let outcome = scheduler.advance(by: pause)
    guard outcome == .quiet else { return outcome }
    return perform { await body(person) }
  }

  /// The person opens a website.
  public func visit(_ website: String, on device: String) -> WorldScheduler.Outcome {
    let origin = description.websites.first { $0.identifier == website }?.origin.serialized ?? ""
    return personDoes { await $0.visit(origin, with: Party(.browser, device)) }
  }

  /// The person taps something: in the app's view when one is open, else on the page.
  public func tap(_ label: String, on device: String) -> WorldScheduler.Outcome {
    if view.authorization(on: device) != nil {
      return personDoes {
        await $0.tapDevice(DeviceTap(target: .appView, label: label), on: Party(.operatingSystem, device))
      }
    }
    return personDoes { await $0.tapPage(label, in: Party(.browser, device)) }
  }

  /// The person picks an app in the selector.
  public func pick(_ app: String, on device: String) -> WorldScheduler.Outcome {
    personDoes { await $0.tapDevice(DeviceTap(target: .pickApp, label: app), on: Party(.operatingSystem, device)) }
  }

  /// The person closes the selector.
  public func cancelSelector(on device: String) -> WorldScheduler.Outcome {
    personDoes {
      await $0.tapDevice(DeviceTap(target: .cancelSelector, label: "Cancel"), on: Party(.operatingSystem, device))
    }
  }

  /// The person deletes a document in an app.
  public func delete(_ document: String, in app: String, on device: String) -> WorldScheduler.Outcome {
    personDoes {
      await $0.tapDevice(
        DeviceTap(target: .deleteDocument, label: document, app: app), on: Party(.operatingSystem, device))
    }
  }

  /// The person answers the prompt that asks whether an app may provide documents.
  public func answerPrompt(of app: String, on device: String, isAllowed: Bool) -> WorldScheduler.Outcome {
    let label = isAllowed ? PromptScreen.allow : PromptScreen.doNotAllow
    return personDoes {
      await $0.tapDevice(DeviceTap(target: .prompt, label: label, app: app), on: Party(.operatingSystem, device))
    }
  }

  /// The person opens Settings and switches an app on or off.
  public func switchInSettings(_ app: String, on device: String, isOn: Bool) -> WorldScheduler.Outcome {
    let label = isOn ? DeviceTap.on : DeviceTap.off
    return personDoes {
      await $0.tapDevice(DeviceTap(target: .settings, label: label, app: app), on: Party(.operatingSystem, device))
    }
  }

  /// What the person does with an app as a whole.
  public enum AppManagement: String, Sendable {
    case install
    case update
    case remove
  }

  /// The person installs, updates or removes an app.
  public func manage(_ app: String, on device: String, _ change: AppManagement) -> WorldScheduler.Outcome {
    let target: DeviceTap.Target =
      switch change {
      case .install: .install
      case .update: .update
      case .remove: .remove
      }
    return personDoes {
      await $0.tapDevice(DeviceTap(target: target, label: app), on: Party(.operatingSystem, device))
    }
  }

  /// Whether an app is on a device now.
  public func isInstalled(_ app: String, on device: String) -> Bool {
    let names = try? parts(of: device)?.memory.registrations.appNames()
    return names?.contains(app) ?? false
  }

  /// Identifiers of the documents that an app on a device holds.
  public func documents(of app: String, on device: String) -> [String] {
    guard isInstalled(app, on: device) else { return [] }
    return (try? parts(of: device)?.memory.documents(of: app)?.identifiers()) ?? []
  }

  /// Lets an app's own code do something.
  public func app(_ name: String, on device: String, _ action: AppAction) -> WorldScheduler.Outcome {
    guard let app = parts(of: device)?.apps.first(where: { $0.name == name }) else { return .quiet }
    return perform { await app.perform(action) }
  }

  /// What an issuing authority does about the status of documents.
  public enum AuthorityAction: Sendable, Equatable {
    /// Changes the status of a document that it issued to an app.
    case changes(StatusChange, document: String, app: String, device: String)
  }

  /// Lets an issuing authority do something.
  public func authority(_ name: String, _ action: AuthorityAction) -> WorldScheduler.Outcome {
    guard let authority = issuers[name] else { return .quiet }
    return perform {
      switch action {
      case .changes(let change, let document, let app, let device):
        await authority.change(change, of: Self.record(of: document, in: app, on: device))
      }
    }
  }

  /// Makes a device's disk as full as it is now, so that nothing can be written that needs more room, or gives it room.
  /// - Throws: when the database does not take the limit.
  public func setDisk(isFull: Bool, of device: String) throws {
    try parts(of: device)?.memory.setDisk(isFull: isFull)
    fullDisks.withLock { disks in
      if isFull { disks.insert(device) } else { disks.remove(device) }
    }
  }

  /// Time passes, and what began meanwhile comes to rest.
  public func wait(_ duration: Duration) -> WorldScheduler.Outcome {
    let outcome = scheduler.advance(by: duration)
    return outcome == .quiet ? scheduler.drain() : outcome
  }

  /// What a website's script does on its own.
  public enum PageAction: Sendable, Equatable {
    /// Calls the API, whether or not the person made a gesture.
    case calls
    /// Aborts the call that is pending.
    case aborts(reason: String)
    /// Sends the last response once more.
    case replaysResponse(toNewSession: Bool)
    /// Sends something, when its script runs outside the world.
    case sends(PageMessage)
  }

  /// Lets a website's page, as it stands in a device's browser, do something on its own.
  public func page(_ website: String, on device: String, _ action: PageAction) -> WorldScheduler.Outcome {
    guard let page = parts(of: device)?.pages.first(where: { $0.website == website })?.page else { return .quiet }
    return perform {
      switch action {
      case .calls: await page.call()
      case .aborts(let reason): await page.abort(reason: reason)
      case .replaysResponse(let toNewSession): await page.replayResponse(toNewSession: toNewSession)
      case .sends(let message): await page.send(message)
      }
    }
  }

  /// Lists that an issuing authority publishes, in their present state.
  package func statusLists(of issuer: String) -> [StatusListIssuance] {
    guard let authority = issuers[issuer] else { return [] }
    let found = Mutex<[StatusListIssuance]>([])
    _ = perform {
      let lists = (try? await authority.currentLists()) ?? []
      found.withLock { $0 = lists }
    }
    return found.withLock { $0 }
  }

  /// What is on the screens.
  public var view: PersonView {
    let found = Mutex(PersonView())
    let person = person
    scheduler.spawn {
      let view = await person.view
      found.withLock { $0 = view }
    }
    _ = scheduler.drain()
    return found.withLock { $0 }
  }

  /// Writes a step of the scenario into the journal.
  public func note(step sentence: String) {
    note(.step, by: Self.personParty, .scenarioStep, "begins", sentence)
  }

  /// Writes into the journal what is done with the world or a part of it, which nobody in it sees.
  func note(_ kind: Decision.Kind, by party: Party, _ code: JournalCode, _ outcome: String, _ sentence: String) {
    journal.record(
      .decision(Decision(by: party, kind, code: code.rawValue, outcome: outcome, sentence: sentence)),
      at: scheduler.clock.now)
  }
}
