import Ecosystem
import LocatedYAML
import MobileDocument
import StatusLists

/// Reads what a website does about the status of documents.
extension WorldReader {
  private enum Policy: String, CaseIterable { case standard, strict, none }
  private enum Treatment: String, CaseIterable { case refuse, accept }

  /// A policy by its name, or what is done about each finding; what is left out is as in the standard policy.
  func readRevocation(_ node: SourceNode) throws -> RevocationPolicy? {
    if node.scalar != nil {
      switch try node.oneOf(Policy.self, "policy") {
      case .standard: return .standard
      case .strict: return .strict
      case .none: return RevocationPolicy.none
      }
    }
    let treatments = node.eachEntry(problems) { name, value in
      guard let finding = RevocationPolicy.Finding(rawValue: name.value) else {
        throw SourceProblem.unknownKey(name, known: RevocationPolicy.Finding.allCases.map(\.rawValue))
      }
      return (finding, try value.oneOf(Treatment.self, "treatment"))
    }
    return treatments.map { treatments in
      treatments.reduce(into: .standard) { policy, treatment in
        switch treatment.1 {
        case .refuse: policy.refuses.insert(treatment.0)
        case .accept: policy.refuses.remove(treatment.0)
        }
      }
    }
  }
}
