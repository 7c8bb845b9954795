import CBOR
import COSE
import Certificates
import Checks
import Primitives
import X509

/// A received list of issuing authorities' certificates: a COSE_Sign1 with the signer's chain. It is untrusted; its
/// contents are read only after its signature is verified.
public struct UnverifiedVICAL: Sendable {
  /// The received bytes.
  public let encoded: [UInt8]

  /// Creates a list from its bytes.
  public init(_ bytes: [UInt8]) { encoded = bytes }

  /// The certificates that came with the list, the signer's first, not verified; empty if the list cannot be read.
  public var signerChain: [Certificate] {
    guard encoded.count <= VICAL.Limits.bytes,
      let item = try? CBORReader.read(encoded, limits: VICAL.Limits.cbor, leniency: .received),
      let message = try? COSESign1(item)
    else { return [] }
    return (try? CertificateChain.read(message.headers.x5chain ?? [])) ?? []
  }

  /// The result of a verification.
  public struct Report: Sendable {
    /// The checks in their order.
    public let checks: [CheckResult]
    /// The list; nil if a check failed.
    public let list: VICAL?
    /// The certificates of the list that can be trusted, for the profile of document signers; none if a check failed.
    public let trustedIssuers: TrustedCertificates
  }

  /// Verifies the list.
  /// - Parameters:
  ///   - providers: The trusted certificates of providers of lists, for ``CertificateProfile/listSigner``.
  ///   - moment: The time at which the signer and the list must be valid.
  ///   - last: The newest list of this provider that was verified before; nil if none is known.
  public func verified(
    trusting providers: TrustedCertificates, at moment: DateTime, after last: VICAL.Issue? = nil,
    policy: VerificationPolicy = .standard
  ) async -> Report {
    var verification = VICALVerification(providers: providers, moment: moment, last: last)
    await verification.verify(encoded)
    let run = CheckRun(VICALCheck.allCases, policy: policy) { verification.outcomes[$0] }
    return Report(
      checks: run.results, list: run.isAccepted ? verification.list : nil,
      trustedIssuers: TrustedCertificates(
        run.isAccepted ? verification.certificates.uniqued() : [],
        unusable: run.isAccepted ? verification.unusable : [], for: .documentSigner,
        documentTypes: run.isAccepted ? verification.documentTypes : [:]))
  }
}

/// The checks of one list. Each stops at the first failure.
private struct VICALVerification {
  typealias Outcome = CheckOutcome<VICALCheck>

  let providers: TrustedCertificates
  let moment: DateTime
  let last: VICAL.Issue?
  private(set) var list: VICAL?
  private(set) var certificates: [Certificate] = []
  private(set) var documentTypes: [Certificate: [String]] = [:]
  private(set) var unusable: [CertificateFields] = []
  private(set) var outcomes = CheckOutcomes<VICALCheck>()

  mutating func verify(_ bytes: [UInt8]) async {
    guard let (message, chain) = read(bytes), let leaf = chain.first, await check(chain: chain),
      let payload = check(message, signedBy: leaf), let list = readContents(payload)
    else { return }
    outcomes[.version] = .require(
      list.version == "1.0", nil, nil, .field("version", expected: "1.0", found: list.version))
    checkSequence(of: list)
    check(datesOf: list)
    collect(list.entries)
    self.list = list
  }

  private mutating func read(_ bytes: [UInt8]) -> (COSESign1, [Certificate])? {
    guard bytes.count <= VICAL.Limits.bytes else {
      outcomes[.structure] = .found(
        .malformed, "the list has \(bytes.count) bytes, more than \(VICAL.Limits.bytes)")
      return nil
    }
    do {
      let item = try CBORReader.read(bytes, limits: VICAL.Limits.cbor, leniency: .received)
      let message = try COSESign1(item)
      let chain = try CertificateChain.read(message.headers.x5chain ?? [])
      guard !chain.isEmpty else {
        outcomes[.structure] = .found(.malformed, "the list has no certificate of its signer")
        return nil
      }
      // Lists are seen with and without the tag, and with the chain in either header.
      outcomes[.structure] = .findings(
        (message.deviations.filter { $0 != .tagged && $0 != .chainInProtectedHeader }.map(\.rawValue)
          + Set(item.deviations.map(\.code.rawValue)).sorted())
          .map { .init(.departs, "the list departs from the required form: \($0)") })
      return (message, chain)
    } catch {
      outcomes[.structure] = .found(.malformed, "the list is not a signed message with certificates: \(error)")
      return nil
    }
  }

