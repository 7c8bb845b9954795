import Checks
import CrossCheckTrait
import Faults
import MobileDocument
import SimulationKernel
import Testing

@Suite("Faults", .crossChecked)
struct FaultTests {
  /// The codes of the failed and of the deviating checks.
  private func findings(_ fault: Fault?) async throws -> (failed: Set<String>, deviating: Set<String>) {
    let parties = try fault?.elements.map { try Parties(asking: $0.asked) } ?? Parties()
    let document =
      try fault?.elements.map { try parties.document(fault?.documentChange, elements: $0.held) }
      ?? parties.document(fault?.documentChange)
    let answer = try parties.answer(fault?.responseChange, with: document)
    let (checks, isVerified) = try await parties.verdict(answer)
    func codes(_ outcome: CheckResult.Status) -> Set<String> {
      Set(checks.filter { $0.status == outcome }.map(\.name))
    }
    // A check cannot both pass and fail.
    #expect(codes(.passed).isDisjoint(with: codes(.failed)))
    #expect(isVerified == codes(.failed).isEmpty)
    return (codes(.failed), codes(.deviates))
  }

  private func documentChange(_ id: String) throws -> DocumentChange {
    try #require(FaultCatalogue.fault(id)?.documentChange)
  }

  @Test("a document without a fault verifies without findings")
  func none() async throws {
    let (failed, deviating) = try await findings(nil)
    #expect(failed == [] && deviating == [])
  }

  @Test(
    "each fault of a document or a response gives exactly its declared findings",
    arguments: Fault.ofDocuments + Fault.ofResponses.filter { $0.id != "wallet.issuer-not-requested" })
  func declared(_ fault: Fault) async throws {
    let (failed, deviating) = try await findings(fault)
    #expect(failed == Set(fault.findings.failed))
    #expect(deviating == Set(fault.findings.deviating))
  }

  @Test("an issuing country that is not text differs from every certificate")
  func countryOfAnotherType() async throws {
    let parties = try Parties(asking: ["issuing_country"])
    let document = try parties.document(documentChange("issuer.element-type"), elements: ["issuing_country"])
    let (checks, isVerified) = try await parties.verdict(parties.answer(nil, with: document))
    let failed = checks.filter { $0.status == .failed }.map(\.name)
    #expect(failed == ["issuer.country"] && !isVerified)
  }

  @Test(
    "a fault that changes nothing is reported", arguments: ["wallet.element-not-requested", "wallet.value-changed"])
  func misfits(_ id: String) throws {
    let parties = try Parties()
    let elements = id == "wallet.value-changed" ? ["document_number"] : ["family_name", "given_name"]
    let document = try parties.document(nil, elements: elements)
    let change = try #require(FaultCatalogue.fault(id)?.responseChange)
    #expect(throws: SimulationError.self) { try parties.answer(change, with: document) }
    let equalSalts = try documentChange("issuer.salts-equal")
    #expect(throws: SimulationError.self) { try parties.document(equalSalts, elements: ["family_name"]) }
  }
}

/// Additional elements that a fault needs.
struct Elements {
  let held: [String]
  let asked: [String]
}

extension Fault {
  fileprivate var elements: Elements? {
    switch id {
    case "issuer.element-date-impossible": Elements(held: ["family_name", "birth_date"], asked: ["birth_date"])
    case "issuer.element-date-offset": Elements(held: ["family_name", "issue_date"], asked: ["issue_date"])
    case "issuer.ages-contradict":
      Elements(held: ["age_over_18", "age_over_21"], asked: ["age_over_21", "age_over_25"])
    case "wallet.age-not-requested": Elements(held: ["age_over_18", "age_over_21"], asked: ["age_over_21"])
    default: nil
    }
  }
}
