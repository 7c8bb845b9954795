import CBOR
import Certificates
import Checks
import DevicePlatform
import DigitalCredentials
import IdentityDocumentServices
import MobileDocument
import OwnServers
import OwnWallets
import Primitives
import ReaderOnboarding
import Recordings
import RelyingParty
import SimulationKernel
import StatusLists
import TranscriptDiagnosis

/// The parties of a world and their configuration, as a value that ``World`` runs.
public struct WorldDescription: Sendable {
  /// Issuing authorities.
  public var issuers: [Issuer] = []
  /// Reader authorities.
  public var readerAuthorities: [ReaderAuthority] = []
  /// Operators of lists of issuing authorities.
  public var listOperators: [ListOperator] = []
  /// Websites with their servers.
  public var websites: [Website] = []
  /// Devices with browser, operating system and apps.
  public var devices: [Device] = []
  /// Bluetooth between the devices.
  public var bluetooth = Bluetooth()
  /// The limits of tunnel services, where they are not the usual ones.
  public var tunnelServices: [TunnelServiceLimits] = []
  /// Readers at counters.
  public var terminals: [Terminal] = []
  /// Apps that request documents in Wallet.
  public var requestingApps: [RequestingApp] = []
  /// The place of the persistent state of devices, apps and servers.
  public var storage = Storage.memory
  /// True if the person takes time before each action. Recordings contain their pauses as steps.
  public var takesTimeToThink = true

  /// The place of a world's persistent state.
  public enum Storage: Sendable, Equatable {
    /// In memory, for the lifetime of the world.
    case memory
    /// In files of a folder that is created for one run and removed after it.
    case temporary
    /// In files of a folder at this path, which is created if it is missing; another run continues from its files.
    case folder(String)
  }

  /// An empty world.
  public init() {}

  /// An authority that issues documents.
  public struct Issuer: Sendable {
    /// The name in the world.
    public var identifier: String
    /// The displayed name.
    public var name: String
    /// Country, two upper-case letters.
    public var country: String
    /// State, for example `US-CA`.
    public var state: String?
    /// True if it is the issuing authority of a test programme.
    public var isOfTestProgramme = false
    /// The lists about the status of its documents; nil if the documents name none.
    public var publishesStatus: PublishedStatus?
    /// Its root, if it issues outside the world: the world has its documents, and none of its keys.
    public var outsideRoot: OutsideRoot?

    /// The country in its certificates.
    package var certifiedCountry: String { isOfTestProgramme ? TestMark.country : country }
    /// The state in its certificates. Utopia has none.
    package var certifiedState: String? { isOfTestProgramme ? nil : state }
    /// The host.
    package var host: String { "\(identifier).example" }
    /// The website.
    package var contact: String { "https://\(host)" }

    /// Creates an issuer.
    public init(identifier: String, name: String, country: String, state: String? = nil) {
      self.identifier = identifier
      self.name = name
      self.country = country
      self.state = state
    }
  }

  /// A file that a world's file names.
  public struct NamedFile: Sendable {
    /// The name, as it is written there.
    public let name: String
    /// The path.
    public let path: String

    /// Creates the name of a file.
    public init(name: String, path: String) {
      self.name = name
      self.path = path
    }
  }

  /// The recorded answers of a server or a wallet outside the world, from a file.
  public struct NamedRecording: Sendable {
    /// The file.
    public let file: NamedFile
    /// The answers.
    public let recording: Recording

    /// Creates a recording.
    public init(file: NamedFile, recording: Recording) {
      self.file = file
      self.recording = recording
    }
  }

  /// The root certificate of an authority outside the world, from a file.
  public struct OutsideRoot: Sendable {
    /// The file.
    public let file: NamedFile
    /// The certificate in DER.
    public let certificate: [UInt8]

    /// Creates a root.
    public init(file: NamedFile, certificate: [UInt8]) {
      self.file = file
      self.certificate = certificate
    }
  }

  /// An authority that certifies websites.
  public struct ReaderAuthority: Sendable {
    /// The name in the world.
    public var identifier: String
    /// The displayed name.
    public var name: String
    /// The validity of its certificates in days.
    public var certificateDays: Int
    /// Websites whose brand it has not approved.
    public var refuses: [String]
    /// True if its root certifies an intermediate, which issues the reader certificates.
    public var hasIntermediate: Bool
    /// Its requirements for websites; nil if every application was settled before the world begins.
    public var onboarding: OnboardingRequirements?
    /// The numbers of websites in the regulator's register, by the website's name in the world.
    public var register: [String: String] = [:]
    /// True if it publishes a list of revoked certificates, which its certificates name.
    public var publishesRevocations = false
    /// True if it is the reader authority of a test programme.
    public var isOfTestProgramme = false
    /// Its root, if it certifies readers outside the world: apps can trust it, and it certifies nobody in the world.
    public var outsideRoot: OutsideRoot?
    /// The country in its certificates, which name none otherwise.
    package var certifiedCountry: String? { isOfTestProgramme ? TestMark.country : nil }

