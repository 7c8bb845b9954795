import CBOR
import Checks
import MobileDocument
import Primitives

/// The inputs of the session transcript of a presentation in person (ISO/IEC 18013-5, 9.1.5.1).
public struct InPersonTranscriptInputs: Sendable {
  /// The device engagement.
  public let deviceEngagement: [UInt8]
  /// `EReaderKeyBytes`, the tag-24 item.
  public let readerKeyBytes: [UInt8]
  /// The handover select message of an engagement by NFC; nil for a QR code.
  public let select: [UInt8]?
  /// The handover request message of negotiated handover.
  public let request: [UInt8]?
  /// The transcripts of other sessions, the newest first.
  public var otherSessions: [SessionTranscript] = []

  /// Inputs from their parts.
  public init(deviceEngagement: [UInt8], readerKeyBytes: [UInt8], select: [UInt8]? = nil, request: [UInt8]? = nil) {
    self.deviceEngagement = deviceEngagement
    self.readerKeyBytes = readerKeyBytes
    self.select = select
    self.request = request
  }

  /// Inputs from the transcript that is right; nil for one that is not of a session in person.
  public init?(_ transcript: SessionTranscript) {
    func message(_ item: CBORItem) -> [UInt8]? { try? item.bytes() }
    let item = try? CBORReader.read(transcript.encoded, leniency: .received, readingEmbedded: false)
    guard let elements = try? item?.array(count: 3), let engagement = try? elements.at(0).embeddedBytes(),
      let readerKey = try? elements.at(1), (try? readerKey.embeddedBytes()) != nil, let handover = try? elements.at(2)
    else { return nil }
    let messages = try? handover.array(count: 2)
    guard handover.isNull || messages != nil else { return nil }
    self.init(
      deviceEngagement: engagement, readerKeyBytes: [UInt8](readerKey.encoded),
      select: (try? messages?.at(0)).flatMap(message), request: (try? messages?.at(1)).flatMap(message))
  }

  /// The transcript that is right.
  public var sessionTranscript: SessionTranscript { SessionTranscript(encoded: transcript()) }

  fileprivate var engagementBytes: [UInt8] { TranscriptParts.embedded(deviceEngagement) }

  fileprivate var handover: [UInt8] { Self.handover(select: select, request: request) }

  fileprivate static func handover(select: [UInt8]?, request: [UInt8]?) -> [UInt8] {
    guard let select else { return TranscriptParts.null }
    return TranscriptParts.array([
      TranscriptParts.byteString(select), request.map(TranscriptParts.byteString) ?? TranscriptParts.null,
    ])
  }

  /// The transcript with other encoded elements in place of its own.
  fileprivate func transcript(
    engagement: [UInt8]? = nil, readerKey: [UInt8]? = nil, handover: [UInt8]? = nil
  ) -> [UInt8] {
    TranscriptParts.array([engagement ?? engagementBytes, readerKey ?? readerKeyBytes, handover ?? self.handover])
  }
}

/// A wrong way to make the session transcript of a presentation in person, in the order in which they are tried.
public enum InPersonTranscriptVariant: String, KnownMistake {
  case qrCode = "transcript.in-person.qr-code"
  case staticHandover = "transcript.in-person.static-handover"
  case handoverSwapped = "transcript.in-person.handover-swapped"
  case handoverLength = "transcript.in-person.handover-length"
  case tagged = "transcript.in-person.tagged"
  case engagementNotEmbedded = "transcript.in-person.engagement-not-embedded"
  case engagementByteString = "transcript.in-person.engagement-byte-string"
  case engagementAbsent = "transcript.in-person.engagement-absent"
  case engagementReencoded = "transcript.in-person.engagement-re-encoded"
  case readerKeyNotEmbedded = "transcript.in-person.reader-key-not-embedded"
  case readerKeyByteString = "transcript.in-person.reader-key-byte-string"
  case readerKeyAbsent = "transcript.in-person.reader-key-absent"
  case deviceKey = "transcript.in-person.device-key"
  case byteString = "transcript.in-person.byte-string"
  case hashed = "transcript.in-person.hashed"
  case absent = "transcript.in-person.absent"
  case anotherSession = "transcript.in-person.another-session"

