import CBOR
import COSE
import Crypto
import Foundation
import Inspection
import MobileDocument
import Primitives
import Testing
import WebPresentment

@Suite("Private keys are never printed")
struct PrivateKeyTests {
  private static let key = P256.Signing.PrivateKey()
  private static let scalar = [UInt8](key.rawRepresentation)
  private static let der = [UInt8](key.derRepresentation)

  /// A COSE_Key with its private part.
  private static let coseKey = CBORValue.map([
    .init(.integer(1), .integer(2)), .init(.integer(-1), .integer(1)),
    .init(.integer(-2), .bytes([UInt8](repeating: 1, count: 32))), .init(.integer(-4), .bytes(scalar)),
  ])

  static let files: [[UInt8]] = [
    file(key.pemRepresentation),
    der,
    file(hexadecimal(der)),
    file(Data(der).base64EncodedString()),
    file(Base64URL.encode(der)),
    coseKey.encoded,
    file(hexadecimal(coseKey.encoded)),
    CBORValue.array([.bytes(der), .bytes(coseKey.encoded), .tagged(24, .bytes(coseKey.encoded))]).encoded,
    CBORValue.map([.init(.bytes(der), coseKey), .init(coseKey, .text(key.pemRepresentation))]).encoded,
    CBORValue.map([.init(.integer(1), .integer(4)), .init(.integer(-1), .bytes(scalar))]).encoded,
    file(#"{"jwk":{"crv":"P-256","d":"\#(Base64URL.encode(scalar))","kty":"EC"}}"#),
    file(#"{"key":"\#(Base64URL.encode(coseKey.encoded))","pem":"\#(Data(der).base64EncodedString())"}"#),
  ]

  @Test("a private key is not printed, in any form and mode", arguments: files.indices)
  func isNotShown(position: Int) throws {
    let bytes = Self.files[position]
    for options in [InspectionOptions(), .full, .offsets] {
      let text = try Inspector.inspect(bytes, options: options).get()
      #expect(text.contains("not shown"))
      for secret in [hexadecimal(Self.scalar), Base64URL.encode(Self.scalar)] {
        // Even eight bytes of it must not be printed.
        #expect(!text.contains(secret.prefix(12)))
        #expect(!text.contains(secret.suffix(12)))
      }
      #expect(!text.contains(Data(Self.der).base64EncodedString().prefix(60).suffix(20)))
    }
  }
}
