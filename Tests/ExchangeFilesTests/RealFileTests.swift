import Checks
import Foundation
import JSON
import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing

@testable import ExchangeFiles

/// Files of real wallets, issuers and websites under each policy.
@Suite("Real files")
struct RealFileTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Vectors.folder.appendingPathComponent("real/\(name)")))
  }

  private static func draft(_ name: String) throws -> Draft {
    try Draft(try ExchangeFile(Self.bytes("\(name).exchange.json")))
  }

  private static func failed(_ report: ExchangeReport) -> [String] {
    report.checks.filter { $0.status == .failed }.map(\.name)
  }

  @Test(
    "the EU's reference issuer signs a driving licence with its PID signer: only a lenient policy accepts it",
    .requiresVectors("real/multipaz-noncanonical.exchange.json"))
  func referenceIssuer() async throws {
    var draft = try Self.draft("multipaz-noncanonical")
    let time = try moment("2026-04-23T07:34:51Z")
    let report = try await draft.verified(at: time)
    #expect(Self.failed(report) == ["issuer.certificate.purpose/extended-key-usage-eu"])
    #expect(report.text.contains("--policy lenient accepts it: issuer.certificate.purpose/extended-key-usage-eu"))
    #expect(report.json.contains(#""acceptedByLenient":["issuer.certificate.purpose/extended-key-usage-eu"]"#))
    draft.members["policy"] = .string("lenient")
    let lenient = try await draft.verified(at: time)
    #expect(lenient.isVerified, "\(lenient.text)")
    #expect(lenient.json.contains(#""acceptedByLenient":null"#))
    #expect(
      lenient.checks.contains {
        $0.name == "issuer.certificate.purpose/extended-key-usage-eu" && $0.status == .deviates
      })
  }

  @Test("digest identifiers of 32 bits are a tolerance", .requiresVectors("real/bdr.exchange.json"))
  func digestIdentifiers() async throws {
    var draft = try Self.draft("bdr")
    let time = try moment("2026-01-01T00:00:00Z")
    // The file's transcript is made up.
    #expect(
      try await Set(Self.failed(draft.verified(at: time))) == ["mso.digest-id/32-bits", "device.signature/invalid"])
    draft.members["policy"] = .string("lenient")
    #expect(try await Self.failed(draft.verified(at: time)) == ["device.signature/invalid"])
  }

  @Test(
    "a device key without its leading zeros is a tolerance",
    .requiresVectors("real/eudi-three-documents.exchange.json"))
  func shortCoordinate() async throws {
    let draft = try Self.draft("eudi-three-documents")
    let report = try await draft.verified(at: moment("2026-01-01T00:00:00Z"))
    #expect(Self.failed(report).contains("mso.device-key/short-coordinate"))
    #expect(!Self.failed(report).contains("mso.device-key/unusable"))
  }

  @Test(
    "validity that begins minutes before the signature is a tolerance",
    .requiresVectors("real/tessio-walletframework-ds.exchange.json"))
  func datesOutOfOrder() async throws {
    var draft = try Self.draft("tessio-walletframework-ds")
    let time = try moment("2026-07-23T18:32:35Z")
    #expect(try await Self.failed(draft.verified(at: time)).contains("mso.validity-order/before-signed"))
    draft.members["policy"] = .string("lenient")
    let lenient = try await draft.verified(at: time)
    #expect(lenient.isVerified, "\(lenient.text)")
  }

  @Test(
    "a reader authority's negative serial number is read, and the wallet answers its request",
    .requiresVectors("real/neg-serial.exchange.json"))
  func negativeSerialNumber() async throws {
    let file = try ExchangeFile(try Self.bytes("neg-serial.exchange.json"))
    let time = try moment("2025-12-15T09:00:00Z")
    let wallet = WalletResponder(documents: [])
    let findings = await wallet.findings(about: file, origin: nil, at: time)
    #expect(findings.contains { $0.contains("readerAuth verifies") }, "\(findings)")
  }

  @Test(
    "roots of any form are read",
    .requiresVectors("real/google_mdl_iaca_cert_2.pem", "real/Prod_Root_Certificate.cer"),
    arguments: ["google_mdl_iaca_cert_2.pem", "Prod_Root_Certificate.cer"])
  func roots(name: String) throws {
    #expect(try CertificateFile.trusted(try Self.bytes(name), for: .documentSigner, name: name).anchors.count == 1)
  }
}
