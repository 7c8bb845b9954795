import Certificates
import Checks
import DigitalCredentials
import IdentityDocumentServices
import MobileDocument
import StatusLists
import WebPresentment

extension WorldDescription {
  /// A website with its verifier server.
  public struct Website: Sendable {
    /// The name in the world.
    public var identifier: String
    /// The origin.
    public var origin: Origin
    /// The brand.
    public var brand: BrandIdentity
    /// The reader authorities that its requests are signed for.
    public var signsFor: [String]
    /// The issuing authorities whose roots its server trusts.
    public var acceptsIssuers: [String]
    /// The requested items.
    public var asks: [ItemsRequest]
    /// Use cases over ``asks``; empty for one that needs all of them.
    public var useCases: [DeviceRequestInfo.UseCase]
    /// The edition of the standard for its requests.
    public var requestVersion: DeviceRequestDraft.Version
    /// The lifetime of a session in seconds.
    public var sessionSeconds: Int64
    /// The protocol identifier in its calls.
    public var protocolIdentifier: String
    /// The accepted issuers that its requests name, so that only their documents are offered; empty if the requests
    /// name none.
    public var namesIssuers: [String]
    /// Another website whose server's requests it uses as its own.
    public var replaysRequestsOf: String?
    /// The findings that refuse a response.
    public var policy: VerificationPolicy
    /// Frames in its page and pages around it, whose origins a wallet may confuse with its own.
    public var surroundings: TranscriptInputs.Surroundings
    /// The policy for the status of documents.
    public var revocation = RevocationPolicy.standard
    /// The place of its page's script.
    public var script = PageScript.own

    /// The place of a page's script.
    public enum PageScript: String, Sendable, CaseIterable {
      /// In the world.
      case own
      /// Outside the world, for example in a real browser.
      case external
    }

    /// Five minutes: longer than a person needs, and short enough to limit the use of a stolen request.
    public static let defaultSessionSeconds: Int64 = 300

    /// Creates a website.
    public init(identifier: String, origin: Origin, brand: BrandIdentity) {
      self.identifier = identifier
      self.origin = origin
      self.brand = brand
      signsFor = []
      acceptsIssuers = []
      asks = []
      useCases = []
      requestVersion = .second
      sessionSeconds = Self.defaultSessionSeconds
      protocolIdentifier = DigitalCredentialPresentationProtocol.mobileDocument.rawValue
      namesIssuers = []
      replaysRequestsOf = nil
      policy = .standard
      surroundings = TranscriptInputs.Surroundings()
    }
  }
}
