extension Sequence where Element: Hashable {
  /// The elements without repetitions, each where it first stands.
  package func uniqued() -> [Element] {
    var found: [Element] = []
    var seen: Set<Element> = []
    for element in self {
      // Few elements are compared sooner than hashed.
      if found.count < 16 {
        guard !found.contains(element) else { continue }
      } else {
        if seen.isEmpty { seen = Set(found) }
        guard seen.insert(element).inserted else { continue }
      }
      found.append(element)
    }
    return found
  }
}
