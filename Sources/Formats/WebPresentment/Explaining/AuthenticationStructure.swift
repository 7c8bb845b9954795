import CBOR
import Checks
import MobileDocument

/// The bytes of one way to sign an array that holds a transcript.
public struct WrongAuthentication: Sendable, Equatable {
  /// What is signed.
  public let content: SignedContent
  /// What was done wrong, with expected and found.
  public let explanation: Explanation
}

/// Mistakes around the signed array that device and readers can both make.
enum AuthenticationStructure: CaseIterable {
  case notEmbedded
  case byteString
  case hashed
  case unstructured

  /// What is signed instead of tag 24 around an encoded array.
  func content(of array: [UInt8]) -> SignedContent {
    let right = TranscriptParts.embedded(array)
    return switch self {
    case .notEmbedded: .payload(array)
    case .byteString: .payload(TranscriptParts.byteString(array))
    case .hashed: .payload(TranscriptParts.digest(right))
    case .unstructured: .message(right)
    }
  }

  /// Expected and found, for an array of a name.
  func difference(_ name: String) -> CheckResult.Evidence {
    let right = "24(<< \(name) >>)"
    return switch self {
    case .notEmbedded: CheckResult.Evidence("payload", expected: right, found: name)
    case .byteString: CheckResult.Evidence("payload", expected: right, found: "<< \(name) >>")
    case .hashed: CheckResult.Evidence("payload", expected: right, found: "its SHA-256")
    case .unstructured: CheckResult.Evidence("signed bytes", expected: "Sig_structure", found: "the payload alone")
    }
  }

  /// An array whose encoded items are given.
  static func array(_ items: [[UInt8]]) -> [UInt8] {
    CBORWriter.encode(capacity: items.reduce(8) { $0 + $1.count }) { writer in
      writer.array(items.count)
      for item in items { writer.encoded(item) }
    }
  }

  /// The encoded item inside tag 24; nil when there is none.
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
