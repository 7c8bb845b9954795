import CBOR
import Crypto
import Messaging
import MobileDocument
import Synchronization
import Vocabulary

/// The effect of a fault at an end of sessions in person.
enum InPersonChange: Sendable, Hashable {
  /// An end uses the ephemeral key of its session before.
  case reusesKey(Messaging.Party.Role)
  /// A terminal issues its reader certificates itself.
  case certifiesItself
  /// A terminal sends a request that is signed over another session.
  case repeatsRequest
  /// A terminal sends a request that is longer than the sandbox accepts.
  case enlargesRequest
}

/// The conduct of both ends of sessions in person with the faults that act.
final class FaultyInPerson: InPersonConduct {
  private struct State {
    var acting: [InPersonChange: Fault] = [:]
    /// The newest key of each party.
    var keys: [Messaging.Party: P256.KeyAgreement.PrivateKey] = [:]
    /// The newest request of any terminal, as the person at its counter can read it.
    var request: [UInt8]?
  }

  private let state = Mutex(State())

  /// Begins or ends a fault.
  func set(_ fault: Fault?, for change: InPersonChange) { state.withLock { $0.acting[change] = fault } }

  private func fault(_ change: InPersonChange) -> Fault? { state.withLock { $0.acting[change] } }

  func key(_ fresh: P256.KeyAgreement.PrivateKey, at station: Station) -> P256.KeyAgreement.PrivateKey {
    let (fault, before) = state.withLock { state in
      let found = (state.acting[.reusesKey(station.party.role)], state.keys[station.party])
      if found.0 == nil || found.1 == nil { state.keys[station.party] = fresh }
      return found
    }
    return changed(fresh, to: before, by: fault, at: station, orBecause: "this is the first session")
  }

  func readers(_ certified: [DeviceRequestDraft.Reader], at station: Station) throws -> [DeviceRequestDraft.Reader] {
    guard let fault = fault(.certifiesItself) else { return certified }
    guard !certified.isEmpty else {
      station.record(.fault(fault.event(notApplicable: "the terminal has no reader certificate to copy")))
      return []
    }
    station.record(.fault(fault.event))
    return try certified.map { try $0.selfCertified() }
  }

  func request(_ signed: [UInt8], at station: Station) -> [UInt8] {
    if let fault = fault(.enlargesRequest) {
      // A member that no signature covers.
      let padding = CBORValue.bytes([UInt8](repeating: 0, count: RequestLimit.deviceRequest.maximum))
      let larger = try? CBORValue(CBORReader.read(signed, readingEmbedded: false)).adding("padding", padding).encoded
      return changed(signed, to: larger, by: fault, at: station, orBecause: "the request is not a map")
    }
    let (fault, before) = state.withLock { state in
      let found = (state.acting[.repeatsRequest], state.request)
      if found.0 == nil || found.1 == nil { state.request = signed }
      return found
    }
    return changed(signed, to: before, by: fault, at: station, orBecause: "no terminal has signed a request before")
  }

  /// Returns what a fault has in place of an honest value, and records that it acts.
  /// - Parameter reason: The reason why it has nothing.
  private func changed<Value>(
    _ honest: Value, to other: Value?, by fault: Fault?, at station: Station, orBecause reason: String
  ) -> Value {
    guard let fault else { return honest }
    station.record(.fault(other == nil ? fault.event(notApplicable: reason) : fault.event))
    return other ?? honest
  }
}
