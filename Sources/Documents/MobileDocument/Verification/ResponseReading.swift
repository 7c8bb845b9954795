import CBOR
import Checks

/// The checks of a device response by itself: encoding, structure, version and status.
struct ResponseReading {
  /// The response; nil if it cannot be read.
  let response: UnverifiedDeviceResponse?
  private let error: CBORError?

  init(_ bytes: [UInt8]) {
    do {
      response = try UnverifiedDeviceResponse(bytes)
      error = nil
    } catch {
      response = nil
      self.error = error
    }
  }

  /// The outcome of one check of the response.
  func outcome(of check: ResponseCheck) -> CheckOutcome<ResponseCheck> {
    guard let response else { return error.map { Self.outcome(of: check, failing: $0) } ?? .notReached }
    switch check {
    case .cbor, .limits: return .passed
    case .structure: return structure(response)
    case .encoding:
      guard let first = response.deviations.first else { return .passed }
      return .found(
        nil, "\(response.deviations.count) items are not encoded as required, first at byte \(first.offset)",
        .field("encoding", found: first.code.rawValue))
    case .version:
      return .require(
        VersionText.isOne(response.version), nil, VersionText.problem(response.version, of: "device response"),
        .field("version", expected: "1.x", found: response.version))
    case .status:
      return .require(response.status == 0, nil, nil, .field("status", expected: "0", found: String(response.status)))
    default: return .notReached
    }
  }

  private func structure(_ response: UnverifiedDeviceResponse) -> CheckOutcome<ResponseCheck> {
    .findings(
      response.departures.map { departure in
        let unread = response.unreadDocuments.map { CheckResult.Evidence("DeviceResponse", found: $0) }
        return .init(departure, nil, departure == .unreadDocuments ? unread : [])
      })
  }

  /// The one check that fails if the response cannot be read; the others are not reached.
  private static func outcome(of check: ResponseCheck, failing error: CBORError) -> CheckOutcome<ResponseCheck> {
    guard check == ResponseCheck(error.code) else { return .notReached }
    let reason: ResponseCheck.Reason? =
      switch check {
      case .cbor: .init(reading: error.code)
      case .structure: .malformed
      default: nil
      }
    let message = CheckFinding(check, reason).message
    return .findings([
      .init(
        reason, "\(message): \(error.message)",
        .field("DeviceResponse", found: "\(error.code.rawValue) at byte \(error.offset)"),
        severity: .failure)
    ])
  }
}

extension ResponseCheck.Reason {
  /// The reason for CBOR that cannot be read.
  init(reading code: CBORError.Code) {
    switch code {
    case .duplicateKey: self = .duplicateKey
    case .trailingBytes: self = .trailingBytes
    default: self = .malformed
    }
  }
}

/// Versions of structures, such as "1.0".
enum VersionText {
  /// Returns true if a version is 1 with any minor number: a minor version may only add members.
  static func isOne(_ version: String) -> Bool {
    let digits = version.utf8.dropFirst(2)
    return version.utf8.starts(with: "1.".utf8) && !digits.isEmpty && digits.allSatisfy { $0.isDigit }
  }

  /// Describes a malformed version, or returns nil if only its major number is unsupported.
  static func problem(_ version: String, of structure: String) -> String? {
    let parts = version.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isVersion = parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isDigit } }
    return isVersion ? nil : "the version of the \(structure) does not have the form MAJOR.MINOR"
  }
}
