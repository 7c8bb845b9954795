import CBOR
import Testing

@Suite("Floating-point numbers wider than needed")
struct FloatWidthTests {
  @Test(arguments: [
    ("fa3f800000", "f93c00"), ("fb3ff0000000000000", "f93c00"), ("fb40f86a0000000000", "fa47c35000"),
    ("fa80000000", "f98000"), ("fb8000000000000000", "f98000"), ("fa477fe000", "f97bff"), ("fa33800000", "f90001"),
    ("fb47efffffe0000000", "fa7f7fffff"), ("fb36a0000000000000", "fa00000001"), ("fa7f800000", "f97c00"),
    ("fb7ff0000000000000", "f97c00"), ("fbfff0000000000000", "f9fc00"), ("fa7fc00000", "f97e00"),
    ("fb7ff8000000000000", "f97e00"),
  ])
  func aNumberThatFitsAShorterWidthIsRefusedOrReported(wide: String, shortest: String) throws {
    #expect(try refusal(of: wide) == Failure(.nonMinimalHead, at: 0))
    let item = try read(wide, leniency: .nonMinimalHeads)
    #expect(item.findings == [Failure(.nonMinimalHead, at: 0)])
    #expect(digits(CBORValue(item).encoded) == shortest)
    #expect(try refusal(of: shortest) == nil)
    #expect(item.diagnostic == (try read(shortest).diagnostic))
  }

  @Test(arguments: [
    "fa47800000", "fa477ff000", "fa33000000", "fa00000001", "fa7f7fffff", "fa3f800001", "fb3ff199999999999a",
    "fb3ff0000000000001", "fb47f0000000000000", "fb0000000000000001", "fb3690000000000000",
  ])
  func aNumberThatNeedsItsWidthIsAccepted(hex: String) throws {
    let item = try read(hex)
    #expect(digits(CBORValue(item).encoded) == hex)
  }

  @Test(arguments: [
    "f97e01", "f97c01", "f9fe00", "fa7fc00001", "fa7fc01000", "faffc01000", "fb7ff8000000000001", "fb7ff8000010000000",
    "fbfff8000010000000",
  ])
  func aPayloadThatNeedsItsWidthIsAcceptedAndWrittenAsTheOneNaN(hex: String) throws {
    let item = try read(hex)
    #expect(try item.float().isNaN)
    #expect(digits(item.encoded) == hex)
    #expect(digits(CBORValue(item).encoded) == "f97e00")
  }

  @Test(arguments: ["fa7fc02000", "faffc00000", "fb7ff8040000000000", "fb7ff8000020000000", "fbfff8000000000000"])
  func aPayloadThatFitsAShorterWidthIsRefused(hex: String) throws {
    #expect(try refusal(of: hex) == Failure(.nonMinimalHead, at: 0))
  }

  @Test func widthIsCheckedInsideContainersAndEmbeddedItems() throws {
    #expect(try refusal(of: "82 f93c00 fa3f800000") == Failure(.nonMinimalHead, at: 4))
    #expect(try refusal(of: "d818 46 81 fa3f800000") == Failure(.nonMinimalHead, at: 4))
  }
}
