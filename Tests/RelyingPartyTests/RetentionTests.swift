import MobileDocument
import RelyingParty
import Testing

@Suite("What a website may keep")
struct RetentionTests {
  private func request(_ type: String, _ elements: [(String, Bool)]) -> ItemsRequest {
    ItemsRequest(
      documentType: type,
      nameSpaces: [.init("space", elements.map { ItemsRequest.Element($0.0, intentToRetain: $0.1) })])
  }

  @Test("An element may be kept if the request retains it, by its document type, name space and identifier")
  func names() {
    let promise = RetentionPromise([request("a", [("kept", true), ("shown", false)])])
    func covers(_ type: String, _ space: String, _ identifier: String) -> Bool {
      promise.covers(documentType: type, nameSpace: space, identifier: identifier)
    }
    #expect(covers("a", "space", "kept"))
    for (type, space, identifier) in [
      ("a", "space", "shown"), ("b", "space", "kept"), ("a", "other", "kept"), ("a", "space", "age_over_21"),
    ] { #expect(!covers(type, space, identifier)) }
  }

  @Test("An element that one part of the request retains and another shows is not kept")
  func contradiction() {
    let promise = RetentionPromise([request("a", [("x", true), ("y", true)]), request("a", [("x", false)])])
    #expect(!promise.covers(documentType: "a", nameSpace: "space", identifier: "x"))
    #expect(promise.covers(documentType: "a", nameSpace: "space", identifier: "y"))
  }
}
