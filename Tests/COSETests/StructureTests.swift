import CBOR
import Primitives
import TestSupport
import Testing

@testable import COSE

@Suite("COSE structures")
struct StructureTests {
  struct Malformed: Sendable, CustomStringConvertible {
    let description: String
    let value: CBORValue
    var code = COSEError.Code.structure
  }

  static let malformed: [Malformed] = [
    Malformed(description: "not an array", value: .map([])),
    Malformed(description: "an empty array", value: .array([])),
    Malformed(description: "three parts", value: .array([.bytes([]), .map([]), .null])),
    Malformed(description: "five parts", value: .array([.bytes([]), .map([]), .null, .bytes([]), .null])),
    Malformed(description: "protected header that is a map", value: message(protected: .map([]))),
    Malformed(description: "protected header that is null", value: message(protected: .null)),
    Malformed(description: "protected header that is not CBOR", value: message(protected: .bytes([0xff]))),
    Malformed(description: "protected header that holds an array", value: message(protected: .bytes([0x80]))),
    Malformed(description: "protected header with bytes after its map", value: message(protected: .bytes([0xa0, 0]))),
    Malformed(
      description: "protected header that names the algorithm twice",
      value: message(protected: .bytes([0xa2, 0x01, 0x26, 0x01, 0x26])), code: .headerTwice),
    Malformed(description: "unprotected header that is bytes", value: message(unprotected: .bytes([0xa0]))),
    Malformed(description: "unprotected header that is null", value: message(unprotected: .null)),
    Malformed(description: "payload that is text", value: message(payload: .text("payload"))),
    Malformed(description: "payload that is a map", value: message(payload: .map([]))),
    Malformed(description: "payload that is undefined", value: message(payload: .undefined)),
    Malformed(description: "signature that is text", value: message(last: .text("signature"))),
    Malformed(description: "signature that is null", value: message(last: .null)),
    Malformed(
      description: "critical headers", value: message(protected: .bytes([0xa2, 0x01, 0x26, 0x02, 0x81, 0x01])),
      code: .criticalHeader),
    Malformed(
      description: "critical headers that are not protected",
      value: message(unprotected: .map([.init(.integer(2), .array([.integer(1)]))])), code: .criticalHeader),
    Malformed(description: "a label of bytes", value: message(unprotected: .map([.init(.bytes([1]), .null)]))),
    Malformed(description: "a label that is a float", value: message(unprotected: .map([.init(.float(1), .null)]))),
    Malformed(
      description: "a protected label that is null", value: message(protected: .bytes([0xa2, 0x01, 0x26, 0xf6, 0x01]))),
    Malformed(description: "tag 17", value: .tagged(17, message()), code: .wrongTag),
    Malformed(description: "tag 98", value: .tagged(98, message()), code: .wrongTag),
    Malformed(description: "tag 24", value: .tagged(24, .bytes(message().encoded)), code: .wrongTag),
    Malformed(description: "tag 998", value: .tagged(998, message()), code: .wrongTag),
    Malformed(description: "tag 18 twice", value: .tagged(18, .tagged(18, message()))),
    Malformed(description: "tag 18 around nothing", value: .tagged(18, .null)),
  ]

  @Test("Malformed messages are refused with their code", arguments: malformed)
  func refused(_ message: Malformed) {
    #expect(refusal { _ = try sign1(message.value) } == message.code)
  }

  @Test("The same parts are read if they are well-formed")
  func wellFormed() throws {
    let found = try sign1(message())
    #expect(found.unverifiedPayload == [1, 2, 3])
    #expect(found.headers.protectedBytes == [0xa1, 0x01, 0x26])
    #expect(found.deviations.isEmpty)
    #expect(try sign1(message(payload: .null)).unverifiedPayload == nil)
  }

  @Test("Tag 18 is accepted with a finding")
  func tagged() throws {
    #expect(try sign1(.tagged(18, message())).deviations == [.tagged])
    let chained = message(unprotected: .map([CBORValue.Entry(.integer(33), .array([]))]))
    #expect(try sign1(.tagged(18, chained)).deviations == [.tagged, .emptyChain])
  }

  @Test("A protected header in another encoding is accepted with a finding")
  func headerEncoding() throws {
    for bytes in [[0xa1, 0x01, 0x38, 0x06], [0xbf, 0x01, 0x26, 0xff], [0xa1, 0x18, 0x01, 0x26]] as [[UInt8]] {
      let found = try sign1(message(protected: .bytes(bytes)))
      #expect(found.deviations == [.headerEncoding] && found.headers.algorithm == .known(.es256))
    }
  }

  @Test("An algorithm in the unprotected header is read separately")
  func unprotectedAlgorithm() throws {
    let found = try sign1(
      message(protected: .bytes([]), unprotected: .map([CBORValue.Entry(.integer(1), .integer(-7))])))
    #expect(found.headers.algorithm == nil)
    #expect(found.headers.unprotectedAlgorithm == .known(.es256))
  }

  @Test("Damaged messages give a message or an error code")
  func damage() throws {
    let chain: [[UInt8]] = [[1, 2, 3], [4, 5, 6]]
    let whole = try COSESign1.sign(payload: [1, 2, 3], detached: false, x5chain: chain, with: fixedKey())
    let key = VerificationKey.p256(try fixedKey().publicKey)
    var readable = 0
    for bytes in Damage.sample(of: whole, seed: 2) {
      guard let item = try? CBORReader.read(bytes, leniency: .received) else { continue }
      readable += 1
      let code = refusal {
        let message = try COSESign1(item)
        #expect(try message.verify(with: key) == [1, 2, 3])
        // Only parts outside the signature may have changed.
        #expect(message.headers.protectedBytes == [0xa1, 0x01, 0x26])
        #expect(message.headers.x5chain != chain)
      }
      let possible: [COSEError.Code?] = [
        nil, .structure, .wrongTag, .algorithmMissing, .algorithmUnsupported, .algorithmKeyMismatch, .criticalHeader,
        .payload, .signature,
      ]
      #expect(possible.contains(code))
    }
    #expect(readable > 0)
  }

  @Test("Codes are distinct, and errors match their code")
  func codes() {
    #expect(Set(COSEError.Code.allCases.map(\.rawValue)).count == COSEError.Code.allCases.count)
    #expect(COSEError.Code.allCases.allSatisfy { $0.rawValue.hasPrefix("cose.") })
    #expect(COSEError(.key, "one").hasCode(.key) && !COSEError(.mac, "one").hasCode(.key))
    #expect(COSEError(.key, "not a point").description == "not a point (cose.key)")
  }
}
