import MobileDocument
import Primitives
import Testing

@testable import Ecosystem

@Suite struct StatusCopiesTests {
  private func copy(until second: Int64) -> StatusCopies.Copy {
    StatusCopies.Copy(
      bytes: [], fetched: DateTime(secondsSince1970: 0), until: DateTime(secondsSince1970: second))
  }

  @Test func theNewestCopyReplacesTheOneThatExpiresFirst() {
    var copies = StatusCopies()
    for number in 0..<StatusCopies.maximumCount { copies.keep(copy(until: Int64(1_000 + number)), of: "\(number)") }
    copies.keep(copy(until: 5_000), of: "new")
    #expect(copies.count == StatusCopies.maximumCount)
    #expect(copies["new"] != nil && copies["0"] == nil && copies["1"] != nil)
    copies.keep(copy(until: 9_000), of: "1")
    #expect(copies.count == StatusCopies.maximumCount)
    #expect(copies["1"]?.until == DateTime(secondsSince1970: 9_000) && copies["2"] != nil)
  }
}
