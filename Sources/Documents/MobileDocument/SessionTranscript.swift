import CBOR
import Crypto

/// The encoded `SessionTranscript`, on which both ends must agree (ISO/IEC 18013-5, 9.1.5.1). Its content depends on
/// the transport.
public struct SessionTranscript: Sendable, Equatable {
  /// The encoded array, without a tag.
  public let encoded: [UInt8]

  /// Creates a transcript from its encoded array.
  public init(encoded: [UInt8]) { self.encoded = encoded }

  /// Creates `[null, null, [identifier, SHA-256 of info]]`, as presentations over the Digital Credentials API have it.
  package init(handover identifier: String, digesting info: [UInt8]) {
    let digest = SHA256.hash(data: info).bytes
    encoded = CBORWriter.encode(capacity: 64) { writer in
      writer.array(3)
      writer.null()
      writer.null()
      writer.array(2)
      writer.text(identifier)
      writer.byteString(digest)
    }
  }

  /// Returns `ReaderAuthenticationBytes`: the payload of a reader's signature over one document request (ISO/IEC
  /// 18013-5,
  /// 9.1.4.5).
  /// - Parameter itemsRequestBytes: The tag-24 item as received or sent.
  public func readerAuthenticationBytes(itemsRequestBytes: [UInt8]) -> [UInt8] {
    embedding { writer in
      writer.array(3)
      writer.text("ReaderAuthentication")
      writer.encoded(encoded)
      writer.encoded(itemsRequestBytes)
    }
  }

  /// Returns `ReaderAuthenticationAllBytes`: the payload of a reader's signature over all document requests, a tuple of
  /// four (ISO/IEC 18013-5 second edition draft, 12.5.4).
  /// - Parameters:
  ///   - itemsRequestBytes: The tag-24 items in the order of the document requests.
  ///   - deviceRequestInfoBytes: The tag-24 item, or nil if the request does not have it.
  public func readerAuthenticationAllBytes(itemsRequestBytes: [[UInt8]], deviceRequestInfoBytes: [UInt8]?) -> [UInt8] {
    embedding { writer in
      writer.array(4)
      writer.text("ReaderAuthenticationAll")
      writer.encoded(encoded)
      writer.array(itemsRequestBytes.count)
      for bytes in itemsRequestBytes { writer.encoded(bytes) }
      if let deviceRequestInfoBytes { writer.encoded(deviceRequestInfoBytes) } else { writer.null() }
    }
  }

  /// Returns `DeviceAuthenticationBytes`: the payload of the device's signature (ISO/IEC 18013-5, 9.1.3.4).
  /// - Parameters:
  ///   - documentType: The type of the document.
  ///   - deviceNameSpacesBytes: The tag-24 item as received or sent.
  public func deviceAuthenticationBytes(documentType: String, deviceNameSpacesBytes: [UInt8]) -> [UInt8] {
    embedding { writer in
      writer.array(4)
      writer.text("DeviceAuthentication")
      writer.encoded(encoded)
      writer.text(documentType)
      writer.encoded(deviceNameSpacesBytes)
    }
  }

  /// `SessionTranscriptBytes`: the transcript inside tag 24, the salt of the device MAC key.
  public var sessionTranscriptBytes: [UInt8] { embedding { $0.encoded(encoded) } }

  private func embedding(_ body: (inout CBORWriter) -> Void) -> [UInt8] {
    let content = CBORWriter.encode(capacity: 512, body)
    return CBORWriter.encode(capacity: content.count + 8) { $0.embedded(content) }
  }
}
