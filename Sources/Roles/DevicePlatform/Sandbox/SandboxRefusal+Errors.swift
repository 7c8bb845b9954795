import Checks
import MobileDocument
import WebPresentment

extension SandboxCheck {
  /// The code for a bound that was exceeded.
  public init(exceeding bound: RequestLimit) {
    self =
      switch bound {
      case .data: .tooLarge
      case .encryptionInfo: .encryptionInfoTooLarge
      case .deviceRequest: .deviceRequestTooLarge
      case .depth: .tooDeep
      case .items: .tooManyItems
      case .documents: .tooManyDocuments
      case .readerSignatures: .tooManyReaderSignatures
      case .chainLength: .chainTooLong
      case .certificate: .certificateTooLarge
      case .nameSpaces: .tooManyNameSpaces
      case .elements: .tooManyElements
      case .name: .nameTooLong
      case .issuers: .tooManyIssuers
      case .issuer: .issuerTooLong
      case .useCases: .tooManyUseCases
      case .documentSets: .tooManyDocumentSets
      case .documentSetMembers: .tooManyDocumentSetMembers
      }
  }
}

extension SandboxRefusal {
  init(_ excess: LimitExceeded) {
    self.init(SandboxCheck(exceeding: excess.limit), excess.message, evidence: excess.evidence)
  }

  init(_ error: ExchangeError) {
    if let excess = error.excess {
      self.init(excess)
      return
    }
    switch error.code {
    case .requestData, .encryptedResponse: self.init(.requestData, error.message)
    case .encryptionInfo, .nonce: self.init(.encryptionInfo, error.message)
    }
  }

  /// - Parameter origin: for which signatures were checked; evidence when one does not verify.
  init(_ error: DeviceRequestError, origin: String) {
    if let excess = error.excess {
      self.init(excess)
      return
    }
    switch error.code {
    case .malformed, .limit: self.init(.deviceRequest, error.message, evidence: error.evidence)
    case .version: self.init(.version, error.message, evidence: error.evidence)
    case .readerCertificate: self.init(.readerCertificate, error.message, evidence: error.evidence)
    case .readerSignature:
      self.init(
        .readerSignature, error.message,
        evidence: error.evidence + [CheckResult.Evidence("origin", found: origin)])
    }
  }
}
