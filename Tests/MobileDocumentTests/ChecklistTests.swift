import CBOR
import TestSupport
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Lists of checks")
struct ChecklistTests {
  private func outcomes(_ list: Checklist<ResponseCheck>) -> [String] {
    list.results.map { "\($0.code) \($0.outcome.rawValue)" }
  }

  @Test("nothing is both passed and failed, whichever comes first")
  func contradiction() {
    for isFirst in [true, false] {
      var list = Checklist<ResponseCheck>([.dates])
      if isFirst { list.pass(.dates) }
      list.fail(.dates)
      list.pass(.dates)
      #expect(outcomes(list) == ["mso.date failed"] && !list.holds)
    }
  }

  @Test("a departure with a code of its own stands beside the check, and refuses when the policy is strict")
  func departures() {
    for (policy, outcome) in [(VerificationPolicy.standard, "deviates"), (.strict, "failed")] {
      var list = Checklist<ResponseCheck>([.dates], policy: policy)
      list.deviate(ResponseDeviation.dateUntagged, under: .dates)
      list.pass(.dates)
      #expect(outcomes(list) == ["mso.date passed", "mso.date.untagged \(outcome)"])
      #expect(list.holds == (policy == .standard))
    }
  }

  @Test("a check that nobody made fails in the end, unless it was left out or something failed anyway")
  func ending() {
    var left = Checklist<ResponseCheck>([.dates, .deviceMac])
    left.pass(.dates)
    #expect(left.holds)
    left.end()
    #expect(outcomes(left) == ["mso.date passed", "device.mac failed"] && !left.holds)
    var omitted = Checklist<ResponseCheck>([.dates, .deviceMac])
    omitted.pass(.dates)
    omitted.omit(.deviceMac)
    omitted.end()
    #expect(outcomes(omitted) == ["mso.date passed"] && omitted.holds)
    var failed = Checklist<ResponseCheck>([.dates, .deviceMac])
    failed.fail(.dates)
    failed.end()
    #expect(outcomes(failed) == ["mso.date failed", "device.mac not reached"])
  }
}

@Suite("What must not be empty")
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

  @Test("is refused where it is")
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
