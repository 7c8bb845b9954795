extension Int {
  /// The number with a noun in the singular or the plural: `1 check`, `3 checks`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
