import CBOR
import COSE
import Certificates
import Checks
import Crypto
import Foundation
import JSON
import MobileDocument
import Primitives
import TestSupport
import Testing
import X509

@testable import ExchangeFiles

/// Files in the forms in which people have them.
@Suite("Files as they come")
struct FoundFormsTests {
  private let parties: Parties

  init() throws { parties = try Parties() }

  private func answered() async throws -> Draft {
    try Draft(try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange)
  }

  @Test("a private key is read as a JSON Web Key, PEM, DER, hexadecimal and base64")
  func keys() throws {
    let key = try fixedKey(3)
    let pem = key.pemRepresentation
    let number = hexadecimal(key.rawRepresentation)
    let sec1 = Self.sec1(key)
    let forms: [[UInt8]] = [
      Array(pem.utf8), Array(pem.split(separator: "\n").map { "  \($0)\n" }.joined().utf8),
      [UInt8](key.derRepresentation), sec1, Array(number.utf8), Array("\(number.uppercased())\n".utf8),
      [UInt8](key.rawRepresentation), Array(Data(key.rawRepresentation).base64EncodedString().utf8),
      Array("-----BEGIN EC PRIVATE KEY-----\n\(Data(sec1).base64EncodedString())\n-----END EC PRIVATE KEY-----".utf8),
    ]
    for form in forms {
      #expect(try PrivateKeyFile.signingKey(form, name: "key").rawRepresentation == key.rawRepresentation)
    }
    let others: [([UInt8], String)] = [
      ([UInt8](key.publicKey.derRepresentation), "a public key in DER"), (Array("hello".utf8), "text"),
      ([UInt8](P384.Signing.PrivateKey().derRepresentation), "P-384"), ([], "an empty file"),
      (Array(key.publicKey.pemRepresentation.utf8), "PUBLIC KEY"),
    ]
    for (bytes, name) in others {
      let problem = fault { _ = try PrivateKeyFile.signingKey(bytes, name: "key") }
      #expect(problem?.code == .key && problem?.message.contains(name) == true, "\(problem?.message ?? "none")")
      #expect(problem?.message.contains("hello") == false)
    }
  }

  /// The key in SEC 1 (RFC 5915), without its public key.
  private static func sec1(_ key: P256.Signing.PrivateKey) -> [UInt8] {
    let curve: [UInt8] = [0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    return [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20] + key.rawRepresentation + curve
  }

  @Test("texts that are in no transcript may be padded or in the other alphabet")
  func pasted() async throws {
    var draft = try await answered()
    let response = try #require(draft.members["response"]?.text.flatMap(Base64URL.decode))
    draft.members["response"] = .string(Data(response).base64EncodedString() + "\n")
    draft.members["recipientPrivateKey"] = .string(hexadecimal(try fixedAgreementKey(4).rawRepresentation))
    #expect(try await draft.verified(at: parties.now).isVerified)
  }

  @Test("roots in DER are trusted")
  func roots() async throws {
    let der = try parties.root.derEncoded()
    let trusted = try CertificateFile.trusted(der, for: .documentSigner, name: "root.cer")
    #expect(trusted.anchors == [parties.root])
  }

  @Test("--only-issuer-root trusts nothing that the file brings along")
  func onlyOthers() async throws {
    let draft = try await answered()
    func verified(_ others: [Certificate], only: Bool) async throws -> ExchangeReport {
      let exchange = try VerifiableExchange(
        ExchangeFile(draft.bytes),
        trusting: TrustedIssuers(TrustedCertificates(others, for: .documentSigner)), onlyOthers: only
      ) { _ in throw NoSuchFile() }
      return await ExchangeVerifier().verify(exchange, at: parties.now)
    }
    let stranger = try #require(
      try CertificateFile.certificates(Array(parties.reader().rootPEM.utf8), name: nil).first)
    #expect(try await verified([stranger], only: false).isVerified)
    #expect(try await verified([stranger], only: true).failure?.name == "issuer.trust")
    #expect(try await verified([parties.root], only: true).isVerified)
  }
}

/// Signed lists of issuing authorities as trusted issuers.
@Suite("Lists of issuing authorities in exchange files")
struct IssuerListTests {
  private let parties: Parties
  private let signer: Certificate

