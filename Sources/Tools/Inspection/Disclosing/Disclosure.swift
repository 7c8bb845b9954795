import CBOR
import COSE
import Messaging
import MobileDocument

/// The elements of a document that left the phone in a device response, and those that stayed there. The verifier gets a
/// digest of each withheld element in the mobile security object, and nothing else of it.
public struct Disclosure: Sendable, Equatable {
  /// An element in the response.
  public struct Disclosed: Sendable, Equatable {
    /// `NameSpace`.
    public let nameSpace: String
    /// `elementIdentifier`.
    public let identifier: String
    /// The value in readable form.
    public let value: String
    /// True for an element that the device signed itself.
    public let isDeviceSigned: Bool
  }

  /// A digest in the mobile security object whose element is not in the response.
  public struct Withheld: Sendable, Equatable {
    /// `NameSpace`.
    public let nameSpace: String
    /// `digestID`.
    public let digestID: UInt64
    /// The digest.
    public let digest: [UInt8]
    /// The identifier of the element on the phone; nil for a digest without an element, or of an unknown document.
    public let identifier: String?
  }

  /// `docType`.
  public let documentType: String
  /// `digestAlgorithm`; nil if the mobile security object cannot be read.
  public let digestAlgorithm: String?
  /// The disclosed elements, in the order of the response.
  public let disclosed: [Disclosed]
  /// The withheld elements, in the order of the document on the phone; digests without a known element follow.
  public let withheld: [Withheld]
  /// True if the document on the phone is known. The verifier does not know it.
  public let isHeldKnown: Bool
}

extension Disclosure {
  /// Compares each document of a device response with the document on the phone.
  ///
  /// - Parameters:
  ///   - response: the encoded `DeviceResponse`.
  ///   - issued: documents as issuing authorities sent them to apps, each an encoded `IssuerSigned`.
  /// - Returns: a disclosure for each document; empty for a response that cannot be read.
  public static func all(in response: [UInt8], issued: some Sequence<[UInt8]>) -> [Disclosure] {
    guard let read = try? UnverifiedDeviceResponse(response) else { return [] }
    let held = issued.compactMap { bytes in
      (try? CBORReader.read(bytes, leniency: .received)).flatMap { try? UnverifiedIssuerSigned($0) }
    }
    return read.documents.map { document in
      // The wallet passes the issuer's signature on unchanged.
      Disclosure(of: document, from: held.last { $0.issuerAuthBytes == document.issuerSigned.issuerAuthBytes })
    }
  }

  private init(of document: UnverifiedDocument, from held: UnverifiedIssuerSigned?) {
    documentType = document.documentType
    isHeldKnown = held != nil
    let sent = document.issuerSigned
    disclosed =
      sent.nameSpaces.flatMap { space in
        space.items.map { item in
          Disclosed(
            nameSpace: space.name, identifier: item.value.elementIdentifier,
            value: DisplayValue.text(of: item.value.elementValue), isDeviceSigned: false)
        }
      }
      + (document.deviceSigned?.elements ?? []).map { element in
        Disclosed(
          nameSpace: element.nameSpace, identifier: element.identifier,
          value: DisplayValue.text(of: element.value), isDeviceSigned: true)
      }
    let object = Self.securityObject(of: sent)
    digestAlgorithm = object?.digestAlgorithmName
    withheld = (object?.valueDigests ?? []).flatMap { space, digests in
      let shown = Set(Self.items(sent, in: space).map(\.digestID))
      let names = Self.items(held, in: space)
      let rank = Dictionary(names.enumerated().map { ($0.element.digestID, $0.offset) }) { first, _ in first }
      return digests.entries.filter { !shown.contains($0.identifier) }
        .sorted { (rank[$0.identifier] ?? .max, $0.identifier) < (rank[$1.identifier] ?? .max, $1.identifier) }
        .map { entry in
          Withheld(
            nameSpace: space, digestID: entry.identifier, digest: Array(entry.digest),
            identifier: rank[entry.identifier].map { names[$0].elementIdentifier })
        }
    }
  }

  private static func items(_ signed: UnverifiedIssuerSigned?, in space: String) -> [IssuerSignedItem] {
    signed?.nameSpaces.filter { $0.name == space }.flatMap { $0.items.map(\.value) } ?? []
  }

  private static func securityObject(of signed: UnverifiedIssuerSigned) -> MobileSecurityObject? {
    guard let item = try? CBORReader.read(signed.issuerAuthBytes, leniency: .received),
      let payload = try? COSESign1(item).unverifiedPayload
    else { return nil }
    return try? MobileSecurityObject(payload: payload)
  }
}