  /// A human-readable description of the variant.
  public var message: String {
    switch self {
    case .qrCode: "the handover is null, as after a QR code"
    case .staticHandover: "the handover request message is missing, as in static handover"
    case .handoverSwapped: "the handover messages are in the other order"
    case .handoverLength: "the handover messages have the length of the tag's file in front of them"
    case .tagged: "the transcript is in tag 24"
    case .engagementNotEmbedded: "the device engagement is not in tag 24"
    case .engagementByteString: "the device engagement is in a byte string without tag 24"
    case .engagementAbsent: "null instead of the device engagement"
    case .engagementReencoded: "the device engagement was decoded and encoded again"
    case .readerKeyNotEmbedded: "the reader's ephemeral key is not in tag 24"
    case .readerKeyByteString: "the reader's ephemeral key is in a byte string without tag 24"
    case .readerKeyAbsent: "null instead of the reader's ephemeral key"
    case .deviceKey: "the mdoc's ephemeral key in place of the reader's"
    case .byteString: "the transcript is in a byte string"
    case .hashed: "the digest of the transcript instead of the transcript"
    case .absent: "no transcript at all"
    case .anotherSession: "the transcript of another session at the same reader"
    }
  }

  /// The transcripts of this variant with these inputs; none when it changes nothing.
  public func transcripts(from inputs: InPersonTranscriptInputs) -> [DescribedTranscript] {
    let right = inputs.transcript()
    return candidates(from: inputs).filter { $0.transcript.encoded != right }
  }

  private func candidates(from inputs: InPersonTranscriptInputs) -> [DescribedTranscript] {
    let right = inputs.transcript()
    switch self {
    case .qrCode, .staticHandover, .handoverSwapped, .handoverLength: return handovers(from: inputs)
    case .engagementNotEmbedded:
      return [one(inputs.transcript(engagement: inputs.deviceEngagement), "device engagement", Self.embedded, "a map")]
    case .engagementByteString:
      let bytes = TranscriptParts.byteString(inputs.deviceEngagement)
      return [one(inputs.transcript(engagement: bytes), "device engagement", Self.embedded, "a byte string")]
    case .engagementAbsent:
      return [one(inputs.transcript(engagement: TranscriptParts.null), "device engagement", Self.embedded, "null")]
    case .engagementReencoded:
      return Self.encodings(of: inputs.deviceEngagement).map { bytes, form in
        one(
          inputs.transcript(engagement: TranscriptParts.embedded(bytes)), "device engagement",
          "the \(inputs.deviceEngagement.count) bytes of the engagement", "\(bytes.count) bytes, \(form)")
      }
    case .readerKeyNotEmbedded, .readerKeyByteString, .readerKeyAbsent, .deviceKey: return readerKeys(from: inputs)
    case .tagged: return [whole(TranscriptParts.embedded(right), "24(<< SessionTranscript >>)")]
    case .byteString: return [whole(TranscriptParts.byteString(right), "<< SessionTranscript >>")]
    case .hashed: return [whole(TranscriptParts.byteString(TranscriptParts.digest(right)), "its SHA-256")]
    case .absent: return [whole(TranscriptParts.null, "null")]
    case .anotherSession:
      return inputs.otherSessions.filter { $0.encoded != right }.enumerated().map { offset, other in
        one(other.encoded, "session", "this one", offset == 0 ? "the one before it" : "\(offset + 1) before it")
      }
    }
  }

