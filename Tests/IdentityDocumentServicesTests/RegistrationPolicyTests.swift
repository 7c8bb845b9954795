import DevicePlatform
import Foundation
import IdentityDocumentServices
import Testing

@Suite("Registration policy")
struct RegistrationPolicyTests {
  typealias Status = RegistrationPolicy.Status
  typealias RegistrationError = RegistrationPolicy.RegistrationError

  static let statuses: [Status] = [.authorized, .notAuthorized, .notDetermined, .notSupported]

  private let policy = RegistrationPolicy(isSupported: true)
  private let unsupported = RegistrationPolicy(isSupported: false)

  private func registration(_ type: String = "a", identifier: String = "1") -> MobileDocumentRegistration {
    MobileDocumentRegistration(
      mobileDocumentType: type, supportedAuthorityKeyIdentifiers: [], documentIdentifier: identifier)
  }

  @Test("The status is the stored one on a device that supports provider apps", arguments: statuses)
  func status(stored: Status) {
    #expect(policy.status(stored: stored) == stored)
    #expect(policy.status(stored: nil) == .notSupported)
    #expect(unsupported.status(stored: stored) == .notSupported)
  }

  @Test(
    "Only an authorized app may list and remove registrations",
    arguments: zip(statuses, [nil, .notAuthorized, .notAuthorized, .notSupported] as [RegistrationError?]))
  func authorization(status: Status, error: RegistrationError?) {
    var thrown: RegistrationError?
    do { try policy.requireAuthorization(status) } catch { thrown = error }
    #expect(thrown == error)
  }

  @Test("Accepts a registration within the limits and the entitlement only")
  func validation() throws {
    #expect(try policy.validate(registration(), entitlement: ["b", "a"]) == registration())
    for (candidate, entitlement) in [
      (registration(), ["b"]), (registration(), []), (registration(""), [""]), (registration(identifier: ""), ["a"]),
      (nil, ["a"]),
    ] as [(MobileDocumentRegistration?, [String])] {
      #expect(throws: RegistrationError.invalidRequest) {
        try policy.validate(candidate, entitlement: entitlement)
      }
    }
    #expect(throws: RegistrationError.notSupported) {
      try unsupported.validate(registration(), entitlement: ["a"])
    }
  }

  @Test("A switch in Settings takes effect for listed apps whose status changes")
  func settings() {
    let decided: [(Status, Bool, RegistrationPolicy.SettingsSwitch)] = [
      (.authorized, true, .hasNoEffect), (.authorized, false, .takesEffect),
      (.notAuthorized, true, .takesEffect), (.notAuthorized, false, .hasNoEffect),
      (.notSupported, true, .isNotListed), (.notSupported, false, .isNotListed),
    ]
    for (status, isAllowed, effect) in decided {
      for hasAsked in [true, false] {
        #expect(policy.settingsSwitch(to: isAllowed, from: status, hasAsked: hasAsked) == effect)
      }
    }
    #expect(policy.settingsSwitch(to: true, from: .notDetermined, hasAsked: true) == .takesEffect)
    #expect(policy.settingsSwitch(to: false, from: .notDetermined, hasAsked: true) == .hasNoEffect)
    for isAllowed in [true, false] {
      #expect(policy.settingsSwitch(to: isAllowed, from: .notDetermined, hasAsked: false) == .isNotListedYet)
    }
  }

  @Test("The authorization machine changes a status exactly if the policy says so")
  func agreement() {
    for status in Self.statuses {
      for (isAllowed, hasAsked) in [(true, true), (true, false), (false, true), (false, false)] {
        var machine = AuthorizationMachine()
        if hasAsked { _ = machine.receive(.addCalled(app: "Wallet", call: 1, status)) }
        let effect = policy.settingsSwitch(to: isAllowed, from: status, hasAsked: machine.isUndecided("Wallet"))
        let effects = machine.receive(.switched(app: "Wallet", isAllowed: isAllowed, status))
        #expect(effects.isEmpty == (effect != .takesEffect))
      }
    }
  }
}
