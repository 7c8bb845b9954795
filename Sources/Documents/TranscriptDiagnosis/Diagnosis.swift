import Checks
import MobileDocument
import Primitives

/// Tries the plausible variants one after the other until one fits, and names it.
public struct TranscriptExplainer: SignatureExplainer {
  /// The right transcript of a session, and those that are tried in its place.
  private struct Candidates {
    let right: SessionTranscript
    let others: [DescribedTranscript]
  }

  private let candidates: @Sendable () -> Candidates?

  /// Most attempts for one signature or one response. An attempt costs a signature check or an opening, about 60 to 100
  /// microseconds for what real devices send, and random bytes cause all of them: 10 milliseconds, as much as a dozen
  /// honest presentments. The longest inputs that are tried cost a few times that, because each attempt reads them again.
  /// Every single variant is tried within it, and the likeliest pairs.
  public static let maximumAttempts = 128
  /// Longest bytes that are tried to be what was signed: each attempt hashes them. Real ones have a few thousand.
  public static let maximumSignedLength = 64 << 10
  /// Longest sealed response whose opening is tried again: each attempt decrypts it. Real ones of 80 kB are seen.
  public static let maximumSealedLength = 256 << 10
  /// The most other sessions whose transcripts and keys are tried, the newest first: two attempts each.
  public static let maximumOtherSessions = 16
  /// Longest origin that is varied: names of hosts have at most 253 characters.
  public static let maximumOriginLength = 1 << 10

  /// An explainer for one session.
  /// - Parameter inputs: What the right transcript is made from; asked for only when something fails.
  public init(_ inputs: @escaping @autoclosure @Sendable () -> TranscriptInputs) {
    candidates = {
      let inputs = inputs()
      guard inputs.origin.utf8.count <= Self.maximumOriginLength else { return nil }
      let others = TranscriptVariant.all(from: inputs).map {
        DescribedTranscript(transcript: $0.transcript, explanation: $0.explanation)
      }
      return Candidates(right: inputs.sessionTranscript, others: others)
    }
  }

  /// An explainer for one session in person. It explains nothing with a transcript of another kind.
  /// - Parameters:
  ///   - transcript: The right transcript.
  ///   - sessions: The transcripts of sessions of the same reader, the newest last; the newest ones are tried.
  public init(inPerson transcript: SessionTranscript, besides sessions: [SessionTranscript] = []) {
    candidates = {
      guard var inputs = InPersonTranscriptInputs(transcript) else { return nil }
      inputs.otherSessions = sessions.suffix(Self.maximumOtherSessions + 1).reversed()
      let others = InPersonTranscriptVariant.allCases.flatMap { $0.transcripts(from: inputs) }
      return Candidates(right: inputs.sessionTranscript, others: others)
    }
  }

  /// An explainer for one request with OpenID4VP.
  /// - Parameter inputs: What the right transcript is made from; asked for only when something fails.
  public init(openID4VP inputs: @escaping @autoclosure @Sendable () -> OpenID4VPTranscriptInputs) {
    candidates = {
      let inputs = inputs()
      guard inputs.origin.utf8.count <= Self.maximumOriginLength else { return nil }
      return Candidates(right: inputs.sessionTranscript, others: inputs.wrongTranscripts)
    }
  }

  /// Explains the signature of a device.
  public func explanation(of signature: FailedSignature, over parts: DeviceAuthenticationParts) -> Explanation? {
    explanation(over: parts, isGood: signature.isGood(for:))
  }

  func explanation(over parts: DeviceAuthenticationParts, isGood: (SignedContent) -> Bool) -> Explanation? {
    explanation(length: parts.nameSpacesBytes.count, isGood: isGood, right: parts.content(over:)) { transcript in
      DeviceAuthenticationVariant.allCases.flatMap { $0.contents(of: parts, over: transcript) }
    }
  }

  /// Explains the signature of a reader.
  public func explanation(of signature: FailedSignature, over parts: ReaderAuthenticationParts) -> Explanation? {
    explanation(over: parts, isGood: signature.isGood(for:))
  }

  func explanation(over parts: ReaderAuthenticationParts, isGood: (SignedContent) -> Bool) -> Explanation? {
    let length = parts.itemsRequestBytes.reduce(parts.deviceRequestInfoBytes?.count ?? 0) { $0 + $1.count }
    return explanation(length: length, isGood: isGood, right: parts.content(over:)) { transcript in
      ReaderAuthenticationVariant.allCases.flatMap { $0.contents(of: parts, over: transcript) }
    }
  }

  /// Another transcript in the right structure, then the right transcript in another structure, then both, the likeliest
  /// transcripts first.
  private func explanation(
    length: Int, isGood: (SignedContent) -> Bool, right: (SessionTranscript) -> SignedContent,
    wrong: (SessionTranscript) -> [VariantAuthentication]
  ) -> Explanation? {
    guard length <= Self.maximumSignedLength, let candidates = candidates() else { return nil }
    var attempts = 0
    func fits(_ content: SignedContent) -> Bool {
      attempts += 1
      return isGood(content)
    }
    let transcripts = candidates.others
    for transcript in transcripts where attempts < Self.maximumAttempts && fits(right(transcript.transcript)) {
      return transcript.explanation
    }
    for structure in wrong(candidates.right) where attempts < Self.maximumAttempts && fits(structure.content) {
      return structure.explanation
    }
    for transcript in transcripts where attempts < Self.maximumAttempts {
      for structure in wrong(transcript.transcript) where attempts < Self.maximumAttempts && fits(structure.content) {
        return Explanation(transcript.explanation, and: structure.explanation)
      }
    }
    return nil
  }
}

/// The codes of every variant that an explanation can name.
public enum VariantCodes {
  /// In the transcript, in what devices and readers sign around it, and in sealing.
  public static let all =
    TranscriptVariant.allCases.map(\.rawValue) + OpenID4VPTranscriptVariant.allCases.map(\.rawValue)
    + InPersonTranscriptVariant.allCases.map(\.rawValue)
    + DeviceAuthenticationVariant.allCases.map(\.rawValue) + ReaderAuthenticationVariant.allCases.map(\.rawValue)
    + HPKEVariant.allCases.map(\.rawValue)

  /// A human-readable description of a variant; nil for another code.
  public static func message(of code: String) -> String? {
    TranscriptVariant(rawValue: code)?.message ?? OpenID4VPTranscriptVariant(rawValue: code)?.message
      ?? InPersonTranscriptVariant(rawValue: code)?.message
      ?? DeviceAuthenticationVariant(rawValue: code)?.message
      ?? ReaderAuthenticationVariant(rawValue: code)?.message ?? HPKEVariant(rawValue: code)?.message
  }
}
