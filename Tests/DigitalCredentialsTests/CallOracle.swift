import DigitalCredentials

/// A second implementation of the rules for a call: one list of conditions in the order of the standard's algorithms,
/// without the machine's checks.
struct CallOracle {
  let profile: BrowserProfile
  let pendingDocument: DocumentID?

  struct Outcome {
    var code: BrowserCode?
    var consumes: Bool
  }

  func outcome(of reading: CredentialRequestOptions.Reading, in context: CallingContext) -> Outcome {
    if !context.isSecureContext { return kept(.insecureContext) }
    guard case .success(let options) = reading else {
      if case .failure(let exception) = reading { return kept(BrowserCode(rawValue: exception.code)) }
      return kept(nil)
    }
    if !context.isFullyActive { return kept(.notFullyActive) }
    if context.signalAborted != nil { return kept(.aborted) }
    guard let requests = options.digital?.requests else { return kept(.noCredentialType) }
    if !options.others.isEmpty { return kept(.mixedCredentialTypes) }
    let isWebKit = profile.name.hasPrefix("safari")
    if isWebKit, options.mediation == .conditional { return kept(.conditionalMediation) }
    let sent = profile.name == "chromium-2026" ? context.origin : context.topLevelOrigin
    let isOpaque = context.origin.isOpaque || sent.isOpaque
    let list = listCode(requests)
    if isWebKit {
      if isOpaque { return kept(.opaqueOrigin) }
      if !context.isAllowedByPolicy { return kept(.policy) }
      if !context.canPresent { return kept(nil) }
      if !context.hasUserAttention { return kept(.notFocused) }
      if let list { return kept(list) }
      if !context.hasTransientActivation { return kept(.noUserActivation) }
    } else {
      if pendingDocument == context.document { return kept(.requestInProgress) }
      if !context.isAllowedByPolicy { return kept(.policy) }
      if !context.canPresent { return kept(nil) }
      if let list { return kept(list) }
      if isOpaque { return kept(.opaqueOrigin) }
      if !context.hasUserAttention { return kept(.notFocused) }
      if !context.hasTransientActivation { return kept(.noUserActivation) }
    }
    return Outcome(code: codeAfterActivation(requests), consumes: true)
  }

  private func codeAfterActivation(_ requests: [DigitalCredentialGetRequest]) -> BrowserCode? {
    let mdoc = requests.filter { $0.protocol == "org-iso-mdoc" }
    let isIncomplete = mdoc.contains { $0.data == Array("{}".utf8) }
    let good = mdoc.filter { $0 == Fixtures.short }
    switch profile.name {
    case "spec-2026-08":
      if pendingDocument != nil { return .requestInProgress }
      return good == mdoc ? nil : .malformedData
    case "safari-26.0", "safari-main-2026":
      if isIncomplete { return .malformedData }
      if pendingDocument != nil { return .requestInProgress }
      return good.isEmpty && profile.name == "safari-main-2026" ? .noValidRequests : nil
    default: return pendingDocument != nil ? .requestInProgress : nil
    }
  }

  private func listCode(_ requests: [DigitalCredentialGetRequest]) -> BrowserCode? {
    if requests.isEmpty { return .noRequests }
    if requests.contains(where: { profile.userAgentAllowsProtocol($0.protocol) }) { return nil }
    return requests.contains { $0.protocol.hasPrefix("openid4vp") } ? .protocolNotAllowed : .unknownProtocol
  }

  private func kept(_ code: BrowserCode?) -> Outcome { Outcome(code: code, consumes: false) }
}
