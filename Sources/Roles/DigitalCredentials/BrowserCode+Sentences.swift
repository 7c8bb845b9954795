extension BrowserCode {
  /// One sentence that says what happened.
  public var sentence: String {
    switch self {
    case .optionsTooLarge: "The options are larger than \(CredentialLimits.optionsBytes) bytes."
    case .malformedOptions: "The options are not one JSON text."
    case .missingMember: "A required member of the options is missing."
    case .wrongMemberType: "A member of the options has the wrong type."
    case .insecureContext: "navigator.credentials does not exist, because the page is no secure context."
    case .notFullyActive: "The document is not fully active."
    case .aborted: "The signal was aborted without a reason of its own."
    case .noCredentialType: "The options name no credential type that can be requested here."
    case .mixedCredentialTypes: "A digital credential may not be requested together with another credential type."
    case .conditionalMediation: "Digital credentials do not support conditional mediation."
    case .requestInProgress: "Another request for a digital credential is pending."
    case .policy: "The permissions policy does not grant digital-credentials-get to this document."
    case .opaqueOrigin: "A document of an opaque origin may not request a digital credential."
    case .notFocused: "The document has not the person's attention: its page must be visible and focused."
    case .noUserActivation: "The call needs a user activation, such as a tap, shortly before it."
    case .noRequests: "The list of requests is empty."
    case .unknownProtocol: "No request names a presentation protocol that exists."
    case .protocolNotAllowed: "No request names a presentation protocol that this browser allows."
    case .malformedData: "The data of a request has not the shape of its protocol."
    case .noValidRequests: "No request is left after validation."
    case .userCancelled: "The person closed the chooser without choosing."
    case .documentGone: "The document stopped being fully active while the request was pending."
    case .platformCancelled: "The platform reports that the request was cancelled."
    case .platformInvalidRequest: "The platform found the request invalid."
    case .platformRequestInProgress: "The platform is already serving a request."
    case .platformNotEntitled: "The platform does not entitle this browser to request documents."
    case .platformNothingCanAnswer: "Nothing on this platform can answer the request."
    case .platformNoAnswer: "The platform ended the request without an answer."
    case .platformUnknownError: "The platform failed for an unknown reason."
    case .responseTooLarge: "The response is larger than \(CredentialLimits.responseBytes) bytes."
    case .responseEmpty: "The response is empty."
    case .responseNotJSON: "The response is not JSON."
    case .responseNotObject: "The response is JSON, but no object."
    case .responseUnknownProtocol: "The response names a protocol that does not exist."
    }
  }

  /// The sentence with more behind it.
  func sentence(adding detail: String) -> String {
    "\(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence): \(detail)."
  }
}
