import Checks
import DigitalCredentials
import Testing

@Suite("Rules, exception names and profiles")
struct RegistryTests {
  @Test("Each finding has a message, a clause and an exception name of the standard", arguments: BrowserFinding.all)
  func finding(finding: BrowserFinding) {
    #expect(finding.name.hasPrefix("browser."))
    #expect(finding.message.hasSuffix("."))
    #expect(!finding.check.definition.clause.isEmpty)
    #expect(BrowserFinding.all.filter { $0.message == finding.message } == [finding])
    #expect(ExceptionName.standard.contains(finding.exceptionName))
    #expect(![.networkError, .unknownError].contains(finding.exceptionName))
  }

  @Test("Exception names convert to text and back", arguments: ExceptionName.standard)
  func name(name: ExceptionName) {
    #expect(ExceptionName(name.text) == name)
    #expect(ExceptionName("Error") == .custom("Error"))
  }

  @Test("An exception describes its name, message and check, and matches by check and by name")
  func exception() {
    let exception = CredentialRequestException(BrowserFinding(.policy))
    #expect("\(exception)" == "NotAllowedError: \(BrowserFinding(.policy).message) [browser.policy]")
    #expect(BrowserFinding(.policy) ~= exception)
    #expect(!(BrowserFinding(.signal) ~= exception))
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
