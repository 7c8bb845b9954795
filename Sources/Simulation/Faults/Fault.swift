import Checks
import DevicePlatform
import Messaging
import MobileDocument
import SimulationKernel
import Vocabulary

/// An entry of the catalogue: one thing that a scenario can make go wrong, the party at fault, and the check that notices
/// it. Scenarios name it by its id: `fault: issuer.signature-altered`.
public struct Fault: Sendable, Identifiable, Equatable, CustomStringConvertible {
  /// The party at fault: the first word of the id.
  public enum Party: String, Sendable, CaseIterable {
    case issuer
    case listOperator = "list-operator"
    case wallet, website, browser
    case operatingSystem = "operating-system"
    case sandbox
    case clientPlatform = "client-platform"
    case authenticator
    case tunnelService = "tunnel-service"
    case bluetooth, nfc, mdoc, terminal, network, storage

    /// The party's title.
    public var title: String {
      switch self {
      case .issuer: "The issuing authority"
      case .listOperator: "The list operator"
      case .wallet: "The wallet"
      case .website: "The website"
      case .browser: "The browser"
      case .operatingSystem: "The operating system"
      case .sandbox: "The request sandbox"
      case .clientPlatform: "The client platform"
      case .authenticator: "The authenticator of a phone"
      case .tunnelService: "The tunnel service"
      case .bluetooth: "Bluetooth"
      case .nfc: "NFC"
      case .mdoc: "The mdoc of a phone"
      case .terminal: "The terminal"
      case .network: "The network"
      case .storage: "The storage"
      }
    }
  }

  /// A parameter that a scenario can give a fault.
  public struct Parameter: Sendable, Equatable {
    /// Name of the parameter.
    public let name: String
    /// The meaning.
    public let title: String
    /// Allowed values; nil for any text.
    public let values: [String]?
    /// A scenario has to give it.
    public let isRequired: Bool

    /// A parameter that a scenario has to give any text.
    static func required(_ name: String, _ title: String) -> Parameter {
      Parameter(name: name, title: title, values: nil, isRequired: true)
    }
  }

  /// Identifier: the party, then the fault.
  public let id: String
  /// The party at fault.
  public let party: Party
  /// A human-readable message without a full stop.
  public let title: String
  /// The place where it acts: a document, a signature, a kind of message.
  public let place: String
  /// The findings that the fault leads to.
  public let findings: FaultFindings
  /// Parameters that a scenario can give.
  public let parameters: [Parameter]
  let effect: Effect

  /// The id.
  public var description: String { id }

  init(
    _ party: Party, _ name: String, _ title: String, _ findings: FaultFindings, at place: String,
    parameters: [Parameter] = [], _ effect: Effect
  ) {
    id = "\(party.rawValue).\(name)"
    self.party = party
    self.title = title
    self.findings = findings
    self.place = place
    self.parameters = parameters
    self.effect = effect
  }

  /// True for a fault of a request, an answer or a credential that OpenID4VP alone has.
  public var isOfOpenID4VP: Bool {
    switch effect {
    case .credential, .presentation, .presentationRequest: true
    default: false
    }
  }

  /// The journal's event of the fault that changed something.
  var event: FaultEvent { FaultEvent(id, title) }
  /// The journal's event of the fault that found nothing to change.
  func event(notApplicable reason: String) -> FaultEvent { FaultEvent(id, title, .notApplicable(reason)) }

  /// Two faults of the catalogue are the same when their ids are.
  public static func == (left: Fault, right: Fault) -> Bool { left.id == right.id }
}

/// The findings that a fault leads to.
public struct FaultFindings: Sendable, Equatable {
  /// The party that notices, as journals name it.
  public let party: String
  /// Checks that fail.
  public let failed: [String]
  /// Checks that pass with an accepted deviation.
  public let deviating: [String]

  /// A check of the response fails at the server.
  static func fails(_ check: ResponseCheck, _ reason: ResponseCheck.Reason? = nil) -> FaultFindings {
    FaultFindings(party: "server", failed: [check.name(reason)], deviating: [])
  }

  /// A check of the response passes at the server with an accepted deviation.
  static func deviates(_ check: ResponseCheck, _ reason: ResponseCheck.Reason? = nil) -> FaultFindings {
    FaultFindings(party: "server", failed: [], deviating: [check.name(reason)])
  }

