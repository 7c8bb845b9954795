import FoundationEssentials

extension NearMiss {
  /// How far a registration came: the greatest of an app's says why the app is hidden.
  struct Rank: Comparable {
    private let position: Int
    private let registration: SelectedRegistration

    init(_ reason: NearMiss, _ registration: SelectedRegistration) {
      position = NearMiss.allCases.firstIndex(of: reason) ?? 0
      self.registration = registration
    }

    static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }

    static func < (left: Self, right: Self) -> Bool {
      left.position == right.position
        ? right.registration.outlasts(left.registration) : left.position < right.position
    }
  }
}

extension SelectedRegistration {
  /// Whether it lasts longer than another one, or as long with a smaller document identifier.
  package func outlasts(_ other: SelectedRegistration) -> Bool {
    let own = invalidationDate?.timeIntervalSinceReferenceDate ?? .infinity
    let others = other.invalidationDate?.timeIntervalSinceReferenceDate ?? .infinity
    return own == others ? documentIdentifier.precedes(other.documentIdentifier) : own > others
  }
}

extension [AppFacts.Candidate] {
  /// The one that lasts longest; among several the one with the smallest document identifier.
  var lastingLongest: SelectedRegistration? { map(\.registration).max { $1.outlasts($0) } }
}
