import Testing

@testable import Primitives

@Test("A number and its noun agree", arguments: [(0, "0 checks"), (1, "1 check"), (2, "2 checks")])
func numbersAndNounsAgree(_ count: Int, _ text: String) {
  #expect(count.counted("check") == text)
}
