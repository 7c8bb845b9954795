/// What another implementation says of what was checked here.
public enum SecondOpinionCheck: String, CheckCode {
  case signature = "second-opinion.signature"
  case chain = "second-opinion.chain"

  /// What it means when this check fails, for a person to read.
  public var sentence: String {
    switch self {
    case .signature: "another implementation decides otherwise about a signature"
    case .chain: "another implementation decides otherwise about a certificate chain"
    }
  }

  /// What it means when this check holds, for a person to read.
  public var sentenceWhenPassed: String {
    switch self {
    case .signature: "another implementation decides the same about the signature"
    case .chain: "another implementation decides the same about the certificate chain"
    }
  }
}
