import CBOR
import COSE

/// Why a device request was refused.
public struct DeviceRequestError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken.
  public enum Code: String, CheckCode {
    /// The request is no CBOR, or not of the required structure.
    case malformed = "request.malformed"
    /// A major version that is not known.
    case version = "request.version"
    /// A limit of ``RequestLimits`` is exceeded.
    case limit = "request.limit"
    /// A reader signature is there and does not verify: somebody altered request or signature.
    case readerSignature = "request.reader-signature"
    /// A reader signature without a certificate that could be read.
    case readerCertificate = "request.reader-certificate"

    /// What it means when this fails, for a person to read.
    public var sentence: String {
      switch self {
      case .malformed: "the device request is malformed"
      case .version: "the device request has an unknown major version"
      case .limit: "the device request is larger than accepted"
      case .readerSignature: "a reader signature does not verify"
      case .readerCertificate: "a reader signature has no certificate that can be read"
      }
    }
  }

  /// The rule that was broken.
  public let code: Code
  /// What is wrong, for a person to read.
  public let sentence: String
  /// What to look at.
  public let evidence: [CheckResult.Evidence]

  /// Makes an error.
  public init(_ code: Code, _ sentence: String, evidence: [CheckResult.Evidence] = []) {
    self.code = code
    self.sentence = sentence
    self.evidence = evidence
  }

  init(_ error: CBORError, in part: String) {
    self.init(
      .malformed, "\(part): \(error.sentence)",
      evidence: [CheckResult.Evidence(part, found: "\(error.code.rawValue) at byte \(error.offset)")])
  }

  /// The sentence and its code.
  public var description: String { "\(sentence) (\(code.rawValue))" }

  /// Equal when the codes are equal.
  public static func == (left: DeviceRequestError, right: DeviceRequestError) -> Bool { left.code == right.code }
}
