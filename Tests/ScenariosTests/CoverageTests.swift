import DevicePlatform
import Ecosystem
import IdentityDocumentServices
import Testing

@testable import Scenarios

@Suite("What the shipped scenarios show")
struct CoverageTests {
  private static func kinds() throws -> [Step.Kind] { try ShippedScenarios.cases().flatMap(\.steps).map(\.kind) }

  @Test("every reason why an app is hidden")
  func nearMisses() throws {
    var shown: Set<String> = []
    for case .selector(let expected) in try Self.kinds() { shown.formUnion(expected.hides.map(\.code.value)) }
    for reason in NearMiss.allCases { #expect(shown.contains(reason.rawValue), "\(reason.rawValue)") }
  }

  @Test("every error of the registration store, as the app's code catches it")
  func registrationErrors() throws {
    var shown: Set<String> = []
    for case .decision(let expected) in try Self.kinds() where expected.role.value == "app" {
      shown.insert(expected.code.value)
    }
    let codes: [(IdentityDocumentProviderRegistrationStore.RegistrationError, JournalCode)] = [
      (.invalidRequest, .storeInvalidRequest), (.notAuthorized, .storeNotAuthorized),
      (.notSupported, .storeNotSupported), (.unknown, .storeUnknown),
    ]
    for (error, code) in codes { #expect(shown.contains(code.rawValue), "\(error)") }
  }

  @Test("every mistake that explains a failure, as somebody makes it")
  func explanations() throws {
    var shown: Set<String> = []
    for kind in try Self.kinds() {
      switch kind {
      case .website(let expected): if let code = expected.explained { shown.insert(code.value) }
      case .decision(let expected): if let code = expected.explained { shown.insert(code.value) }
      default: break
      }
    }
    #expect(CodeRegistry.explanations.filter { !shown.contains($0) } == [])
  }

  @Test("every status of the registration store, as the app's code reads it")
  func statuses() throws {
    var shown: Set<String> = []
    for case .decision(let expected) in try Self.kinds() where expected.code.value == JournalCode.storeStatus.rawValue {
      if let outcome = expected.outcome { shown.insert(outcome.value) }
    }
    #expect(shown == ["authorized", "notAuthorized", "notDetermined", "notSupported"])
  }
}
