import CBOR
import MobileDocument

/// The third element of the session transcript in person: how the engagement reached the reader (ISO/IEC 18013-5,
/// 9.1.5.1).
public enum Handover: Sendable, Equatable {
  /// A QR code.
  case qrCode
  /// An NFC tag. The messages are those on the wire, without the length in front of them.
  /// - Parameters:
  ///   - select: The handover select message.
  ///   - request: The handover request message of negotiated handover; nil for static handover.
  case nfc(select: [UInt8], request: [UInt8]?)

  func write(to writer: inout CBORWriter) {
    switch self {
    case .qrCode: writer.null()
    case .nfc(let select, let request):
      writer.array(2)
      writer.byteString(select)
      if let request { writer.byteString(request) } else { writer.null() }
    }
  }
}

extension SessionTranscript {
  /// The reader's ephemeral key in the transcript of a session in person; nil without one, as over the Digital Credentials
  /// API.
  public var readerKey: EphemeralKey? {
    guard let item = try? CBORReader.read(encoded).array().at(1) else { return nil }
    return try? EphemeralKey.received(item, allowsCompression: false).value
  }

  /// Creates the transcript of a session in person, from the bytes that were received or sent.
  /// - Parameters:
  ///   - deviceEngagement: The device engagement.
  ///   - readerKeyBytes: `EReaderKeyBytes`: the tagged item of the session establishment message.
  public init(deviceEngagement: [UInt8], readerKeyBytes: [UInt8], handover: Handover) {
    self.init(
      encoded: CBORWriter.encode(capacity: 512) { writer in
        writer.array(3)
        writer.embedded(deviceEngagement)
        writer.encoded(readerKeyBytes)
        handover.write(to: &writer)
      })
  }
}
