import Checks
import MobileDocument

/// Why the sandbox refused a request.
public enum SandboxCheck: String, CheckCode {
  case requestData = "sandbox.request-data"
  case encryptionInfo = "sandbox.encryption-info"
  case origin = "sandbox.origin"
  case deviceRequest = "sandbox.device-request"
  case version = "sandbox.version"
  case readerSignature = "sandbox.reader-signature"
  case readerCertificate = "sandbox.reader-certificate"
  case workerMissing = "sandbox.worker/missing"
  case workerDied = "sandbox.worker/died"
  case workerForbidden = "sandbox.worker/forbidden"
  case workerTime = "sandbox.worker/time"
  case workerMemory = "sandbox.worker/memory"
  case workerGarbage = "sandbox.worker/garbage"

  // One for each bound of a request.
  case tooLarge = "sandbox.limits/too-large"
  case encryptionInfoTooLarge = "sandbox.limits/encryption-info-too-large"
  case deviceRequestTooLarge = "sandbox.limits/device-request-too-large"
  case tooDeep = "sandbox.limits/too-deep"
  case tooManyItems = "sandbox.limits/too-many-items"
  case tooManyDocuments = "sandbox.limits/too-many-documents"
  case tooManyReaderSignatures = "sandbox.limits/too-many-reader-signatures"
  case chainTooLong = "sandbox.limits/chain-too-long"
  case certificateTooLarge = "sandbox.limits/certificate-too-large"
  case tooManyNameSpaces = "sandbox.limits/too-many-name-spaces"
  case tooManyElements = "sandbox.limits/too-many-elements"
  case nameTooLong = "sandbox.limits/name-too-long"
  case tooManyIssuers = "sandbox.limits/too-many-issuers"
  case issuerTooLong = "sandbox.limits/issuer-too-long"
  case tooManyUseCases = "sandbox.limits/too-many-use-cases"
  case tooManyDocumentSets = "sandbox.limits/too-many-document-sets"
  case tooManyDocumentSetMembers = "sandbox.limits/too-many-document-set-members"

  /// What it means when this fails, for a person to read.
  public var message: String {
    switch self {
    case .requestData: "the request is not a JSON object with the base64url texts deviceRequest and encryptionInfo"
    case .encryptionInfo: "the encryption information is malformed"
    case .origin: "there is no origin to bind the request to"
    case .deviceRequest: "the device request is malformed"
    case .version: "the device request has an unknown major version"
    case .readerSignature: "a reader signature does not verify: the request was altered, or is for another origin"
    case .readerCertificate: "a reader signature has no certificate that can be read"
    case .tooLarge: RequestLimit.data.message
    case .encryptionInfoTooLarge: RequestLimit.encryptionInfo.message
    case .deviceRequestTooLarge: RequestLimit.deviceRequest.message
    case .tooDeep: RequestLimit.depth.message
    case .tooManyItems: RequestLimit.items.message
    case .tooManyDocuments: RequestLimit.documents.message
    case .tooManyReaderSignatures: RequestLimit.readerSignatures.message
    case .chainTooLong: RequestLimit.chainLength.message
    case .certificateTooLarge: RequestLimit.certificate.message
    case .tooManyNameSpaces: RequestLimit.nameSpaces.message
    case .tooManyElements: RequestLimit.elements.message
    case .nameTooLong: RequestLimit.name.message
    case .tooManyIssuers: RequestLimit.issuers.message
    case .issuerTooLong: RequestLimit.issuer.message
    case .tooManyUseCases: RequestLimit.useCases.message
    case .tooManyDocumentSets: RequestLimit.documentSets.message
    case .tooManyDocumentSetMembers: RequestLimit.documentSetMembers.message
    case .workerMissing: "the sandbox's process cannot be started"
    case .workerDied: "the sandbox's process ended without an answer"
    case .workerForbidden: "the sandbox's process was ended: it tried to do what it may not"
    case .workerTime: "the sandbox's process was ended: it took too long"
    case .workerMemory: "the sandbox's process was ended: it used up its memory"
    case .workerGarbage: "the sandbox's process answered something unreadable"
    }
  }

  /// Whether it says something about the sandbox's process, which only the system can know, and not about a request.
  public var isOfWorker: Bool {
    switch self {
    case .workerMissing, .workerDied, .workerForbidden, .workerTime, .workerMemory, .workerGarbage: true
    default: false
    }
  }
}

/// A refusal of the sandbox.
public struct SandboxRefusal: Error, Sendable, Equatable {
  /// The rule that was broken.
  public let check: SandboxCheck
  /// What is wrong, for a person to read.
  public let message: String
  /// What to look at.
  public let evidence: [CheckResult.Evidence]

  /// A refusal from its parts.
  public init(_ check: SandboxCheck, _ message: String? = nil, evidence: [CheckResult.Evidence] = []) {
    self.check = check
    self.message = message ?? check.message
    self.evidence = evidence
  }
}
