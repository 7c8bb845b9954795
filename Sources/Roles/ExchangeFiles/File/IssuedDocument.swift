import CBOR
import COSE
import Certificates
import JSON
import MobileDocument
import Primitives

/// Documents that are verified without a response around them: what an issuer signed, in a file of its own.
public enum IssuedDocument {
  /// Returns the exchange of a file to verify: an exchange file, or a `DeviceResponse`, a `Document` or an `IssuerSigned`
  /// in CBOR, base64 or hexadecimal, or an SD-JWT.
  /// - Parameter name: The file's name, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func exchange(of bytes: [UInt8], name: String) throws(ExchangeFileError) -> ExchangeFile {
    let content: [UInt8]
    switch try? DocumentFile.Form(of: bytes, name: name) {
    case .cbor(let bytes)?: content = bytes
    case .sdJWT(let text)?:
      return ExchangeFile(json: JSONValue(members: [("sdJWT", .string(text)), ("trustedIssuers", .array([]))]))
    case .json?, nil: return try ExchangeFile(bytes)
    }
    guard let map = try? CBORReader.read(content, leniency: .received).map() else {
      throw ExchangeFileError(.content, nil, "neither an exchange file nor a document in CBOR", file: name)
    }
    let member: JSONValue.Member
    if map["issuerAuth"] != nil {
      member = .init(name: "issuerSigned", value: .string(Base64URL.encode(content)))
    } else if map["issuerSigned"] != nil, map["docType"] != nil {
      let response = DeviceResponseWriter.encoded(documents: [content])
      member = .init(name: "deviceResponse", value: .string(Base64URL.encode(response)))
    } else {
      member = .init(name: "deviceResponse", value: .string(Base64URL.encode(content)))
    }
    return ExchangeFile(json: .object([member, .init(name: "trustedIssuers", value: .array([]))]))
  }

  /// Returns a response with a document of `IssuerSigned` and of the type that the issuer signed.
  static func deviceResponse(around issuerSigned: [UInt8], name: String) throws(ExchangeFileError) -> [UInt8] {
    do {
      let issued = try UnverifiedIssuerSigned(CBORReader.read(issuerSigned, leniency: .received))
      let signature = try COSESign1(CBORReader.read(issued.issuerAuthBytes, leniency: .received))
      let object = try MobileSecurityObject(payload: signature.unverifiedPayload ?? [])
      let document = CBORWriter.encode(capacity: issuerSigned.count + 64) { writer in
        writer.map(2)
        writer.member("docType") { $0.text(object.documentType) }
        writer.member("issuerSigned") { $0.encoded(issuerSigned) }
      }
      return DeviceResponseWriter.encoded(documents: [document])
    } catch {
      throw ExchangeFileError(.content, name, "not a document that an issuer signed: \(error)")
    }
  }
}
