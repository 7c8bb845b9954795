import COSE
import Checks
import Primitives

/// Finds the content that an invalid signature was made for. `TranscriptExplainer` in `TranscriptDiagnosis` knows the
/// variants of transcripts.
public protocol SignatureExplainer: Sendable {
  /// Returns the content that a device signed instead, or nil if no variant fits.
  func explanation(of signature: FailedSignature, over parts: DeviceAuthenticationParts) -> Explanation?
  /// Returns the content that a reader signed instead, or nil if no variant fits.
  func explanation(of signature: FailedSignature, over parts: ReaderAuthenticationParts) -> Explanation?
}

/// A signature that does not verify over the expected content with the expected key.
public struct FailedSignature: Sendable {
  private let signature: COSESign1
  private let key: VerificationKey

  init(_ signature: COSESign1, key: VerificationKey) {
    self.signature = signature
    self.key = key
  }

  /// Returns true if the signature fits other content. Costs a signature check, which is not reported to a witness: an
  /// explanation decides nothing, and the cross-check would count it.
  public func isGood(for content: SignedContent) -> Bool {
    switch content {
    case .payload(let payload): key.isValid(signature.signature, for: signature.signedBytes(payload: payload))
    case .message(let message): key.isValid(signature.signature, for: message)
    }
  }
}

/// The content of a signature.
public enum SignedContent: Sendable, Equatable {
  /// The payload of a Sig_structure (RFC 9052, 4.4), as the standard requires.
  case payload([UInt8])
  /// Bytes without a Sig_structure around them.
  case message([UInt8])
}

/// The inputs of `DeviceAuthentication` besides the transcript (ISO/IEC 18013-5, 9.1.3.4).
public struct DeviceAuthenticationParts: Sendable, Equatable {
  /// The document's type.
  public let documentType: String
  /// Types that may have been used instead: the type of the mobile security object and the requested types.
  public let otherDocumentTypes: [String]
  /// `DeviceNameSpacesBytes`, the tag-24 item as received.
  public let nameSpacesBytes: [UInt8]

  /// Creates the parts of a device authentication.
  public init(documentType: String, otherDocumentTypes: [String] = [], nameSpacesBytes: [UInt8]) {
    self.documentType = documentType
    self.otherDocumentTypes = otherDocumentTypes.filter { !$0.isExactly(documentType) }.uniqued()
    self.nameSpacesBytes = nameSpacesBytes
  }

  /// Returns the content to sign over a transcript.
  public func content(over transcript: SessionTranscript) -> SignedContent {
    .payload(transcript.deviceAuthenticationBytes(documentType: documentType, deviceNameSpacesBytes: nameSpacesBytes))
  }
}

/// The inputs of `ReaderAuthentication` and `ReaderAuthenticationAll` besides the transcript (ISO/IEC 18013-5 second
/// edition draft, 12.5.4).
public struct ReaderAuthenticationParts: Sendable, Equatable {
  /// The part of the request that the signature covers.
  public let coverage: ReaderAuthentication.Coverage
  /// `ItemsRequestBytes` of every document request, as received.
  public let itemsRequestBytes: [[UInt8]]
  /// `DeviceRequestInfoBytes` as received; nil if the request has none.
  public let deviceRequestInfoBytes: [UInt8]?

  /// Creates the parts of a reader authentication.
  public init(coverage: ReaderAuthentication.Coverage, itemsRequestBytes: [[UInt8]], deviceRequestInfoBytes: [UInt8]?) {
    self.coverage = coverage
    self.itemsRequestBytes = itemsRequestBytes
    self.deviceRequestInfoBytes = deviceRequestInfoBytes
  }

  /// The content that the reader has to sign over a transcript.
  public func content(over transcript: SessionTranscript) -> SignedContent { .payload(payload(over: transcript)) }

  /// The payload of the reader's signature over a transcript.
  func payload(over transcript: SessionTranscript) -> [UInt8] {
    switch coverage {
    case .all:
      transcript.readerAuthenticationAllBytes(
        itemsRequestBytes: itemsRequestBytes, deviceRequestInfoBytes: deviceRequestInfoBytes)
    case .document(let position): transcript.readerAuthenticationBytes(itemsRequestBytes: itemsRequestBytes[position])
    }
  }
}

/// A known mistake in what a signature or an encryption is bound to.
public protocol KnownMistake: RawRepresentable, CaseIterable, Sendable, Hashable where RawValue == String {
  /// A human-readable description of the mistake.
  var message: String { get }
}

/// The reason why a signature or a sealed response does not fit a session transcript: the mistake that gives the same
/// bytes, found by trying.
public struct Explanation: Sendable, Equatable {
  /// Codes of the mistakes that were made together: one, or one in the transcript and one in the structure around it.
  public let codes: [String]
  /// A human-readable description of the mistake.
  public let message: String
  /// The expected and the found values, for each mistake.
  public let differences: [CheckResult.Evidence]

  /// The field of evidence that names a mistake by its code.
  public static let field = "explanation"

  /// An explanation by one mistake.
  public init(_ mistake: some KnownMistake, _ differences: [CheckResult.Evidence]) {
    codes = [mistake.rawValue]
    message = mistake.message
    self.differences = differences
  }

  /// An explanation by two mistakes that were made together.
  public init(_ first: Explanation, and second: Explanation) {
    codes = first.codes + second.codes
    message = "\(first.message), and \(second.message)"
    differences = first.differences + second.differences
  }

  /// The explanation as evidence of the check that failed: the codes, then what differs.
  public var evidence: [CheckResult.Evidence] {
    codes.map { CheckResult.Evidence(Self.field, found: $0) } + differences
  }
}
