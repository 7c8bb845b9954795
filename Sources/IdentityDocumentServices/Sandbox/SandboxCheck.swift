import MobileDocument

/// Why the sandbox refused a request.
public enum SandboxCheck: String, CheckCode {
  case tooLarge = "sandbox.too-large"
  case requestData = "sandbox.request-data"
  case encryptionInfo = "sandbox.encryption-info"
  case origin = "sandbox.origin"
  case deviceRequest = "sandbox.device-request"
  case version = "sandbox.version"
  case limit = "sandbox.limit"
  case readerSignature = "sandbox.reader-signature"
  case readerCertificate = "sandbox.reader-certificate"

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .tooLarge: "the request is larger than the sandbox accepts"
    case .requestData: "the request is not a JSON object with the base64url texts deviceRequest and encryptionInfo"
    case .encryptionInfo: "the encryption information is malformed"
    case .origin: "there is no origin to bind the request to"
    case .deviceRequest: "the device request is malformed"
    case .version: "the device request has an unknown major version"
    case .limit: "the request exceeds a limit of the sandbox"
    case .readerSignature: "a reader signature does not verify: the request was altered, or is for another origin"
    case .readerCertificate: "a reader signature has no certificate that can be read"
    }
  }
}

/// A refusal of the sandbox.
public struct SandboxRefusal: Error, Sendable, Equatable {
  /// The rule that was broken.
  public let check: SandboxCheck
  /// What is wrong, for a person to read.
  public let sentence: String
  /// What to look at.
  public let evidence: [CheckResult.Evidence]

  /// A refusal from its parts.
  public init(_ check: SandboxCheck, _ sentence: String? = nil, evidence: [CheckResult.Evidence] = []) {
    self.check = check
    self.sentence = sentence ?? check.sentence
    self.evidence = evidence
  }

  init(_ error: DeviceRequestError) {
    let check: SandboxCheck =
      switch error.code {
      case .malformed: .deviceRequest
      case .version: .version
      case .limit: .limit
      case .readerSignature: .readerSignature
      case .readerCertificate: .readerCertificate
      }
    self.init(check, error.sentence, evidence: error.evidence)
  }
}
