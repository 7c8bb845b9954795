import FoundationEssentials
import JSON
import MobileDocument
import Testing

@testable import PassKit

/// A system that records the request and answers with a byte.
private struct RecordingSystem: PassKitSystem {
  func canRequest(_ description: IdentityDescription) async -> Bool { !description.elements.isEmpty }
  func request(_ request: IdentityRequest) async throws(PKIdentityError) -> Data {
    guard request.merchantIdentifier == "merchant.example" else { throw PKIdentityError(.cancelled) }
    return Data(request.nonce)
  }
  func cancel() {}
}

@Suite("PassKit")
struct PassKitTests {
  private func descriptor() -> PKIdentityDriversLicenseDescriptor {
    let descriptor = PKIdentityDriversLicenseDescriptor()
    descriptor.addElements([.age(atLeast: 21)], intentToStore: .willNotStore)
    descriptor.addElements([.givenName, .portrait], intentToStore: .mayStore(days: 30))
    return descriptor
  }

  @Test("A descriptor keeps each element once, with its newest intention")
  func intents() {
    let descriptor = descriptor()
    descriptor.addElements([.portrait], intentToStore: .mayStore)
    #expect(descriptor.elements == [.age(atLeast: 21), .givenName, .portrait])
    #expect(descriptor.intentToStore(for: .portrait) == .mayStore)
    #expect(descriptor.intentToStore(for: .givenName) == .mayStore(days: 30))
    #expect(descriptor.intentToStore(for: .sex) == nil)
  }

  @Test("Each element names elements of the license")
  func elements() {
    for element in PKIdentityElement.named {
      #expect(!element.license.isEmpty, "\(element)")
      #expect(PKIdentityElement(named: "\(element)") == element)
      for name in element.license {
        #expect(
          DataElementCatalogue.definition(nameSpace: name.nameSpace, identifier: name.identifier) != nil,
          "\(name.identifier)")
      }
    }
    #expect(PKIdentityElement(named: "age(atLeast: 21)") == .age(atLeast: 21))
    #expect(PKIdentityElement(named: "age(atLeast: x)") == nil && PKIdentityElement(named: "shoeSize") == nil)
    #expect(PKIdentityElement.age(atLeast: 21).license.map(\.identifier) == ["age_over_21"])
  }

  @Test("The age in years takes the place of a statement that the document lacks")
  func ages() {
    let description = descriptor().description
    let held = ["given_name", "portrait", "age_in_years"]
    let returned = description.itemsRequest { _, identifier in held.contains(identifier) }
    #expect(returned.nameSpaces.first?.elements.map(\.identifier) == ["age_in_years", "given_name", "portrait"])
    #expect(description.itemsRequest.alternatives.map(\.requested.identifier) == ["age_over_21"])
    #expect(description.intent(nameSpace: "org.iso.18013.5.1", identifier: "age_in_years") == .willNotStore)
    let attested = description.itemsRequest { _, identifier in identifier == "age_over_21" }
    #expect(attested.nameSpaces.first?.elements.map(\.identifier) == ["age_over_21"])
    #expect(description.itemsRequest { _, _ in false }.nameSpaces.isEmpty)
  }

  @Test("The controller passes the request to the system of the app")
  func controller() async throws {
    #expect(await PKIdentityAuthorizationController().canRequestDocument(descriptor()) == false)
    await PassKitHost.$system.withValue(RecordingSystem()) {
      let controller = PKIdentityAuthorizationController()
      #expect(await controller.canRequestDocument(descriptor()))
      let request = PKIdentityRequest()
      request.descriptor = descriptor()
      request.nonce = Data([1, 2])
      request.merchantIdentifier = "merchant.example"
      #expect((try? await controller.requestDocument(request))?.encryptedData == Data([1, 2]))
      request.merchantIdentifier = nil
      await #expect(throws: PKIdentityError(.cancelled)) { try await controller.requestDocument(request) }
    }
  }

  @Test("A request is the same after its way as JSON")
  func coding() throws {
    let request = IdentityRequest(
      description: descriptor().description, nonce: [0, 255], merchantIdentifier: "merchant.example")
    #expect(try JSONCoding.decode(IdentityRequest.self, from: JSONCoding.encode(request)) == request)
    #expect(throws: JSONError.self) {
      try JSONCoding.decode(IdentityRequest.self, from: Array(#"{"nonce":"*","merchantIdentifier":"m"}"#.utf8))
    }
  }
}
