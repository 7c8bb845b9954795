import Certificates
import Checks
import DevicePlatform
import DigitalCredentials
import Faults
import HybridTransport
import IdentityDocumentServices
import MobileDocument
import NearbyDevices
import OpenID4VP
import RelyingParty
import SDJWT
import StatusLists
import Storage
import TrustLists
import WebPresentment

@testable import ScenarioLanguage

/// The faults that the shipped scenarios show, each with the party that notices it, the code and the outcome.
struct FaultTable {
  /// A row.
  struct Row: Hashable {
    /// The ids of the active faults, separated by "; ", or the meaning of the code without a fault.
    let fault: String
    /// The party that notices it.
    let who: String
    let code: String
    /// `refused`, `deviates`, `hidden`, or `explains` with the code of the refusal that the mistake explains.
    let outcome: String
    /// The scenario's file and case, or the test that reaches a code without one.
    let scenario: String
  }

  /// Codes without a scenario, with the test that reaches them.
  static let exempt: [String: (who: String, test: String)] = {
    var exempt = [
      SandboxCheck.worker.name(.missing): ("sandbox", "SandboxWorkerTests"),
      ProviderCheck.document.name(.notYetValid): ("app", "DocumentChoiceTests"),
      SelectorCheck.reader.name(.notYetValid): ("os", "SelectionTests"),
      ProviderCheck.reader.name(.notYetValid): ("app", "AnsweringTests"),
      ReaderAuthorityCheck.request.name(.malformed): ("reader-authority", "ReaderCertificateTests"),
      ReaderAuthorityCheck.request.name(.signature): ("reader-authority", "ReaderCertificateTests"),
      ReaderAuthorityCheck.account.name(.missing): ("reader-authority", "OnboardingTests"),
      ReaderAuthorityCheck.domain.name(.differs): ("reader-authority", "OnboardingTests"),
      ReaderAuthorityCheck.brand.name(.organization): ("reader-authority", "OnboardingTests"),
      ExchangeCheck.protocol.name(.draft): ("server", "PresentationAnswerTests"),
      ResponseCheck.issuingJurisdiction.name(.country): ("server", "VerificationTests"),
      ResponseCheck.issuingCountry.name(.missing): ("server", "ToleranceTests"),
      ResponseCheck.issuingCountry.name(.unassigned): ("server", "ToleranceTests"),
      ResponseCheck.deviceKey.name(.shortCoordinate): ("server", "ToleranceTests"),
      ResponseCheck.elementRequested.name(.deviceSigned): ("server", "SyntheticExchangeTests"),
      ResponseCheck.documentsReturned.name(.useCase): ("server", "VerificationTests"),
    ]
    let shown: Set<ResponseCheck.Reason?> = [
      .rule(.rootInChain), .rule(.validityPeriod), .rule(.issuerState), .rule(.criticalExtension), .rule(.keyUsage),
    ]
    for reason in ResponseCheck.issuerCertificateProfile.definition.reasons {
      let name = reason.id.flatMap(ResponseCheck.Reason.init(rawValue:))
      guard !shown.contains(name) else { continue }
      exempt[ResponseCheck.issuerCertificateProfile.name(name)] = ("server", "CertificateProfileTests")
    }
    // These are reported in evidence, by the inspector, or about a run and not in it.
    let outside: [(CheckTable, who: String, test: String)] = [
      (.certificate, "server", "CertificateProfileTests"), (.revocationList, "server", "RevocationListTests"),
      (.storage, "world", "StorageErrorTests"), (.comparison, "cross-check", "SignatureTests"),
      (.reader, "sandbox", "RequestTests"), (.presentationRequest, "app", "RequestTests"),
      (.presentation, "server", "PresentationAnswerTests"), (.sdJWT, "server", "KnownAnswerTests"),
      (.invariants, "world", "InvariantTests"),
    ]
    for check in [VICALCheck.structure, .signer, .contents] {
      exempt[check.name(.departs)] = ("server", "VICALTests")
    }
    // A script passes an object, and a trace of four megabytes shows nothing else.
    let unseen = [BrowserCheck.options.name(.malformed), BrowserCheck.response.name(.tooLarge)]
    for finding in unseen { exempt[finding] = ("browser", "MediatorSequenceTests") }
    for (table, who, test) in outside {
      for finding in table.findings { exempt[finding] = (who, test) }
    }
    for finding in SandboxCheck.presentationRequest.definition.findings {
      exempt[finding] = ("sandbox", "RequestTests")
    }
    // A scenario shows these.
    exempt[PresentationResponseCheck.profile.name(.plain)] = nil
    exempt[PresentationResponseCheck.error.name(.invalidRequest)] = nil
    exempt[SDJWTCheck.trust.name()] = nil
    for fault in FaultCatalogue.all where fault.isOfOpenID4VP {
      for finding in fault.findings.failed + fault.findings.deviating { exempt[finding] = nil }
    }
    let unrequested: [IdentityRequestCheck.Reason] = [.missing, .malformed, .untrusted]
    for reason in unrequested {
      exempt[IdentityRequestCheck.certificate.name(reason)] = ("os", "IdentityRequestMachineTests")
    }
    for finding in NearbyCheck.message.definition.findings { exempt[finding] = ("nearby", "NearbyMessageTests") }
    for finding in NearbyCheck.invitation.definition.findings { exempt[finding] = ("nearby", "NearbyMessageTests") }
    exempt[NearbyCheck.account.name(.malformed)] = ("nearby", "AdvertTests")
    for reason in [PortalCheck.Reason.malformed, .signature] {
      exempt[PortalCheck.request.name(reason)] = ("portal", "MerchantCertificateTests")
    }
    // These need another end than that of a world.
    let inPerson: [(String, [String])] = [
      ("SessionTests", ["message/out-of-turn", "message/size"]),
      ("SessionTests", ["establishment/malformed", "establishment/key"]),
      ("SessionKeyTests", ["encryption/counter", "establishment/curve"]),
      ("DeviceAuthenticationTests", ["device-key/curve", "device-key/key", "device-key/purpose"]),
      ("EngagementTests", ["engagement/key", "engagement/malformed", "engagement/version"]),
      ("BluetoothTests", ["link/characteristic"]),
    ]
    for (test, names) in inPerson {
      for name in names { exempt["proximity.\(name)"] = ("mdoc or terminal", test) }
    }
    exempt[HybridCheck.tunnel.name(.malformed)] = ("authenticator", "SessionTests")
    exempt[ProviderCheck.domain.name(.missing)] = ("app", "ReaderDomainTests")
    exempt[StorageCheck.space.id] = ("world", "RegistrationDatabaseTests")
    exempt[ComparisonCheck.chain.id] = ("cross-check", "ChainTests")
    exempt[ReaderCheck.signature.name(.unsupported)] = ("sandbox", "SandboxTests")
    for finding in CertificateCheck.encoding.definition.findings {
      exempt[finding] = ("server", "CertificateChainTests")
    }
    for rule in [CertificateRule.rootInChain, .trustedItself] {
      exempt[CertificateCheck.profile.name(rule)] = ("server", "CertificatePathTests")
      exempt[CertificateCheck.readerProfile.name(rule)] = ("server", "CertificatePathTests")
    }
    return exempt
  }()

