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
    /// Its name in the world.
    public var identifier: String
    /// Its origin.
    public var origin: Origin
    /// Its brand.
    public var brand: BrandIdentity
    /// Reader authorities for which it signs requests.
    public var signsFor: [String]
    /// Issuing authorities whose roots its server trusts.
    public var acceptsIssuers: [String]
    /// What it asks for.
    public var asks: [ItemsRequest]
    /// Use cases over ``asks``; empty for one that needs all of it.
    public var useCases: [DeviceRequestInfo.UseCase]
    /// Edition of the standard in which it writes requests.
    public var requestVersion: DeviceRequestDraft.Version
    /// For how many seconds a session takes an answer.
    public var sessionSeconds: Int64
    /// Protocol identifier in its calls.
    public var protocolIdentifier: String
    /// Which of the issuers that it accepts its requests name, so that only their documents are offered; none when the
    /// requests name nobody.
    public var namesIssuers: [String]
    /// Another website whose server it asks for requests, to pass them off as its own.
    public var replaysRequestsOf: String?
    /// Which findings refuse a response.
    public var policy: VerificationPolicy
    /// Frames in its page and pages around it, whose origins a wallet may take for its own.
    public var surroundings: TranscriptInputs.Surroundings
    /// What it does about the status of documents.
    public var revocation = RevocationPolicy.standard
    /// Where the script of its page runs.
    public var script = PageScript.own

    /// Where the script of a page runs.
    public enum PageScript: String, Sendable, CaseIterable {
      /// In the world.
      case own
      /// Outside the world, for example in a real browser.
      case external
    }

    /// Five minutes: longer than a person needs, shorter than a stolen request stays useful.
    public static let defaultSessionSeconds: Int64 = 300

    /// A website from its parts.
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
