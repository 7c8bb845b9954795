import COSE
import Certificates
import Checks
import CrossCheck
import Crypto
import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing
import X509

@Suite("Cross-check of certificate chains")
struct ChainTests {
  private struct Family {
    let through: CertificateAuthority
    let leaf: Certificate
    let now: DateTime

    init() throws {
      let now = DateTime(secondsSince1970: 1_757_955_600)
      func terms(_ days: Int) -> CertificateAuthority.Terms {
        CertificateAuthority.Terms(
          from: now.adding(days: -days), until: now.adding(days: days),
          serialNumber: [UInt8](repeating: 0x55, count: 16))
      }
      let through = try CertificateAuthority(
        pathLength: 1, name: CertificateName(commonName: "Through"),
        contact: "https://through.example", terms: terms(3000), signer: P256.Signing.PrivateKey()
      ).intermediate(
        name: CertificateName(commonName: "Between"), terms: terms(2000), signer: P256.Signing.PrivateKey())
      leaf = try through.reader(
        name: CertificateName(organization: "Rentals", commonName: "rentals.example"), domain: "rentals.example",
        brand: nil, publicKey: Certificate.PublicKey(P256.Signing.PrivateKey().publicKey), terms: terms(100))
      self.now = now
      self.through = through
    }
  }

  /// The claim of one validation: exactly one claim about a chain, and any number about signatures on which libcrypto
  /// agrees.
  private func claim(
    _ chain: [Certificate], to anchors: [Certificate], at moment: DateTime, as profile: CertificateProfile = .reader
  ) async throws -> CertificateChainClaim {
    let heard = await claims { _ = await TrustedCertificates(anchors, for: profile).validate(chain, at: moment) }
    var chains: [CertificateChainClaim] = []
    for claim in heard {
      if case .chain(let claim) = claim { chains.append(claim) } else { #expect(claim.crossChecked == .passed) }
    }
    #expect(chains.count == 1)
    return try #require(chains.first)
  }

  @Test("libcrypto agrees about intermediates, anchors that are not self-signed, and any order")
  func agrees() async throws {
    let family = try Family()
    let (root, between, leaf) = (try family.through.root, try family.through.issuing, family.leaf)
    let stranger = try Family().through.root
    let rows: [(chain: [Certificate], anchors: [Certificate], isAccepted: Bool)] = [
      ([leaf, between], [root], true), ([leaf, root, between], [root], true),
      ([leaf, stranger, between], [root], true),
      ([leaf], [between], true), ([leaf, between], [stranger, root], true), ([leaf], [leaf], true),
      ([leaf], [root], false), ([leaf, between], [stranger], false), ([leaf, between, root], [], false),
      ([leaf, between, root], [stranger], false),
    ]
    for (position, row) in rows.enumerated() {
      let claim = try await claim(row.chain, to: row.anchors, at: family.now)
      #expect(claim.isAccepted == row.isAccepted, "row \(position)")
      #expect(VerificationClaim.chain(claim).crossChecked == .passed, "row \(position)")
      #expect(VerificationClaim.chain(claim).reversed.crossChecked == .failed, "row \(position)")
    }
  }

  @Test("libcrypto agrees about both ends of a validity period, to the second")
  func dates() async throws {
    let family = try Family()
    let (root, between, leaf) = (try family.through.root, try family.through.issuing, family.leaf)
    for certificate in [leaf, between, root] {
      for end in [certificate.validity.from, certificate.validity.until] {
        for seconds in -1...1 as ClosedRange<Int64> {
          let claim = try await claim([leaf, between], to: [root], at: end.adding(seconds: seconds))
          #expect(VerificationClaim.chain(claim).crossChecked == .passed, "\(end), \(seconds)")
        }
      }
    }
    let last = try await claim([leaf, between], to: [root], at: leaf.validity.until)
    #expect(last.isAccepted)
    let late = try await claim([leaf, between], to: [root], at: leaf.validity.until.adding(seconds: 1))
    #expect(late.outcome == .outdated)
    #expect(VerificationClaim.chain(late.with(.path(late.received))).crossChecked == .failed)
    #expect(VerificationClaim.chain(last.with(.outdated)).crossChecked == .failed)
  }

  @Test("Profiles and purposes are not comparable")
  func profiles() async throws {
    let family = try Family()
    let claim = try await claim(
      [family.leaf, family.through.issuing], to: [family.through.root], at: family.now, as: .documentSigner)
    #expect(claim.outcome == .forbidden)
    #expect(VerificationClaim.chain(claim).crossChecked == .notReached)
  }

  @Test("A disagreement names the certificates, the anchor, the time and both verdicts")
  func evidence() async throws {
    let family = try Family()
    let claim = try await claim([family.leaf], to: [family.through.issuing], at: family.now)
    let result = CrossChecker.check(.chain(claim.with(.untrusted)))
    #expect(result.check == "cross-check.chain")
    #expect(result.message == "libcrypto disagrees about a certificate chain that presentment refuses")
    let digest = hexadecimal(SHA256.hash(data: try family.leaf.derEncoded()))
    #expect(
      result.evidence.map(\.field) == ["certificate 0, SHA-256", "anchor, SHA-256", "time", "verdict"])
    #expect(result.evidence.first?.found == digest)
    #expect(result.evidence.last?.expected == "no path to an anchor")
  }

