import Testing

@testable import Primitives

@Suite("Sets of a handful")
struct HandfulSetTests {
  @Test("a set has the members of Set, few or many", arguments: [0, 1, 2, 15, 16, 17, 18, 33, 500])
  func members(count: Int) {
    // Every third number, each three times, in an order of its own.
    let numbers = (0..<3 * count).map { $0 * 7 % max(count, 1) * 3 }
    var set = HandfulSet<Int>()
    var wanted: Set<Int> = []
    for number in numbers {
      #expect(set.contains(number) == wanted.contains(number))
      #expect(set.insert(number) == wanted.insert(number).inserted)
      #expect(set.contains(number) && !set.contains(number + 1))
    }
    let whole = HandfulSet(numbers)
    for number in 0...3 * count { #expect(whole.contains(number) == wanted.contains(number)) }
  }

  @Test("repetitions are left out, and the order stays", arguments: [3, 16, 17, 200])
  func uniqued(count: Int) {
    let once = (0..<count).map { count - $0 }
    #expect((once + once + [1]).uniqued() == once)
  }
}

@Suite("Exact texts")
struct ExactTextTests {
  @Test(
    "texts are equal if their bytes are",
    arguments: [
      ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "aa", false), ("abcdefgh", "abcdefgh", true),
      ("abcdefghi", "abcdefghj", false),
      ("a text of more than fifteen bytes", "a text of more than fifteen bytes", true),
      ("a text of more than fifteen bytes", "a text of more than fifteen bytez", false),
      // Canonically equivalent, in bytes of different and of the same number.
      ("\u{212b}", "\u{c5}", false), ("a\u{323}\u{307}", "a\u{307}\u{323}", false),
    ])
  func equality(left: String, right: String, areEqual: Bool) {
    #expect(left.isExactly(right) == areEqual && right.isExactly(left) == areEqual)
    #expect((ExactText(left) == ExactText(right)) == areEqual)
    #expect(Set([ExactText(left), ExactText(right)]).count == (areEqual ? 1 : 2))
    // A text that is not in one piece.
    #expect(String((left + "|").dropLast()).isExactly(left))
  }

  @Test("texts of every length are found in a set")
  func lengths() {
    let texts = (0...40).map { String(repeating: "x", count: $0) } + (0...40).map { String(repeating: "y", count: $0) }
    let set = Set(texts.map(ExactText.init))
    #expect(set.count == 81)
    for text in texts { #expect(set.contains(ExactText(text)) && !set.contains(ExactText(text + "z"))) }
  }
}
