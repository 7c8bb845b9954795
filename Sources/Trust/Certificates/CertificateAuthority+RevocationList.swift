import Primitives
import SwiftASN1
import X509

extension CertificateAuthority {
  /// A revoked certificate.
  public struct Revocation: Sendable {
    /// The certificate's serial number.
    public var serialNumber: Certificate.SerialNumber
    /// The revocation date.
    public var date: DateTime

    /// Creates an entry of a list.
    public init(serialNumber: Certificate.SerialNumber, date: DateTime) {
      self.serialNumber = serialNumber
      self.date = date
    }
  }

  private static let revocationListNumber: ASN1ObjectIdentifier = [2, 5, 29, 20]

  /// Issues a list of revoked certificates (RFC 5280, 5; ISO/IEC 18013-5, B.1.8), signed with the issuing key.
  ///
  /// - Parameters:
  ///   - number: The number of the list, larger than that of every earlier list.
  ///   - from: The time of the list.
  ///   - until: The time by which the next list is issued.
  /// - Returns: The list in DER.
  /// - Throws: An error if a name cannot be encoded or the signer fails.
  public func revocationList(
    _ revocations: [Revocation], number: Int, from: DateTime, until: DateTime
  ) throws -> [UInt8] {
    var content = DER.Serializer()
    try content.appendConstructedNode(identifier: .sequence) { list in
      try list.serialize(1)
      list.serializeRawBytes(ecdsaWithSHA256)
      list.serializeRawBytes(encodedIssuer)
      list.serializeRawBytes(try from.encodedTime())
      list.serializeRawBytes(try until.encodedTime())
      // A list without entries has no sequence of them (RFC 5280, 5.1.2.6).
      if !revocations.isEmpty {
        try list.appendConstructedNode(identifier: .sequence) { entries in
          for revocation in revocations {
            try entries.appendConstructedNode(identifier: .sequence) { entry in
              try entry.serialize(revocation.serialNumber.bytes)
              entry.serializeRawBytes(try revocation.date.encodedTime())
            }
          }
        }
      }
      try list.appendConstructedNode(identifier: ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)) {
        tagged in
        try tagged.serializeSequenceOf([
          Certificate.Extension(AuthorityKeyIdentifier(keyIdentifier: issuingKeyIdentifier), critical: false),
          try Certificate.Extension(Self.revocationListNumber) { try $0.serialize(number) },
        ])
      }
    }
    return try signer.signed(content.serializedBytes)
  }
}
