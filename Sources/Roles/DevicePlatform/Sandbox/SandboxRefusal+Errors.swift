import Checks
import MobileDocument
import WebPresentment

extension CheckFailure<SandboxCheck> {
  init(_ excess: LimitExceeded) {
    self.init(.limits, .limit(excess.limit), excess.message, evidence: excess.evidence)
  }

  init(_ error: ExchangeError) {
    if let excess = error.excess {
      self.init(excess)
      return
    }
    switch error.code {
    case .requestData, .encryptedResponse: self.init(.requestData, nil, error.message)
    case .encryptionInfo, .nonce: self.init(.encryptionInfo, nil, error.message)
    }
  }

  /// - Parameter origin: for which signatures were checked; evidence when one does not verify.
  init(_ error: DeviceRequestError, origin: String) {
    if let excess = error.excess {
      self.init(excess)
      return
    }
    switch error.code {
    case .malformed, .limit: self.init(.deviceRequest, nil, error.message, evidence: error.evidence)
    case .version: self.init(.version, nil, error.message, evidence: error.evidence)
    case .readerCertificate: self.init(.readerCertificate, nil, error.message, evidence: error.evidence)
    case .readerSignature:
      self.init(
        .readerSignature, nil, error.message,
        evidence: error.evidence + [CheckResult.Evidence("origin", found: origin)])
    }
  }
}
