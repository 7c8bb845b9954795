import DigitalCredentials
import Testing

@Suite("Rules, exception names and profiles")
struct RegistryTests {
  @Test(
    "Identifiers are lower-case, dotted and distinct; each rule has a message and a clause",
    arguments: BrowserCode.allCases)
  func code(code: BrowserCode) {
    let characters = "abcdefghijklmnopqrstuvwxyz-"
    #expect(code.rawValue.hasPrefix("browser."))
    #expect(code.rawValue.dropFirst(8).allSatisfy { characters.contains($0) })
    #expect(code.message.hasSuffix("."))
    #expect(!code.clause.isEmpty)
    #expect(BrowserCode.allCases.filter { $0.message == code.message } == [code])
    #expect(ExceptionName.standard.contains(code.exceptionName))
    #expect(![.networkError, .unknownError].contains(code.exceptionName))
  }

  @Test("Exception names convert to text and back", arguments: ExceptionName.standard)
  func name(name: ExceptionName) {
    #expect(ExceptionName(name.text) == name)
    #expect(ExceptionName("Error") == .custom("Error"))
  }

  @Test("An exception describes its name, message and rule, and matches by rule and by name")
  func exception() {
    let exception = CredentialRequestException(.policy)
    #expect("\(exception)" == "NotAllowedError: \(BrowserCode.policy.message) [browser.policy]")
    #expect(BrowserCode.policy ~= exception)
    #expect(!(BrowserCode.aborted ~= exception))
    #expect(ExceptionName.notAllowedError ~= exception)
    #expect(!(ExceptionName.notAllowedError ~= OutsideError()))
    #expect(ExceptionName.abortError ~= CredentialRequestException(aborted: .unspecified))
  }

  @Test("Profiles have unique names and make each check at most once", arguments: BrowserProfile.all)
  func profile(profile: BrowserProfile) {
    #expect(BrowserProfile.named(profile.name) == profile)
    #expect(Set(profile.checks).count == profile.checks.count)
    let missing = Set(MediatorCheck.allCases).subtracting(profile.checks)
    #expect(missing.isSubset(of: [.noActiveCall]))
    #expect(profile.checks.firstIndex(of: .protocols) ?? .max < profile.checks.firstIndex(of: .userActivation) ?? 0)
    #expect(profile.exceptionNames.allSatisfy { $0.key.exceptionName != $0.value })
    #expect(BrowserProfile.named("netscape-4") == nil)
  }

  @Test("The default profile is the standard's text")
  func standard() {
    #expect(CredentialMediator().profile == .spec2026)
    #expect(BrowserProfile.spec2026.exceptionNames.isEmpty)
    #expect(MediatorCheck.standardOrder == MediatorCheck.allCases)
  }

  private struct OutsideError: Error {}
}
