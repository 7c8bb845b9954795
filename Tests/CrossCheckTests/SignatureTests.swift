import CBOR
import Certificates
import Checks
import Crypto
import Primitives
import Testing
import X509

@testable import COSE
@testable import CrossCheck
@testable import MobileDocument

@Suite("Cross-check of signatures")
struct SignatureTests {
  private static let message = Array("signed message".utf8)

  /// A signature of each algorithm with its key.
  private static func signed() throws -> [(key: VerificationKey, signature: [UInt8])] {
    let p256 = P256.Signing.PrivateKey()
    let p384 = P384.Signing.PrivateKey()
    let p521 = P521.Signing.PrivateKey()
    let edwards = Curve25519.Signing.PrivateKey()
    return [
      (.p256(p256.publicKey), [UInt8](try p256.signature(for: message).rawRepresentation)),
      (.p384(p384.publicKey), [UInt8](try p384.signature(for: message).rawRepresentation)),
      (.p521(p521.publicKey), [UInt8](try p521.signature(for: message).rawRepresentation)),
      (.ed25519(edwards.publicKey), [UInt8](try edwards.signature(for: message))),
    ]
  }

  @Test("libcrypto agrees about every algorithm, valid signatures and each altered byte")
  func agrees() async throws {
    for (key, signature) in try Self.signed() {
      let heard = await claims {
        #expect(key.verifies(signature, over: Self.message))
        #expect(!key.verifies(signature, over: Self.message + [0]))
        #expect(!key.verifies(signature, over: []))
        #expect(!key.verifies([], over: Self.message))
        #expect(!key.verifies(signature + [0], over: Self.message))
        for place in signature.indices {
          var altered = signature
          altered[place] ^= 1
          #expect(!key.verifies(altered, over: Self.message))
        }
      }
      #expect(heard.count == 5 + signature.count)
      #expect(heard.allSatisfy { $0.crossChecked == .passed })
    }
  }

  @Test("A disagreement names the key, the message and both verdicts")
  func evidence() async throws {
    let (key, signature) = try Self.signed()[0]
    let heard = await claims { _ = key.verifies(signature, over: Self.message) }
    let result = CrossChecker.check(try #require(heard.first).reversed)
    #expect(result.status == .failed)
    #expect(result.check == "cross-check.signature")
    #expect(result.message == "libcrypto disagrees about a signature that presentment refuses")
    let digest = hexadecimal(SHA256.hash(data: Self.message))
    #expect(result.evidence.contains(CheckResult.Evidence("message, SHA-256", found: digest)))
    #expect(result.evidence.contains { $0.field == "key, SHA-256" && $0.found?.count == 64 })
    #expect(
      result.evidence.last
        == CheckResult.Evidence("verdict", expected: "does not verify", found: "libcrypto: verifies"))
  }

  @Test("Cross-checks the signature of a reader certificate request")
  func certificateRequest() async throws {
    let signer = P256.Signing.PrivateKey()
    let request = try ReaderCertificateRequest.make(organization: "Rentals", domain: "rentals.example", signer: signer)
    var altered = request
    altered[altered.count - 1] ^= 1
    let heard = await claims {
      #expect((try? ReaderCertificateRequest(request)) != nil)
      #expect((try? ReaderCertificateRequest(altered)) == nil)
    }
    #expect(heard.count == 2)
    #expect(heard.allSatisfy { $0.crossChecked == .passed && $0.reversed.crossChecked == .failed })
  }

  @Test("Refuses malformed keys and requests without a crash")
  func malformed() throws {
    let (key, signature) = try Self.signed()[0]
    guard case .p256(let point) = key else { return }
    let encoded = [UInt8](point.derRepresentation)
    func crossChecked(_ key: [UInt8], _ signature: [UInt8]) -> CheckResult.Status {
      VerificationClaim.signature(
        SignatureClaim(
          .message(Self.message, signature: signature, algorithm: .es256, key: key), isVerified: false)
      ).crossChecked
    }
    #expect(crossChecked(encoded, signature) == .failed)
    #expect(crossChecked(encoded + [0], signature) == .passed)
    for length in encoded.indices { #expect(crossChecked(Array(encoded.prefix(length)), signature) == .passed) }
    for length in signature.indices { #expect(crossChecked(encoded, Array(signature.prefix(length))) == .passed) }
    for place in encoded.indices {
      var altered = encoded
      altered[place] ^= 0x40
      #expect(crossChecked(altered, signature) == .passed)
    }
    let request = try ReaderCertificateRequest.make(
      organization: "Rentals", domain: "rentals.example", signer: P256.Signing.PrivateKey())
    for length in request.indices {
      let claim = SignatureClaim(.certificateRequest(Array(request.prefix(length))), isVerified: false)
      #expect(VerificationClaim.signature(claim).crossChecked == .passed)
    }
  }

  @Test("An earlier error does not explain a later refusal")
  func earlierErrors() throws {
    let (key, signature) = try Self.signed()[0]
    guard case .p256(let point) = key else { return }
    let encoded = [UInt8](point.derRepresentation)
    func verdict() -> Libcrypto.Verdict {
      Libcrypto.ecdsa(signature, over: [1], hash: .sha256, key: encoded)
    }
    Libcrypto.forgetErrors()
    let first = verdict()
    #expect(Libcrypto.certificate([0x30, 0x03, 0x02, 0x01, 0x00]) == nil)
    #expect(verdict() == first)
  }

  @Test("The search for an explanation is not cross-checked")
  func guesses() async throws {
    let signer = P256.Signing.PrivateKey()
    let payload = Array("another payload".utf8)
    let message = try COSESign1(CBORReader.read(COSESign1.sign(payload: payload, detached: true, with: signer)))
    let failed = FailedSignature(message, key: .p256(signer.publicKey))
    let heard = await claims {
      #expect(failed.isGood(for: .payload(payload)))
      #expect(!failed.isGood(for: .message(payload)))
    }
    #expect(heard.count == 0)
  }

  @Test("A message authentication code is not comparable")
  func messageAuthenticationCode() {
    let claim = SignatureClaim(.message([], signature: [], algorithm: .hmac256, key: []), isVerified: true)
    #expect(VerificationClaim.signature(claim).crossChecked == .notReached)
  }
}
