import CBOR
import COSE
import Certificates
import Crypto
import Primitives
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import MobileDocument
@testable import WebPresentment

extension KnownFile {
  /// Complete exchanges with all their keys: valid ones, and one for each kind of fault.
  static var syntheticAnnexC: KnownFile {
    KnownFile(
      "synthetic_annex_c", count: 93,
      [
        "private key": { try SyntheticSet.key($0) },
        "X.509 DER": { try SyntheticSet.certificate($0) },
        "X.509 CRL v2 DER": { try SyntheticSet.revocationList($0) },
        "EncryptionInfo": { try SyntheticSet.encryptionInfo($0) },
        "DeviceRequest": { try SyntheticSet.request($0) },
        "EncryptedResponse case": { try await SyntheticCase($0).exercise() },
        "Status List Token CWT": {
          try StatusListAnswers.token($0, signer: SyntheticSet.certificate(named: "cert-ds"))
        },
        "Identifier List CWT": { try StatusListAnswers.token($0, signer: SyntheticSet.certificate(named: "cert-ds")) },
      ])
  }
}

/// A vector with an unexpected shape for its kind.
private struct UnknownShape: Error, CustomStringConvertible {
  let description: String
}

enum SyntheticSet {
  static let file = "synthetic_annex_c.json"

  static func bytes(_ identifier: String, _ member: String = "hex") throws -> [UInt8] {
    try Vectors.entry(identifier, of: file).bytes(member)
  }

  static func certificate(named identifier: String) throws -> Certificate {
    try Certificate(derEncoded: bytes(identifier))
  }

  private static func text(_ name: String) throws -> String { try #require(try Vectors.file(file)[name]?.text) }

  static func origin() throws -> String { try text("origin") }
  static func time() throws -> DateTime { try moment(text("verification_time")) }

  static func information() throws -> EncryptionInfo {
    try EncryptionInfo(text: Vectors.entry("encryption-info", of: file).text("base64url"))
  }

  /// The lists of the set by address, with their entries.
  static var lists: [(uri: String, identifier: String)] {
    [
      ("https://issuer.example.com/status/1", "status-list-token"),
      ("https://issuer.example.com/idlist/1", "identifier-list-token"),
    ]
  }

  static func sessionTranscript() throws -> SessionTranscript {
    try information().sessionTranscript(origin: origin())
  }

  static func key(_ entry: Vector) throws {
    let scalar = try entry.bytes("d_hex")
    let point =
      switch try entry.text("curve") {
      case "P-256": [UInt8](try P256.Signing.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation)
      case "P-384": [UInt8](try P384.Signing.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation)
      default: [UInt8]()
      }
    #expect(point == (try entry.bytes("public_uncompressed_hex")))
  }

  static func certificate(_ entry: Vector) throws {
    expectInspected(entry, try entry.bytes("hex"), as: "certificate")
    let certificate = try Certificate(derEncoded: entry.bytes("hex"))
    let issuer = try self.certificate(named: entry.text("issuer"))
    #expect(issuer.publicKey.isValidSignature(certificate.signature, for: certificate))
  }

  /// This project does not read certificate revocation lists from the set; this one is compared by its bytes.
  static func revocationList(_ entry: Vector) throws {
    let (list, signature) = try DER.sequence(DER.parse(entry.bytes("hex")), identifier: .sequence) { nodes in
      guard let list = nodes.next(), nodes.next() != nil, let last = nodes.next() else {
        throw UnknownShape(description: "no list, algorithm and signature")
      }
      return (Array(list.encodedBytes), try ASN1BitString(derEncoded: last))
    }
    let key = try P256.Signing.PublicKey(x963Representation: bytes("key-iaca", "public_uncompressed_hex"))
    let found = try P256.Signing.ECDSASignature(derRepresentation: Array(signature.bytes))
    #expect(key.isValidSignature(found, for: list))
    let revoked = Array(try certificate(named: entry.text("revokes")).serialNumber.bytes)
    #expect(list.indices.contains { list[$0...].starts(with: revoked) })
  }

  static func encryptionInfo(_ entry: Vector) throws {
    expectInspected(entry, try entry.bytes("hex"), as: "EncryptionInfo")
    let info = try information()
    #expect(Base64URL.decode(info.text) == (try entry.bytes("hex")))
    let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes("key-recipient", "d_hex"))
    #expect(info.recipientPublicKey.rawRepresentation == key.publicKey.rawRepresentation)
    #expect(try sessionTranscript().encoded == entry.bytes("session_transcript_hex"))
    let handoverInfo = CBORValue.array([.text(info.text), .text(try origin())]).encoded
    #expect(handoverInfo == (try entry.bytes("dcapi_info_hex")))
  }

  /// The number of verified reader signatures; entries that state otherwise have one.
  private static let signatures = ["req-1.0-unsigned": 0, "req-1.1-two-docs-both-auths": 3]

  static func request(_ entry: Vector) throws {
    expectInspected(entry, try entry.bytes("hex"), as: "DeviceRequest")
    #expect(Base64URL.decode(try entry.text("base64url")) == (try entry.bytes("hex")))
    let request = try UnverifiedDeviceRequest(entry.bytes("hex"))
    switch try entry.text("expect") {
    case "valid":
      let found = try request.authenticate(over: sessionTranscript())
      #expect(found.readerAuthentications.count == signatures[entry.identifier, default: 1])
      let isDeparture = entry.identifier == "req-1.1-x5chain-protected"
      #expect(found.findings.map(\.status) == (isDeparture ? [.deviates] : []))
    case "invalid":
      let transcript = try sessionTranscript()
      let error = #expect(throws: DeviceRequestError.self) { try request.authenticate(over: transcript) }
      #expect(error?.code == .readerSignature)
    case let other: Issue.record("\(entry): nothing is known of \"\(other)\"")
    }
  }
}