    /// The host.
    package var host: String { "\(identifier).example" }

    /// Creates a reader authority.
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

  /// The place where a sandbox parses requests. The answers are the same bytes.
  public enum SandboxPlace: String, Sendable, CaseIterable {
    /// In a confined process of its own.
    case process
    /// In the process that the world runs in.
    case inProcess = "in-process"
  }

  /// A notice for the reader of a run if requests are parsed without confinement; nil if all are confined.
  public var sandboxNotice: String? {
    let open = devices.filter { $0.sandbox == .inProcess }.map(\.identifier)
    guard !open.isEmpty else { return nil }
    return "requests are parsed in this process, not in a confined one: on \(open.joined(separator: ", "))"
  }

  /// A person's device.
  public struct Device: Sendable {
    /// The kinds of devices. They differ in what they can do; the request, the documents and the person decide who answers.
    public enum Kind: String, Sendable, CaseIterable {
      case iPhone = "iphone"
      case iPad = "ipad"
      case mac
      case desktop

      /// True for a device that scans QR codes and answers browsers on other devices.
      public var answersOthers: Bool { self == .iPhone || self == .iPad }

      /// True for a device that shows the notification of a nearby device of its account, in the model: an iPhone.
      public var answersNearby: Bool { self == .iPhone }

      /// True for a device with an operating system for document provider apps. On any other desktop the browser itself asks
      /// another device.
      public var hasProviderApps: Bool { self != .desktop }
    }

    /// The name in the world.
    public var identifier: String
    /// The kind.
    public var kind = Kind.iPhone
    /// The language of its screens.
    public var language = Language.english
    /// The name of its place.
    public var place = Bluetooth.here
    /// The state of its Bluetooth.
    public var bluetooth = BluetoothState.on
    /// The number of the tunnel service that it uses for a browser on another device; 1 is Apple's.
    public var tunnelService = 1
    /// The way in which it ends a session with such a browser when the person declines.
    public var cancelStyle = CancelStyle.message
    /// Its mode of Bluetooth for readers near it.
    public var inPersonMode = InPersonMode.centralClient
    /// Its kind of handover when it is held to a terminal.
    public var nfcHandover = NFCHandover.negotiated
    /// Its carrier after a handover.
    public var inPersonTransfer = InPersonTransfer.bluetooth
    /// The name of its account, in the model of a nearby iPhone; nil without one.
    public var account: String?
    /// True if the person has unlocked it since it was switched on.
    public var isUnlocked = true
    /// The behavior of its browser.
    public var browserProfile: BrowserProfile
    /// The warnings of its browser before the chooser, if the browser has any.
    public var interstitial = Interstitial.Setting.Dialog.none
    /// The selector's interpretation of authority key identifiers.
    public var authorityReading: Selection.AuthorityReading
    /// The evidence that the selector demands for an authority of a list.
    public var authoritySignatures: Selection.AuthoritySignatures
    /// The place where its sandbox parses requests.
    public var sandbox: SandboxPlace
    /// True if its system supports document provider apps.
    public var supportsDocumentProviders: Bool
    /// True if the exception of a call that no app can answer lists the apps with their reasons to the page.
    public var explainsExceptions = true
    /// The document provider apps.
    public var apps: [App]

    /// Creates a device.
    public init(
      identifier: String, browserProfile: BrowserProfile = .spec2026,
      authorityReading: Selection.AuthorityReading = .root,
      authoritySignatures: Selection.AuthoritySignatures = .verified, sandbox: SandboxPlace = .process,
      supportsDocumentProviders: Bool = true,
      apps: [App] = []
    ) {
      self.identifier = identifier
      self.browserProfile = browserProfile
      self.authorityReading = authorityReading
      self.authoritySignatures = authoritySignatures
      self.sandbox = sandbox
      self.supportsDocumentProviders = supportsDocumentProviders
      self.apps = apps
    }
  }

  /// A document provider app.
  public struct App: Sendable {
    /// The code of an app, by its name in the ``ProviderCatalogue``.
    public struct Style: RawRepresentable, Hashable, Sendable {
      /// The name.
      public var rawValue: String

      /// Creates a style by its name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The system's look: a consent sheet, answered with Face ID.
      public static let wallet = Style(rawValue: "wallet")
      /// The app's own view, with Accept and Decline.
      public static let custom = Style(rawValue: "custom")
    }

