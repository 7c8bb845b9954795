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
  public var sentence: String {
    switch self {
    case .requestData: "the request is not a JSON object with the base64url texts deviceRequest and encryptionInfo"
    case .encryptionInfo: "the encryption information is malformed"
    case .origin: "there is no origin to bind the request to"
    case .deviceRequest: "the device request is malformed"
    case .version: "the device request has an unknown major version"
    case .readerSignature: "a reader signature does not verify: the request was altered, or is for another origin"
    case .readerCertificate: "a reader signature has no certificate that can be read"
    case .tooLarge: RequestLimit.data.sentence
    case .encryptionInfoTooLarge: RequestLimit.encryptionInfo.sentence
    case .deviceRequestTooLarge: RequestLimit.deviceRequest.sentence
    case .tooDeep: RequestLimit.depth.sentence
    case .tooManyItems: RequestLimit.items.sentence
    case .tooManyDocuments: RequestLimit.documents.sentence
    case .tooManyReaderSignatures: RequestLimit.readerSignatures.sentence
    case .chainTooLong: RequestLimit.chainLength.sentence
    case .certificateTooLarge: RequestLimit.certificate.sentence
    case .tooManyNameSpaces: RequestLimit.nameSpaces.sentence
    case .tooManyElements: RequestLimit.elements.sentence
    case .nameTooLong: RequestLimit.name.sentence
    case .tooManyIssuers: RequestLimit.issuers.sentence
    case .issuerTooLong: RequestLimit.issuer.sentence
    case .tooManyUseCases: RequestLimit.useCases.sentence
    case .tooManyDocumentSets: RequestLimit.documentSets.sentence
    case .tooManyDocumentSetMembers: RequestLimit.documentSetMembers.sentence
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
  public let sentence: String
  /// What to look at.
  public let evidence: [CheckResult.Evidence]

  /// A refusal from its parts.
  public init(_ check: SandboxCheck, _ sentence: String? = nil, evidence: [CheckResult.Evidence] = []) {
    self.check = check
    self.sentence = sentence ?? check.sentence
    self.evidence = evidence
  }
}
