import DevicePlatform
import DigitalCredentials
import Messaging

extension PresentmentMachine.Failure {
  /// The error for the browser.
  var platformFailure: PlatformFailure {
    switch self {
    case .invalidRequest: .invalidRequest
    case .noApp, .unsupportedProtocol: .nothingCanAnswer
    case .requestInProgress: .requestInProgress
    case .cancelled: .cancelledByUser
    case .appFailed: .unknown
    }
  }

  /// The failure's code in the journal.
  var code: String {
    switch self {
    case .invalidRequest(let refusal): refusal.name
    case .noApp, .unsupportedProtocol: NoteCode.osNobodyCanAnswer.rawValue
    case .requestInProgress: NoteCode.osRequestInProgress.rawValue
    case .cancelled: NoteCode.osCancelled.rawValue
    case .appFailed: NoteCode.osAppFailed.rawValue
    }
  }

  /// A human-readable description of the failure.
  var message: String {
    switch self {
    case .invalidRequest(let refusal): refusal.message
    case .noApp, .unsupportedProtocol: "no app on the device may answer"
    case .requestInProgress: "another presentment is in progress"
    case .cancelled: "the person cancelled"
    case .appFailed(let reason): reason
    }
  }

  /// The facts for the journal: for each hidden app the reason and the remedy, if no app can answer.
  var facts: [Note.Fact] {
    if case .unsupportedProtocol(let name) = self { return [Note.Fact("nobody", Self.unsupported(name))] }
    guard case .noApp(let selection) = self else { return [] }
    if selection.hidden.isEmpty { return [Note.Fact("nobody", Self.noApps)] }
    return selection.hidden.flatMap { hidden in
      [
        Note.Fact("hidden", "\(hidden.app): \(hidden.message) [\(hidden.finding.name)]"),
        Note.Fact("remedy", hidden.remedy),
      ]
    }
  }

  /// The same as text for the developers of the page. It becomes part of the exception's message.
  var developerDetail: String? {
    if case .unsupportedProtocol(let name) = self { return Self.unsupported(name) }
    guard case .noApp(let selection) = self else { return nil }
    if selection.hidden.isEmpty { return Self.noApps }
    return selection.hidden.map { hidden in
      "\(hidden.app): \(hidden.message) (\(hidden.finding.name)), it would appear: \(hidden.remedy)"
    }.joined(separator: "; ")
  }

  private static func unsupported(_ name: String) -> String { "no app can be asked in the protocol \(name)" }

  private static let noApps = "no app on the device provides documents"
}
