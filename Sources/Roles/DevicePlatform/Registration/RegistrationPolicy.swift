import IdentityDocumentServices

/// The rules of the registration store: the calls that an app may make, and the switches in Settings that take effect.
///
/// A database keeps statuses, entitlements and registrations. ``AuthorizationMachine`` has the prompts.
public struct RegistrationPolicy: Sendable {
  /// The authorization of an app.
  public typealias Status = IdentityDocumentProviderRegistrationStore.Status
  /// The error of a refused call.
  public typealias RegistrationError = IdentityDocumentProviderRegistrationStore.RegistrationError

  /// The effect of a switch in Settings.
  public enum SettingsSwitch: Sendable, Equatable {
    /// The status changes.
    case takesEffect
    /// The status is already the requested one.
    case hasNoEffect
    /// Settings does not list the app: it has not asked the person yet.
    case isNotListedYet
    /// Settings does not list the app: it cannot provide documents on this device.
    case isNotListed
  }

  /// Indicates whether the device supports document provider apps.
  public let isSupported: Bool

  /// Creates the policy of a device.
  public init(isSupported: Bool) { self.isSupported = isSupported }

  /// Returns the status of an app.
  /// - Parameter stored: The status in the database, or nil for an app that is not installed.
  public func status(stored: Status?) -> Status { isSupported ? stored ?? .notSupported : .notSupported }

  /// Checks that an app may list and remove its registrations.
  ///
  /// - Throws: `RegistrationError.notAuthorized` or `RegistrationError.notSupported`.
  public func requireAuthorization(_ status: Status) throws(RegistrationError) {
    switch status {
    case .authorized: return
    case .notAuthorized, .notDetermined: throw .notAuthorized
    case .notSupported: throw .notSupported
    }
  }

  /// Checks that an app may make a registration, once the person authorizes it.
  /// - Parameters:
  ///   - registration: The registration, or nil if the call does not have a readable one.
  ///   - entitlement: The document types of the app's entitlement. It can change while a prompt is open, so the check is
  ///     made before the prompt and after it.
  /// - Throws: `RegistrationError.notSupported` or `RegistrationError.invalidRequest`.
  public func validate(
    _ registration: MobileDocumentRegistration?, entitlement: [String]
  ) throws(RegistrationError) -> MobileDocumentRegistration {
    guard isSupported else { throw .notSupported }
    guard let registration, registration.isWithinLimits, entitlement.contains(registration.mobileDocumentType) else {
      throw .invalidRequest
    }
    return registration
  }

  /// Returns the effect of a switch in Settings, which lists the apps that have asked the person. An app that the person
  /// has not decided about is off.
  /// - Parameters:
  ///   - isAllowed: True for a switch that turns the app on.
  ///   - status: The app's status before the switch.
  ///   - hasAsked: Indicates whether an app with the status `notDetermined` has asked.
  public func settingsSwitch(to isAllowed: Bool, from status: Status, hasAsked: Bool) -> SettingsSwitch {
    switch (status, isAllowed) {
    case (.notAuthorized, true), (.authorized, false): .takesEffect
    case (.authorized, true), (.notAuthorized, false): .hasNoEffect
    case (.notDetermined, _): hasAsked ? (isAllowed ? .takesEffect : .hasNoEffect) : .isNotListedYet
    case (.notSupported, _): .isNotListed
    }
  }
}
