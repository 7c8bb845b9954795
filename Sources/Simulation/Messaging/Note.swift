import JSON

/// A change of a party's state, or an operation that fails.
public struct Note: Sendable, Equatable, JSONObject, JSONTyped {
  /// The weight of a note.
  public enum Severity: String, Sendable, CaseIterable, JSONWritable, JSONReadable, JSONTyped {
    case information
    case warning
    /// The operation has no effect.
    case ignored
    /// Another party refuses the operation.
    case refused
    case failed
  }

  /// A named fact.
  public struct Fact: Sendable, Equatable, JSONObject, JSONTyped {
    /// Name of the fact.
    public let name: String
    /// Value of the fact.
    public let value: String

    /// Creates a fact.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("name", \.name, "name"), Member("value", \.value, "value"))
  }

  /// The code.
  public let code: NoteCode
  /// The weight, as the code declares it.
  public let severity: Severity
  /// The value that the operation returned; nil if it returns none.
  public let value: String?
  /// A human-readable description.
  public let message: String
  private let source: FactSource

  private enum FactSource: Sendable {
    case known([Fact])
    case onDemand(@Sendable () -> [Fact])
  }

  /// Named facts, in order.
  public var facts: [Fact] {
    switch source {
    case .known(let facts): facts
    case .onDemand(let make): make()
    }
  }

  /// The data that the party keeps from the recipient of its result; nil if it keeps none.
  public var withheld: String? { facts.first { $0.name == Self.withheldFact }?.value }

  /// The name of the fact about withheld data.
  public static let withheldFact = "withheld"

  /// The facts of a note about what a website's store holds of a response after the session: names, never values.
  public enum Kept {
    /// The session's identifier.
    public static let session = "session"
    /// A verified element: its ``Element`` as text.
    public static let element = "element"
    /// The response.
    public static let response = "response"

    /// The name of an element: document type, name space and identifier, separated by spaces. The type of an SD-JWT
    /// credential has a space of its own; name space and identifier have `%20` in its place.
    public struct Element: Sendable, Equatable {
      /// `DocType`.
      public let documentType: String
      /// `NameSpace`.
      public let nameSpace: String
      /// `DataElementIdentifier`.
      public let identifier: String

      package init(documentType: String, nameSpace: String, identifier: String) {
        (self.documentType, self.nameSpace, self.identifier) = (documentType, nameSpace, identifier)
      }

      /// Reads the value of a fact; nil for another text.
      public init?(_ fact: Fact) {
        guard fact.name == Kept.element else { return nil }
        let parts = fact.value.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count > 2 else { return nil }
        documentType = parts.dropLast(2).joined(separator: " ")
        (nameSpace, identifier) = (Self.read(parts[parts.count - 2]), Self.read(parts[parts.count - 1]))
      }

      /// The fact.
      package var fact: Fact {
        Fact(Kept.element, "\(documentType) \(Self.written(nameSpace)) \(Self.written(identifier))")
      }

      private static func written(_ name: String) -> String {
        name.replacing("%", with: "%25").replacing(" ", with: "%20")
      }

      private static func read(_ name: Substring) -> String {
        String(name).replacing("%20", with: " ").replacing("%25", with: "%")
      }
    }
  }

  /// Creates a note with the severity that its code declares.
  public init(_ code: NoteCode, value: String? = nil, _ message: String, facts: [Fact] = []) {
    self.init(code, code.severity, value, message, .known(facts))
  }

  /// Creates a note whose facts are made on demand, because most notes are never printed.
  /// - Parameter facts: Makes the facts, the same ones each time.
  public init(_ code: NoteCode, _ message: String, facts: @escaping @Sendable () -> [Fact]) {
    self.init(code, code.severity, nil, message, .onDemand(facts))
  }

  private init(_ code: NoteCode, _ severity: Severity, _ value: String?, _ message: String, _ source: FactSource) {
    self.code = code
    self.severity = severity
    self.value = value
    self.message = message
    self.source = source
  }

  /// Returns whether two notes say the same. Facts are made for it.
  public static func == (one: Note, other: Note) -> Bool {
    one.code == other.code && one.severity == other.severity && one.value == other.value
      && one.message == other.message && one.facts == other.facts
  }

