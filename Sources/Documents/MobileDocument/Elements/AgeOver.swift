/// `age_over_NN` and the nearest-value rule (ISO/IEC 18013-5, 7.2.5).
public enum AgeOver {
  /// Returns the age in an identifier `age_over_NN`, or nil for any other identifier.
  public static func age(in identifier: String) -> Int? {
    guard identifier.hasPrefix("age_over_") else { return nil }
    let digits = identifier.utf8.dropFirst(9)
    guard digits.count == 2, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(String(Substring(digits)))
  }

  /// Returns the identifier for an age of 0 to 99.
  public static func identifier(for age: Int) -> String { "age_over_" + (age < 10 ? "0" : "") + String(age) }

  /// Returns the attestation that answers a request: the smallest true one at or above the age, else the largest false
  /// one at or below it, else none.
  ///
  /// - Parameters:
  ///   - age: NN of the request.
  ///   - attestations: The attestations of the document, in any order.
  /// - Returns: NN of the attestation to return.
  public static func nearest(to age: Int, in attestations: [(age: Int, value: Bool)]) -> Int? {
    let atOrAbove = attestations.filter { $0.value && $0.age >= age }.map(\.age).min()
    return atOrAbove ?? attestations.filter { !$0.value && $0.age <= age }.map(\.age).max()
  }

  /// Returns whether a person is over an age according to an attestation, or nil if the attestation does not tell.
  public static func conclusion(about age: Int, from attestation: (age: Int, value: Bool)) -> Bool? {
    if attestation.value { return attestation.age >= age ? true : nil }
    return attestation.age <= age ? false : nil
  }
}
