import Ecosystem
import LocatedYAML
import MobileDocument
import StatusLists

/// Reads a website's policy for the status of documents.
extension WorldReader {
  private enum Policy: String, CaseIterable { case standard, strict, none }
  private enum Treatment: String, CaseIterable { case refuse, accept }

  /// Reads a policy by its name, or the treatment of each finding; missing ones are as in the standard policy.
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