  let rows: [Row]

  /// The table for some scenarios.
  init(of scenarios: [Scenario], folder: String) {
    var found: [(row: Row, path: String)] = []
    for scenario in scenarios {
      let path = "scenarios" + scenario.path.dropFirst(folder.count)
      let place = "`\(path)`" + (scenario.caseName.map { ", \($0)" } ?? "")
      var faults: [String] = []
      for step in scenario.steps {
        if case .fault(.begins(let planned)) = step.step.content { faults.append(planned.fault.id) }
        for finding in Finding.all(in: step.step.content) {
          let told = faults.joined(separator: "; ")
          let fault = told.isEmpty ? Self.messages[finding.code] ?? scenario.name : told
          found.append(
            (
              Row(
                fault: fault, who: finding.who, code: finding.code, outcome: finding.outcome, scenario: place),
              path
            ))
        }
      }
    }
    rows =
      Self.picked(found)
      + Self.exempt.sorted { $0.key < $1.key }.map { code, exempt in
        Row(
          fault: Self.messages[code] ?? code, who: exempt.who, code: code, outcome: "refused",
          scenario: "none: see \(exempt.test)")
      }
  }

  /// One row for each fault with its code and outcome. Of several scenarios, the one that is named like the code, or
  /// the first.
  private static func picked(_ found: [(row: Row, path: String)]) -> [Row] {
    var places: [[String]: Int] = [:]
    var rows: [(row: Row, isNamed: Bool)] = []
    for (row, path) in found {
      let stem = path.split(separator: "/").last?.split(separator: ".").first ?? ""
      let isNamed = row.code.hasSuffix(stem)
      let key = [row.fault, row.who, row.code, row.outcome]
      if let place = places[key] {
        if isNamed && !rows[place].isNamed { rows[place] = (row, true) }
      } else {
        places[key] = rows.count
        rows.append((row, isNamed))
      }
    }
    let order = Dictionary(codes.enumerated().map { ($1, $0) }) { first, _ in first }
    return rows.map(\.row).enumerated().sorted {
      (order[$0.element.code] ?? .max, $0.offset) < (order[$1.element.code] ?? .max, $1.offset)
    }.map(\.element)
  }

