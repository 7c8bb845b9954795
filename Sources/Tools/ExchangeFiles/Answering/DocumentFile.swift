import COSE
import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import WebPresentment

/// A document of a wallet as files carry it: `IssuerSigned`, and the key that it is bound to.
public enum DocumentFile {
  /// What a file turned out to be.
  enum Form {
    case json(ExchangeFile)
    case cbor([UInt8])

    /// Tells the forms apart: encoded maps and tags begin with a byte that is no ASCII, JSON objects with a brace, and
    /// the rest is base64url.
    init(of bytes: [UInt8], name: String) throws(ExchangeFileError) {
      guard bytes.count <= ExchangeLimits.fileBytes else {
        throw ExchangeFileError(
          .tooLarge, name, "it has \(bytes.count) bytes; at most \(ExchangeLimits.fileBytes) are read")
      }
      let bytes = TextFile.withoutMark(bytes)
      guard let first = bytes.first else { throw ExchangeFileError(.content, name, "it is empty") }
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
      } else if let decoded = Base64URL.decode(text), !decoded.isEmpty {
        self = .cbor(decoded)
      } else {
        throw ExchangeFileError(.content, name, "it is neither CBOR nor base64url without padding nor JSON")
      }
    }
  }

  /// A document from `IssuerSigned` in CBOR or base64url, or from JSON with the base64url text `issuerSigned`, and its
  /// key from a file of its own or from the JSON's member `deviceKey`.
  /// - Throws: ``ExchangeFileError``, when a file cannot be read or the issuer signed the document for another key.
  public static func document(
    _ file: (name: String, bytes: [UInt8]), deviceKey: (name: String, bytes: [UInt8])?
  ) throws(ExchangeFileError) -> HeldWithKey {
    let issued: [UInt8]
    var key = try deviceKey.map { (file) throws(ExchangeFileError) in
      try PrivateKeyFile.signingKey(file.bytes, name: file.name)
    }
    switch try Form(of: file.bytes, name: file.name) {
    case .cbor(let bytes): issued = bytes
    case .json(let json):
      do {
        issued = try json.root.required("issuerSigned").base64URL()
        if key == nil, let jwk = json.root["deviceKey"] { key = try PrivateKeyFile.signingKey(jwk: jwk) }
      } catch {
        throw error.inFile(file.name)
      }
    }
    guard let key else {
      throw ExchangeFileError(.memberMissing, "--device-key", "the document needs the key that it is bound to")
    }
    do {
      return HeldWithKey(try HeldDocument(issued: issued, deviceKey: COSEKey(key.publicKey)), key: key)
    } catch {
      throw ExchangeFileError(.content, file.name, "it is no document that can be presented: \(error)")
    }
  }
}

/// A document and the key that signs its presentations.
public struct HeldWithKey: Sendable {
  /// The document.
  public let held: HeldDocument
  let key: P256.Signing.PrivateKey

  /// A document that was taken in before, and its key.
  public init(_ held: HeldDocument, key: P256.Signing.PrivateKey) {
    self.held = held
    self.key = key
  }

  /// The document without what its holder does not show.
  func limited(to limits: ElementLimits) -> PresentableDocument {
    PresentableDocument(held.keeping(limits.allows), deviceKey: key)
  }
}

/// Which elements a holder shows, of those that are asked for. Elements are named by identifier, or by name space and
/// identifier with a colon between.
public struct ElementLimits: Sendable {
  let shown: [String]
  let withheld: [String]

  /// Limits from their parts.
  /// - Parameters:
  ///   - shown: the only elements that are shown; empty for all that are asked for.
  ///   - withheld: elements that are not shown.
  public init(shown: [String] = [], withheld: [String] = []) {
    self.shown = shown
    self.withheld = withheld
  }

  func allows(nameSpace: String, identifier: String) -> Bool {
    let names = [identifier, "\(nameSpace):\(identifier)"]
    return (shown.isEmpty || shown.contains { names.contains($0) }) && !withheld.contains { names.contains($0) }
  }
}
