import DigitalCredentials
import Testing

@Suite("codes, names and profiles")
struct RegistryTests {
  @Test("codes are lower-case, dotted and distinct", arguments: BrowserCode.allCases)
  func code(code: BrowserCode) {
    let characters = "abcdefghijklmnopqrstuvwxyz-"
    #expect(code.rawValue.hasPrefix("browser."))
    #expect(code.rawValue.dropFirst(8).allSatisfy { characters.contains($0) })
    #expect(code.sentence.hasSuffix("."))
    #expect(BrowserCode.allCases.filter { $0.sentence == code.sentence } == [code])
    #expect(ExceptionName.standard.contains(code.standardName))
    #expect(![.networkError, .unknownError].contains(code.standardName))
  }

  @Test("names go to text and back", arguments: ExceptionName.standard)
  func name(name: ExceptionName) {
    #expect(ExceptionName(name.text) == name)
    #expect(ExceptionName("Error") == .custom("Error"))
  }

  @Test("an exception says its name, its sentence and its code, and can be caught by rule or by name")
  func exception() {
    let exception = CredentialRequestException(.policy)
    #expect("\(exception)" == "NotAllowedError: \(BrowserCode.policy.sentence) [browser.policy]")
    #expect(BrowserCode.policy ~= exception)
    #expect(!(BrowserCode.aborted ~= exception))
    #expect(ExceptionName.notAllowedError ~= exception)
    #expect(!(ExceptionName.notAllowedError ~= OutsideError()))
    #expect(ExceptionName.abortError ~= CredentialRequestException(aborted: .unspecified))
  }

  @Test("profiles are found by name and run every check at most once", arguments: BrowserProfile.all)
  func profile(profile: BrowserProfile) {
    #expect(BrowserProfile.named(profile.name) == profile)
    #expect(Set(profile.checks).count == profile.checks.count)
    let missing = Set(MediatorCheck.allCases).subtracting(profile.checks)
    #expect(missing.isSubset(of: [.noActiveCall]))
    #expect(profile.checks.firstIndex(of: .protocols) ?? .max < profile.checks.firstIndex(of: .userActivation) ?? 0)
    #expect(profile.exceptionNames.allSatisfy { $0.key.standardName != $0.value })
    #expect(BrowserProfile.named("netscape-4") == nil)
  }

  @Test("the default is the standard's text")
  func standard() {
    #expect(CredentialMediator().profile == .spec2026)
    #expect(BrowserProfile.spec2026.exceptionNames.isEmpty)
    #expect(MediatorCheck.standardOrder == MediatorCheck.allCases)
  }

  private struct OutsideError: Error {}
}
