import CBOR
import COSE
import Certificates
import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import SDJWT
import WebPresentment

/// A wallet's document in files: `IssuerSigned` and its device key.
public enum DocumentFile {
  /// The forms of input files.
  enum Form {
    case json(ExchangeFile)
    case cbor([UInt8])

    /// Recognizes the form: encoded maps and tags begin with a byte outside ASCII, JSON objects with a brace, and the rest
    /// is base64url.
    init(of bytes: [UInt8], name: String) throws(ExchangeFileError) {
      guard bytes.count <= ExchangeLimits.fileBytes else {
        throw ExchangeFileError(
          .tooLarge, name, "\(bytes.count) bytes exceed the limit of \(ExchangeLimits.fileBytes)")
      }
      let bytes = TextFile.withoutMark(bytes)
      guard let first = bytes.first else { throw ExchangeFileError(.content, name, "empty") }
      if first >= 0x80 {
        self = .cbor(bytes)
        return
      }
      let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      if text.hasPrefix("{") {
        do {
          self = .json(try ExchangeFile(bytes))
        } catch {
          throw error.inFile(name)
        }
      } else if let decoded = Hexadecimal.decode(text) ?? PastedBase64.decode(text), !decoded.isEmpty {
        self = .cbor(decoded)
      } else {
        throw ExchangeFileError(
          .content, name, "expected CBOR, base64 or JSON, found \(FoundContent.description(of: bytes))")
      }
    }
  }

  /// What the files of a document have: `IssuerSigned` as it was read, and the private key.
  public typealias Contents = (issued: [UInt8], deviceKey: P256.Signing.PrivateKey)

  /// Reads a document from `IssuerSigned` or `Document` in CBOR or base64url, or from JSON with the base64url text
  /// `issuerSigned`. Its key comes from a separate file or from the JSON member `deviceKey`.
  /// - Throws: ``ExchangeFileError`` if a file cannot be read or the key is missing.
  public static func contents(
    _ file: (name: String, bytes: [UInt8]), deviceKey: (name: String, bytes: [UInt8])?
  ) throws(ExchangeFileError) -> Contents {
    let issued: [UInt8]
    var key = try deviceKey.map { (file) throws(ExchangeFileError) in
      try PrivateKeyFile.signingKey(file.bytes, name: file.name)
    }
    switch try Form(of: file.bytes, name: file.name) {
    case .cbor(let bytes): issued = issuerSigned(in: bytes)
    case .json(let json):
      do {
        issued = issuerSigned(in: try json.root.required("issuerSigned").pastedBytes())
        if key == nil, let member = json.root["deviceKey"] { key = try PrivateKeyFile.signingKey(member) }
      } catch {
        throw error.inFile(file.name)
      }
    }
    guard let key else {
      throw ExchangeFileError(.memberMissing, "--device-key", "the document's device key is missing")
    }
    return (issued, key)
  }

  /// The `IssuerSigned` of a `Document`, or the bytes themselves if they are none.
  private static func issuerSigned(in bytes: [UInt8]) -> [UInt8] {
    guard let map = try? CBORReader.read(bytes, leniency: .received).map(), let member = map["issuerSigned"] else {
      return bytes
    }
    return [UInt8](member.encoded)
  }

  /// Reads a document with its key, as ``contents(_:deviceKey:)`` does.
  /// - Throws: ``ExchangeFileError`` if a file cannot be read or the issuer signed the document for another key.
  public static func document(
    _ file: (name: String, bytes: [UInt8]), deviceKey: (name: String, bytes: [UInt8])?
  ) throws(ExchangeFileError) -> PresentableDocument {
    let contents = try contents(file, deviceKey: deviceKey)
    do {
      return try PresentableDocument(issuedDocument: Data(contents.issued), deviceKey: contents.deviceKey)
    } catch {
      throw ExchangeFileError(.content, file.name, "not a presentable document: \(error)")
    }
  }
}

extension DocumentFile {
  /// Reads an SD-JWT credential: its compact serialization as issued, or JSON with the text `sdJWT`. Its key comes from a
  /// separate file or from the JSON member `deviceKey`; a credential without holder binding needs none.
  /// - Returns: The credential and its key; nil for a file of another kind.
  /// - Throws: ``ExchangeFileError`` if the credential cannot be read, or is for another key.
  public static func credential(
    _ file: (name: String, bytes: [UInt8]), deviceKey: (name: String, bytes: [UInt8])?
  ) throws(ExchangeFileError) -> HeldCredential? {
    let bytes = TextFile.withoutMark(file.bytes)
    guard bytes.count <= ExchangeLimits.fileBytes, let first = bytes.first, first < 0x80 else { return nil }
    var key = try deviceKey.map { (file) throws(ExchangeFileError) in
      try PrivateKeyFile.signingKey(file.bytes, name: file.name)
    }
    let text: String
    if first == UInt8(ascii: "{") {
      do {
        let root = try ExchangeFile(bytes).root
        guard let member = root["sdJWT"] else { return nil }
        text = try member.text()
        if key == nil, let member = root["deviceKey"] { key = try PrivateKeyFile.signingKey(member) }
      } catch {
        throw error.inFile(file.name)
      }
    } else {
      text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      guard text.hasPrefix("ey"), text.contains("~") else { return nil }
    }
    do {
      return HeldCredential(
        credential: try HeldSDJWT(issued: text, holderKey: key.map { COSEKey($0.publicKey) }), key: key)
    } catch {
      throw ExchangeFileError(.content, file.name, "not a presentable SD-JWT credential: \(error.message)")
    }
  }
}

/// A wallet's SD-JWT credential with the holder's key; nil for one without holder binding.
public struct HeldCredential: Sendable {
  /// The credential.
  public let credential: HeldSDJWT
  let key: P256.Signing.PrivateKey?
}

/// The requested elements that a holder shows. Elements are named IDENTIFIER or NAMESPACE:IDENTIFIER.
public struct ElementLimits: Sendable {
  let shown: [String]
  let withheld: [String]

  /// Creates limits.
  /// - Parameters:
  ///   - shown: The only elements to show; empty for all requested ones.
  ///   - withheld: The elements to withhold.
  public init(shown: [String] = [], withheld: [String] = []) {
    self.shown = shown
    self.withheld = withheld
  }

  func allows(nameSpace: String, identifier: String) -> Bool {
    let names = [identifier, "\(nameSpace):\(identifier)"]
    return (shown.isEmpty || shown.contains { names.contains($0) }) && !withheld.contains { names.contains($0) }
  }
}
