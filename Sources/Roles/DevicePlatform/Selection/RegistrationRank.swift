import FoundationEssentials

/// The distance of a registration from a match. The highest rank of an app gives the reason why it is hidden.
struct RegistrationRank: Comparable {
  private let position: Int
  private let registration: SelectedRegistration

  /// - Parameter failed: The first check of the registration that fails.
  init(_ failed: SelectorCheck, _ registration: SelectedRegistration) {
    position = SelectorCheck.allCases.firstIndex(of: failed) ?? 0
    self.registration = registration
  }

  static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }

  static func < (left: Self, right: Self) -> Bool {
    left.position == right.position
      ? right.registration.outlasts(left.registration) : left.position < right.position
  }
}

extension SelectedRegistration {
  /// Returns whether the registration is valid longer than another one, or as long with a smaller document identifier.
  package func outlasts(_ other: SelectedRegistration) -> Bool {
    let own = invalidationDate?.timeIntervalSinceReferenceDate ?? .infinity
    let others = other.invalidationDate?.timeIntervalSinceReferenceDate ?? .infinity
    return own == others ? documentIdentifier.precedes(other.documentIdentifier) : own > others
  }
}

extension [AppFacts.Candidate] {
  /// The candidate with the latest invalidation date; ties go to the smallest document identifier.
  var lastingLongest: SelectedRegistration? { map(\.registration).max { $1.outlasts($0) } }
}