  /// A check fails.
  static func fails<Check: CheckFamily>(
    _ check: Check, _ reason: Check.Reason? = nil, by party: String = "server"
  ) -> FaultFindings {
    FaultFindings(party: party, failed: [check.name(reason)], deviating: [])
  }

  /// A check passes at the server with an accepted deviation.
  static func deviates<Check: CheckFamily>(_ check: Check, _ reason: Check.Reason? = nil) -> FaultFindings {
    FaultFindings(party: "server", failed: [], deviating: [check.name(reason)])
  }

  /// The request sandbox refuses a reader signature.
  static let refusesSignature = fails(SandboxCheck.readerSignature, by: "sandbox")

  /// The same findings, and another check that fails.
  func failing(_ check: ResponseCheck, _ reason: ResponseCheck.Reason? = nil) -> FaultFindings {
    FaultFindings(party: party, failed: failed + [check.name(reason)], deviating: deviating)
  }

  /// The same findings, and another check that deviates.
  func deviating(_ check: ResponseCheck, _ reason: ResponseCheck.Reason? = nil) -> FaultFindings {
    FaultFindings(party: party, failed: failed, deviating: deviating + [check.name(reason)])
  }

  /// Nothing notices the fault: the documents do not promise that anything does.
  public static let unnoticed = FaultFindings(party: "nothing", failed: [], deviating: [])
}

/// A fault with its arguments, as a step of a scenario names it.
public struct PlannedFault: Sendable, Equatable {
  /// The entry of the catalogue.
  public let fault: Fault
  /// Arguments by the names of parameters.
  public let arguments: [String: String]

  /// A fault with its arguments.
  public init(_ fault: Fault, arguments: [String: String] = [:]) {
    self.fault = fault
    self.arguments = arguments
  }

  /// The title, with the arguments.
  public var title: String {
    let added = fault.parameters.compactMap { parameter in
      arguments[parameter.name].map { "\(parameter.name): \($0)" }
    }
    return added.isEmpty ? fault.title : "\(fault.title) (\(added.joined(separator: ", ")))"
  }
}

/// A fault that acts, with its effect.
struct Acting<Change: Sendable>: Sendable {
  let fault: Fault
  let change: Change
}

/// A step of a scenario about a fault.
public enum FaultChange: Sendable, Equatable {
  /// The fault acts from now on.
  case begins(PlannedFault)
  /// The fault acts no longer.
  case ends(Fault)

  /// The fault.
  public var fault: Fault {
    switch self {
    case .begins(let planned): planned.fault
    case .ends(let fault): fault
    }
  }

  /// The change in words.
  public var message: String {
    switch self {
    case .begins(let planned): "fault \(planned.fault.id): \(planned.title)"
    case .ends(let fault): "end of fault \(fault.id)"
    }
  }
}

extension Station {
  /// Records that faults changed something, or that they found nothing to change.
  /// - Throws: What the body throws.
  func recording<Value>(_ faults: [Fault?], _ body: () throws -> Value) throws -> Value {
    let faults = faults.compactMap(\.self)
    do {
      let value = try body()
      for fault in faults { record(.fault(fault.event)) }
      return value
    } catch let error as SimulationError where error.code == .faultNotApplicable {
      for fault in faults { record(.fault(fault.event(notApplicable: error.message))) }
      throw error
    }
  }
}

/// Faults that change messages under way.
extension Fault {
  /// The kind of message that the fault changes; nil for a fault that does not change messages.
  package var messageKind: MessageKind? { if case .message(let change) = effect { change.kind } else { nil } }

  /// The fault as one that changes a single message; nil for a fault that does not change messages.
  package func acting(onlyOn number: Int) -> Network.Fault? {
    guard case .message(let change) = effect else { return nil }
    let fault = change.networkFault(of: .example(of: self))
    return Network.Fault(code: fault.code, message: fault.message) { message in
      message.number == number ? try fault.alter(message) : nil
    }
  }
}

extension PlannedFault {
  /// The fault with an example for each argument that it needs.
  package static func example(of fault: Fault) -> PlannedFault {
    let needed = fault.parameters.filter(\.isRequired)
    let arguments = needed.map { ($0.name, $0.values?.first ?? "https://attacker.example") }
    return PlannedFault(fault, arguments: Dictionary(uniqueKeysWithValues: arguments))
  }
}
