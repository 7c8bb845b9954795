import Messaging
import Testing

@Suite("Notes")
struct NoteTests {
  @Test(
    "the name of a kept element is read as it was written",
    arguments: [
      ("org.iso.18013.5.1.mDL", "org.iso.18013.5.1", "given_name"), ("dc+sd-jwt urn:eudi:pid:1", "claims", "a b%20c% "),
      ("", "", ""), ("t", "a b %25", "c"),
    ])
  func keptElement(documentType: String, nameSpace: String, identifier: String) {
    let element = Note.Kept.Element(documentType: documentType, nameSpace: nameSpace, identifier: identifier)
    #expect(Note.Kept.Element(element.fact) == element)
    #expect(Note.Kept.Element(Note.Fact("another", element.fact.value)) == nil)
    #expect(Note.Kept.Element(Note.Fact(Note.Kept.element, "license given_name")) == nil)
  }
}
