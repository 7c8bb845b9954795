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
    guard let fault else { return fresh }
    guard let before else {
      station.record(.fault(fault.event(notApplicable: "this is the first session")))
      return fresh
    }
    station.record(.fault(fault.event))
    return before
  }

  func readers(
    _ certified: [DeviceRequestDraft.Reader], at station: Station
  ) throws -> [DeviceRequestDraft.Reader] {
    guard let fault = fault(.certifiesItself) else { return certified }
    guard !certified.isEmpty else {
      station.record(.fault(fault.event(notApplicable: "the terminal has no reader certificate to copy")))
      return []
    }
    station.record(.fault(fault.event))
    return try certified.map { try $0.selfCertified() }
  }

  func request(_ signed: [UInt8], at station: Station) -> [UInt8] {
    if let fault = fault(.enlargesRequest) { return enlarged(signed, fault, at: station) }
    let (fault, before) = state.withLock { state in
      let found = (state.acting[.repeatsRequest], state.request)
      if found.0 == nil || found.1 == nil { state.request = signed }
      return found
    }
    guard let fault else { return signed }
    guard let before else {
      station.record(.fault(fault.event(notApplicable: "no terminal has signed a request before")))
      return signed
    }
    station.record(.fault(fault.event))
    return before
  }

  /// The request with a member that no signature covers.
  private func enlarged(_ signed: [UInt8], _ fault: Fault, at station: Station) -> [UInt8] {
    let padding = CBORValue.bytes([UInt8](repeating: 0, count: RequestLimit.deviceRequest.maximum))
    guard let request = try? CBORReader.read(signed, readingEmbedded: false),
      let larger = try? CBORValue(request).adding("padding", padding)
    else {
      station.record(.fault(fault.event(notApplicable: "the request is not a map")))
      return signed
    }
    station.record(.fault(fault.event))
    return larger.encoded
  }
}