  package static let json = JSONForm<Self>(
    { Note($0, $1, $2, $3, .known($4)) }, Member("code", \.code, "code of the note", type: .text),
    Member("severity", \.severity, "weight of the note"),
    Member(optional: "value", \.value, "value that the operation returned"),
    Member("message", \.message, "human-readable description"), Member("facts", \.facts, "named facts, in order"))
}

/// The codes of notes: changes of a party and operations that could not be done.
public enum NoteCode: String, CaseIterable, Sendable, JSONWritable, JSONReadable, JSONTyped {
  case sandboxParsed = "sandbox.parsed"
  case sandboxFinding = "sandbox.finding"
  case osNoApp = "os.no-app"
  case osAnotherDevice = "os.another-device"
  case osRequestInProgress = "os.request-in-progress"
  case osCancelled = "os.cancelled"
  case osAppFailed = "os.app-failed"
  case osAppUnavailable = "os.app-unavailable"
  case osNotAuthenticated = "os.not-authenticated"
  case osViewReplaced = "os.view-replaced"
  case osAnswerWithheld = "os.answer-withheld"
  case osRegistrations = "os.registrations"
  case osStarted = "os.started"
  case osAppAllowed = "os.app-allowed"
  case osAppDeclined = "os.app-declined"
  case osAppSwitchedOn = "os.app-switched-on"
  case osAppSwitchedOff = "os.app-switched-off"
  case osSettingChanged = "os.setting-changed"
  case osNotInSettings = "os.not-in-settings"
  case osAppInstalled = "os.app-installed"
  case osAppUpdated = "os.app-updated"
  case osAppRemoved = "os.app-removed"
  case osRegistrationAdded = "os.registration-added"
  case osRegistrationReplaced = "os.registration-replaced"
  case osRegistrationRemoved = "os.registration-removed"
  case osRegistrationRefused = "os.registration-refused"
  case osRegistrationUpdatesCalled = "os.registration-updates-called"
  case storeAdded = "store.added"
  case storeRemoved = "store.removed"
  case storeStatus = "store.status"
  case storeRegistrations = "store.registrations"
  case storeInvalidRequest = "store.invalid-request"
  case storeNotAuthorized = "store.not-authorized"
  case storeNotSupported = "store.not-supported"
  case storeUnknown = "store.unknown"
  case providerDocumentIssued = "provider.document-issued"
  case providerDocumentDeleted = "provider.document-deleted"
  case providerAuthorityNotNamed = "provider.authority-not-named"
  case providerNoReaderRoot = "provider.no-reader-root"
  case providerNoRevocationList = "provider.no-revocation-list"
  case providerNotProvisioned = "provider.not-provisioned"
  case providerNotRegistered = "provider.not-registered"
  case providerStorage = "provider.storage"
  case providerMessage = "provider.message"
  case providerFailed = "provider.failed"
  case readerAuthorityCertified = "reader-authority.certified"
  case readerAuthorityAccount = "reader-authority.account-opened"
  case readerAuthorityReviewed = "reader-authority.brand-reviewed"
  case readerAuthorityRevoked = "reader-authority.certificate-revoked"
  case readerAuthorityUnchanged = "reader-authority.unchanged"
  case portalCertified = "portal.certified"
  case requestingAppAvailability = "requesting-app.availability"
  case requestingAppError = "requesting-app.error"
  case requestingAppFailed = "requesting-app.failed"
  case issuerRefused = "issuer.refused"
  case issuerRevoked = "issuer.revoked"
  case issuerSuspended = "issuer.suspended"
  case issuerReinstated = "issuer.reinstated"
  case issuerStatusKept = "issuer.status-kept"
  case websiteListReused = "website.list-reused"
  case websiteNoIssuerRoot = "website.no-issuer-root"
  case websiteIssuerList = "website.issuer-list"
  case websiteIssuerListKept = "website.issuer-list-kept"
  case websiteNoIssuerList = "website.no-issuer-list"
  case websiteNoReaderCertificate = "website.no-reader-certificate"
  case websiteOnboarding = "website.onboarding"
  case websiteCertificateRenewed = "website.certificate-renewed"
  case websiteNotRenewed = "website.certificate-not-renewed"
  case websiteNoMerchantCertificate = "website.no-merchant-certificate"
  case websiteCannotBegin = "website.cannot-begin"
  case websiteKept = "website.kept"
  case websiteScanReceived = "website.scan-received"
  case websiteScanRefused = "website.scan-refused"
  case websiteOrderPlaced = "website.order-placed"
  case websiteOrderRefused = "website.order-refused"
  case websiteBadRequest = "website.bad-request"
  case websiteStorage = "website.storage"
  case ownServerFailed = "own-server.failed"
  case ownWalletFailed = "own-wallet.failed"
  case clientPlatformEnded = "client-platform.ended"
  case authenticatorEnded = "authenticator.ended"
  case tunnelRefused = "tunnel-service.refused"
  case tunnelClosed = "tunnel-service.closed"
  case nearbyInvited = "nearby.invited"
  case nearbyAccepted = "nearby.accepted"
  case nearbyNotified = "nearby.notified"
  case nearbyWithdrawn = "nearby.withdrawn"
  case nearbyQRCode = "nearby.qr-code"
  case nearbyEnded = "nearby.ended"
  case mdocEnded = "mdoc.ended"
  case terminalNoReaderCertificate = "terminal.no-reader-certificate"
  case terminalNoIssuerRoot = "terminal.no-issuer-root"
  case terminalCannotBegin = "terminal.cannot-begin"
  case terminalKept = "terminal.kept"
  case terminalEnded = "terminal.ended"
  case browserConsole = "browser.console"
  case messageIgnored = "message.ignored"
  case deviceOffline = "device.offline"
  case worldStarted = "world.started"
  case worldNoChannel = "world.no-channel"

