import CBOR
import Checks
import Crypto
import MobileDocument
import Primitives
import WebPresentment

/// A wrong way to make a session transcript that is seen in the wild or plausible. The cases are in the order in which they
/// are tried: of two with the same outcome, the more frequent one comes first.
public enum TranscriptVariant: String, KnownMistake {
  case originSlashAdded = "transcript.origin.trailing-slash"
  case originSlashMissing = "transcript.origin.slash-missing"
  case tagged = "transcript.tagged"
  case originDefaultPort = "transcript.origin.default-port"
  case originPortMissing = "transcript.origin.port-missing"
  case originTopLevel = "transcript.origin.top-level"
  case originFrame = "transcript.origin.frame"
  case originScheme = "transcript.origin.scheme"
  case originSchemeMissing = "transcript.origin.scheme-missing"
  case originLetterCase = "transcript.origin.letter-case"
  case originWWW = "transcript.origin.www"
  case originHostEncoding = "transcript.origin.host-encoding"
  case originPath = "transcript.origin.path"
  case originNull = "transcript.origin.null"
  case originEmpty = "transcript.origin.empty"
  case originAbsent = "transcript.origin.absent"
  case encryptionInfoPadded = "transcript.encryption-info.padded"
  case encryptionInfoStandardBase64 = "transcript.encryption-info.standard-base64"
  case encryptionInfoBytes = "transcript.encryption-info.bytes"
  case encryptionInfoReencoded = "transcript.encryption-info.re-encoded"
  case encryptionInfoItem = "transcript.encryption-info.item"
  case infoSwapped = "transcript.handover.swapped"
  case infoNotHashed = "transcript.handover.not-hashed"
  case digestAsText = "transcript.handover.digest-as-text"
  case marker = "transcript.handover.marker"
  case encryptionParameters = "transcript.encryption-parameters"
  case byteString = "transcript.byte-string"
  case hashed = "transcript.hashed"
  case handoverOnly = "transcript.handover-only"
  case absent = "transcript.absent"
  case anotherSession = "transcript.another-session"
  case openID4VP = "transcript.openid4vp.dc-api"
  case openID4VPDraft = "transcript.openid4vp.dc-api-draft"
  case openID4VPRedirect = "transcript.openid4vp.redirect"
  case annexB = "transcript.annex-b"
  case browserHandover = "transcript.browser-handover"
  case androidHandover = "transcript.android-handover"
  case appleInApp = "transcript.apple-in-app"

  /// A human-readable description of the variant.
  public var message: String {
    switch self {
    case .originSlashAdded: "one \"/\" too many at the end of the origin"
    case .originSlashMissing: "one \"/\" too few at the end of the origin"
    case .tagged: "the transcript is in tag 24"
    case .originDefaultPort: "the default port is written out in the origin"
    case .originPortMissing: "the port is left out of the origin"
    case .originTopLevel: "the origin of the page around the frame instead of the frame's"
    case .originFrame: "the origin of a frame in the page instead of the page's"
    case .originScheme: "the origin has the other of http and https"
    case .originSchemeMissing: "the host alone instead of the origin"
    case .originLetterCase: "the host of the origin in other letters, upper-case or lower-case"
    case .originWWW: "one \"www.\" too many or too few in the origin"
    case .originHostEncoding: "the host of the origin in Unicode instead of ASCII, or the reverse"
    case .originPath: "an address with a path instead of the origin"
    case .originNull: "the text \"null\" instead of the origin"
    case .originEmpty: "an empty text instead of the origin"
    case .originAbsent: "null instead of the origin"
    case .encryptionInfoPadded: "padding after the base64url of the encryption information"
    case .encryptionInfoStandardBase64: "the encryption information in the standard alphabet of base64"
    case .encryptionInfoBytes: "the bytes of the encryption information instead of the base64url text"
    case .encryptionInfoReencoded: "the encryption information was decoded and encoded again"
    case .encryptionInfoItem: "the encryption information itself instead of the base64url text"
    case .infoSwapped: "origin and encryption information in the other order"
    case .infoNotHashed: "encryption information and origin themselves instead of their digest"
    case .digestAsText: "the digest as a text instead of bytes"
    case .marker: "another marker than \"dcapi\" in the handover"
    case .encryptionParameters:
      "the encryption parameters as second element, as only document response encryption has them"
    case .byteString: "the transcript is in a byte string"
    case .hashed: "the digest of the transcript instead of the transcript"
    case .handoverOnly: "the handover alone instead of the transcript"
    case .absent: "no transcript at all"
    case .anotherSession: "the transcript of another session of the same website"
    case .openID4VP: "the handover of OpenID4VP 1.0 over the Digital Credentials API"
    case .openID4VPDraft: "the handover of a draft of OpenID4VP over the Digital Credentials API"
    case .openID4VPRedirect: "the handover of OpenID4VP 1.0 with redirects"
    case .annexB: "the handover of ISO/IEC 18013-7 annex B"
    case .browserHandover: "the handover of a browser's preview, \"BrowserHandoverv1\""
    case .androidHandover: "the handover of an Android app, \"AndroidHandoverv1\""
    case .appleInApp: "the handover of Apple's in-app variant"
    }
  }

