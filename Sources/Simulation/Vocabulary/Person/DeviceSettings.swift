/// The positions of a device's settings.
public struct DeviceSettings: Sendable, Equatable {
  /// The settings that are not in their usual position.
  private var moved: [Action.DeviceSetting] = []

  /// The settings of a new device.
  public init() {}

  /// True if a setting is on.
  public func isOn(_ setting: Action.DeviceSetting) -> Bool { setting.isUsuallyOn != moved.contains(setting) }

  /// Turns a setting on or off.
  /// - Returns: False if it is in this position already.
  package mutating func turn(_ setting: Action.DeviceSetting, isOn: Bool) -> Bool {
    guard self.isOn(setting) != isOn else { return false }
    if isOn == setting.isUsuallyOn { moved.removeAll { $0 == setting } } else { moved.append(setting) }
    return true
  }
}
