import Ecosystem
import Faults
import LocatedYAML
import ScenarioLanguage

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

  /// The step that injects the fault; nil for a change to the world.
  public var step: Step? {
    guard case .fault(let planned) = effect else { return nil }
    return Step(.fault(.begins(planned)))
  }

  /// True for a change to the world, which leaves no line in its journal.
  var isChange: Bool { step == nil }

  /// The change to a world; nil for a fault.
  public func changes(to world: WorldDescription) -> YAMLValue? {
    var websites: [YAMLValue.Entry] = []
    for website in world.websites {
      let authorities: [String]
      switch effect {
      case .fault: return nil
      case .unsigned: authorities = []
      case .signedForAnother:
        let others = world.readerAuthorities.map(\.identifier).filter { !website.signsFor.contains($0) }
        authorities = Array(others.prefix(1))
      }
      websites.append(
        YAMLValue.Entry(website.identifier, .one("signs-for", .list(authorities.map(YAMLValue.text)))))
    }
    return .one("websites", .mapping(websites))
  }
}
