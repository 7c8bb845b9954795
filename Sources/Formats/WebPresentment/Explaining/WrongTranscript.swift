import CBOR
import Checks
import Crypto
import MobileDocument

/// What comes out when somebody makes a session transcript with a mistake.
public struct WrongTranscript: Sendable, Equatable {
  /// What was done wrong.
  public let mistake: TranscriptMistake
  /// The encoded item that stands where the transcript should in `DeviceAuthentication` and `ReaderAuthentication`.
  public let encoded: [UInt8]
  /// The bytes that serve as `info` of HPKE: the encoded item, unless there is none.
  public let info: [UInt8]
  /// Expected and found.
  public let differences: [CheckResult.Evidence]

  init(
    _ mistake: TranscriptMistake, encoded: [UInt8], info: [UInt8]? = nil, _ differences: [CheckResult.Evidence]
  ) {
    self.mistake = mistake
    self.encoded = encoded
    self.info = info ?? encoded
    self.differences = differences
  }

  /// The item as a transcript that can be signed.
  public var transcript: SessionTranscript { SessionTranscript(encoded: encoded) }

  /// The mistake as the explanation of a failure.
  public var explanation: Explanation { Explanation(mistake, differences) }
}

/// Session transcripts from their parts, right and wrong.
enum TranscriptParts {
  /// `[null, null, handover]` around an encoded handover, or with another second element.
  static func transcript(handover: [UInt8], second: [UInt8]? = nil) -> [UInt8] {
    CBORWriter.encode(capacity: handover.count + 8) { writer in
      writer.array(3)
      writer.null()
      if let second { writer.encoded(second) } else { writer.null() }
      writer.encoded(handover)
    }
  }

  /// `["dcapi", item]`, or with another marker.
  static func handover(marker: String = EncryptionInfo.marker, _ item: [UInt8]) -> [UInt8] {
    CBORWriter.encode(capacity: item.count + 32) { writer in
      writer.array(2)
      writer.text(marker)
      writer.encoded(item)
    }
  }

  /// The whole transcript over an encoded `dcapiInfo`.
  static func transcript(handoverInfo: [UInt8]) -> [UInt8] {
    transcript(handover: handover(byteString(digest(handoverInfo))))
  }

  /// `dcapiInfo` from two encoded items.
  static func info(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    CBORWriter.encode(capacity: first.count + second.count + 8) { writer in
      writer.array(2)
      writer.encoded(first)
      writer.encoded(second)
    }
  }

  static func digest(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  static func text(_ text: String) -> [UInt8] { CBORWriter.encode(capacity: text.utf8.count + 4) { $0.text(text) } }

  static func byteString(_ bytes: [UInt8]) -> [UInt8] {
    CBORWriter.encode(capacity: bytes.count + 4) { $0.byteString(bytes) }
  }

  static func embedded(_ bytes: [UInt8]) -> [UInt8] {
    CBORWriter.encode(capacity: bytes.count + 8) { $0.embedded(bytes) }
  }

  static let null = CBORWriter.encode { $0.null() }
}
