import CBOR
import Checks
import MobileDocument
import Primitives

/// A variant of the bytes that a device signs around the transcript (ISO/IEC 18013-5, 9.1.3.4), in the order in which they are
/// tried.
public enum DeviceAuthenticationVariant: String, KnownMistake {
  case notEmbedded = "device-authentication.not-embedded"
  case byteString = "device-authentication.byte-string"
  case hashed = "device-authentication.hashed"
  case unstructured = "device-authentication.no-sig-structure"
  case nameSpacesNotEmbedded = "device-authentication.name-spaces-not-embedded"
  case nameSpacesByteString = "device-authentication.name-spaces-byte-string"
  case nameSpacesReencoded = "device-authentication.name-spaces-re-encoded"
  case nameSpacesMissing = "device-authentication.name-spaces-missing"
  case documentType = "device-authentication.document-type"
  case context = "device-authentication.context"

  /// A human-readable description of the variant.
  public var message: String {
    switch self {
    case .notEmbedded: "DeviceAuthentication is not in tag 24"
    case .byteString: "DeviceAuthentication is in a byte string without tag 24"
    case .hashed: "the digest of DeviceAuthenticationBytes was signed as payload"
    case .unstructured: "DeviceAuthenticationBytes were signed without the Sig_structure around them"
    case .nameSpacesNotEmbedded: "the device's name spaces are not in tag 24"
    case .nameSpacesByteString: "the device's name spaces are in a byte string without tag 24"
    case .nameSpacesReencoded: "the device's name spaces were encoded again for the signature"
    case .nameSpacesMissing: "the device's name spaces are missing in DeviceAuthentication"
    case .documentType: "DeviceAuthentication has another document's type"
    case .context: "DeviceAuthentication has another name"
    }
  }

  /// Names that are taken for the one of the array.
  static let otherNames = ["DeviceAuthenticationBytes", "DeviceAuth", "ReaderAuthentication"]
  /// Types that are taken for any document's, and a name space that is taken for a type.
  static let commonDocumentTypes = [
    "org.iso.18013.5.1.mDL", "org.iso.18013.5.1", "org.iso.23220.photoid.1", "eu.europa.ec.eudi.pid.1",
    "eu.europa.ec.av.1",
  ]
  private static let name = "DeviceAuthentication"

  /// The contents that are signed in this variant over an encoded transcript; none when it changes nothing.
  public func contents(
    of parts: DeviceAuthenticationParts, over transcript: SessionTranscript
  ) -> [VariantAuthentication] {
    let right = parts.content(over: transcript)
    return candidates(of: parts, over: transcript).filter { $0.content != right }
  }

  private func candidates(
    of parts: DeviceAuthenticationParts, over transcript: SessionTranscript
  ) -> [VariantAuthentication] {
    func array(
      name: String = Self.name, documentType: String = parts.documentType, nameSpaces: [UInt8]? = parts.nameSpacesBytes
    ) -> [UInt8] {
      TranscriptParts.array(
        [TranscriptParts.text(name), transcript.encoded, TranscriptParts.text(documentType)]
          + (nameSpaces.map { [$0] } ?? []))
    }
    func embedded(_ array: [UInt8], _ field: String, _ expected: String, _ found: String) -> VariantAuthentication {
      VariantAuthentication(
        content: .payload(TranscriptParts.embedded(array)),
        explanation: Explanation(self, .field(field, expected: expected, found: found)))
    }
    func surrounded(_ structure: AuthenticationStructure) -> [VariantAuthentication] {
      [structure.variant(self, of: array(), Self.name)]
    }
    let tagged = "24(<< DeviceNameSpaces >>)"
    switch self {
    case .notEmbedded: return surrounded(.notEmbedded)
    case .byteString: return surrounded(.byteString)
    case .hashed: return surrounded(.hashed)
    case .unstructured: return surrounded(.unstructured)
    case .nameSpacesNotEmbedded:
      guard let content = AuthenticationStructure.content(ofEmbedded: parts.nameSpacesBytes) else { return [] }
      return [embedded(array(nameSpaces: content), "name spaces", tagged, "DeviceNameSpaces")]
    case .nameSpacesByteString:
      guard let content = AuthenticationStructure.content(ofEmbedded: parts.nameSpacesBytes) else { return [] }
      return [
        embedded(
          array(nameSpaces: TranscriptParts.byteString(content)), "name spaces", tagged, "<< DeviceNameSpaces >>")
      ]
    case .nameSpacesReencoded:
      guard let content = AuthenticationStructure.content(ofEmbedded: parts.nameSpacesBytes) else { return [] }
      return AuthenticationStructure.encodings(of: content).map(TranscriptParts.embedded).map { bytes in
        embedded(
          array(nameSpaces: bytes), "name spaces", "the \(parts.nameSpacesBytes.count) bytes that were sent",
          "\(bytes.count) bytes with the same content")
      }
    case .nameSpacesMissing:
      return [embedded(array(nameSpaces: nil), "DeviceAuthentication", "4 elements", "3 elements")]
    case .documentType:
      return (parts.otherDocumentTypes + Self.commonDocumentTypes).uniqued().map {
        embedded(array(documentType: $0), "docType", parts.documentType, $0)
      }
    case .context: return Self.otherNames.map { embedded(array(name: $0), "name", Self.name, $0) }
    }
  }
}

/// The bytes of one way to sign an array that holds a transcript.
public struct VariantAuthentication: Sendable, Equatable {
  /// The signed content.
  public let content: SignedContent
  /// The variant, with expected and found.
  public let explanation: Explanation
}

/// Variants of the signed array that devices and readers share.
enum AuthenticationStructure: CaseIterable {
  case notEmbedded
  case byteString
  case hashed
  case unstructured

  /// The content that is signed instead of tag 24 around an encoded array.
  func content(of array: [UInt8]) -> SignedContent {
    let right = TranscriptParts.embedded(array)
    return switch self {
    case .notEmbedded: .payload(array)
    case .byteString: .payload(TranscriptParts.byteString(array))
    case .hashed: .payload(TranscriptParts.digest(right))
    case .unstructured: .message(right)
    }
  }

  /// The variant of an array of a name.
  func variant(_ mistake: some KnownMistake, of array: [UInt8], _ name: String) -> VariantAuthentication {
    VariantAuthentication(content: content(of: array), explanation: Explanation(mistake, [difference(name)]))
  }

  /// Expected and found, for an array of a name.
  private func difference(_ name: String) -> CheckResult.Evidence {
    let right = "24(<< \(name) >>)"
    return switch self {
    case .notEmbedded: CheckResult.Evidence("payload", expected: right, found: name)
    case .byteString: CheckResult.Evidence("payload", expected: right, found: "<< \(name) >>")
    case .hashed: CheckResult.Evidence("payload", expected: right, found: "its SHA-256")
    case .unstructured: CheckResult.Evidence("signed bytes", expected: "Sig_structure", found: "the payload alone")
    }
  }

  /// The encoded item inside tag 24; nil for another item.
  static func content(ofEmbedded bytes: [UInt8]) -> [UInt8]? {
    try? CBORReader.read(bytes, leniency: .received, readingEmbedded: false).embeddedBytes()
  }

  /// The items inside in the same order with minimal heads, and with sorted keys.
  static func encodings(of content: [UInt8]) -> [[UInt8]] {
    guard let item = try? CBORReader.read(content, leniency: .received) else { return [] }
    let value = CBORValue(item)
    return [value.encoded, value.deterministic.encoded]
  }
}
