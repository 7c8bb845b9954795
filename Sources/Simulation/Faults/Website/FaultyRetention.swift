import MobileDocument
import SimulationKernel
import Storage
import Synchronization
import Vocabulary
import Websites

/// The retention of a world with faults: servers keep more than they said, or what they said.
final class FaultyRetention: RetentionPolicy {
  /// The data that a server keeps against its promise.
  enum Surplus: Sendable, Hashable {
    /// Every verified element.
    case elements
    /// The encrypted response.
    case response
  }

  private let faults = Mutex<[Surplus: Fault]>([:])

  /// Begins or ends a fault.
  func set(_ surplus: Surplus, to fault: Fault?) { faults.withLock { $0[surplus] = fault } }

  func kept(
    of documents: [VerifiedDocument], asking requests: [ItemsRequest], response: [UInt8], at station: Station
  ) -> [SessionStore.KeptItem] {
    let faults = faults.withLock { $0 }
    var kept = PromisedRetention().kept(of: documents, asking: requests, response: response, at: station)
    if let fault = faults[.elements], !documents.isEmpty {
      let all = documents.flatMap { document in document.elements.map { SessionStore.KeptItem($0, of: document) } }
      let isApplicable = all.count > kept.count
      station.record(
        .fault(isApplicable ? fault.event : fault.event(notApplicable: "the request retains every element")))
      kept = all
    }
    if let fault = faults[.response] {
      station.record(.fault(fault.event))
      kept.append(SessionStore.KeptItem(response: response))
    }
    return kept
  }
}

extension Fault {
  /// Faults of what websites keep. Nothing on the device and nothing in the protocol notices them.
  static let ofRetention: [Fault] = [
    Fault(
      .website, "keeps-shown-elements", "The website keeps elements that it said it would only look at", .unnoticed,
      at: "store", .retention(.elements)),
    Fault(
      .website, "keeps-response", "The website keeps the encrypted response after it is verified", .unnoticed,
      at: "store", .retention(.response)),
  ]
}
