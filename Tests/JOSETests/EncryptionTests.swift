import COSE
import Crypto
import JSON
import Primitives
import TestSupport
import Testing

@testable import JOSE

@Suite("JWE")
struct EncryptionTests {
  private var recipient: JWK {
    get throws { JWK(COSEKey(try fixedAgreementKey(3).publicKey), keyID: "k", use: "enc", algorithm: "ECDH-ES") }
  }

  private func sealed(_ encryption: JWEEncryption = .a128GCM, apu: [UInt8]? = nil, apv: [UInt8]? = nil) throws -> String
  {
    try JWE.encrypt(
      Array("content".utf8), to: recipient, encryption: encryption, partyUInfo: apu, partyVInfo: apv,
      ephemeralKey: fixedAgreementKey(4), initializationVector: [UInt8](repeating: 5, count: 12))
  }

  @Test("Content survives encryption with both content encryptions and every kind of party information")
  func roundTrip() throws {
    for encryption in JWEEncryption.allCases {
      for info in [nil, [], Array("Alice".utf8)] as [[UInt8]?] {
        let jwe = try JWE(compact: sealed(encryption, apu: info, apv: info.map { $0 + [1] }))
        #expect(jwe.encryption == encryption && jwe.header.keyID == "k")
        #expect(jwe.partyUInfo == info && jwe.partyVInfo == info.map { $0 + [1] })
        #expect(try jwe.decrypt(with: fixedAgreementKey(3)) == Array("content".utf8))
        #expect(refusal { _ = try jwe.decrypt(with: fixedAgreementKey(4)) } == .decryption)
      }
    }
  }

  @Test("The same inputs give the same bytes")
  func deterministic() throws { #expect(try sealed() == sealed()) }

  @Test("A drawn change of any byte is refused")
  func altered() throws {
    let text = try sealed(apu: [1, 2, 3])
    for changed in Damage.sample(of: Array(text.utf8), seed: 11) {
      guard let text = String(validating: changed, as: UTF8.self) else { continue }
      #expect(refusal { _ = try JWE(compact: text).decrypt(with: fixedAgreementKey(3)) } != nil, "\(text)")
    }
  }

  private static let epk =
    #""epk":{"kty":"EC","crv":"P-256","x":"DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0","y":"XtLM4-3h5o3HUH0MHVJV0kyq0iBlrBwlh8qEDMZ4-Pc"}"#

  @Test(
    "A header outside the rules is refused without a key",
    arguments: [
      (#"{"alg":"ECDH-ES","enc":"A128GCM",\#(epk)}"#, nil),
      (#"{"alg":"dir","enc":"A128GCM",\#(epk)}"#, .algorithmUnsupported),
      (#"{"alg":"ECDH-ES+A128KW","enc":"A128GCM",\#(epk)}"#, .algorithmUnsupported),
      (#"{"alg":"RSA1_5","enc":"A128GCM"}"#, .algorithmUnsupported), (#"{"enc":"A128GCM",\#(epk)}"#, .algorithmMissing),
      (#"{"alg":"ECDH-ES","enc":"A128CBC-HS256",\#(epk)}"#, .encryptionUnsupported),
      (#"{"alg":"ECDH-ES","enc":"A192GCM",\#(epk)}"#, .encryptionUnsupported), (#"{"alg":"ECDH-ES",\#(epk)}"#, .member),
      (#"{"alg":"ECDH-ES","enc":"A128GCM"}"#, .ephemeralKey),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","epk":null}"#, .ephemeralKey),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","zip":"DEF",\#(epk)}"#, .compressed),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","crit":["exp"],"exp":1,\#(epk)}"#, .criticalHeader),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","b64":true,\#(epk)}"#, .unencodedPayload),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","apu":"AA==",\#(epk)}"#, .encoding),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","apv":1,\#(epk)}"#, .member),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","apu":"",\#(epk)}"#, nil),
      (
        #"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"kty":"OKP","crv":"X25519","x":"DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0"}}"#,
        .ephemeralKey
      ),
      (#"{"alg":"ECDH-ES","enc":"A128GCM",\#(epk.dropLast()),"d":"AA"}}"#, .ephemeralKey),
    ] as [(String, JOSEErrorCode?)])
  func headers(header: String, code: JOSEErrorCode?) throws {
    let rest = "..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA"
    #expect(refusal { _ = try JWE(compact: encoded(header) + rest) } == code)
  }

  @Test("Another number of parts, an encrypted key, and a vector or tag of another length are refused")
  func parts() throws {
    let parts = try sealed().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    func with(_ place: Int, _ text: String) -> String {
      var parts = parts
      parts[place] = text
      return parts.joined(separator: ".")
    }
    #expect(refusal { _ = try JWE(compact: parts.dropLast().joined(separator: ".")) } == .structure)
    #expect(refusal { _ = try JWE(compact: parts.joined(separator: ".") + ".") } == .structure)
    #expect(refusal { _ = try JWE(compact: with(1, "AA")) } == .encryptedKey)
    for vector in ["", "AAAA", "AAAAAAAAAAAAAAAAAAAA"] {
      #expect(refusal { _ = try JWE(compact: with(2, vector)) } == .vectorLength)
    }
    for tag in ["", "AAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAA"] {
      #expect(refusal { _ = try JWE(compact: with(4, tag)) } == .vectorLength)
    }
  }

  @Test("A recipient on another curve and a vector of another length are refused before encryption")
  func badInputs() throws {
    let other = JWK(COSEKey(.x25519, raw: [UInt8](repeating: 9, count: 32)))
    #expect(
      refusal {
        _ = try JWE.encrypt(
          [], to: other, encryption: .a128GCM, ephemeralKey: fixedAgreementKey(4),
          initializationVector: [UInt8](repeating: 0, count: 12))
      } == .curveUnsupported)
    #expect(
      refusal {
        _ = try JWE.encrypt(
          [], to: recipient, encryption: .a128GCM, ephemeralKey: fixedAgreementKey(4), initializationVector: [0])
      } == .vectorLength)
  }

  // RFC 7518, appendix C.
  @Test("The printed example of key agreement gives its key")
  func appendixC() throws {
    let secret: [UInt8] = [
      158, 86, 217, 29, 129, 113, 53, 211, 114, 131, 66, 131, 191, 132, 38, 156, 251, 49, 110, 163, 218, 128, 106, 72,
      246, 218, 167, 121, 140, 254, 144, 196,
    ]
    let key = ConcatKDF.key(
      from: secret, algorithm: "A128GCM", partyUInfo: Array("Alice".utf8), partyVInfo: Array("Bob".utf8), bits: 128)
    #expect(Base64URL.encode(key) == "VqqN6vgjbSBcIijNcacQGg")
  }
}
