import Checks
import CrossCheckTrait
import Faults
import MobileDocument
import SimulationKernel
import Testing

@Suite("Faults", .crossChecked)
struct FaultTests {
  /// The codes of the failed and of the deviating checks.
  private func findings(
    _ documentFault: Fault?, _ responseFault: ResponseFault?
  ) async throws -> (failed: Set<String>, deviating: Set<String>) {
    let elements = documentFault?.elements ?? responseFault?.elements
    let parties = try elements.map { try Parties(asking: $0.asked) } ?? Parties()
    let document =
      try elements.map { try parties.document(documentFault?.documentChange, elements: $0.held) }
      ?? parties.document(documentFault?.documentChange)
    let answer = try parties.answer(responseFault, with: document)
    let (checks, isVerified) = try await parties.verdict(answer)
    func codes(_ outcome: CheckResult.Status) -> Set<String> {
      Set(checks.filter { $0.status == outcome }.map(\.name))
    }
    // A check cannot both pass and fail.
    #expect(codes(.passed).isDisjoint(with: codes(.failed)))
    #expect(isVerified == codes(.failed).isEmpty)
    return (codes(.failed), codes(.deviates))
  }

  private func change(_ id: String) throws -> DocumentChange {
    try #require(FaultCatalogue.fault(id)?.documentChange)
  }

  @Test("a document without a fault verifies without findings")
  func none() async throws {
    let (failed, deviating) = try await findings(nil, nil)
    #expect(failed == [] && deviating == [])
  }

  @Test("each fault of a document gives exactly its declared findings", arguments: Fault.ofDocuments)
  func documents(_ fault: Fault) async throws {
    let (failed, deviating) = try await findings(fault, nil)
    #expect(failed == Set(fault.findings.failed))
    #expect(deviating == Set(fault.findings.deviating))
  }

  @Test(
    "each fault of a response gives exactly its declared findings",
    arguments: ResponseFault.allCases.filter { $0 != .issuerNotRequested })
  func answers(_ fault: ResponseFault) async throws {
    let (failed, deviating) = try await findings(nil, fault)
    #expect(failed == Set(fault.declaration.findings.failed))
    #expect(deviating == Set(fault.declaration.findings.deviating))
  }

  @Test("an issuing country that is not text differs from every certificate")
  func countryOfAnotherType() async throws {
    let parties = try Parties(asking: ["issuing_country"])
    let document = try parties.document(change("issuer.element-type"), elements: ["issuing_country"])
    let (checks, isVerified) = try await parties.verdict(parties.answer(nil, with: document))
    let failed = checks.filter { $0.status == .failed }.map(\.name)
    #expect(failed == ["issuer.country"] && !isVerified)
  }

  @Test("a fault that changes nothing is reported", arguments: [ResponseFault.elementNotRequested, .valueChanged])
  func misfits(_ fault: ResponseFault) throws {
    let parties = try Parties()
    let elements = fault == .valueChanged ? ["document_number"] : ["family_name", "given_name"]
    let document = try parties.document(nil, elements: elements)
    #expect(throws: SimulationError.self) { try parties.answer(fault, with: document) }
    #expect(throws: SimulationError.self) {
      try parties.document(change("issuer.salts-equal"), elements: ["family_name"])
    }
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
    default: nil
    }
  }
}

extension ResponseFault {
  var elements: Elements? {
    switch self {
    case .ageNotRequested: Elements(held: ["age_over_18", "age_over_21"], asked: ["age_over_21"])
    default: nil
    }
  }
}
