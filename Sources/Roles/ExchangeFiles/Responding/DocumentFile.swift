import CBOR
import COSE
import Certificates
import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT

/// A wallet's document in files: `IssuerSigned` or an SD-JWT, and its device key.
public enum DocumentFile {
  /// The forms of input files.
  enum Form {
    case json(ExchangeFile)
    case cbor([UInt8])
    case sdJWT(String)

    /// Recognizes the form: encoded maps and tags begin with a byte outside ASCII, JSON objects with a brace, an SD-JWT with
    /// its encoded header, and the rest is base64url.
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
      } else if text.hasPrefix("ey"), text.contains("~") {
        self = .sdJWT(text)
      } else if let decoded = Hexadecimal.decode(text) ?? PastedBase64.decode(text), !decoded.isEmpty {
        self = .cbor(decoded)
      } else {
        throw ExchangeFileError(
          .content, name, "expected CBOR, base64 or JSON, found \(FoundContent.description(of: bytes))")
      }
    }
  }

  /// The contents of a document's files: `IssuerSigned` or an SD-JWT as it was read, and the private key.
  public typealias Contents = (issued: [UInt8], deviceKey: P256.Signing.PrivateKey)

  /// Reads a document from `IssuerSigned` or `Document` in CBOR or base64url, from an SD-JWT, or from JSON with the base64url
  /// text `issuerSigned` or the text `sdJWT`. Its key comes from a separate file or from the JSON member `deviceKey`.
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
    case .sdJWT(let text): issued = Array(text.utf8)
    case .json(let json):
      do {
        if let member = json.root["sdJWT"] {
          issued = Array(try member.text().utf8)
        } else {
          issued = issuerSigned(in: try json.root.required("issuerSigned").pastedBytes())
        }
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
      let held = try HeldCredential(issued: contents.issued, holderKey: COSEKey(contents.deviceKey.publicKey))
      return PresentableDocument(held, deviceKey: contents.deviceKey)
    } catch {
      throw ExchangeFileError(.content, file.name, "not a presentable document: \(error)")
    }
  }

  /// Reads an SD-JWT credential without holder binding, which needs no key.
  /// - Returns: The credential; nil for a file of another kind, or a credential that is bound to a key.
  /// - Throws: ``ExchangeFileError`` if the file cannot be read.
  public static func unboundCredential(_ file: (name: String, bytes: [UInt8])) throws(ExchangeFileError) -> HeldSDJWT? {
    let text: String
    switch try Form(of: file.bytes, name: file.name) {
    case .cbor: return nil
    case .sdJWT(let compact): text = compact
    case .json(let json):
      do {
        guard let member = json.root["sdJWT"] else { return nil }
        text = try member.text()
      } catch {
        throw error.inFile(file.name)
      }
    }
    return try? HeldSDJWT(issued: text, holderKey: nil)
  }
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
    guard nameSpace == CredentialFormat.claimsNameSpace, let place = ClaimsPath(text: identifier) else {
      return (shown.isEmpty || shown.contains { names.contains($0) }) && !withheld.contains { names.contains($0) }
    }
    // What is below a claim belongs to it, and what is above leads to it.
    let (shown, withheld) = (Self.paths(shown), Self.paths(withheld))
    return (self.shown.isEmpty || shown.contains { place.isBelow($0) || $0.isBelow(place) })
      && !withheld.contains(where: place.isBelow)
  }

  private static func paths(_ names: [String]) -> [ClaimsPath] {
    let prefix = CredentialFormat.claimsNameSpace + ":"
    return names.compactMap { ClaimsPath(text: $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0) }
  }
}
