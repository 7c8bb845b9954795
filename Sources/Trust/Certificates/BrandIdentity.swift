import SwiftASN1
import X509

/// The brand that a consent sheet shows for a requester.
///
/// The real encoding of a brand's name and icon in certificates is not public. This model uses a
/// non-critical extension of the reader certificate with the identifier 1.3.6.1.4.1.32473.18013.1 (in the arc that RFC
/// 5612 reserves for examples) and the syntax `BrandIdentity ::= SEQUENCE { name UTF8String, icon UTF8String }`, where
/// `icon` names a picture in the authority's register. The picture itself, where the brand has one, is in an extension of
/// its own: ``Logotype``.
public struct BrandIdentity: Sendable, Equatable {
  /// Name as shown to people.
  public let name: String
  /// Name of the icon in the authority's register.
  public let icon: String
  /// The picture; nil if the certificate has none that can be shown.
  public let logotype: Logotype?

  /// The longest name or icon name that is read, in bytes: one line of a consent sheet.
  public static let maximumLength = 128

  static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 32473, 18013, 1]

  /// Creates a brand.
  public init(name: String, icon: String, logotype: Logotype? = nil) {
    self.name = name
    self.icon = icon
    self.logotype = logotype
  }

  /// Reads the brand in a certificate, or returns nil if it has no readable one. A picture that cannot be shown is left
  /// out.
  public init?(in certificate: Certificate) {
    guard let found = certificate.extensions[oid: Self.identifier],
      let brand = try? Self(derEncoded: found.value),
      brand.name.utf8.count <= Self.maximumLength, brand.icon.utf8.count <= Self.maximumLength
    else { return nil }
    self.init(name: brand.name, icon: brand.icon, logotype: try? Logotype(in: certificate))
  }

  private init(derEncoded bytes: ArraySlice<UInt8>) throws {
    let node = try DER.parse(bytes)
    self = try DER.sequence(node, identifier: .sequence) { nodes in
      BrandIdentity(name: try Self.text(from: &nodes), icon: try Self.text(from: &nodes))
    }
  }

  /// Reads a text that is valid UTF-8. The library would replace invalid bytes.
  private static func text(from nodes: inout ASN1NodeCollection.Iterator) throws -> String {
    guard let text = String(validating: try ASN1UTF8String(derEncoded: &nodes).bytes, as: UTF8.self) else {
      throw ASN1Error.invalidStringRepresentation(reason: "not UTF-8")
    }
    return text
  }

  func certificateExtension() throws -> Certificate.Extension {
    try Certificate.Extension(Self.identifier) { value in
      try value.appendConstructedNode(identifier: .sequence) { coder in
        try coder.serialize(ASN1UTF8String(name))
        try coder.serialize(ASN1UTF8String(icon))
      }
    }
  }
}