  @Test("libcrypto agrees about every certificate with one altered byte")
  func altered() async throws {
    let family = try Family()
    let encoded = try family.leaf.derEncoded()
    var compared = 0
    for place in encoded.indices {
      for change in [0x01, 0x80] as [UInt8] {
        var bytes = encoded
        bytes[place] ^= change
        let untrusted = CertificateChainClaim(
          received: [bytes], anchors: [try family.through.issuing.derEncoded()],
          secondsSince1970: family.now.secondsSince1970, outcome: .untrusted)
        #expect(VerificationClaim.chain(untrusted).crossChecked == .passed, "byte \(place)")
        guard let chain = try? CertificateChain.read([bytes]) else { continue }
        let claim = try await claim(chain, to: [family.through.issuing], at: family.now)
        #expect(VerificationClaim.chain(claim).crossChecked != .failed, "byte \(place): \(claim.outcome)")
        compared += 1
      }
    }
    #expect(compared > 200)
    for length in encoded.indices {
      let claim = CertificateChainClaim(
        received: [Array(encoded.prefix(length))], anchors: [], secondsSince1970: 0, outcome: .untrusted)
      #expect(VerificationClaim.chain(claim).crossChecked == .passed)
    }
  }
}

@Suite("Cross-check of certificates of real issuers", .requiresVectors("certificates"))
struct RealCertificateTests {
  private static func certificates() -> [Certificate] {
    Vectors.entries(of: "certificates.json").compactMap { try? Certificate(derEncoded: $0.bytes("hex")) }
      + Vectors.entries(of: "certificates.json").compactMap { try? Certificate(derEncoded: $0.bytes("issuer_hex")) }
  }

  @Test("libcrypto agrees about each with every anchor set and time")
  func agrees() async throws {
    let all = Self.certificates()
    var tally = CrossCheckTally()
    var accepted = 0
    for certificate in all {
      let (from, until) = (certificate.validity.from, certificate.validity.until)
      let middle = DateTime(secondsSince1970: (from.secondsSince1970 + until.secondsSince1970) / 2)
      let others = all.filter { $0 != certificate }
      let issuers = others.filter { $0.subject == certificate.issuer }
      let ends = [from, until, from.adding(seconds: -1), until.adding(seconds: 1)]
      let rows =
        [(others, middle), ([], middle)]
        + ([middle] + ends).flatMap { [([certificate], $0), (issuers, $0)] }
      for (anchors, moment) in rows {
        let ledger = CrossCheckLedger(CrossChecker.check)
        await VerificationWitness.$current.withValue(ledger.witness) {
          let trust = TrustedCertificates(anchors, for: .documentSigner)
          if case .success = await trust.validate([certificate], at: moment) { accepted += 1 }
        }
        for result in ledger.disagreements {
          Issue.record("\(certificate.subject) at \(moment): \(result.message): \(result.evidence)")
        }
        tally = tally + ledger.tally
      }
    }
    #expect(all.count > 90)
    #expect(tally.chains > 6 * all.count, "\(tally)")
    #expect(accepted > 50)
  }
}
