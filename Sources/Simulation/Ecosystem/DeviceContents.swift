import Devices
import IdentityDocumentServices
import Vocabulary

/// The contents of a device at a moment: its document provider apps with their documents. And its state, as the person
/// knows it.
public struct DeviceContents: Sendable, Equatable {
  /// An installed app.
  public struct App: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The position of its switch in Settings; nil if Settings does not list the app.
    public let isOn: Bool?
    /// Identifiers of the documents that it holds.
    public let documents: [String]
  }

  /// The installed apps, in the order of the world.
  public let apps: [App]
  /// The settings.
  public let settings: DeviceSettings
  /// True while a part of the device that answers others waits for the person to unlock it.
  public let isLocked: Bool
  /// The name of the place where it is; nil in a world without Bluetooth.
  public let place: String?

  /// The installed app with a name.
  public func app(_ name: String) -> App? { apps.first { $0.name == name } }
}

extension World {
  /// Returns what is on a device now. Runs the scheduler to ask its parts, so call it between actions.
  public func contents(of device: String) -> DeviceContents {
    let described = description.devices.first { $0.identifier == device }
    let registrations = parts(of: device)?.memory.registrations
    let undecided = (try? registrations?.undecidedApps()) ?? []
    let apps = (described?.apps ?? []).compactMap { app -> DeviceContents.App? in
      guard let status = (try? registrations?.status(of: app.name)) ?? nil else { return nil }
      let isOn: Bool? =
        switch status {
        case .authorized: true
        case .notAuthorized: false
        case .notDetermined: undecided.contains(app.name) ? false : nil
        case .notSupported: nil
        }
      return DeviceContents.App(name: app.name, isOn: isOn, documents: documents(of: app.name, on: device))
    }
    let (isLocked, place) = surroundings(of: device)
    return DeviceContents(apps: apps, settings: settings(of: device), isLocked: isLocked, place: place)
  }

  private func surroundings(of device: String) -> (isLocked: Bool, place: String?) {
    let (parts, air) = (parts(of: device), air)
    let found: (Bool, String?)? = answer {
      var isLocked = await parts?.nearby.isLocked ?? false
      if await parts?.mdoc?.isUnlocked == false { isLocked = true }
      let place = await air?.place(of: device)
      return (isLocked, place)
    }
    return found ?? (false, nil)
  }
}
