import Primitives
import RelyingParty
import Testing

@Suite("Copies of status lists")
struct StatusListCopiesTests {
  private func copy(until second: Int64) -> StatusListCopies.Copy {
    StatusListCopies.Copy(
      bytes: [], fetched: DateTime(secondsSince1970: 0), until: DateTime(secondsSince1970: second))
  }

  @Test("the newest copy replaces the one that expires first")
  func dropsFirstToExpire() {
    var copies = StatusListCopies()
    for number in 0..<StatusListCopies.maximumCount { copies.keep(copy(until: Int64(1_000 + number)), of: "\(number)") }
    copies.keep(copy(until: 5_000), of: "new")
    #expect(copies.count == StatusListCopies.maximumCount)
    #expect(copies["new"] != nil && copies["0"] == nil && copies["1"] != nil)
    copies.keep(copy(until: 9_000), of: "1")
    #expect(copies.count == StatusListCopies.maximumCount)
    #expect(copies["1"]?.until == DateTime(secondsSince1970: 9_000) && copies["2"] != nil)
  }
}
