import Faults
import LocatedYAML

/// The `fault` step: an id of the catalogue, an id with parameters, or the end of a fault.
///
/// ```yaml
/// - fault: issuer.salt-too-short
/// - fault: { browser.origin-replaced: { origin: "https://attacker.example" } }
/// - fault: { ends: storage.disk-full }
/// ```
extension Form where Value == FaultChange {
  static let fault = Form(type: .either([.words(ids), .mapping(changes)]), read: read, write: written)

  private static let ends = "ends"
  private static let ids = FaultCatalogue.all.map(\.id)

  private static let changes: MappingType = {
    let parametrized = FaultCatalogue.all.filter { !$0.parameters.isEmpty }.map { fault in
      KeyType(
        name: fault.id, type: .mapping(parameters(of: fault)), meaning: "the fault with parameters acts from now on")
    }
    let end = KeyType(name: ends, type: .words(ids), meaning: "the fault acts no longer")
    return MappingType(title: "fault", keys: [end] + parametrized, choice: [ends] + parametrized.map(\.name))
  }()

  private static func parameters(of fault: Fault) -> MappingType {
    MappingType(
      title: fault.id,
      keys: fault.parameters.map { parameter in
        let type = parameter.name == "issuer" ? FormType.name(.issuer) : parameter.values.map(FormType.words) ?? .text
        return KeyType(name: parameter.name, type: type, isRequired: parameter.isRequired, meaning: parameter.title)
      })
  }

  private static func read(_ node: SourceNode, _ context: ReadingContext) throws -> FaultChange? {
    if node.scalar != nil { return .begins(try planned(try fault(node), nil, at: node, context)) }
    let entry = try node.onlyEntry(hint: "a fault with its parameters, or 'ends'")
    if entry.key.value == ends { return .ends(try fault(entry.value)) }
    guard let fault = FaultCatalogue.fault(entry.key.value) else {
      throw SourceProblem.unknownKey(entry.key, known: [ends] + ids)
    }
    return .begins(try planned(fault, entry.value, at: node, context))
  }

  private static func fault(_ node: SourceNode) throws -> Fault {
    guard let fault = FaultCatalogue.fault(try node.oneOf(ids, "fault")) else {
      throw node.wrongType("the id of a fault")
    }
    return fault
  }

  private static func planned(
    _ fault: Fault, _ node: SourceNode?, at step: SourceNode, _ context: ReadingContext
  ) throws -> PlannedFault {
    var arguments: [String: String] = [:]
    for entry in try node?.mapping() ?? [] {
      guard let parameter = fault.parameters.first(where: { $0.name == entry.key.value }) else {
        throw SourceProblem.unknownKey(entry.key, known: fault.parameters.map(\.name))
      }
      if let values = parameter.values {
        arguments[parameter.name] = try entry.value.oneOf(values, parameter.name)
      } else if fault.party == .bluetooth {
        arguments[parameter.name] = try Form<String>.place.read(entry.value, context)
      } else if parameter.name == "issuer" {
        arguments[parameter.name] = try Form<String>.publisher.read(entry.value, context)
      } else {
        arguments[parameter.name] = try entry.value.string()
      }
    }
    if let missing = fault.parameters.first(where: { $0.isRequired && arguments[$0.name] == nil }) {
      throw SourceProblem(
        .missingKey, "the fault \(fault.id) needs the parameter '\(missing.name)': \(missing.title)", at: step.position)
    }
    if fault.party == .sandbox, !context.world.devices.contains(where: { $0.sandbox == .process }) {
      throw SourceProblem(
        .unreadableValue, "no device of this world has its sandbox in a process", at: step.position,
        hint: "remove 'sandbox: in-process' from a device")
    }
    if [.clientPlatform, .authenticator, .tunnelService].contains(fault.party) && !context.world.isCrossDevice
      || fault.party == .bluetooth && !context.world.hasBluetooth
    {
      throw SourceProblem(
        .unreadableValue, "no browser of this world asks another device", at: step.position,
        hint: "add another device")
    }
    if fault.isInPerson, !context.world.isInPerson {
      throw SourceProblem(
        .unreadableValue, "the world has no terminal", at: step.position, hint: "give the world 'terminals'")
    }
    if fault.place == "status list", !context.world.issuers.contains(where: { $0.publishesStatus != nil }) {
      throw SourceProblem(
        .unreadableValue, "no issuing authority of this world publishes status lists", at: step.position,
        hint: "give an issuer a 'publishes-status'")
    }
    return PlannedFault(fault, arguments: arguments)
  }

  private static func written(_ change: FaultChange) -> YAMLValue {
    switch change {
    case .ends(let fault): return .one(ends, .text(fault.id))
    case .begins(let planned):
      guard !planned.arguments.isEmpty else { return .text(planned.fault.id) }
      let arguments = planned.arguments.sorted { $0.key < $1.key }
      return .one(planned.fault.id, .mapping(arguments.map { YAMLValue.Entry($0.key, .text($0.value)) }))
    }
  }
}
