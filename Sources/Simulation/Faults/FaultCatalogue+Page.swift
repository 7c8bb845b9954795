/// The catalogue as a reference page.
extension FaultCatalogue {
  /// docs/faults.md: a table of each party's faults.
  public static var page: String {
    head + Fault.Party.allCases.map(section).joined()
  }

  private static let head = """
    # Faults

    A fault is anything that a scenario makes go wrong. Each one has an id, which begins with the party at fault:

    ```yaml
    steps:
      - fault: issuer.signature-altered
      - fault: { browser.origin-replaced: { origin: "https://attacker.example" } }
      - fault: { ends: storage.disk-full }
    ```

    A fault acts from its step on, until a step ends it. The journal records it under its id each time it changes something.
    A fault that finds nothing to change fails the scenario. The tables say where each fault acts and which checks notice it:
    the checks fail, or they pass with an accepted deviation where the table says so. [checks.md](checks.md) explains the
    checks, `presentment faults` lists the faults. `make fault-table` writes this page from the catalogue. A shipped scenario
    shows each fault and one of its checks; a test requires it.

    """

  private static func section(_ party: Fault.Party) -> String {
    let faults = all.filter { $0.party == party }
    let rows = faults.map { fault in
      let failed = fault.findings.failed.map { "`\($0)`" }
      let deviating = fault.findings.deviating.map { "`\($0)` deviates" }
      let parameters = fault.parameters.map { " `\($0.name)`: \($0.title)." }.joined()
      return "| `\(fault.id)` | \(fault.title).\(parameters) | \(fault.place) | \(fault.findings.party) | "
        + "\((failed + deviating).joined(separator: ", ")) |\n"
    }
    return "\n## \(party.title)\n\n| fault | title | acts on | noticed by | checks |\n| --- | --- | --- | --- | --- |\n"
      + rows.joined()
  }
}
