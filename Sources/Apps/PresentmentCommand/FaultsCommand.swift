import ArgumentParser
import CommandSupport
import Faults
import LocatedYAML
import Primitives

/// Prints the catalogue of faults.
struct FaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "List the faults that a scenario can name.",
    discussion: """
      Each fault has an id, which begins with the party at fault. A scenario injects it with a step:

        - fault: issuer.signature-altered
      """)

  @Argument(help: "Only the faults of this party, for example wallet, or the fault with this id.")
  var name: String?

  private var faults: [Fault] {
    FaultCatalogue.all.filter { fault in name.map { $0 == fault.party.rawValue || $0 == fault.id } ?? true }
  }

  func validate() throws {
    guard let name, faults.isEmpty else { return }
    let parties = Fault.Party.allCases.map(\.rawValue)
    let nearest = NearestName.of(name, in: parties + FaultCatalogue.all.map(\.id))
    let hint = nearest.map { "did you mean '\($0)'?" } ?? "parties: \(parties.joined(separator: ", "))"
    throw ValidationError("no party and no fault is called '\(name)'; \(hint)")
  }

  func run() {
    let width = faults.map(\.id.count).max() ?? 0
    for fault in faults { StandardOutput.print(fault.id.padded(to: width + 2) + fault.title) }
  }
}