  /// Every code, those of the parties in the order of a flow.
  private static let codes =
    CheckTable.browser.names + CodeRegistry.checks + CodeRegistry.all

  /// The meaning of each code.
  private static let messages: [String: String] = {
    let checks = CheckTable.all.flatMap(\.definitions).flatMap { check in
      zip(check.findings, check.reasons.map(\.message)).map { ($0, $1) }
    }
    return Dictionary(checks) { first, _ in first }
  }()
}

/// A failure that a step of a scenario expects.
private struct Finding {
  let who: String
  let code: String
  let outcome: String

  /// Outcomes of decisions that report a failure.
  private static let failures: Set = [
    "failed", "refused", "invalidRequest", "notAuthorized", "notSupported", "unknown",
  ]

  static func all(in content: Step.Content) -> [Finding] {
    guard case .expectation(let expectation) = content else { return [] }
    switch expectation {
    case .website(let expected):
      guard let code = expected.refused else { return [] }
      return found("server", code, "refused", expected.explained)
    case .terminal(let expected):
      guard let code = expected.refused else { return [] }
      return found("terminal", code, "refused", nil)
    case .inApp(let expected):
      guard let code = expected.refused else { return [] }
      return found("server", code, "refused", nil)
    case .decision(let expected):
      let outcome = expected.outcome
      let isFault = outcome.map(failures.contains) ?? faultCodes.contains(expected.code)
      guard isFault || outcome == "deviates", !expected.code.hasPrefix("store.status") else { return [] }
      let word = outcome == "deviates" ? "deviates" : "refused"
      return found(expected.role, expected.code, word, expected.explained)
    case .selector(let expected):
      return (expected.hides ?? []).map { Finding(who: "os", code: $0.value, outcome: "hidden") }
    case .exception(let expected):
      return expected.code.map { [Finding(who: "browser", code: $0, outcome: "refused")] } ?? []
    default: return []
    }
  }

  private static func found(_ who: String, _ code: String, _ outcome: String, _ explanation: String?) -> [Finding] {
    [Finding(who: who, code: code, outcome: outcome)]
      + (explanation.map { [Finding(who: who, code: $0, outcome: "explains `\(code)`")] } ?? [])
  }

  /// Codes that only faults have, for any expected outcome.
  private static let faultCodes = Set(
    [CheckTable.sandbox, .provider, .readerAuthority, .identityRequest, .nearby, .portal].flatMap(\.findings))
}