  /// The encodings of an engagement that libraries write, each with its form.
  private static func encodings(of engagement: [UInt8]) -> [([UInt8], String)] {
    let encodings = AuthenticationStructure.encodings(of: engagement)
    guard let minimal = encodings.first, let sorted = encodings.last, let head = minimal.first else { return [] }
    var found = [(minimal, "minimal heads")]
    if sorted != minimal { found.append((sorted, "sorted keys")) }
    // Encoders of streams do not know the length of a map when they begin it.
    if (0xa0...0xb7).contains(head) {
      found.append(([0xbf] + minimal.dropFirst() + [0xff], "a map of indefinite length"))
    }
    return found
  }

  private func handovers(from inputs: InPersonTranscriptInputs) -> [DescribedTranscript] {
    guard let select = inputs.select else { return [] }
    func handover(_ bytes: [UInt8], _ expected: String, _ found: String) -> [DescribedTranscript] {
      [one(inputs.transcript(handover: bytes), "handover", expected, found)]
    }
    let whole = inputs.request == nil ? "[select, null]" : "[select, request]"
    switch self {
    case .qrCode: return handover(TranscriptParts.null, whole, "null")
    case .staticHandover:
      guard inputs.request != nil else { return [] }
      return handover(InPersonTranscriptInputs.handover(select: select, request: nil), whole, "[select, null]")
    case .handoverSwapped:
      guard let request = inputs.request else {
        let null = TranscriptParts.null
        return handover(TranscriptParts.array([null, TranscriptParts.byteString(select)]), whole, "[null, select]")
      }
      return handover(InPersonTranscriptInputs.handover(select: request, request: select), whole, "[request, select]")
    case .handoverLength:
      func long(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8 & 0xff), UInt8(message.count & 0xff)] + message
      }
      return handover(
        InPersonTranscriptInputs.handover(select: long(select), request: inputs.request.map(long)), whole,
        "with lengths of two bytes")
    default: return []
    }
  }

  private func readerKeys(from inputs: InPersonTranscriptInputs) -> [DescribedTranscript] {
    let field = "reader key"
    let key = AuthenticationStructure.content(ofEmbedded: inputs.readerKeyBytes)
    switch self {
    case .readerKeyNotEmbedded:
      return key.map { [one(inputs.transcript(readerKey: $0), field, Self.embedded, "a map")] } ?? []
    case .readerKeyByteString:
      return key.map {
        [one(inputs.transcript(readerKey: TranscriptParts.byteString($0)), field, Self.embedded, "a byte string")]
      } ?? []
    case .readerKeyAbsent:
      return [one(inputs.transcript(readerKey: TranscriptParts.null), field, Self.embedded, "null")]
    case .deviceKey:
      guard let map = try? CBORReader.read(inputs.deviceEngagement, leniency: .received).map(),
        let deviceKey = try? map[1]?.array().at(1)
      else { return [] }
      return [one(inputs.transcript(readerKey: [UInt8](deviceKey.encoded)), field, "EReaderKey", "EDeviceKey")]
    default: return []
    }
  }

  private static let embedded = "24(<< … >>)"

  private func whole(_ encoded: [UInt8], _ found: String) -> DescribedTranscript {
    one(encoded, "session transcript", "[engagement, reader key, handover]", found)
  }

  private func one(_ encoded: [UInt8], _ field: String, _ expected: String, _ found: String) -> DescribedTranscript {
    DescribedTranscript(self, encoded, field, expected, found)
  }
}

/// A session transcript with the mistake that makes it.
public struct DescribedTranscript: Sendable, Equatable {
  /// The item in place of the transcript.
  public let transcript: SessionTranscript
  /// The mistake.
  public let explanation: Explanation
}

extension DescribedTranscript {
  /// Creates the transcript that a mistake makes, with what differs.
  init(_ mistake: some KnownMistake, _ encoded: [UInt8], _ field: String, _ expected: String, _ found: String) {
    transcript = SessionTranscript(encoded: encoded)
    explanation = Explanation(mistake, .field(field, expected: expected, found: found))
  }
}
