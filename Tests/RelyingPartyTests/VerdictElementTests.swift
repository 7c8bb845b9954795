import JSON
import RelyingParty
import Testing

@Suite("Elements of a verdict's documents")
struct VerdictElementTests {
  private static func names(_ document: String, withDeviceSigned: Bool = true) throws -> [String] {
    VerdictElement.elements(of: try JSONReader.read(Array(document.utf8)), withDeviceSigned: withDeviceSigned) {
      "\($0.documentType)/\($0.nameSpace)/\($0.identifier)\($0.isDeviceSigned ? " by the device" : "")"
    }
  }

  @Test("a mobile document has the elements of its name spaces, those of the device last")
  func mobileDocument() throws {
    let document = #"{"docType":"mDL","deviceSignedElements":{"d":{"x":1}},"elements":{"b":{"y":1,"a":2},"c":{}}}"#
    #expect(try Self.names(document) == ["mDL/b/y", "mDL/b/a", "mDL/d/x by the device"])
    #expect(try Self.names(document, withDeviceSigned: false) == ["mDL/b/y", "mDL/b/a"])
  }

  @Test("an SD-JWT credential has its claims, in the name space of claims")
  func credential() throws {
    let document = #"{"vct":"urn:pid","claims":{"age.18":true,"name":"Kelly"}}"#
    #expect(
      try Self.names(document) == ["dc+sd-jwt urn:pid/claims/age.18", "dc+sd-jwt urn:pid/claims/name"])
  }

  @Test("what has another form has no elements", arguments: ["{}", "[]", #"{"docType":"mDL","elements":{"b":7}}"#])
  func others(document: String) throws {
    #expect(try Self.names(document) == [])
  }
}
