import Ecosystem
import Faults
import JSON

/// An entry in the menu of a demonstration: a fault of the catalogue, or a change to the websites of the world.
public struct DemoFault: Sendable, Equatable {
  /// Its name in addresses: the id of the fault.
  public let name: String
  /// A short description.
  public let label: String
  /// The party at fault, as a heading.
  public let place: String
  private let effect: Effect

  private enum Effect: Sendable, Equatable {
    case fault(PlannedFault)
    case unsigned
    case signedForAnother
  }

  private init(_ fault: Fault) {
    name = fault.id
    label = fault.title
    place = fault.party.title
    let required = fault.parameters.filter(\.isRequired).map { ($0.name, Self.argument) }
    effect = .fault(PlannedFault(fault, arguments: Dictionary(required) { first, _ in first }))
  }

  private init(_ name: String, _ label: String, _ effect: Effect) {
    self.name = name
    self.label = label
    place = Fault.Party.website.title
    self.effect = effect
  }

  /// The value of parameters that need one: an origin that no website of a world has.
  private static let argument = "https://attacker.example"

  /// Every entry, in the order of the menu.
  public static let all =
    [
      DemoFault("unsigned", "No reader authority signs the request", .unsigned),
      DemoFault("another-authority", "Another reader authority signs the request", .signedForAnother),
    ] + FaultCatalogue.featured.map(DemoFault.init)

  /// The entry with a name.
  public static func named(_ name: String) -> DemoFault? { all.first { $0.name == name } }

  /// The step of the scenario language that injects the fault; nil for a change to the world.
  public var step: String? {
    guard case .fault(let planned) = effect else { return nil }
    guard !planned.arguments.isEmpty else { return "fault: \(planned.fault.id)" }
    let arguments = planned.arguments.sorted { $0.key < $1.key }.map { "\($0.key): '\($0.value)'" }
    return "fault: { \(planned.fault.id): { \(arguments.joined(separator: ", ")) } }"
  }

  /// The change to a world, as a scenario writes it; nil for a fault.
  /// - Throws: ``LiveRefusal`` when it cannot be written.
  public func changes(to world: WorldDescription) throws(LiveRefusal) -> String? {
    var websites: [String: [String: [String]]] = [:]
    for website in world.websites {
      switch effect {
      case .fault: return nil
      case .unsigned: websites[website.identifier] = ["signs-for": []]
      case .signedForAnother:
        let others = world.readerAuthorities.map(\.identifier).filter { !website.signsFor.contains($0) }
        websites[website.identifier] = ["signs-for": Array(others.prefix(1))]
      }
    }
    return JSONCoding.text(["websites": websites])
  }
}
