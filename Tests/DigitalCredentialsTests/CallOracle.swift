import Checks
import DigitalCredentials

/// A second implementation of the rules for a call: one list of conditions in the order of the standard's algorithms,
/// without the machine's checks.
struct CallOracle {
  let profile: BrowserProfile
  let pendingDocument: DocumentID?

  struct Outcome {
    var code: BrowserFinding?
    var consumes: Bool
  }

  func outcome(of reading: CredentialRequestOptions.Reading, in context: CallingContext) -> Outcome {
    if !context.isSecureContext { return kept(BrowserFinding(.secureContext)) }
    guard case .success(let options) = reading else {
      if case .failure(let exception) = reading { return kept(exception.code) }
      return kept(nil)
    }
    if !context.isFullyActive { return kept(BrowserFinding(.fullyActive, .inactive)) }
    if context.signalAborted != nil { return kept(BrowserFinding(.signal)) }
    guard let requests = options.digital?.requests else { return kept(BrowserFinding(.credentialType, .missing)) }
    if !options.others.isEmpty { return kept(BrowserFinding(.credentialType, .mixed)) }
    let isWebKit = profile.name.hasPrefix("safari")
    if isWebKit, options.mediation == .conditional { return kept(BrowserFinding(.mediation)) }
    let sent = profile.name == "chromium-2026" ? context.origin : context.topLevelOrigin
    let isOpaque = context.origin.isOpaque || sent.isOpaque
    let list = listCode(requests)
    if isWebKit {
      if isOpaque { return kept(BrowserFinding(.origin)) }
      if !context.isAllowedByPolicy { return kept(BrowserFinding(.policy)) }
      if !context.canPresent { return kept(nil) }
      let hasFocus = profile.name == "safari-26.0" ? context.hasFocus : context.hasUserAttention
      if !hasFocus { return kept(BrowserFinding(.attention)) }
      if let list { return kept(list) }
      if !context.hasTransientActivation { return kept(BrowserFinding(.userActivation)) }
    } else {
      if pendingDocument == context.document { return kept(BrowserFinding(.singleCall)) }
      if !context.isAllowedByPolicy { return kept(BrowserFinding(.policy)) }
      if !context.canPresent { return kept(nil) }
      if let list { return kept(list) }
      if isOpaque { return kept(BrowserFinding(.origin)) }
      if profile.name != "chromium-2026", !context.hasUserAttention { return kept(BrowserFinding(.attention)) }
      if !context.hasTransientActivation { return kept(BrowserFinding(.userActivation)) }
    }
    let code = codeAfterActivation(requests)
    let isHidden = profile.name == "chromium-2026" && !context.isVisible
    return Outcome(code: code ?? (isHidden ? BrowserFinding(.attention) : nil), consumes: true)
  }

  private func codeAfterActivation(_ requests: [DigitalCredentialGetRequest]) -> BrowserFinding? {
    let mdoc = requests.filter { $0.protocol == "org-iso-mdoc" }
    let isIncomplete = mdoc.contains { $0.data == Array("{}".utf8) }
    let good = mdoc.filter { $0 == Fixtures.short }
    switch profile.name {
    case "spec-2026-08":
      if pendingDocument != nil { return BrowserFinding(.singleCall) }
      return good == mdoc ? nil : BrowserFinding(.requestData)
    case "safari-26.0", "safari-main-2026":
      if isIncomplete { return BrowserFinding(.requestData) }
      if pendingDocument != nil { return BrowserFinding(.singleCall) }
      return good.isEmpty && profile.name == "safari-main-2026" ? BrowserFinding(.requests, .noneValid) : nil
    default: return pendingDocument != nil ? BrowserFinding(.singleCall) : nil
    }
  }

  private func listCode(_ requests: [DigitalCredentialGetRequest]) -> BrowserFinding? {
    if requests.isEmpty { return BrowserFinding(.requests, .empty) }
    if requests.contains(where: { profile.userAgentAllowsProtocol($0.protocol) }) { return nil }
    return requests.contains { $0.protocol.hasPrefix("openid4vp") }
      ? BrowserFinding(.protocol, .notAllowed) : BrowserFinding(.protocol, .unknown)
  }

  private func kept(_ code: BrowserFinding?) -> Outcome { Outcome(code: code, consumes: false) }
}
