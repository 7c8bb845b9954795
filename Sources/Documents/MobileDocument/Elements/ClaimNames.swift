/// The claims of SD-JWT credentials with person identification data, each with the element of a mobile document that has
/// the same display name.
enum ClaimNames {
  /// Paths of claims, without the positions in arrays, and identifiers of elements.
  static let elements: [(path: String, identifier: String)] = [
    ("birthdate", "birth_date"), ("place_of_birth", "birth_place"), ("place_of_birth.locality", "birth_city"),
    ("place_of_birth.region", "birth_state"), ("place_of_birth.country", "birth_country"),
    ("nationalities", "nationality"), ("picture", "portrait"), ("birth_family_name", "family_name_birth"),
    ("birth_given_name", "given_name_birth"), ("address", "resident_address"),
    ("address.formatted", "resident_address"), ("address.street_address", "resident_street"),
    ("address.house_number", "resident_house_number"), ("address.locality", "resident_city"),
    ("address.region", "resident_state"), ("address.postal_code", "resident_postal_code"),
    ("address.country", "resident_country"), ("date_of_expiry", "expiry_date"),
    ("date_of_issuance", "issuance_date"), ("email", "email_address"), ("phone_number", "mobile_phone_number"),
  ]

  private static let identifiers = Dictionary(uniqueKeysWithValues: elements.map { ($0.path, $0.identifier) })
  /// The claim whose members are true for ages that the person has reached.
  private static let ages = "age_equal_or_over."

  /// Returns the identifier of the element with the display name of a claim, or nil for another claim.
  static func element(ofClaim path: String) -> String? {
    if let age = age(ofClaim: path) { return AgeOver.identifier(for: age) }
    return identifiers[path.replacing(/\[[0-9]*\]$/, with: "")]
  }

  /// Returns NN of `age_equal_or_over.NN`, or nil for another claim.
  private static func age(ofClaim path: String) -> Int? {
    guard path.hasPrefix(ages), let age = Int(path.dropFirst(ages.count)), (0...99).contains(age) else { return nil }
    return path == "\(ages)\(age)" ? age : nil
  }
}
