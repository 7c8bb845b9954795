import CBOR
import DevicePlatform
import DigitalCredentials
import IdentityDocumentServices
import MobileDocument
import Primitives
import WebPresentment

/// Who lives in a world and how they are set up. Everything in it is a value; ``World`` brings it to life.
public struct WorldDescription: Sendable {
  /// Issuing authorities.
  public var issuers: [Issuer] = []
  /// Reader authorities.
  public var readerAuthorities: [ReaderAuthority] = []
  /// Websites with their servers.
  public var websites: [Website] = []
  /// Devices with browser, operating system and apps.
  public var devices: [Device] = []
  /// Where what devices, apps and servers keep is written.
  public var storage = Storage.memory
  /// Whether the person takes a moment before each action. What was recorded has its pauses written down.
  public var takesTimeToThink = true

  /// Where what has to last is written.
  public enum Storage: Sendable, Equatable {
    /// In memory: it lasts as long as the world does.
    case memory
    /// In files of a folder that is made for one run and removed after it.
    case temporary
    /// In files of a folder at this path, which is made when it is not there; another run goes on from what it holds.
    case folder(String)
  }

  /// An empty world.
  public init() {}

  /// An authority that issues documents.
  public struct Issuer: Sendable {
    /// Its name in the world.
    public var identifier: String
    /// Its name towards people.
    public var name: String
    /// Country, two upper-case letters.
    public var country: String
    /// State, as `US-CA`.
    public var state: String?
    /// Which lists it publishes about the status of its documents; nil when they name none.
    public var publishesStatus: PublishedStatus?
    /// How it writes the entries into its documents.
    public var statusEncoding = StatusEncoding.standard

    /// Its host.
    package var host: String { "\(identifier).example" }
    /// Its site.
    package var contact: String { "https://\(host)" }

    /// An issuer from its parts.
    public init(identifier: String, name: String, country: String, state: String? = nil) {
      self.identifier = identifier
      self.name = name
      self.country = country
      self.state = state
    }
  }

  /// An authority that certifies websites.
  public struct ReaderAuthority: Sendable {
    /// Its name in the world.
    public var identifier: String
    /// Its name towards people.
    public var name: String
    /// For how many days its certificates are valid.
    public var certificateDays: Int
    /// Websites whose brand it has not approved.
    public var refuses: [String]
    /// Whether an intermediate stands between its root and the certificates that it issues.
    public var hasIntermediate: Bool

    /// An authority from its parts.
    public init(
      identifier: String, name: String, certificateDays: Int = 400, refuses: [String] = [],
      hasIntermediate: Bool = false
    ) {
      self.identifier = identifier
      self.name = name
      self.certificateDays = certificateDays
      self.refuses = refuses
      self.hasIntermediate = hasIntermediate
    }
  }

  /// Where a sandbox parses requests. The answers are the same bytes.
  public enum SandboxPlace: String, Sendable, CaseIterable {
    /// In the process that the world runs in.
    case inProcess = "in-process"
    /// In a confined process of its own.
    case process
  }

  /// A device that a person holds.
  public struct Device: Sendable {
    /// Its name in the world.
    public var identifier: String
    /// How its browser behaves.
    public var browserProfile: BrowserProfile
    /// How its selector reads authority key identifiers.
    public var authorityReading: Selection.AuthorityReading
    /// Where its sandbox parses requests.
    public var sandbox: SandboxPlace
    /// Whether its system knows document provider apps at all.
    public var supportsDocumentProviders: Bool
    /// Its document provider apps.
    public var apps: [App]

    /// A device from its parts.
    public init(
      identifier: String, browserProfile: BrowserProfile = .spec2026,
      authorityReading: Selection.AuthorityReading = .root, sandbox: SandboxPlace = .inProcess,
      supportsDocumentProviders: Bool = true,
      apps: [App] = []
    ) {
      self.identifier = identifier
      self.browserProfile = browserProfile
      self.authorityReading = authorityReading
      self.sandbox = sandbox
      self.supportsDocumentProviders = supportsDocumentProviders
      self.apps = apps
    }
  }

  /// A document provider app.
  public struct App: Sendable {
    /// How an app lets the person decide.
    public enum Style: String, Sendable, CaseIterable {
      /// The system's look: a consent sheet, answered with Face ID.
      case wallet
      /// A view of the app's own, with Accept and Decline.
      case custom
    }

    /// By which key an app names a reader authority in its registrations.
    public enum AuthorityKey: String, Sendable, CaseIterable {
      /// The root's subject key identifier.
      case root
      /// The subject key identifier of the certificate that issues: the intermediate's, or the root's where there is
      /// none.
      case intermediate
    }

    /// Its name, unique on the device.
    public var name: String
    /// How it lets the person decide.
    public var style: Style
    /// Reader authorities that it trusts; empty when it answers unsigned requests too.
    public var trustsReaders: [String]
    /// By which of their keys its registrations name those authorities. What it trusts are their roots either way.
    public var authorityKey = AuthorityKey.root
    /// Document types of its entitlement; nil for those of its documents.
    public var entitlement: [String]?
    /// Document types of its next version's entitlement; nil when there is no next version.
    public var nextEntitlement: [String]?
    /// Whether the person has allowed it to provide documents before the world begins.
    public var status: IdentityDocumentProviderRegistrationStore.Status
    /// Whether it is on the device from the beginning.
    public var isInstalled: Bool
    /// Its documents.
    public var documents: [Document]

    /// An app from its parts.
    public init(
      name: String, style: Style, trustsReaders: [String] = [], entitlement: [String]? = nil,
      status: IdentityDocumentProviderRegistrationStore.Status = .authorized, documents: [Document] = []
    ) {
      self.name = name
      self.style = style
      self.trustsReaders = trustsReaders
      self.entitlement = entitlement
      nextEntitlement = nil
      self.status = status
      isInstalled = true
      self.documents = documents
    }

    /// Document types that it may register.
    var entitledDocumentTypes: [String] { entitlement ?? documents.map(\.documentType).uniqued() }
  }

  /// A document in an app.
  public struct Document: Sendable {
    /// Its name in the app, which is also its registration's identifier.
    public var identifier: String
    /// `DocType`.
    public var documentType: String
    /// Name of its issuing authority in the world.
    public var issuer: String
    /// Its elements.
    public var nameSpaces: [DocumentDraft.NameSpace]
    /// For how many days it is valid.
    public var validDays: Int
    /// Whether the registration carries the document's end as its invalidation date.
    public var registersInvalidationDate: Bool
    /// Whether it was copied from another device, whose key did not come along.
    public var isCopy: Bool

    /// A document from its parts.
    public init(
      identifier: String, documentType: String, issuer: String, nameSpaces: [DocumentDraft.NameSpace],
      validDays: Int = 365, registersInvalidationDate: Bool = true, isCopy: Bool = false
    ) {
      self.identifier = identifier
      self.documentType = documentType
      self.issuer = issuer
      self.nameSpaces = nameSpaces
      self.validDays = validDays
      self.registersInvalidationDate = registersInvalidationDate
      self.isCopy = isCopy
    }
  }
}