  init() throws {
    parties = try Parties()
    let terms = CertificateAuthority.Terms(
      from: parties.now.adding(days: -1), until: parties.now.adding(days: 400), serialNumber: [UInt8](1...16))
    let authority = try CertificateAuthority(
      name: CertificateName(country: "US", commonName: "Lists"), contact: "https://lists.example",
      terms: terms, signer: try fixedKey(50))
    let publicKey = try Certificate.PublicKey(fixedKey(51).publicKey)
    signer = try authority.issue(
      name: CertificateName(country: "US", commonName: "List Signer"), publicKey: publicKey, terms: terms,
      extensions: try Certificate.Extensions {
        Critical(KeyUsage(digitalSignature: true))
        Critical(try ExtendedKeyUsage([ExtendedKeyUsage.Usage(oid: CertificateOID.listSignerKeyPurposes[0])]))
        SubjectKeyIdentifier(hash: publicKey)
        AuthorityKeyIdentifier(keyIdentifier: ArraySlice(authority.keyIdentifier))
      })
  }

  private func list(of types: [String], signedWith number: UInt8 = 51) throws -> [UInt8] {
    func date(_ moment: DateTime) -> CBORValue { .tagged(0, .text("\(moment)")) }
    let root = parties.root
    let entry = CBORValue.textMap([
      ("certificate", .bytes(try root.derEncoded())),
      ("serialNumber", .tagged(2, .bytes(Array(root.serialNumber.bytes)))),
      ("ski", .bytes(root.subjectKeyIdentifier ?? [])), ("docType", .array(types.map(CBORValue.text))),
    ])
    let payload = CBORValue.textMap([
      ("version", .text("1.0")), ("vicalProvider", .text("Lists of Harbour")),
      ("date", date(parties.now.adding(seconds: -60))), ("nextUpdate", date(parties.now.adding(days: 9))),
      ("certificateInfos", .array([entry])),
    ])
    return try COSESign1.sign(
      payload: payload.encoded, detached: false, x5chain: [try signer.derEncoded()], with: fixedKey(number))
  }

  private func report(_ list: [UInt8]) async throws -> ExchangeReport {
    var draft = try Draft(try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange)
    draft.members["trustedIssuers"] = .array([
      .objectOf(["vical": .base64URL(list), "signer": .string(try CertificateFile.pem([signer]))])
    ])
    return try await draft.verified(at: parties.now)
  }

  @Test("a verified list is trusted for the types of documents that it names")
  func verified() async throws {
    let report = try await report(list(of: [Parties.documentType]))
    #expect(report.isVerified, "\(report.text)")
    #expect(report.groups.first?.title.hasPrefix("list ") == true)
    #expect(report.groups.first?.checks.map(\.check).contains("vical.signature") == true)
    let other = try await self.report(list(of: ["org.example.other"]))
    #expect(other.failure?.name == "issuer.trust/document-type", "\(other.text)")
    #expect(other.failure?.message.contains("does not trust it for documents of type") == true)
  }

  @Test("a list with a wrong signature is not trusted")
  func forged() async throws {
    let report = try await report(list(of: [Parties.documentType], signedWith: 52))
    #expect(report.failure?.name == "vical.signature")
    #expect(report.checks.contains { $0.name == "issuer.trust" && $0.status == .failed })
  }

  @Test("a list as a plain root is refused with the reason")
  func plain() throws {
    let problem = fault {
      _ = try CertificateFile.trusted(list(of: []), for: .documentSigner, name: "list.cbor")
    }
    #expect(problem?.message.contains("needs the certificate of its signer") == true)
  }

  @Test("the inventory shows what lists and roots hold, and what is wrong with them")
  func inventory() async throws {
    let files = [
      TrustInventory.File(name: "list.cbor", bytes: try list(of: [Parties.documentType])),
      TrustInventory.File(name: "root.cer", bytes: try parties.root.derEncoded()),
    ]
    let trusted = TrustedCertificates([signer], for: .listSigner)
    let inventory = await TrustInventory(of: files, listSigners: trusted, at: parties.now)
    #expect(!inventory.hasRefused && !inventory.hasUnreadable, "\(inventory.text)")
    for line in [
      "list.cbor: VICAL, 1 certificate", "  provider: Lists of Harbour", "    documents: \(Parties.documentType)",
      "root.cer: certificates, 1 certificate",
      "    key identifier: \(hexadecimal(parties.root.subjectKeyIdentifier ?? []))",
    ] {
      #expect(inventory.text.split(separator: "\n").contains(Substring(line)), "\(line)\n\(inventory.text)")
    }
    #expect(inventory.json.contains(#""docTypes":["org.iso.18013.5.1.mDL"]"#))
    let unnamed = await TrustInventory(of: files, listSigners: nil, at: parties.now)
    #expect(unnamed.text.contains("pass --vical-signer to verify it"))
    let later = await TrustInventory(of: files, listSigners: trusted, at: parties.now.adding(days: 500))
    #expect(later.hasRefused && later.text.contains("the certificate has expired"))
    let other = await TrustInventory(of: [.init(name: "a.txt", bytes: [0x41])], listSigners: nil, at: parties.now)
    #expect(other.hasUnreadable)
  }
}
