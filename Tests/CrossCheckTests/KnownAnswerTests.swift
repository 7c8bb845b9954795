import CBOR
import Certificates
import CrossCheck
import Crypto
import MobileDocument
import TestSupport
import TestTraits
import Testing

@testable import COSE

@Suite("Cross-check of known signatures", .requiresVectors("cose", "ecdsa_p256_p1363"))
struct KnownAnswerTests {
  @Test(
    "libcrypto agrees with the known answer and disagrees with its opposite",
    arguments: Vectors.entries(of: "ecdsa_p256_p1363.json"))
  func wycheproof(entry: Vector) async throws {
    let point = try entry.bytes("public_key_uncompressed_hex")
    let key = VerificationKey.p256(try P256.Signing.PublicKey(x963Representation: point))
    let signature = try entry.bytes("sig_hex")
    let message = try entry.bytes("msg_hex")
    let heard = await claims { _ = key.verifies(signature, over: message) }
    #expect(heard.count == 1)
    for case .signature(let claim) in heard {
      #expect(claim.isVerified == (try entry.text("result") == "valid"))
      #expect(VerificationClaim.signature(claim).crossChecked == .passed)
      #expect(VerificationClaim.signature(claim).reversed.crossChecked == .failed)
    }
  }

  @Test("libcrypto agrees with the COSE working group's examples of every algorithm")
  func workingGroup() async throws {
    var seen: [COSEAlgorithm: Set<Bool>] = [:]
    for entry in Vectors.entries(of: "cose.json") where entry["key"]?["k"] == nil && entry["hex"] != nil {
      let external = entry["external_aad_hex"] == nil ? [] : try entry.bytes("external_aad_hex")
      guard let key = try? COSEKey(reading: Self.key(try #require(entry["key"]))) else { continue }
      let heard = await claims {
        guard let key = try? key.verificationKey(), let item = try? CBORReader.read(entry.bytes("hex")) else { return }
        _ = try? COSESign1(item).verify(with: key, externalAAD: external, algorithmFrom: .eitherHeader)
      }
      for case .signature(let claim) in heard {
        guard case .message(_, _, let algorithm, _) = claim.subject else { continue }
        #expect(claim.isVerified == (try entry.text("expect") == "valid"), "\(entry)")
        #expect(VerificationClaim.signature(claim).crossChecked == .passed, "\(entry)")
        #expect(VerificationClaim.signature(claim).reversed.crossChecked == .failed, "\(entry)")
        seen[algorithm, default: []].insert(claim.isVerified)
      }
    }
    #expect(seen == [.es256: [true, false], .es384: [true], .es512: [true], .edDSA: [true]])
  }

  private static func key(_ key: JSON) throws -> [UInt8] {
    let curves = ["P-256": 1, "P-384": 2, "P-521": 3, "Ed25519": 6, "Ed448": 7]
    let curve = try #require(key["crv"]?.text.flatMap { curves[$0] })
    var entries = [
      CBORValue.Entry(.integer(1), .integer(key["kty"]?.text == "OKP" ? 1 : 2)),
      CBORValue.Entry(.integer(-1), .integer(curve)),
      CBORValue.Entry(.integer(-2), .bytes(Hex.bytes(try #require(key["x"]?.text)))),
    ]
    if let y = key["y"]?.text { entries.append(CBORValue.Entry(.integer(-3), .bytes(Hex.bytes(y)))) }
    return CBORValue.map(entries).encoded
  }
}
