import IdentityDocumentServices

extension ProviderRefusal {
  /// Why a wallet does not answer, in lines that are safe to print: certificates and requests are somebody else's words.
  public var lines: [String] {
    ["not answered: \(Printable.text(description)) [\(check.rawValue)]"]
      + evidence.map { evidence in
        let parts = [
          evidence.expected.map { "expected \(Printable.text($0))" },
          evidence.found.map { "found \(Printable.text($0))" },
        ]
        return "  \(Printable.text(evidence.field)): \(parts.compactMap(\.self).joined(separator: ", "))"
      }
  }
}
