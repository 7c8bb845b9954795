import Checks
import MobileDocument
import OpenID4VP

/// The checks of the sandbox. It stops at the first that fails.
public enum SandboxCheck: CheckFamily {
  case limits, origin, requestData, deviceRequest, version, readerCertificate, readerSignature, encryptionInfo
  case presentationRequest, worker

  /// A reason: an exceeded limit, or the end of the sandbox's process.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The name of the reason.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The reason of an exceeded limit.
    public static func limit(_ limit: RequestLimit) -> Reason { Reason(rawValue: limit.rawValue) }

    /// The reason of a request in OpenID4VP that a check refuses: the check, without the words that all of them begin
    /// with, and its reason.
    public static func presentationRequest(_ finding: CheckFinding<PresentationRequestCheck>) -> Reason {
      let name = finding.name.dropFirst("openid4vp.request.".count)
      return Reason(rawValue: name.split(separator: "/").joined(separator: "-"))
    }

    /// The process cannot be started.
    public static let missing = Reason(rawValue: "missing")
    /// The process ended without an answer.
    public static let died = Reason(rawValue: "died")
    /// The process made a system call that is forbidden to it.
    public static let forbidden = Reason(rawValue: "forbidden")
    /// The process took too long.
    public static let time = Reason(rawValue: "time")
    /// The process used up its memory.
    public static let memory = Reason(rawValue: "memory")
    /// The process gave an unreadable answer.
    public static let garbage = Reason(rawValue: "garbage")
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .limits:
      CheckDefinition(
        "sandbox.limits", "the request is within the limits", clause: "own limits",
        RequestLimit.allCases.map { .failure(Reason.limit($0), $0.message) })
    case .origin:
      CheckDefinition(
        "sandbox.origin", "the request has an origin to which a response can be bound",
        "the request has no origin to which a response can be bound", clause: "ISO/IEC 18013-7, C.5")
    case .requestData:
      CheckDefinition(
        "sandbox.request-data",
        "the request is a JSON object with the base64url texts deviceRequest and encryptionInfo",
        "the request is not a JSON object with the base64url texts deviceRequest and encryptionInfo",
        clause: "ISO/IEC 18013-7, C.2")
    case .deviceRequest:
      CheckDefinition(
        "sandbox.device-request", "the device request is well-formed", "the device request is malformed",
        clause: "ISO/IEC 18013-5, 8.3.2.1.2.1")
    case .version:
      CheckDefinition(
        "sandbox.version", "the version of the device request is supported",
        "the device request has an unknown major version", clause: "ISO/IEC 18013-5, 8.3.2.1.2.1")
    case .readerCertificate:
      CheckDefinition(
        "sandbox.reader-certificate", "every reader signature has a readable certificate",
        "a reader signature has no readable certificate", clause: "ISO/IEC 18013-5, 9.1.4.4")
    case .readerSignature:
      CheckDefinition(
        "sandbox.reader-signature", "every reader signature verifies over this request and this origin",
        "a reader signature does not verify: the request was altered, or is for another origin",
        clause: "ISO/IEC 18013-5, 9.1.4.5")
    case .encryptionInfo:
      CheckDefinition(
        "sandbox.encryption-info", "the encryption information is well-formed",
        "the encryption information is malformed", clause: "ISO/IEC 18013-7, C.2")
    case .presentationRequest:
      CheckDefinition(
        "sandbox.presentation-request", "the request in OpenID4VP is well-formed and its signatures verify",
        clause: "OpenID4VP, 5, 5.9 and A",
        CheckFinding<PresentationRequestCheck>.all.map { .failure(Reason.presentationRequest($0), $0.message) })
    case .worker:
      CheckDefinition(
        "sandbox.worker", "the sandbox's process answers the call", clause: "own rule",
        [
          .failure(Reason.missing, "the sandbox's process cannot be started"),
          .failure(Reason.died, "the sandbox's process ended without an answer"),
          .failure(Reason.forbidden, "the sandbox's process was ended: it made a forbidden system call"),
          .failure(Reason.time, "the sandbox's process was ended: it took too long"),
          .failure(Reason.memory, "the sandbox's process was ended: it used up its memory"),
          .failure(Reason.garbage, "the sandbox's process gave an unreadable answer"),
        ])
    }
  }
}

/// A failed check of the sandbox, with its reason.
public typealias SandboxFinding = CheckFinding<SandboxCheck>

/// A refusal of the sandbox.
public typealias SandboxRefusal = CheckFailure<SandboxCheck>

extension CheckRun<SandboxCheck> {
  /// The checks of a request by the sandbox, in the order of the declarations.
  ///
  /// Limits, encoding and signatures are checked part by part. So a check is listed as passed only if all of its parts
  /// were made before the refusal. The check of the process is listed only if it fails: a request has the same results
  /// in each kind of sandbox.
  /// - Parameters:
  ///   - refusal: The failure at which the sandbox stopped; nil if it parsed the request.
  ///   - isInPerson: True for a request of a reader near the device.
  ///   - isOpenID4VP: True for a request in OpenID4VP, which has one check of its own in place of those of mobile documents.
  package init(ofSandbox refusal: SandboxRefusal?, isInPerson: Bool = false, isOpenID4VP: Bool = false) {
    let passed = refusal?.checksBefore
    let plan = Set(SandboxCheck.made(ofOpenID4VP: isOpenID4VP))
    self.init(SandboxCheck.allCases.filter { $0 == refusal?.check || plan.contains($0) }) { check in
      if let refusal, refusal.check == check { return .found(refusal.reason, refusal.message, refusal.evidence) }
      guard passed?.contains(check) ?? true else { return .notReached }
      if isInPerson, SandboxCheck.ofWebsites.contains(check) { return .notApplicable("a reader asks in person") }
      return .passed
    }
  }
}

extension SandboxCheck {
  /// The checks of what only a website's request has.
  fileprivate static let ofWebsites: Set<SandboxCheck> = [.origin, .requestData, .encryptionInfo]
  /// The checks of a request, in their order. That of the process is made only when it fails.
  package static func made(ofOpenID4VP isOpenID4VP: Bool = false) -> [SandboxCheck] {
    let others = isOpenID4VP ? ofMobileDocuments : [.presentationRequest]
    return allCases.filter { $0 != .worker && !others.contains($0) }
  }

  /// The checks of a request for mobile documents.
  fileprivate static let ofMobileDocuments: Set<SandboxCheck> = [
    .requestData, .deviceRequest, .version, .readerCertificate, .readerSignature, .encryptionInfo,
  ]
}

extension SandboxRefusal {
  /// The checks of which every part was made before the refusal.
  fileprivate var checksBefore: Set<SandboxCheck> {
    switch check {
    case .origin, .worker: []
    case .limits:
      switch reason.flatMap({ RequestLimit(rawValue: $0.rawValue) }) {
      case .data, nil: []
      case .encryptionInfo, .deviceRequest: [.origin]
      default: [.origin, .requestData]
      }
    case .requestData, .presentationRequest: [.origin]
    case .deviceRequest, .version: [.origin, .requestData]
    case .readerCertificate, .readerSignature: [.origin, .requestData, .version]
    case .encryptionInfo:
      [.limits, .origin, .requestData, .deviceRequest, .version, .readerCertificate, .readerSignature]
    }
  }
}
