import Crypto
import MeasuredWork

/// Measurements of the formats alone: issuing, presenting, reading, verifying.
struct FormatMeasures {
  static let issuing = "issue a document of 12 elements"
  static let verifying = "verify a DeviceResponse, every check"

  let document: MeasuredDocument

  /// The measures of the topic `formats`.
  var all: [Measure] {
    get throws {
      let document = document
      let message = Array("a message of one block".utf8)
      let libraryKey = P256.Signing.PrivateKey()
      let sealed = try document.seal()
      let call = document.writeJSON()
      return [
        Measure("ECDSA signature by the library") { let _: [UInt8] = try libraryKey.signature(for: message) },
        Measure("ECDSA signature, deterministic") { try document.sign() },
        Measure("strict CBOR decode of a DeviceResponse of \(Self.kilobytes(document.response))") {
          try document.readCBOR()
        },
        Measure("write a call of the sandbox of \(Self.kilobytes(call)) as JSON") { document.writeJSON() },
        Measure("read such a call from JSON") { try document.readJSON(call) },
        Measure("HPKE: seal the response") { try document.seal() },
        Measure("HPKE: open the response") { try document.open(sealed) },
        Measure("read a certificate and validate its path") { try document.validatePath() },
        Measure(Self.issuing) { try document.issue() },
        Measure(Self.verifying) { try document.verify() },
      ]
    }
  }

  /// The rounded length: names are compared between runs, and the lengths of signatures in certificates vary.
  private static func kilobytes(_ bytes: [UInt8]) -> String { "\((bytes.count + 500) / 1_000) KB" }
}
