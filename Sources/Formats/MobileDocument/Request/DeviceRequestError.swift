import CBOR
import COSE
import Checks

/// Why a device request was refused.
public struct DeviceRequestError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken.
  public enum Code: String, CheckCode {
    /// The request is no CBOR, or not of the required structure.
    case malformed = "request.malformed"
    /// A major version that is not known.
    case version = "request.version"
    /// A ``RequestLimit`` is exceeded; ``DeviceRequestError/excess`` says which.
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
  /// Which bound was exceeded and by how much; nil unless the code is ``Code/limit``.
  public let excess: LimitExceeded?

  /// Makes an error.
  public init(_ code: Code, _ sentence: String, evidence: [CheckResult.Evidence] = []) {
    self.code = code
    self.sentence = sentence
    self.evidence = evidence
    excess = nil
  }

  init(_ excess: LimitExceeded) {
    code = .limit
    sentence = excess.sentence
    evidence = excess.evidence
    self.excess = excess
  }

  init(_ error: CBORError, in part: String) {
    if let excess = LimitExceeded(error.code) {
      self.init(excess.within(part))
    } else {
      self.init(
        .malformed, "\(part): \(error.sentence)",
        evidence: [CheckResult.Evidence(part, found: "\(error.code.rawValue) at byte \(error.offset)")])
    }
  }

  init(_ error: COSEError, in part: String) {
    if let excess = error.encoding.flatMap(LimitExceeded.init) {
      self.init(excess.within(part))
    } else if error.code == .chainTooLong {
      self.init(LimitExceeded(.chainLength, found: error.count, in: part))
    } else {
      self.init(.malformed, "\(part): \(error.sentence)")
    }
  }

  /// Reads a part of a request and puts whatever is wrong with it into an error of this kind.
  static func reading<Value>(_ part: String, _ read: () throws -> Value) throws(DeviceRequestError) -> Value {
    do {
      return try read()
    } catch let error as DeviceRequestError {
      throw error
    } catch let error as LimitExceeded {
      throw DeviceRequestError(error.within(part))
    } catch let error as CBORError {
      throw DeviceRequestError(error, in: part)
    } catch let error as COSEError {
      throw DeviceRequestError(error, in: part)
    } catch {
      throw DeviceRequestError(.malformed, "\(part): \(error)")
    }
  }

  /// The sentence and its code.
  public var description: String { "\(sentence) (\(code.rawValue))" }

  /// Equal when the codes are equal, and the bounds where one was exceeded.
  public static func == (left: DeviceRequestError, right: DeviceRequestError) -> Bool {
    left.code == right.code && left.excess?.limit == right.excess?.limit
  }
}
