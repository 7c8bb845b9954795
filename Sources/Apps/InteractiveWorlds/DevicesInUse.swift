import Vocabulary

/// The devices of a person: one with the browser, and one whose apps answer. They are the same unless the browser asks
/// another device.
public struct DevicesInUse: Sendable, Equatable {
  /// The device with the browser.
  public let browsing: String
  /// The device whose apps answer.
  public let answering: String

  /// Chooses the devices of a world.
  ///
  /// - Parameter current: The device that the person used last. It answers if it can, and the browser is on it unless the
  ///   world has a device that asks others.
  public init(_ devices: [WorldDescription.Device], current: String) {
    func first(answers: Bool) -> String? { devices.first { $0.kind.answersOthers == answers }?.identifier }
    let isAsking = devices.contains { $0.identifier == current && !$0.kind.answersOthers }
    browsing = isAsking ? current : first(answers: false) ?? current
    answering = isAsking ? first(answers: true) ?? current : current
  }

  /// True if the browser is not on the device whose apps answer.
  public var areDifferent: Bool { browsing != answering }
}
