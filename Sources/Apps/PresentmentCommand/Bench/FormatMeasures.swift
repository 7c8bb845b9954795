import Crypto
import MeasuredWork

/// Measurements of the formats alone: issuing, presenting, reading, verifying.
struct FormatMeasures {
  static let issuing = "issue a document of 12 elements"
  static let verifying = "verify a DeviceResponse, every check"

  /// The name of the verification of an exchange.
  static func verifying(_ form: MeasuredExchange.Form) -> String { "\(form.name): open and verify it, every check" }

  let document: MeasuredDocument

  /// The measures of the topic `formats`.
  var all: [Measure] {
    get throws {
      let document = document
      let message = Array("a message of one block".utf8)
      let libraryKey = P256.Signing.PrivateKey()
      let sealed = try document.seal()
      let sealedJWE = try document.sealJWE()
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
        Measure("JWE: seal the response") { try document.sealJWE() },
        Measure("JWE: open the response") { try document.openJWE(sealedJWE) },
        Measure("read a certificate and validate its path") { try document.validatePath() },
        Measure(Self.issuing) { try document.issue() },
        Measure(Self.verifying) { try document.verify() },
      ] + (try MeasuredExchange.Form.allCases.flatMap { try exchange($0) })
    }
  }

  /// The measures of an exchange in one of the protocols.
  private func exchange(_ form: MeasuredExchange.Form) throws -> [Measure] {
    let exchange = try MeasuredExchange(form, on: document)
    let request = try exchange.writeRequest()
    let answer = try exchange.answer()
    return [
      Measure("\(form.name): sign and write the request") { _ = try exchange.writeRequest() },
      Measure("\(form.name): read it and verify its reader") { try exchange.readRequest(request) },
      Measure("\(form.name): sign and seal the answer") { _ = try exchange.answer() },
      Measure(Self.verifying(form)) { try exchange.verify(answer) },
    ]
  }

  /// The rounded length: names are compared between runs, and the lengths of signatures in certificates vary.
  private static func kilobytes(_ bytes: [UInt8]) -> String { "\((bytes.count + 500) / 1_000) KB" }
}
