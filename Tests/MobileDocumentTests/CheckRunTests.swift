import CBOR
import TestSupport
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Runs of checks")
struct CheckRunTests {
  private func results(
    of plan: [ResponseCheck], policy: VerificationPolicy = .standard,
    _ outcome: (ResponseCheck) -> CheckOutcome<ResponseCheck>
  ) -> (names: [String], isAccepted: Bool) {
    let run = CheckRun(plan, policy: policy, outcome)
    return (run.results.map { "\($0.name) \($0.status.rawValue)" }, run.isAccepted)
  }

  @Test("every check of the plan has a result, in the order of the plan")
  func order() {
    let run = CheckRun(ResponseCheck.ofDocument) { _ in .passed }
    #expect(run.results.map(\.check) == ResponseCheck.ofDocument.map(\.id) && run.isAccepted)
    #expect(run.results.map(\.message) == ResponseCheck.ofDocument.map(\.definition.title))
  }

  @Test("a deviation is accepted, and refuses under the strict policy")
  func deviations() {
    for (policy, status) in [(VerificationPolicy.standard, "deviates"), (.strict, "failed")] {
      let found = results(of: [.dates], policy: policy) { _ in .found(.untagged) }
      #expect(found == (["mso.dates/untagged \(status)"], policy == .standard))
    }
    let notice = results(of: [.elementReturned], policy: .strict) { _ in .found() }
    #expect(notice == (["element.returned deviates"], true))
  }

  @Test("a run with a check that was not made is not accepted")
  func notReached() {
    let found = results(of: [.dates, .validity]) { $0 == .dates ? .passed : .notReached }
    #expect(found == (["mso.dates passed", "mso.validity not-reached"], false))
  }

  @Test("findings of one check are results of their own, and one failure refuses")
  func findings() {
    let found = results(of: [.dates]) { _ in .findings([.init(.untagged), .init(.impossible)]) }
    #expect(found == (["mso.dates/untagged deviates", "mso.dates/impossible failed"], false))
    #expect(results(of: [.dates]) { _ in .findings([]) } == (["mso.dates passed"], true))
  }

  @Test("a reason that the check does not declare refuses")
  func undeclared() {
    let found = results(of: [.version]) { _ in .found(.untagged) }
    #expect(found == (["response.version/untagged failed"], false))
  }

  @Test("findings of the same check from two places are joined")
  func joined() {
    let found = CheckOutcome<ResponseCheck>.found(.untagged)
    #expect(CheckOutcome.passed.joined(with: found).findings.count == 1)
    #expect(found.joined(with: .passed).findings.count == 1)
    #expect(found.joined(with: found).findings.count == 2)
    #expect(CheckOutcome<ResponseCheck>.notReached.joined(with: .passed).isPassed)
    #expect(CheckOutcome<ResponseCheck>.passed.joined(with: .notReached).isPassed)
  }

  @Test("a check without a reason matches any of its reasons")
  func names() {
    #expect(CheckResult.isName("mso.dates/offset", expectedAs: "mso.dates"))
    #expect(CheckResult.isName("mso.dates/offset", expectedAs: "mso.dates/offset"))
    #expect(!CheckResult.isName("mso.dates/offset", expectedAs: "mso.dates/fraction"))
    #expect(!CheckResult.isName("mso.dates", expectedAs: "mso.dates/offset"))
    #expect(!CheckResult.isName("issuer.certificate.key", expectedAs: "issuer.certificate"))
  }

  @Test("a check has at most one finding without a reason, as its first")
  func reasons() {
    for definition in ResponseCheck.definitions + StatusCheck.definitions {
      let ids = definition.reasons.map(\.id)
      #expect(!ids.dropFirst().contains(nil), "\(definition.id)")
      #expect(Set(ids).count == ids.count && !ids.isEmpty, "\(definition.id)")
    }
  }
}

@Suite("Lists that must not be empty")
struct EmptinessTests {
  private func refusal(of response: [(String, CBORValue)]) -> CBORError.Code? {
    do {
      _ = try UnverifiedDeviceResponse(CBORValue.textMap(response).encoded)
      return nil
    } catch {
      return error.code
    }
  }

  private func response(
    issuerSigned: [(String, CBORValue)] = [], deviceElements: CBORValue = .map([])
  ) -> [(String, CBORValue)] {
    let device = CBORValue.textMap([
      ("nameSpaces", .tagged(24, .bytes(deviceElements.encoded))),
      ("deviceAuth", .textMap([("deviceSignature", .null)])),
    ])
    let document = CBORValue.textMap([
      ("docType", .text("t")), ("issuerSigned", .textMap(issuerSigned + [("issuerAuth", .null)])),
      ("deviceSigned", device),
    ])
    return [("version", .text("1.0")), ("documents", .array([document])), ("status", .integer(0))]
  }

  @Test("an empty list is refused")
  func empty() {
    #expect(refusal(of: response()) == nil)
    #expect(refusal(of: response(issuerSigned: [("nameSpaces", .map([]))])) == .badValue)
    #expect(refusal(of: response(issuerSigned: [("nameSpaces", .textMap([("s", .array([]))]))])) == .badValue)
    #expect(refusal(of: response(deviceElements: .textMap([("s", .map([]))]))) == .badValue)
    #expect(refusal(of: response(deviceElements: .textMap([("s", .textMap([("e", .null)]))]))) == nil)
    #expect(
      refusal(of: [("version", .text("1.0")), ("documents", .array([])), ("status", .integer(0))]) == .badValue)
  }
}
