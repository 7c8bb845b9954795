import DevicePlatform
import IdentityDocumentServices
import Messaging
import ShippedScenarios
import Testing
import TranscriptDiagnosis

@testable import ScenarioLanguage

@Suite("Coverage of the shipped scenarios")
struct CoverageTests {
  private static func expectations() throws -> [ScenarioLanguage.Expectation] {
    try ShippedScenarios.cases().flatMap(\.steps).compactMap { step in
      if case .expectation(let expected) = step.step.content { expected } else { nil }
    }
  }

  @Test("every check that hides an app is reached")
  func nearMisses() throws {
    var shown: Set<String> = []
    for case .selector(let expected) in try Self.expectations() { shown.formUnion((expected.hides ?? []).map(\.value)) }
    for finding in SelectorFinding.all where FaultTable.exempt[finding.name] == nil {
      #expect(shown.contains(finding.name), "\(finding.name)")
    }
  }

  @Test("every error of the registration store, as the app's code catches it, is reached")
  func registrationErrors() throws {
    var shown: Set<String> = []
    for case .decision(let expected) in try Self.expectations() where expected.role == "app" {
      shown.insert(expected.code)
    }
    let codes: [(IdentityDocumentProviderRegistrationStore.RegistrationError, NoteCode)] = [
      (.invalidRequest, .storeInvalidRequest), (.notAuthorized, .storeNotAuthorized),
      (.notSupported, .storeNotSupported), (.unknown, .storeUnknown),
    ]
    for (error, code) in codes { #expect(shown.contains(code.rawValue), "\(error)") }
  }

  @Test("every known mistake that explains a failure is reached")
  func explanations() throws {
    var shown: Set<String> = []
    for kind in try Self.expectations() {
      switch kind {
      case .website(let expected): if let code = expected.explained { shown.insert(code) }
      case .decision(let expected): if let code = expected.explained { shown.insert(code) }
      default: break
      }
    }
    // OpenID4VPTranscriptTests reaches these.
    shown.formUnion(OpenID4VPTranscriptVariant.allCases.map(\.rawValue))
    #expect(CodeRegistry.explanations.filter { !shown.contains($0) } == [])
  }

  @Test("every status of the registration store, as the app's code reads it, is reached")
  func statuses() throws {
    var shown: Set<String> = []
    for case .decision(let expected) in try Self.expectations() where expected.code == NoteCode.storeStatus.rawValue {
      if let outcome = expected.outcome { shown.insert(outcome) }
    }
    #expect(shown == ["authorized", "notAuthorized", "notDetermined", "notSupported"])
  }
}
