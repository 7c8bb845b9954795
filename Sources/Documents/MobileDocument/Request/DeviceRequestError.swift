import CBOR
import COSE
import Checks
import Primitives

/// An error that a device request is refused.
public struct DeviceRequestError: CodedError, Equatable {
  /// The rule that was broken.
  public enum Code: String, CaseIterable, Sendable {
    /// The request is not CBOR or does not have the required structure.
    case malformed = "request.malformed"
    /// The major version is unsupported.
    case version = "request.version"
    /// A ``RequestLimit`` is exceeded; ``DeviceRequestError/excess`` says which.
    case limit = "request.limit"
    /// A reader signature does not verify: the request or the signature was altered.
    case readerSignature = "request.reader-signature"
    /// A reader signature does not have a readable certificate.
    case readerCertificate = "request.reader-certificate"

    /// A human-readable description of the failure.
    public var message: String {
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
  /// A human-readable description of the error.
  public let message: String
  /// The fields at fault.
  public let fields: [CheckResult.Evidence]
  /// The exceeded limit, if the code is ``Code/limit``.
  public let excess: RequestLimit.Excess?

  /// Creates an error.
  public init(_ code: Code, _ message: String, fields: [CheckResult.Evidence] = []) {
    self.code = code
    self.message = message
    self.fields = fields
    excess = nil
  }

  init(_ excess: RequestLimit.Excess) {
    code = .limit
    message = excess.message
    fields = excess.evidence
    self.excess = excess
  }

  init(_ error: CBORError, in part: String) {
    if let excess = RequestLimit.Excess(error.code) {
      self.init(excess.within(part))
    } else {
      self.init(
        .malformed, "\(part): \(error.message)",
        fields: .field(part, found: "\(error.code.rawValue) at byte \(error.offset)"))
    }
  }

  init(_ error: COSEError, in part: String) {
    if let excess = error.encoding.flatMap(RequestLimit.Excess.init) {
      self.init(excess.within(part))
    } else if error.code == .chainTooLong {
      self.init(RequestLimit.Excess(.chainLength, found: error.count, in: part))
    } else {
      self.init(.malformed, "\(part): \(error.message)")
    }
  }

  /// Reads a part of a request and converts its errors to this type.
  static func reading<Value>(_ part: String, _ read: () throws -> Value) throws(DeviceRequestError) -> Value {
    do {
      return try read()
    } catch let error as DeviceRequestError {
      throw error.excess.map { DeviceRequestError($0.within(part)) } ?? error
    } catch let error as CBORError {
      throw DeviceRequestError(error, in: part)
    } catch let error as COSEError {
      throw DeviceRequestError(error, in: part)
    } catch {
      throw DeviceRequestError(.malformed, "\(part): \(error)")
    }
  }

  /// Compares the codes and the exceeded limits.
  public static func == (left: DeviceRequestError, right: DeviceRequestError) -> Bool {
    left.code == right.code && left.excess?.limit == right.excess?.limit
  }
}
