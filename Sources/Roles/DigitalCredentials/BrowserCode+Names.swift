extension BrowserCode {
  /// The name of the exception in the standard's text; a profile may name it otherwise.
  public var standardName: ExceptionName {
    switch self {
    case .optionsTooLarge, .malformedOptions, .missingMember, .wrongMemberType: .typeError
    // Outside a secure context `navigator.credentials` is undefined, and calling it is a TypeError of the script.
    case .insecureContext: .typeError
    case .notFullyActive: .invalidStateError
    case .aborted: .abortError
    case .noCredentialType, .mixedCredentialTypes: .notSupportedError
    case .conditionalMediation: .typeError
    case .requestInProgress, .policy, .notFocused, .noUserActivation: .notAllowedError
    case .opaqueOrigin: .securityError
    case .noRequests, .unknownProtocol, .protocolNotAllowed, .malformedData, .noValidRequests: .typeError
    case .userCancelled: .notAllowedError
    case .documentGone: .abortError
    case .platformCancelled, .platformNotEntitled, .platformNothingCanAnswer: .notAllowedError
    case .platformInvalidRequest: .typeError
    case .platformRequestInProgress: .invalidStateError
    case .platformNoAnswer, .platformUnknownError: .operationError
    case .responseTooLarge: .operationError
    case .responseEmpty, .responseNotJSON: .syntaxError
    case .responseNotObject, .responseUnknownProtocol: .typeError
    }
  }
}
