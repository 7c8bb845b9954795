/// A set that compares its members one by one while they are few, which is faster than hashing them, and hashes more.
/// Untrusted input may have thousands: the cost of an insertion stays bounded.
@usableFromInline package struct HandfulSet<Member: Hashable> {
  /// The most members that are compared one by one.
  @usableFromInline static var handful: Int { 16 }

  /// Every member while they are few, some more than once.
  @usableFromInline var few: [Member] = []
  /// Every member from then on; empty before.
  @usableFromInline var many: Set<Member> = []

  /// Creates an empty set.
  @inlinable package init() {}

  /// Creates a set of the members of a sequence.
  @inlinable package init(_ members: some Sequence<Member>) {
    few = Array(members)
    if few.count > Self.handful { many = Set(few) }
  }

  /// Returns whether the set has a member.
  @inlinable package func contains(_ member: Member) -> Bool {
    many.isEmpty ? few.contains(member) : many.contains(member)
  }

  /// Adds a member. Returns false if the set had it already.
  @inlinable @discardableResult package mutating func insert(_ member: Member) -> Bool {
    guard many.isEmpty else { return many.insert(member).inserted }
    guard !few.contains(member) else { return false }
    few.append(member)
    if few.count > Self.handful { many = Set(few) }
    return true
  }
}

extension HandfulSet: Sendable where Member: Sendable {}

extension Sequence where Element: Hashable {
  /// Returns the elements without repetitions, in the order of their first occurrence.
  @inlinable package func uniqued() -> [Element] {
    var seen = HandfulSet<Element>()
    return filter { seen.insert($0) }
  }
}

extension Collection where Element: Hashable {
  /// Returns the elements without repetitions, in the order of their first occurrence. One element needs no set.
  @inlinable package func uniqued() -> [Element] {
    guard count > 1 else { return Array(self) }
    var seen = HandfulSet<Element>()
    return filter { seen.insert($0) }
  }
}