  /// The weight of a note with the code.
  fileprivate var severity: Note.Severity {
    if case .severity(let severity) = definition.outcome { severity } else { .information }
  }

  /// The declaration of the code.
  public var definition: EventDefinition {
    func define(_ role: Party.Role?, _ severity: Note.Severity, _ meaning: String) -> EventDefinition {
      EventDefinition(rawValue, role.map { [$0] } ?? [], .severity(severity), meaning)
    }
    func define(_ role: Party.Role, value: String, _ meaning: String) -> EventDefinition {
      EventDefinition(rawValue, [role], .value(value), meaning)
    }
    return switch self {
    case .sandboxParsed:
      define(
        .sandbox, .information,
        "the request is parsed; the facts list what went in (length, SHA-256, origin), what came out (elements, reader chains, findings) and what is withheld"
      )
    case .sandboxFinding:
      define(.operatingSystem, .warning, "the sandbox accepted a departure, such as a signature of an unknown kind")
    case .osNoApp:
      define(.operatingSystem, .failed, "no app on the device may answer; the facts give the reason for each")
    case .osAnotherDevice:
      define(
        .operatingSystem, .information,
        "the operating system asks another device: no app on its own may answer, or the person picks it in the selector"
      )
    case .osRequestInProgress: define(.operatingSystem, .failed, "another presentment is in progress")
    case .osCancelled: define(.operatingSystem, .failed, "the person closed the selector, or declined in the app")
    case .osAppFailed:
      define(.operatingSystem, .failed, "the app ended the presentment without an answer, with its reason")
    case .osAppUnavailable:
      define(
        .operatingSystem, .failed,
        "an app whose view was open may no longer answer: it is switched off, removed, or has lost the registration")
    case .osNotAuthenticated:
      define(
        .operatingSystem, value: "the reason",
        "Face ID or the passcode did not authenticate the person in an app's view")
    case .osViewReplaced:
      define(
        .operatingSystem, .refused,
        "the person touched a view of an app that another one has replaced, or that is closed; the touch has no effect"
      )
    case .osAnswerWithheld:
      define(
        .operatingSystem, .refused,
        "Wallet answered an app's request before the person agreed in its consent sheet; the app gets no answer")
    case .osRegistrations: define(.operatingSystem, .failed, "the registrations cannot be read or written")
    case .osStarted: define(.operatingSystem, .information, "the device was switched off and on")
    case .osAppAllowed: define(.operatingSystem, .information, "the person allows the app to provide documents")
    case .osAppDeclined:
      define(.operatingSystem, .information, "the person does not allow the app to provide documents")
    case .osAppSwitchedOn: define(.operatingSystem, .information, "the person switches the app on in Settings")
    case .osAppSwitchedOff: define(.operatingSystem, .information, "the person switches the app off in Settings")
    case .osSettingChanged:
      define(.operatingSystem, value: "the setting and its position", "the person changes a setting of the device")
    case .osNotInSettings:
      define(
        .operatingSystem, .ignored,
        "Settings does not list the app, or the switch of the app or of the setting is in this position already")
    case .osAppInstalled: define(.operatingSystem, .information, "an app is installed")
    case .osAppUpdated: define(.operatingSystem, .information, "an app is updated")
    case .osAppRemoved: define(.operatingSystem, .information, "an app is removed with its registrations")
    case .osRegistrationAdded: define(.operatingSystem, .information, "an app has a new registration")
    case .osRegistrationReplaced:
      define(.operatingSystem, .information, "a registration replaces that of the same document")
    case .osRegistrationRemoved: define(.operatingSystem, .information, "an app has a registration less")
    case .osRegistrationRefused:
      define(.operatingSystem, value: "the error", "a call of the registration store throws, with the reason")
    case .osRegistrationUpdatesCalled:
      define(.operatingSystem, .information, "the system calls an app to bring its registrations up to date")
    case .storeAdded: define(.app, .information, "`addRegistration` returned")
    case .storeRemoved: define(.app, .information, "`removeRegistration` returned")
    case .storeStatus: define(.app, value: "the status", "the app read its status")
    case .storeRegistrations: define(.app, value: "the identifiers", "the app read its registrations")
    case .storeInvalidRequest: define(.app, .refused, "a call of the registration store threw `invalidRequest`")
    case .storeNotAuthorized: define(.app, .refused, "a call of the registration store threw `notAuthorized`")
    case .storeNotSupported: define(.app, .refused, "a call of the registration store threw `notSupported`")
    case .storeUnknown: define(.app, .refused, "a call of the registration store threw `unknown`")
    case .providerDocumentIssued: define(.app, .information, "the app has a new document")
    case .providerDocumentDeleted: define(.app, .information, "the app deleted a document")
    case .providerAuthorityNotNamed:
      define(
        .app, .failed,
        "the app did not get the certificate by whose key it names an authority, or its root did not issue it")
    case .providerNoReaderRoot:
      define(
        .app, .failed,
        "the app did not get the root certificate of a reader authority, or cannot read it, and does not trust the authority"
      )
    case .providerNoRevocationList:
      define(.app, .warning, "the app did not get a reader authority's list of revoked certificates")
    case .providerNotProvisioned: define(.app, .failed, "the app did not get a document")
    case .providerNotRegistered: define(.app, .failed, "the app could not register a document")
    case .providerStorage: define(.app, .failed, "the app's documents cannot be read or kept")
    case .providerMessage: define(.app, .information, "the app's own code reports something")
    case .providerFailed: define(.app, .failed, "the app failed for a reason that is not a check of its own")
    case .readerAuthorityCertified: define(.readerAuthority, .information, "a reader certificate is issued")
    case .readerAuthorityAccount:
      define(.readerAuthority, value: "the state", "a website's application has this state after its message")
    case .readerAuthorityReviewed:
      define(.readerAuthority, value: "the decision", "the authority's staff has decided about a website's brand")
    case .readerAuthorityRevoked: define(.readerAuthority, .information, "the certificates of a website are revoked")
    case .readerAuthorityUnchanged:
      define(.readerAuthority, .ignored, "the authority has nothing to decide or to revoke, with the reason")
    case .portalCertified: define(.portal, .information, "an encryption certificate is issued")
    case .requestingAppAvailability: define(.requestingApp, value: "`true` or `false`", "`canRequestDocument` returned")
    case .requestingAppError: define(.requestingApp, value: "the error", "`requestDocument` threw a `PKIdentityError`")
    case .requestingAppFailed:
      define(.requestingApp, .failed, "the app did not get a nonce or a result from its server")
    case .issuerRefused: define(.issuer, .failed, "a document was not issued")
    case .issuerRevoked: define(.issuer, .information, "a document is revoked")
    case .issuerSuspended: define(.issuer, .information, "a document is suspended")
    case .issuerReinstated: define(.issuer, .information, "a suspended document is valid again")
    case .issuerStatusKept: define(.issuer, .ignored, "the status of a document stays, with the reason")
    case .websiteListReused:
      define(.server, .information, "a copy of a status list that was fetched before still counts")
    case .websiteNoIssuerRoot:
      define(
        .server, .failed,
        "the server did not get the root certificate of an issuing authority, or cannot read it, and does not accept the authority's documents"
      )
    case .websiteIssuerList:
      define(
        .server, .information,
        "the server trusts the roots of a new list of issuing authorities; the facts name the issue and the authorities"
      )
    case .websiteIssuerListKept:
      define(
        .server, .warning,
        "the server did not get a list of issuing authorities that it accepts, and keeps to the last one")
    case .websiteNoIssuerList:
      define(
        .server, .failed,
        "the server has no list of issuing authorities that it accepts, and trusts none of the list's roots")
    case .websiteNoReaderCertificate:
      define(.server, .failed, "the request for a reader certificate could not be made or sent, or its answer not read")
    case .websiteOnboarding:
      define(.server, value: "the state", "the website's application at a reader authority has a new state")
    case .websiteCertificateRenewed:
      define(.server, .information, "the website has a new reader certificate before the old one expires")
    case .websiteNotRenewed:
      define(.server, .failed, "the reader certificate is not renewed; the server tries again until it expires")
    case .websiteNoMerchantCertificate:
      define(.server, .failed, "the request for an encryption certificate could not be made, or was refused")
    case .websiteCannotBegin: define(.server, .failed, "the request could not be made")
    case .websiteKept:
      define(
        .server, .information,
        "the session has ended, and the server's store holds data of the response; the facts name the elements, and the response if it is kept"
      )
    case .websiteScanReceived:
      define(.server, .information, "the server keeps an uploaded picture of an ID with the session's order")
    case .websiteScanRefused:
      define(.server, value: "the error", "an uploaded picture of an ID is refused, with the reason")
    case .websiteOrderPlaced: define(.server, .information, "an order of a person with verified documents is placed")
    case .websiteOrderRefused: define(.server, .failed, "an order is refused: its session has no verified documents")
    case .websiteBadRequest: define(.server, .failed, "the page sent something unreadable")
    case .ownServerFailed:
      define(
        .ownServer, .failed,
        "a verifier server outside the world gave no answer, or one that says nothing: the case is undecided")
    case .ownWalletFailed:
      define(
        .ownWallet, .failed,
        "the program of a wallet outside the world gave no answer, or one that says nothing: the case is undecided")
    case .websiteStorage: define(.server, .failed, "the sessions cannot be read")
    case .clientPlatformEnded:
      define(.clientPlatform, value: "the reason", "a session with another device ended without a response")
    case .authenticatorEnded:
      define(.authenticator, value: "the reason", "a session with a browser on another device ended without a response")
    case .tunnelRefused: define(.tunnelService, value: "the status", "a tunnel service refuses to open a tunnel")
    case .tunnelClosed:
      define(
        .tunnelService, value: "the reason",
        "a tunnel service closes a tunnel, or tells an end that the other closed it")
    case .nearbyInvited: define(.nearby, .information, "in the model, a device invites an iPhone of its account")
    case .nearbyAccepted:
      define(.nearby, .information, "in the model, the person continues on an iPhone, the first that accepted")
    case .nearbyNotified: define(.nearby, .information, "in the model, an iPhone shows a notification for a device")
    case .nearbyWithdrawn:
      define(
        .nearby, .information, "in the model, an iPhone removes a notification or a selector that the device withdrew")
    case .nearbyQRCode:
      define(.nearby, value: "the reason", "in the model, a device continues with a QR code for any phone")
    case .nearbyEnded: define(.nearby, value: "the reason", "in the model, a device's request ended without a response")
    case .mdocEnded:
      define(.mdoc, value: "the outcome", "a session with a reader near the device ended without a response")
    case .terminalNoReaderCertificate:
      define(.terminal, .failed, "the request for a reader certificate could not be made, or was refused")
    case .terminalNoIssuerRoot:
      define(.terminal, .failed, "the terminal did not get the root certificate of an issuing authority")
    case .terminalCannotBegin: define(.terminal, .failed, "the request could not be made")
    case .terminalKept:
      define(
        .terminal, .information,
        "the session has ended, and the terminal holds data of the response; the facts name the elements")
    case .terminalEnded:
      define(.terminal, value: "the outcome", "a session with a device near it ended without a response")
    case .browserConsole: define(.browser, .warning, "a warning on the page's console")
    case .messageIgnored:
      define(nil, .ignored, "the party does not handle a message: its kind, its sender or its content")
    case .deviceOffline:
      define(
        nil, .failed,
        "a message is not sent over the internet: the device of the party, or of the recipient, is in flight mode")
    case .worldStarted: define(.person, .information, "the world starts again from its storage")
    case .worldNoChannel: define(nil, .failed, "the party has no channel to the recipient of a message")
    }
  }
}
