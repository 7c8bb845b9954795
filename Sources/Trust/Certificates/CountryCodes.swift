/// The two-letter codes of ISO 3166-1.
enum CountryCodes {
  /// Whether a code is assigned to a country, or set aside for whoever uses it (AA, QM to QZ, XA to XZ, ZZ) or for the
  /// European Union, which issues documents of its own.
  static func contains(_ code: String) -> Bool {
    if code == "AA" || code == "ZZ" || code == "EU" || code.first == "X" { return true }
    if code.first == "Q", let second = code.utf8.last, second >= UInt8(ascii: "M") { return true }
    return assigned.contains(code)
  }

  /// By their first letter, the second letters.
  private static let table: [(first: Character, second: String)] = [
    ("A", "DEFGILMOQRSTUWXZ"), ("B", "ABDEFGHIJLMNOQRSTVWYZ"), ("C", "ACDFGHIKLMNORUVWXYZ"), ("D", "EJKMOZ"),
    ("E", "CEGHRST"), ("F", "IJKMOR"), ("G", "ABDEFGHILMNPQRSTUWY"), ("H", "KMNRTU"), ("I", "DELMNOQRST"),
    ("J", "EMOP"), ("K", "EGHIMNPRWYZ"), ("L", "ABCIKRSTUVY"), ("M", "ACDEFGHKLMNOPQRSTUVWXYZ"), ("N", "ACEFGILOPRUZ"),
    ("O", "M"), ("P", "AEFGHKLMNRSTWY"), ("Q", "A"), ("R", "EOSUW"), ("S", "ABCDEGHIJKLMNORSTVXYZ"),
    ("T", "CDFGHJKLMNORTVWZ"), ("U", "AGMSYZ"), ("V", "ACEGINU"), ("W", "FS"), ("Y", "ET"), ("Z", "AMW"),
  ]

  private static let assigned = Set(table.flatMap { row in row.second.map { "\(row.first)\($0)" } })
}
