import DevicePlatform
import Ecosystem
import Faults

/// Reads faults: an id of the catalogue, an id with parameters, or the end of a fault.
///
/// ```yaml
/// - fault: issuer.salt-too-short
/// - fault: { browser.origin-replaced: { origin: "https://attacker.example" } }
/// - fault: { ends: storage.disk-full }
/// ```
extension StepReader {
  private static let ends = "ends"

  func readFault(_ node: SourceNode) throws -> FaultChange? {
    if node.scalar != nil { return .begins(try planned(try fault(node), node: nil, at: node)) }
    let entries = try node.mapping()
    guard let entry = entries.first, entries.count == 1 else {
      throw SourceProblem(
        .notOneKey, "expected exactly one key, found \(entries.count)",
        at: entries.dropFirst().first?.key.position ?? node.position, hint: "a fault with its parameters, or 'ends'")
    }
    if entry.key.value == Self.ends { return .ends(try fault(entry.value)) }
    guard let fault = FaultCatalogue.fault(entry.key.value) else {
      throw SourceProblem.unknownKey(entry.key, known: [Self.ends] + FaultCatalogue.all.map(\.id))
    }
    return .begins(try planned(fault, node: entry.value, at: node))
  }

  private func fault(_ node: SourceNode) throws -> Fault {
    let id = try node.oneOf(FaultCatalogue.all.map(\.id), "fault")
    guard let fault = FaultCatalogue.fault(id) else { throw node.wrongType("the id of a fault") }
    return fault
  }

  private func planned(_ fault: Fault, node: SourceNode?, at step: SourceNode) throws -> PlannedFault {
    var arguments: [String: String] = [:]
    for entry in try node?.mapping() ?? [] {
      guard let parameter = fault.parameters.first(where: { $0.name == entry.key.value }) else {
        throw SourceProblem.unknownKey(entry.key, known: fault.parameters.map(\.name))
      }
      if let values = parameter.values {
        arguments[parameter.name] = try entry.value.oneOf(values, parameter.name)
      } else if parameter.name == "issuer" {
        arguments[parameter.name] = try readPublisher(entry.value).identifier
      } else {
        arguments[parameter.name] = try entry.value.string()
      }
    }
    if let missing = fault.parameters.first(where: { $0.isRequired && arguments[$0.name] == nil }) {
      throw SourceProblem(
        .missingKey, "the fault \(fault.id) needs the parameter '\(missing.name)': \(missing.title)", at: step.position)
    }
    if fault.party == .sandbox, !world.devices.contains(where: { $0.sandbox == .process }) {
      throw SourceProblem(
        .unreadableValue, "no device of this world has its sandbox in a process", at: step.position,
        hint: "give a device 'sandbox: process'")
    }
    if fault.place == "status list", !world.issuers.contains(where: { $0.publishesStatus != nil }) {
      throw SourceProblem(
        .unreadableValue, "no issuing authority of this world publishes status lists", at: step.position,
        hint: "give an issuer a 'publishes-status'")
    }
    return PlannedFault(fault, arguments: arguments)
  }

  /// The code of a variant that an explanation must name.
  func readExplained(_ node: SourceNode) throws -> Located<String> {
    try node.located { try $0.oneOf(CodeRegistry.explanations, "explanation") }
  }
}
