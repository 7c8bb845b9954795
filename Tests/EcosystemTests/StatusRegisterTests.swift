import MobileDocument
import Testing

@testable import Storage
@testable import Vocabulary

@Suite("An authority's register of statuses")
struct StatusRegisterTests {
  private static func entry(_ index: Int, _ record: String) -> StatusRegister.Entry {
    StatusRegister.Entry(record: record, index: index, identifier: [UInt8(index)], status: .valid)
  }

  @Test("revocations survive a restart and are permanent")
  func keeps() throws {
    let folder = try TemporaryFolder()
    let first = try StatusRegister(at: folder.file("issuer"))
    for (index, record) in [(9, "a"), (3, "b"), (5, "a")] { try first.insert(Self.entry(index, record)) }
    try first.set(.suspended, for: "b")
    try first.set(.revoked, for: "a")
    first.close()
    let second = try StatusRegister(at: folder.file("issuer"))
    #expect(try second.entries().map(\.index) == [3, 5, 9])
    #expect(try second.entries().map(\.status) == [.suspended, .revoked, .revoked])
    try second.set(.valid, for: "a")
    try second.set(.valid, for: "b")
    #expect(try second.entries().map(\.status) == [.valid, .revoked, .revoked])
    second.close()
  }

  @Test("each entry is assigned once")
  func unique() throws {
    let register = try StatusRegister(at: nil)
    try register.insert(Self.entry(1, "a"))
    #expect(throws: (any Error).self) { try register.insert(Self.entry(1, "b")) }
    let sameIdentifier = StatusRegister.Entry(record: "b", index: 2, identifier: [1], status: .valid)
    #expect(throws: (any Error).self) { try register.insert(sameIdentifier) }
    #expect(try register.entries() == [Self.entry(1, "a")])
  }

  @Test("a written request for a list is read back, and other text is refused")
  func request() throws {
    let written = HTTPGetRequest(host: "dmv.example", target: "/status/1").encoded(accepting: ["a/b", "c/d"])
    #expect(
      String(decoding: written, as: UTF8.self)
        == "GET /status/1 HTTP/1.1\r\nHost: dmv.example\r\nAccept: a/b, c/d\r\n\r\n")
    let read = try #require(HTTPGetRequest(written))
    #expect(read.host == "dmv.example" && read.target == "/status/1")
    for text in ["", "GET", "POST / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/2\r\nHost: a"] {
      #expect(HTTPGetRequest(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
