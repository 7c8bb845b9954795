import ArgumentParser
import CommandSupport
import Faults

/// Prints the catalogue of faults.
struct FaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "List the faults that a scenario can name.",
    discussion: """
      Each fault has an id, which begins with the party at fault. A scenario injects it with a step:

        - fault: issuer.signature-altered
      """)

  @Argument(help: "Only the faults of this party, for example wallet.")
  var party: String?

  func validate() throws {
    guard let party, Fault.Party(rawValue: party) == nil else { return }
    let known = Fault.Party.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("unknown party '\(party)'; available: \(known)")
  }

  func run() {
    let faults = FaultCatalogue.all.filter { party == nil || $0.party.rawValue == party }
    let width = faults.map(\.id.count).max() ?? 0
    for fault in faults {
      StandardOutput.print(fault.id + String(repeating: " ", count: width - fault.id.count + 2) + fault.title)
    }
  }
}