  private mutating func check(chain: [Certificate]) async -> Bool {
    switch await providers.validate(chain, at: moment) {
    case .success(let path):
      outcomes[.signer] = .findings(
        path.findings.filter { $0.status == .deviates }.map { .init(.departs, $0.message, $0.evidence) })
      return true
    case .failure(let error):
      outcomes[.signer] = .found(
        error.code == .untrusted ? .untrusted : .invalid, error.message,
        error.fields + [CheckResult.Evidence("signer", found: chain.first?.subject.description)])
      return false
    }
  }

  private mutating func check(_ message: COSESign1, signedBy leaf: Certificate) -> [UInt8]? {
    do {
      let payload = try message.verify(with: try leaf.verificationKey())
      outcomes[.signature] = .passed
      return payload
    } catch {
      outcomes[.signature] = .found(nil, nil, .field("signature", found: "\(error)"))
      return nil
    }
  }

  private mutating func readContents(_ payload: [UInt8]) -> VICAL? {
    do {
      let list = try VICAL(payload: payload)
      outcomes[.contents] = .findings(
        list.deviations.map { .init(.departs, "the contents of the list depart from the required form: \($0)") })
      return list
    } catch {
      outcomes[.contents] = .found(.malformed, "the contents of the list are malformed: \(error)")
      return nil
    }
  }

  private mutating func checkSequence(of list: VICAL) {
    guard let last else { return outcomes[.sequence] = .notApplicable("no earlier list of this provider is known") }
    outcomes[.sequence] = .require(
      !list.issue.isOlder(than: last), nil, nil,
      .field("issue", expected: "\(last.description) or a later one", found: list.issue.description))
  }

  private mutating func check(datesOf list: VICAL) {
    guard list.date <= moment else {
      outcomes[.validity] = .found(
        .notYetValid, nil, .field("date", expected: "at most \(moment)", found: "\(list.date)"))
      return
    }
    if let next = list.nextUpdate, next < moment {
      outcomes[.validity] = .found(.stale, nil, .field("nextUpdate", expected: "at least \(moment)", found: "\(next)"))
    } else {
      outcomes[.validity] = .passed
    }
  }

  /// Reads the certificate of each entry, and compares it with what the entry says of it.
  private mutating func collect(_ entries: [VICAL.Entry]) {
    var findings: [Outcome.Finding] = []
    for (position, entry) in entries.enumerated() {
      let place = CheckResult.Evidence("entry", found: "\(position)")
      do {
        let (usable, others) = try CertificateChain.readTrusted([entry.certificate])
        if let other = others.first {
          unusable.append(other)
          findings.append(.init(.unusable, nil, [place, CheckResult.Evidence("certificate", found: "its key")]))
        }
        guard let certificate = usable.first else { continue }
        let identifier = certificate.subjectKeyIdentifier ?? []
        let fields = CertificateFields(certificate)
        // A list has no negative numbers, so the serial number of such a certificate cannot be compared.
        let serial = fields.hasNegativeSerialNumber ? entry.serialNumber : Array(fields.serialNumber.drop { $0 == 0 })
        guard identifier == entry.subjectKeyIdentifier, serial == entry.serialNumber else {
          findings.append(
            .init(
              .mismatch, nil,
              [
                place,
                CheckResult.Evidence(
                  "ski", expected: hexadecimal(identifier), found: hexadecimal(entry.subjectKeyIdentifier)),
                CheckResult.Evidence(
                  "serialNumber", expected: hexadecimal(serial), found: hexadecimal(entry.serialNumber)),
              ]))
          continue
        }
        certificates.append(certificate)
        documentTypes[certificate, default: []] += entry.documentTypes
      } catch {
        findings.append(.init(.unusable, nil, [place, CheckResult.Evidence("certificate", found: "\(error)")]))
      }
    }
    outcomes[.entries] = .findings(findings)
  }
}
