import Messaging
import MobileDocument

/// The content of a message in lines, each with the bytes that it is about.
public struct Explanation: Sendable {
  /// The encodings of bytes in a text.
  public enum Encoding: String, Sendable {
    /// Base64 of RFC 4648, section 5.
    case base64URL = "base64url"
    /// Base64 of RFC 4648, section 4.
    case base64
    /// JSON in a string of JSON.
    case jsonText = "text"
  }

  /// The place of bytes in others.
  public struct Origin: Sendable, Equatable {
    /// Index of the other bytes among the sources.
    public let source: Int
    /// The encoded bytes in them, without quotation marks.
    public let range: Range<Int>
    /// The encoding.
    public let encoding: Encoding
  }

  /// Bytes that lines are about: those of the message, or bytes that they contain in another encoding.
  public struct Source: Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// The place of the bytes; nil for those of the message, and for bytes that are only computed from them.
    public let origin: Origin?
  }

  /// A line.
  public struct Line: Sendable {
    /// Nesting, from 0.
    public let level: Int
    /// The text, safe to print.
    public let text: String
    /// Index of the bytes among the sources; nil for a line about none.
    public let source: Int?
    /// The bytes that the line is about; nil for those of the line above it in the outline.
    public let range: Range<Int>?
  }

  /// The bytes, the message first.
  public let sources: [Source]
  /// The lines.
  public let lines: [Line]
  /// The signatures, authentication codes, digests and seals.
  public let protections: [Protection]
  /// Identifiers of the data elements that the message names in CBOR, each once.
  public let elements: [String]

  init(sources: [Source], lines: [Line]) {
    self.sources = sources
    self.lines = lines
    var finder = ProtectionFinder()
    for (position, source) in sources.enumerated() { finder.search(source.bytes, source: position) }
    protections = finder.protections
    elements = finder.elements
  }
}

extension Inspector {
  /// Returns the content of a message with the bytes of each line.
  public static func explanation(of message: Message) -> Explanation {
    var outline = Outline(options: [], keepsSources: true)
    outline.within(message.bytes) { $0.messageLines(message) }
    return outline.explanation
  }
}
