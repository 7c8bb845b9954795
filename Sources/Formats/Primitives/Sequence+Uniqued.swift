extension Sequence where Element: Hashable {
  /// Returns the elements without repetitions, in the order of their first occurrence.
  package func uniqued() -> [Element] {
    var found: [Element] = []
    var seen: Set<Element> = []
    for element in self {
      // Comparing is faster than hashing for few elements.
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
