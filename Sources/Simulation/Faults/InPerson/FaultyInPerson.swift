import Crypto
import Messaging
import Synchronization
import Vocabulary

/// The conduct of both ends of sessions in person with the faults that act: an end uses the key of its session before.
final class FaultyInPerson: InPersonConduct {
  private struct State {
    var acting: [Messaging.Party.Role: Fault] = [:]
    /// The newest key of each party.
    var keys: [Messaging.Party: P256.KeyAgreement.PrivateKey] = [:]
  }

  private let state = Mutex(State())

  /// Begins or ends the fault of a role.
  func set(_ fault: Fault?, for role: Messaging.Party.Role) { state.withLock { $0.acting[role] = fault } }

  func key(_ fresh: P256.KeyAgreement.PrivateKey, at station: Station) -> P256.KeyAgreement.PrivateKey {
    let (fault, before) = state.withLock { state in
      let found = (state.acting[station.party.role], state.keys[station.party])
      if found.0 == nil || found.1 == nil { state.keys[station.party] = fresh }
      return found
    }
    guard let fault else { return fresh }
    guard let before else {
      station.record(.fault(fault.event(notApplicable: "this is the first session")))
      return fresh
    }
    station.record(.fault(fault.event))
    return before
  }
}