    /// The key of a reader authority in an app's registrations.
    public enum AuthorityKey: String, Sendable, CaseIterable {
      /// The root's subject key identifier.
      case root
      /// The subject key identifier of the issuing certificate: the intermediate's, or the root's without an
      /// intermediate.
      case intermediate
    }

    /// An app's conduct towards a website that has the reader certificate of another one.
    public enum DomainMismatch: String, Sendable, CaseIterable {
      /// It refuses before it asks the person.
      case refuse
      /// It shows the website's origin in place of the certified name, and asks the person.
      case warn
    }

    /// The name, unique on the device.
    public var name: String
    /// Its code, with the look of its view.
    public var style: Style
    /// The program outside the world that holds its documents and answers; nil for an app of the world.
    public var program: WalletTarget?
    /// The recorded answers of that program; nil to start it.
    public var recording: NamedRecording?
    /// Reader authorities that it trusts; empty if it also answers unsigned requests.
    public var trustsReaders: [String]
    /// The place where the app gets the roots of these authorities.
    public var rootSource = RootSource.authority
    /// The key of these authorities in its registrations. The app trusts their roots in both cases.
    public var authorityKey = AuthorityKey.root
    /// Its conduct towards a website that has the reader certificate of another one.
    public var domainMismatch = DomainMismatch.refuse
    /// The protocols of the requests that it answers.
    public var answersIn: [DigitalCredentialPresentationProtocol] = [.mobileDocument]
    /// True if it answers a request in OpenID4VP that its own checks refuse with an error code.
    public var reportsErrors = false
    /// The document types of its entitlement, or nil for those of its documents.
    public var entitlement: [String]?
    /// The document types of its next version's entitlement, or nil without a next version.
    public var nextEntitlement: [String]?
    /// The person's authorization before the world begins.
    public var status: IdentityDocumentProviderRegistrationStore.Status
    /// True if it refuses the readers of test programmes.
    public var isInProduction = false
    /// True if it is installed from the beginning.
    public var isInstalled = true
    /// The documents.
    public var documents: [Document]

    /// Creates an app.
    public init(
      name: String, style: Style, trustsReaders: [String] = [], entitlement: [String]? = nil,
      status: IdentityDocumentProviderRegistrationStore.Status = .authorized, documents: [Document] = []
    ) {
      self.name = name
      self.style = style
      self.trustsReaders = trustsReaders
      self.entitlement = entitlement
      self.status = status
      self.documents = documents
    }

    /// The document types that it may register.
    package var entitledDocumentTypes: [String] { entitlement ?? documents.map(\.documentType).uniqued() }
  }

  /// A document in an app.
  public struct Document: Sendable {
    /// The name in the app, which is also its registration's identifier.
    public var identifier: String
    /// `DocType`.
    public var documentType: String
    /// The name of its issuing authority in the world.
    public var issuer: String
    /// The elements.
    public var nameSpaces: [DocumentDraft.NameSpace]
    /// The validity in days.
    public var validDays: Int
    /// True if the registration ends with the document.
    public var registersInvalidationDate: Bool
    /// True if it was copied from another device, without that device's key.
    public var isCopy: Bool
    /// True if the app gets it when it is opened for the first time, false if a step lets it get the document.
    public var isIssuedAtFirst: Bool
    /// The purpose of its device key.
    public var deviceKey = DeviceKeyPurpose.signature
    /// The document and its key, if it was issued outside the world.
    public var outside: OutsideDocument?

    /// The one purpose of a device key.
    public enum DeviceKeyPurpose: String, Sendable, CaseIterable {
      /// It signs.
      case signature
      /// It agrees on keys, for a message authentication code. Only readers in person can verify it.
      case agreement
    }

    /// Creates a document.
    public init(
      identifier: String, documentType: String, issuer: String, nameSpaces: [DocumentDraft.NameSpace],
      validDays: Int = 365, registersInvalidationDate: Bool = true, isCopy: Bool = false,
      isIssuedAtFirst: Bool = true
    ) {
      self.identifier = identifier
      self.documentType = documentType
      self.issuer = issuer
      self.nameSpaces = nameSpaces
      self.validDays = validDays
      self.registersInvalidationDate = registersInvalidationDate
      self.isCopy = isCopy
      self.isIssuedAtFirst = isIssuedAtFirst
    }
  }
}

extension WorldDescription {
  /// A document that was issued outside the world, with its device key, from files.
  public struct OutsideDocument: Sendable {
    /// The document's file.
    public let file: NamedFile
    /// The key's file; nil if the document's file has the key.
    public let keyFile: NamedFile?
    /// `IssuerSigned`, as the file has it.
    public let issued: [UInt8]
    /// The device key.
    package let deviceKey: DeterministicSigningKey

