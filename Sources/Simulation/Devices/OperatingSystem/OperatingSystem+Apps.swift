import IdentityDocumentServices
import Messaging
import SimulationKernel
import Storage
import Vocabulary

/// The apps of a device: registration updates, the person's decisions, installation and removal.
extension OperatingSystem {
  func scheduleRegistrationUpdates() {
    // Counted from the start of the world, so that frequent restarts do not delay it.
    let interval = Self.registrationUpdateInterval.components.seconds
    let elapsed = max(0, station.now.secondsSince1970 - station.founded.secondsSince1970)
    let next = WorldClock.Instant(
      secondsSince1970: station.founded.secondsSince1970 + (elapsed / interval + 1) * interval)
    at(next) { $0.callRegistrationUpdates() }
  }

  private func callRegistrationUpdates() {
    guard isRunning else { return }
    do {
      for app in try registrations.authorizedApps() { callRegistrationUpdates(of: app) }
    } catch {
      station.note(.osRegistrations, "the registrations cannot be read: \(journalMessage(of: error))")
    }
    scheduleRegistrationUpdates()
  }

  private func callRegistrationUpdates(of app: String) {
    station.note(
      .osRegistrationUpdatesCalled, "\(app) is to bring its registrations up to date", facts: [Note.Fact("app", app)])
    station.send(.updateRegistrations, [String](), to: party(of: app))
  }

  /// Installs, updates or removes an app.
  func manage(_ app: AppManifest, _ change: Action.Touch) {
    switch change {
    case .install:
      guard !registrations.isInstalled(app.name) else { return }
      perform(registrations.install(app.name, entitlement: app.entitlement))
      guard registrations.isInstalled(app.name) else { return }
      station.send(.launch, [String](), to: party(of: app.name))
    case .update:
      guard registrations.isInstalled(app.name), let entitlement = app.nextEntitlement else { return }
      perform(registrations.install(app.name, entitlement: entitlement, isUpdate: true))
    default:
      guard registrations.isInstalled(app.name) else { return }
      let effects = registrations.remove(app.name)
      guard !registrations.isInstalled(app.name) else { return perform(effects) }
      // The app hears of it before its calls are refused.
      station.send(.removed, [String](), to: party(of: app.name))
      perform(effects)
      if app.name == identityRequests.wallet { walletRemoved() }
    }
  }

  func perform(_ effects: [RegistrationService.Effect]) {
    for effect in effects {
      switch effect {
      case .answer(let message, let kind, let bytes): station.answer(message, kind, bytes: bytes, as: MediaType.json)
      case .ask(let app):
        station.record(.consent(.promptShown(app: app)))
        station.send(.showPrompt, PromptScreen(app: app, in: station.language), as: MediaType.screen, to: Party.person)
      case .dismissPrompt: station.send(.dismissPrompt, [String](), as: MediaType.screen, to: Party.person)
      case .callRegistrationUpdates(let app): callRegistrationUpdates(of: app)
      case .note(let note): station.record(.note(note))
      }
    }
    refreshSelection()
  }
}
