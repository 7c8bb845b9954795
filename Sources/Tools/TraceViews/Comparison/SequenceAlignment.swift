/// Two sequences side by side: their elements in pairs, and the elements that only one of them has.
package struct SequenceAlignment {
  /// The maximum number of comparisons of one table: two thousand elements of each side, more than twice the longest
  /// journal of the shipped scenarios. Longer parts that differ are not paired.
  static let maximumTable = 4_000_000

  /// The positions of the elements, in the order of both sequences; nil on the side that lacks the element.
  package private(set) var pairs: [(left: Int?, right: Int?)] = []
  private let levels: [(left: [Int], right: [Int])]

  /// Aligns two sequences.
  ///
  /// - Parameter levels: A key for each element of both sides, from the strictest comparison to the loosest. Elements
  ///   with the same key are paired; the elements between two pairs are compared by the next level.
  package init(_ levels: [(left: [String], right: [String])]) {
    self.levels = levels.map { level in
      var numbers: [String: Int] = [:]
      func number(_ key: String) -> Int {
        if let known = numbers[key] { return known }
        numbers[key] = numbers.count
        return numbers.count - 1
      }
      return (level.left.map(number), level.right.map(number))
    }
    align(0..<(levels.first?.left.count ?? 0), 0..<(levels.first?.right.count ?? 0), level: 0)
  }

  private mutating func align(_ left: Range<Int>, _ right: Range<Int>, level: Int) {
    guard level < levels.count, !left.isEmpty, !right.isEmpty else {
      pairs += left.map { ($0, nil) } + right.map { (nil, $0) }
      return
    }
    var place = (left: left.lowerBound, right: right.lowerBound)
    for match in matches(left, right, levels[level]) {
      align(place.left..<match.left, place.right..<match.right, level: level + 1)
      pairs.append(match)
      place = (match.left + 1, match.right + 1)
    }
    align(place.left..<left.upperBound, place.right..<right.upperBound, level: level + 1)
  }

  /// The longest common subsequence of two parts.
  private func matches(
    _ left: Range<Int>, _ right: Range<Int>, _ keys: (left: [Int], right: [Int])
  ) -> [(left: Int, right: Int)] {
    var (start, end) = ((left.lowerBound, right.lowerBound), (left.upperBound, right.upperBound))
    var found: [(left: Int, right: Int)] = []
    while start.0 < end.0, start.1 < end.1, keys.left[start.0] == keys.right[start.1] {
      found.append(start)
      start = (start.0 + 1, start.1 + 1)
    }
    var tail: [(left: Int, right: Int)] = []
    while start.0 < end.0, start.1 < end.1, keys.left[end.0 - 1] == keys.right[end.1 - 1] {
      end = (end.0 - 1, end.1 - 1)
      tail.append(end)
    }
    found += middle(start.0..<end.0, start.1..<end.1, keys)
    return found + tail.reversed()
  }

  private func middle(
    _ left: Range<Int>, _ right: Range<Int>, _ keys: (left: [Int], right: [Int])
  ) -> [(left: Int, right: Int)] {
    guard !left.isEmpty, !right.isEmpty, left.count * right.count <= Self.maximumTable else { return [] }
    // The length of the longest common subsequence of what is left at each pair of places. The shorter side has at most
    // two thousand elements, so the length fits.
    let width = right.count + 1
    var lengths = [UInt16](repeating: 0, count: (left.count + 1) * width)
    for row in left.indices.reversed() {
      let line = (row - left.lowerBound) * width
      for column in right.indices.reversed() {
        let place = line + column - right.lowerBound
        lengths[place] =
          keys.left[row] == keys.right[column]
          ? lengths[place + width + 1] + 1 : max(lengths[place + width], lengths[place + 1])
      }
    }
    var found: [(left: Int, right: Int)] = []
    var (row, column) = (left.lowerBound, right.lowerBound)
    while row < left.upperBound, column < right.upperBound {
      let place = (row - left.lowerBound) * width + column - right.lowerBound
      if keys.left[row] == keys.right[column] {
        found.append((row, column))
        (row, column) = (row + 1, column + 1)
      } else if lengths[place + width] >= lengths[place + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return found
  }
}
