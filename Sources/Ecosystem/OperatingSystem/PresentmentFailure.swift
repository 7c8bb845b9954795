import DigitalCredentials
import IdentityDocumentServices

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
}