    /// Creates a document.
    /// - Parameter deviceKey: The private number on P-256, 32 bytes.
    /// - Throws: An error for another number.
    public init(file: NamedFile, keyFile: NamedFile?, issued: [UInt8], deviceKey: [UInt8]) throws {
      self.file = file
      self.keyFile = keyFile
      self.issued = issued
      self.deviceKey = try DeterministicSigningKey(rawRepresentation: deviceKey)
    }
  }

  /// The files with roots, documents and keys that the description was made of.
  public var namedFiles: [NamedFile] {
    let documents = devices.flatMap(\.apps).flatMap(\.documents).compactMap(\.outside)
    return issuers.compactMap(\.outsideRoot?.file) + readerAuthorities.compactMap(\.outsideRoot?.file)
      + documents.map(\.file) + documents.compactMap(\.keyFile)
      + websites.compactMap(\.recording?.file) + devices.flatMap(\.apps).compactMap(\.recording?.file)
  }

  /// A website with its verifier server.
  public struct Website: Sendable {
    /// The name in the world.
    public var identifier: String
    /// The origin.
    public var origin: Origin
    /// The brand.
    public var brand: BrandIdentity
    /// The reader authorities that its requests are signed for.
    public var signsFor: [String] = []
    /// The issuing authorities whose roots its server trusts.
    public var acceptsIssuers: [String] = []
    /// The place where its server gets the roots of these authorities.
    public var rootSource = RootSource.authority
    /// The list operator whose list names further authorities that its server trusts; nil without a list.
    public var acceptsList: String?
    /// The requested items.
    public var asks: [ItemsRequest] = []
    /// Use cases over ``asks``; empty for one that needs all of them.
    public var useCases: [DeviceRequestInfo.UseCase] = []
    /// The edition of the standard for its requests.
    public var requestVersion = DeviceRequestDraft.Version.second
    /// The domain name in its reader certificates; nil for the host of its origin. Another one than the host is that of
    /// a wildcard, or of a stolen key.
    public var certifiedDomain: String?
    /// The domain name in its reader certificates.
    package var readerDomain: String { certifiedDomain ?? origin.host ?? "" }
    /// The lifetime of a session in seconds.
    public var sessionSeconds = defaultSessionSeconds
    /// The protocols in which its page asks in one call, in the page's order.
    public var asksIn: [DigitalCredentialPresentationProtocol] = [.mobileDocument]
    /// False if its requests in OpenID4VP ask for plain answers.
    public var encryptsAnswers = true
    /// The protocol identifier that its calls give to the request for mobile documents.
    public var protocolIdentifier = DigitalCredentialPresentationProtocol.mobileDocument.rawValue
    /// The accepted issuers that its requests name, so that only their documents are offered; empty if the requests
    /// name none.
    public var namesIssuers: [String] = []
    /// Another website whose server's requests it uses as its own.
    public var replaysRequestsOf: String?
    /// The findings that refuse a response.
    public var policy = VerificationPolicy.standard
    /// True if its server refuses the documents of test programmes.
    public var isInProduction = false
    /// Frames in its page and pages around it, whose origins a wallet may confuse with its own.
    public var surroundings = TranscriptInputs.Surroundings()
    /// The policy for the status of documents.
    public var revocation = RevocationPolicy.standard
    /// Its readiness for the requirements of reader authorities.
    public var readiness = Readiness()
    /// The checkout around the button of its page; nil for a page with the button alone.
    public var checkout: Checkout?
    /// The maximum size in bytes of a picture in its fallback form.
    public var largestScan = IdentityScan.maximumLength
    /// The place of its page's script.
    public var script = PageScript.own
    /// Its verifier server, if it is outside the world.
    public var server: VerifierTarget?
    /// The recorded answers of that server; nil to call it.
    public var recording: NamedRecording?
    /// The document of its page.
    public var page = Page()

    /// The place of a page's script.
    public enum PageScript: String, Sendable, CaseIterable {
      /// In the world.
      case own
      /// Outside the world, for example in a real browser.
      case external
    }

    /// The readiness of a website for the requirements of reader authorities.
    public struct Readiness: Sendable, Equatable {
      /// True if its operator accepts an authority's terms when it applies.
      public var acceptsTerms = true
      /// True if its server serves the token of an authority.
      public var servesToken = true
      /// Its number in the regulator's register.
      public var registrationNumber: String?
      /// True if its server renews its reader certificates before they expire.
      public var renewsCertificates = true

      /// A website that meets the requirements, without a number.
      public init() {}
    }

    /// Five minutes: longer than a person needs, and short enough to limit the use of a stolen request.
    public static let defaultSessionSeconds: Int64 = 300

    /// Creates a website.
    public init(identifier: String, origin: Origin, brand: BrandIdentity) {
      self.identifier = identifier
      self.origin = origin
      self.brand = brand
    }
  }
}
