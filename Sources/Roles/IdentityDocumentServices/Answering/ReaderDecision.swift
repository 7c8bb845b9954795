import Certificates
import Checks
import FoundationEssentials
import Primitives
import X509

/// What an app decides about the readers that signed a request. The sheet that the person sees and the checks of the
/// answer use the same decision.
struct ReaderDecision {
  /// The leaf certificates of the trusted readers, none of them revoked.
  let readers: [Certificate]
  /// The finding if no certificate is for the website that asks; nil also without a trusted reader.
  let domain: ProviderRefusal?
  /// The reason neither to ask the person nor to answer, or nil. The app requires a reader authority that it trusts, and
  /// no certificate leads to one: the system may have compared key identifiers only, which a self-made certificate can
  /// name. Or the only trusted certificates are revoked, or those of other websites, so the request is phishing, or
  /// signed with a stolen key.
  let refusal: ProviderRefusal?
}

extension MobileDocumentResponder {
  /// Decides about the readers whose signatures cover a whole request.
  ///
  /// - Parameters:
  ///   - chains: The chain of each, leaf first.
  ///   - isPartlySigned: Indicates whether other signatures cover parts of the request.
  ///   - host: The host of the website that asks, or an empty text.
  ///   - moment: The time at which certificates must be valid.
  func decide(
    on chains: [[CertificateFields]], isPartlySigned: Bool = false, host: String, at moment: DateTime
  ) async -> ReaderDecision {
    var readers: [Certificate] = []
    var errors: [CertificatePathError] = []
    var revocation: CheckResult?
    var isOfTestProgramme = false
    for chain in chains {
      switch await trustedReaders.validate(chain, at: moment) {
      case .success(let path):
        if let revoked = path.revocation(by: revocationLists, at: moment) {
          revocation = revoked
        } else if !acceptsTestReaders, TestMark.isOn(path) {
          isOfTestProgramme = true
        } else {
          readers.append(path.leaf)
        }
      case .failure(let error): errors.append(error)
      }
    }
    let domain = Self.domain(of: readers, host: host)
    let refusal: ProviderRefusal? =
      if !readers.isEmpty {
        // A certificate without a domain name does not refuse: ISO/IEC 18013-5 does not require one.
        domain?.reason == .differs && !answersOtherDomains ? domain : nil
      } else if isOfTestProgramme {
        ProviderRefusal(
          .production,
          evidence: .field("country", expected: "another than \(TestMark.country)", found: TestMark.country))
      } else if let revocation {
        ProviderRefusal(.reader, .revoked, evidence: revocation.evidence)
      } else if answersUntrustedReaders {
        nil
      } else if chains.isEmpty, isPartlySigned {
        ProviderRefusal(.reader, .untrusted, adding: "no signature covers the whole request")
      } else {
        .noTrustedReader(errors)
      }
    return ReaderDecision(readers: readers, domain: domain, refusal: refusal)
  }

  /// Compares a website's host with the leaf certificates of trusted readers. A reader certificate is for the domain that
  /// its authority has verified; another website that has it is not the requester that it names.
  private static func domain(of readers: [Certificate], host: String) -> ProviderRefusal? {
    let domains = readers.flatMap(\.domains)
    // Without an origin nothing can be answered: another check refuses that.
    guard !host.isEmpty, !readers.isEmpty, !domains.contains(where: { $0.identifies(host) }) else { return nil }
    return ProviderRefusal(
      .domain, domains.isEmpty ? .missing : .differs,
      evidence: .field(
        "domain", expected: host,
        found: domains.isEmpty ? "none" : domains.map(\.description).uniqued().joined(separator: ", ")))
  }
}
