import Certificates
import MobileDocument
import TestSupport
import TestTraits
import Testing

@testable import ExchangeFiles

/// Published lists of trusted issuers that include unsupported roots.
@Suite("Trust lists with roots that have no use here", .requiresVectors("certificates"))
struct TrustListTests {
  private let parties: Parties

  init() throws { parties = try Parties() }

  /// Roots of real trust lists: on brainpoolP512r1, and with a negative serial number.
  private func others() throws -> [[UInt8]] {
    try ["interop-ul-cert-iaca-02-cer-pem", "multipaz-wallet-cn-multipaz-test-iaca-st-ma-c-us"].map {
      try Vectors.entry($0, of: "certificates.json").bytes("hex")
    }
  }

  @Test("A trust list with unsupported roots verifies chains to its other roots")
  func verify() async throws {
    let answered = try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange
    var draft = try Draft(answered)
    draft.members["trustedIssuers"] = .trust(try others() + [parties.root.derEncoded()])
    let exchange = try draft.exchange()
    #expect(exchange.trustedIssuers.certificates.anchors.count == 2)
    #expect(exchange.trustedIssuers.certificates.unusable.map(\.key.name) == ["brainpoolP512r1"])
    #expect(try await draft.verified(at: parties.now).isVerified)
    // Also in one file, and as the roots of a command.
    let list = String(decoding: CertificateChain.pem(try others() + [parties.root.derEncoded()]), as: UTF8.self)
    draft.members["trustedIssuers"] = .array([.string("list.pem")])
    #expect(try await draft.verified(at: parties.now, files: ["list.pem": list]).isVerified)
    draft.members["trustedIssuers"] = nil
    let named = try CertificateFile.trusted(Array(list.utf8), for: .documentSigner, name: "list.pem")
    let other = try VerifiableExchange(ExchangeFile(draft.bytes), trusting: TrustedIssuers(named)) { _ in
      throw NoSuchFile()
    }
    #expect(await ExchangeVerifier().verify(other, at: parties.now).isVerified)
    #expect(other.trustedIssuers.certificates.count == 3)
  }

  @Test("Unsupported roots alone verify no chain, and damaged lists are refused")
  func refuse() async throws {
    let answered = try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange
    var draft = try Draft(answered)
    draft.members["trustedIssuers"] = .trust(try others())
    #expect(try await draft.verified(at: parties.now).failure?.name == "issuer.trust")
    draft.members["trustedIssuers"] = .trust(try others() + [[0x30, 0x00]])
    #expect(draft.problem?.code == .certificate && draft.problem?.member == "trustedIssuers[2]")
  }

  @Test("A wallet answers readers under the supported roots of a list")
  func wallet() async throws {
    let reader = try parties.reader()
    let made = try parties.request(for: ["given_name"], by: [reader.reader])
    let list = Array((String(decoding: CertificateChain.pem(try others()), as: UTF8.self) + reader.rootPEM).utf8)
    let wallet = WalletResponder(
      documents: [try parties.document()],
      trustedReaders: try CertificateFile.trusted(list, for: .reader, name: nil))
    _ = try await wallet.answer(
      made.exchange, origin: nil, at: parties.now, ephemeralKey: try fixedAgreementKey(6))
  }
}