  /// The transcripts of this variant with these inputs, most likely first; none when it changes nothing or an input is not
  /// known.
  public func transcripts(from inputs: TranscriptInputs) -> [VariantTranscript] {
    transcripts(from: ReadTranscriptInputs(inputs))
  }

  private func transcripts(from inputs: ReadTranscriptInputs) -> [VariantTranscript] {
    candidates(from: inputs).filter { $0.info != inputs.sessionTranscript }
  }

  private func candidates(from inputs: ReadTranscriptInputs) -> [VariantTranscript] {
    switch self {
    case .originSlashAdded, .originSlashMissing, .originDefaultPort, .originPortMissing, .originTopLevel, .originFrame,
      .originScheme, .originSchemeMissing, .originLetterCase, .originWWW, .originHostEncoding, .originPath, .originNull,
      .originEmpty, .originAbsent:
      originTranscripts(from: inputs)
    case .encryptionInfoPadded, .encryptionInfoStandardBase64, .encryptionInfoBytes, .encryptionInfoReencoded,
      .encryptionInfoItem:
      encryptionInfoTranscripts(from: inputs)
    case .tagged, .infoSwapped, .infoNotHashed, .digestAsText, .marker, .encryptionParameters, .byteString, .hashed,
      .handoverOnly, .absent, .anotherSession:
      structureTranscripts(from: inputs)
    case .openID4VP, .openID4VPDraft, .openID4VPRedirect, .annexB, .browserHandover, .androidHandover, .appleInApp:
      otherProtocolTranscripts(from: inputs)
    }
  }

  /// The transcripts of every variant in the order in which they are tried, each once.
  package static func all(from inputs: TranscriptInputs) -> [VariantTranscript] {
    let inputs = ReadTranscriptInputs(inputs)
    return allCases.reduce(into: []) { transcripts, variant in
      for transcript in variant.transcripts(from: inputs) where !transcripts.contains(where: transcript.isSame(as:)) {
        transcripts.append(transcript)
      }
    }
  }
}

/// A session transcript in one of its variants.
public struct VariantTranscript: Sendable, Equatable {
  /// The variant.
  public let variant: TranscriptVariant
  /// The encoded item in place of the transcript in `DeviceAuthentication` and `ReaderAuthentication`.
  public let encoded: [UInt8]
  /// The bytes that serve as `info` of HPKE: the encoded item, or other bytes for variants without one.
  public let info: [UInt8]
  /// Expected and found.
  public let differences: [CheckResult.Evidence]

  init(_ variant: TranscriptVariant, encoded: [UInt8], info: [UInt8]? = nil, _ differences: [CheckResult.Evidence]) {
    self.variant = variant
    self.encoded = encoded
    self.info = info ?? encoded
    self.differences = differences
  }

  /// Returns true if another variant has the same transcript. The digest of one as a bare item and as info differ, so both
  /// decide.
  fileprivate func isSame(as other: VariantTranscript) -> Bool { info == other.info && encoded == other.encoded }

  /// The item as a transcript that can be signed.
  public var transcript: SessionTranscript { SessionTranscript(encoded: encoded) }

  /// The variant as the explanation of a failure.
  public var explanation: Explanation { Explanation(variant, differences) }
}

/// Session transcripts from their parts, right and wrong.
enum TranscriptParts {
  /// `[null, null, handover]` around an encoded handover, or with another second element.
  static func transcript(handover: [UInt8], second: [UInt8] = null) -> [UInt8] { array([null, second, handover]) }

  /// `["dcapi", item]`, or with another marker.
  static func handover(marker: String = EncryptionInfo.marker, _ item: [UInt8]) -> [UInt8] {
    array([text(marker), item])
  }

  /// The whole transcript over an encoded `dcapiInfo`.
  static func transcript(handoverInfo: [UInt8]) -> [UInt8] {
    transcript(handover: handover(byteString(digest(handoverInfo))))
  }

  /// `dcapiInfo` from two encoded items.
  static func info(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] { array([first, second]) }

  /// An array of encoded items.
  static func array(_ items: [[UInt8]]) -> [UInt8] {
    CBORWriter.encode(capacity: items.reduce(8) { $0 + $1.count }) { writer in
      writer.array(items.count)
      for item in items { writer.encoded(item) }
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
