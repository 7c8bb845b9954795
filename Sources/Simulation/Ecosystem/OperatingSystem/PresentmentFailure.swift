import DevicePlatform
import DigitalCredentials
import SimulationKernel

extension PresentmentMachine.Failure {
  /// What the browser is told.
  var platformError: PlatformError {
    switch self {
    case .invalidRequest: .invalidRequest
    case .nobodyCanAnswer: .nothingCanAnswer
    case .requestInProgress: .requestInProgress
    case .cancelled: .cancelledByUser
    case .appFailed: .unknown
    }
  }

  /// The failure's code in the journal.
  var code: String {
    switch self {
    case .invalidRequest(let refusal): refusal.check.rawValue
    case .nobodyCanAnswer: JournalCode.osNobodyCanAnswer.rawValue
    case .requestInProgress: JournalCode.osRequestInProgress.rawValue
    case .cancelled: JournalCode.osCancelled.rawValue
    case .appFailed: JournalCode.osAppFailed.rawValue
    }
  }

  /// What went wrong, for a person to read.
  var sentence: String {
    switch self {
    case .invalidRequest(let refusal): refusal.sentence
    case .nobodyCanAnswer: "no app on the device may answer"
    case .requestInProgress: "another presentment is in progress"
    case .cancelled: "the person cancelled"
    case .appFailed(let reason): reason
    }
  }

  /// For the journal: why each app may not answer and what would make it appear, when nobody can.
  var details: [Decision.Detail] {
    guard case .nobodyCanAnswer(let selection) = self else { return [] }
    if selection.hidden.isEmpty { return [Decision.Detail("nobody", Self.noApps)] }
    return selection.hidden.flatMap { hidden in
      [
        Decision.Detail("hidden", "\(hidden.app): \(hidden.sentence) [\(hidden.reason.rawValue)]"),
        Decision.Detail("remedy", hidden.remedy),
      ]
    }
  }

  /// For whoever develops the page: the same as text, which becomes part of the exception's message.
  var developerDetail: String? {
    guard case .nobodyCanAnswer(let selection) = self else { return nil }
    if selection.hidden.isEmpty { return Self.noApps }
    return selection.hidden.map { hidden in
      "\(hidden.app): \(hidden.sentence) (\(hidden.reason.rawValue)), it would appear: \(hidden.remedy)"
    }.joined(separator: "; ")
  }

  private static let noApps = "no app on the device provides documents"
}
