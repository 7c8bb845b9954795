import Faults
import LocatedYAML
import Primitives
import ScenarioLanguage
import Vocabulary

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

  /// The fault of the catalogue; nil for a change to the world.
  private var planned: PlannedFault? { if case .fault(let planned) = effect { planned } else { nil } }

  private init(_ fault: Fault) {
    let required = fault.parameters.filter(\.isRequired).map { ($0.name, Self.argument) }
    self.init(PlannedFault(fault, arguments: Dictionary(required) { first, _ in first }))
  }

  private init(_ planned: PlannedFault) {
    name = planned.fault.id
    label = planned.fault.title
    place = planned.fault.party.title
    effect = .fault(planned)
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

  /// The maximum number of characters of an unknown name in a message.
  private static let longestShownName = 128

  /// The message for an unknown name: the nearest one, or where the names are.
  private static func unknown(_ name: String, of names: [String]) -> String {
    let hint = NearestName.of(name, in: names).map { "did you mean '\($0)'?" } ?? "'presentment faults' lists them"
    return "unknown fault '\(name.prefix(longestShownName))'; \(hint)"
  }

  /// The message for a name that a demonstration does not know.
  public static func unknown(_ name: String) -> String { unknown(name, of: (all + further).map(\.name)) }

  /// Returns the fault with a name for a site outside the world. Every fault of the catalogue has one, not only those of
  /// the menu.
  ///
  /// - Throws: ``InteractiveWorldError`` if the name is unknown, or names a fault of the world's own websites.
  public static func forExternalSite(_ name: String) throws(InteractiveWorldError) -> DemoFault {
    guard let fault = named(name) ?? FaultCatalogue.fault(name).map(DemoFault.init) else {
      throw InteractiveWorldError(.unsuitable, unknown(name, of: FaultCatalogue.all.map(\.id)))
    }
    guard fault.actsOnExternalSites else {
      throw InteractiveWorldError(
        .unsuitable, "the fault '\(name)' is one of a simulated website; a real site brings its own server")
    }
    return fault
  }

  /// Returns a fault with its arguments for a site outside the world.
  ///
  /// - Throws: ``InteractiveWorldError`` if it is a fault of the world's own websites.
  public static func forExternalSite(_ planned: PlannedFault) throws(InteractiveWorldError) -> DemoFault {
    _ = try forExternalSite(planned.fault.id)
    let required = DemoFault(planned.fault)
    guard let plain = required.planned else { return required }
    return DemoFault(PlannedFault(planned.fault, arguments: plain.arguments.merging(planned.arguments) { $1 }))
  }

  /// Returns the faults with names, each once.
  ///
  /// - Throws: ``InteractiveWorldError``, as for a single name.
  public static func forExternalSite(_ names: [String]) throws(InteractiveWorldError) -> [DemoFault] {
    try names.uniqued().map { (name) throws(InteractiveWorldError) in try forExternalSite(name) }
  }

  /// True unless it is a fault of a website in the world, which a site outside does not have.
  public var actsOnExternalSites: Bool { planned.map { $0.fault.party != .website } ?? false }

  /// The step that ends the fault; nil for a change to the world.
  public var ending: Step? { planned.map { Step(.fault(.ends($0.fault))) } }

  /// The faults of the catalogue that the menu does not show at first. Those of a sandbox need a process of their own.
  public static let further = FaultCatalogue.all
    .filter { fault in fault.party != .sandbox && !all.contains { $0.name == fault.id } }.map(DemoFault.init)

  /// The entry of the menu, or the fault of the catalogue, with a name.
  public static func named(_ name: String) -> DemoFault? {
    all.first { $0.name == name } ?? further.first { $0.name == name }
  }

  /// The step that injects the fault; nil for a change to the world.
  public var step: Step? { planned.map { Step(.fault(.begins($0))) } }

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
      websites.append(YAMLValue.Entry(website.identifier, .one("signs-for", .list(authorities.map(YAMLValue.text)))))
    }
    return .one("websites", .mapping(websites))
  }
}
