/// The codes of every mistake that an explanation can name.
public enum MistakeCodes {
  /// In the transcript, in what devices and readers sign around it, and in sealing.
  public static let all =
    TranscriptMistake.allCases.map(\.rawValue) + DeviceAuthenticationMistake.allCases.map(\.rawValue)
    + ReaderAuthenticationMistake.allCases.map(\.rawValue) + SealingMistake.allCases.map(\.rawValue)

  /// What a mistake is, for a person to read; nil for a code of something else.
  public static func sentence(of code: String) -> String? {
    TranscriptMistake(rawValue: code)?.sentence ?? DeviceAuthenticationMistake(rawValue: code)?.sentence
      ?? ReaderAuthenticationMistake(rawValue: code)?.sentence ?? SealingMistake(rawValue: code)?.sentence
  }
}
