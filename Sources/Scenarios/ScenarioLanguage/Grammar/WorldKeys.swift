import Checks
import DevicePlatform
import DigitalCredentials
import Ecosystem
import MobileDocument
import StatusLists

/// The keys of a world.
enum WorldKey: String, DeclaredKeys {
  case authorities, websites, devices, storage

  var declaration: Declaration {
    switch self {
    case .authorities: Declaration(.mapping(AuthoritiesKey.type("authorities")), "issuing and reader authorities")
    case .websites: Declaration(.named("website", .mapping(WebsiteKey.type("websites"))), "websites with their servers")
    case .devices:
      Declaration(.named("device", .mapping(DeviceKey.type("devices"))), "devices with browser, system and apps")
    case .storage:
      Declaration(
        .text, usual: "in memory",
        "`temporary`, or a folder next to the file, for what devices, apps and servers keep in files")
    }
  }
}

/// The keys of `authorities`.
enum AuthoritiesKey: String, DeclaredKeys {
  case issuers, readers

  var declaration: Declaration {
    switch self {
    case .issuers: Declaration(.named("issuing authority", .mapping(IssuerKey.type("issuers"))), "issuing authorities")
    case .readers:
      Declaration(
        .either([.list(.text), .named("reader authority", .mapping(ReaderKey.type("readers")))]),
        "reader authorities, as a list of names or with their settings")
    }
  }
}

/// The keys of an issuing authority.
enum IssuerKey: String, DeclaredKeys {
  case name, country, state
  case publishesStatus = "publishes-status"

  var declaration: Declaration {
    switch self {
    case .name: Declaration(.text, usual: "its name in the world", "the name that people read")
    case .country: Declaration(.text, usual: "`US`", "two upper-case letters")
    case .state: Declaration(.text, usual: "none", "for example `US-CA`")
    case .publishesStatus:
      Declaration(
        .words(PublishedStatus.allCases.map(\.rawValue)), usual: "none", "the lists about the status of its documents")
    }
  }
}

/// The keys of a reader authority.
enum ReaderKey: String, DeclaredKeys {
  case name
  case certificateDays = "certificate-days"
  case refuses, intermediate

  var declaration: Declaration {
    switch self {
    case .name: Declaration(.text, usual: "its name in the world", "the name that people read")
    case .certificateDays: Declaration(.integer(1...1187), usual: "400", "the validity of its certificates in days")
    case .refuses: Declaration(.list(.name(.website)), usual: "none", "websites whose brand it has not approved")
    case .intermediate:
      Declaration(
        .boolean, usual: "`false`", "its root certifies an intermediate, which issues the reader certificates")
    }
  }
}

/// The keys of a website.
enum WebsiteKey: String, DeclaredKeys {
  case origin, brand
  case signsFor = "signs-for"
  case acceptsIssuers = "accepts-issuers"
  case asks
  case useCases = "use-cases"
  case requestVersion = "request-version"
  case sessionLifetime = "session-lifetime"
  case `protocol`
  case namesIssuers = "names-issuers"
  case replaysRequestsOf = "replays-requests-of"
  case policy
  case frameOrigins = "frame-origins"
  case topLevelOrigins = "top-level-origins"
  case revocation, script

  var declaration: Declaration {
    switch self {
    case .origin:
      Declaration(
        .text, required: true,
        "`https://host` or `http://host`, with a port if needed; a default port and one slash at the end are dropped")
    case .brand:
      Declaration(
        .mapping(BrandKey.type("brand")), required: true, "the brand in its reader certificates and on its pages")
    case .signsFor:
      Declaration(
        .list(.name(.readerAuthority)), usual: "none",
        "the reader authorities that certify it; it signs each request once for each")
    case .acceptsIssuers:
      Declaration(.list(.name(.issuer)), usual: "none", "the issuing authorities whose roots its server trusts")
    case .asks:
      Declaration(
        .named("document type", .named("name space", .named("element", .words(["retain", "show"])))), required: true,
        "the requested elements: document type, name space, identifier, then `retain` or `show`; any identifiers")
    case .useCases:
      Declaration(
        .list(.mapping(UseCaseKey.type("use-cases"))), usual: "one that needs all documents", "use cases of the request"
      )
    case .requestVersion:
      Declaration(
        .words(["1.0", "1.1"]), usual: "`\"1.1\"`",
        "the version of its requests, in quotes; `\"1.0\"` carries the signature for the first of `signs-for` only, and no use cases"
      )
    case .sessionLifetime:
      Declaration(
        .duration, usual: "`5 min`",
        "the time in which a session takes a response, in whole seconds, from the page's fetch of the request")
    case .protocol: Declaration(.text, usual: "`org-iso-mdoc`", "the protocol identifier in its calls")
    case .namesIssuers:
      Declaration(
        .either([.boolean, .list(.name(.issuer))]), usual: "`false`",
        "the accepted issuers whose key identifiers its requests name, so that only their documents are offered; `true` for all"
      )
    case .replaysRequestsOf:
      Declaration(
        .name(.website), usual: "none",
        "its page fetches requests from that website's server and passes them off as its own")
    case .policy:
      Declaration(
        .words(VerificationPolicy.allCases.map(\.rawValue)), usual: "`standard`",
        "with `strict`, [deviations](checks.md#outcomes) refuse a response too")
    case .frameOrigins:
      Declaration(
        .list(.text), usual: "none", "origins of frames in its page, which a wallet may confuse with the page's own")
    case .topLevelOrigins:
      Declaration(
        .list(.text), usual: "none", "origins of pages around its page, which a wallet may confuse with the page's own")
    case .revocation:
      Declaration(
        .either([.words(["standard", "strict", "none"]), .named("finding", .words(["refuse", "accept"]))]),
        usual: "`standard`", "the policy about the revocation status of documents")
    case .script:
      Declaration(
        .words(WorldDescription.Website.PageScript.allCases.map(\.rawValue)),
        usual: "`\(WorldDescription.Website.PageScript.own.rawValue)`",
        "`external`: the script runs outside the world, for example in a real browser; the person can tap anything on its page, and its messages are [`page`](#page) steps"
      )
    }
  }
}

/// The keys of a brand.
enum BrandKey: String, DeclaredKeys {
  case name, icon

  var declaration: Declaration {
    switch self {
    case .name: Declaration(.text, required: true, "the name that people read")
    case .icon: Declaration(.text, usual: "none", "the icon's file name")
    }
  }
}

/// The keys of a use case.
enum UseCaseKey: String, DeclaredKeys {
  case mandatory, sets

  var declaration: Declaration {
    switch self {
    case .mandatory: Declaration(.boolean, usual: "`true`", "the use case must be satisfied")
    case .sets: Declaration(.list(.list(.text)), required: true, "sets of requested document types")
    }
  }
}

/// The keys of a device.
enum DeviceKey: String, DeclaredKeys {
  case browser
  case authorityKeyIdentifiers = "authority-key-identifiers"
  case documentProviders = "document-providers"
  case sandbox, apps

  var declaration: Declaration {
    switch self {
    case .browser:
      Declaration(
        .words(BrowserProfile.all.map(\.name)), usual: "`\(BrowserProfile.spec2026.name)`",
        "the browser's [profile](checks.md#browser)")
    case .authorityKeyIdentifiers:
      Declaration(
        .words(Selection.AuthorityReading.allCases.map(\.rawValue)), usual: "`root`",
        "the certificates of a chain that the selector compares with an app's list; see [the selection rule](model.md#the-selection-rule)"
      )
    case .documentProviders:
      Declaration(.words(["supported", "unsupported"]), usual: "`supported`", "the system's support for provider apps")
    case .sandbox:
      Declaration(
        .words(WorldDescription.SandboxPlace.allCases.map(\.rawValue)), usual: "`in-process`",
        "the place where requests are parsed: in this process, or in a confined [process](model.md#the-sandbox-process) of its own; `presentment run --sandbox` overrides it"
      )
    case .apps: Declaration(.named("app", .mapping(AppKey.type("apps"))), usual: "none", "document provider apps")
    }
  }
}

/// The keys of an app.
enum AppKey: String, DeclaredKeys {
  case style
  case trustsReaders = "trusts-readers"
  case authorityKey = "authority-key"
  case entitlement
  case nextVersion = "next-version"
  case status, installed, documents

  var declaration: Declaration {
    switch self {
    case .style:
      Declaration(
        .words(WorldDescription.App.Style.allCases.map(\.rawValue)),
        usual: "`wallet` for an app called `Wallet`, otherwise `custom`",
        "a consent sheet answered with Face ID, or a view of the app with Accept and Decline")
    case .trustsReaders:
      Declaration(
        .list(.name(.readerAuthority)), usual: "none, which also answers unsigned requests",
        "the reader authorities whose signatures the app demands")
    case .authorityKey:
      Declaration(
        .words(WorldDescription.App.AuthorityKey.allCases.map(\.rawValue)), usual: "`root`",
        "the key of an authority that the app's registrations list: the root's, or that of the certificate that issues reader certificates; the app trusts the root in both cases"
      )
    case .entitlement:
      Declaration(.list(.text), usual: "those of its documents", "the document types of its entitlement")
    case .nextVersion:
      Declaration(.mapping(NextVersionKey.type("next-version")), usual: "none", "the version that an update installs")
    case .status:
      Declaration(
        .words(["authorized", "not-authorized", "not-determined"]), usual: "`authorized`",
        "the person's decision about the app before the world begins; with `not-determined` the app's first registration asks"
      )
    case .installed: Declaration(.boolean, usual: "`true`", "the app is on the device from the beginning")
    case .documents: Declaration(.list(.mapping(DocumentKey.type("documents"))), usual: "none", "the app's documents")
    }
  }
}

/// The keys of an app's next version.
enum NextVersionKey: String, DeclaredKeys {
  case entitlement

  var declaration: Declaration { Declaration(.list(.text), required: true, "the document types of its entitlement") }
}

/// The keys of a document.
enum DocumentKey: String, DeclaredKeys {
  case id, type, issuer, elements
  case validFor = "valid-for"
  case invalidation, copied

  var declaration: Declaration {
    switch self {
    case .id:
      Declaration(
        .text, usual: "from the type: `mDL`, `photoid`",
        "the identifier of the document and its registration, unique in the app")
    case .type: Declaration(.text, required: true, "the document type")
    case .issuer: Declaration(.name(.issuer), required: true, "the issuing authority")
    case .elements: Declaration(.other("mapping"), required: true, "[elements](#documents-and-element-values)")
    case .validFor: Declaration(.duration, usual: "`365 days`", "the validity of the document, 1 to 457 whole days")
    case .invalidation:
      Declaration(
        .words(["at-expiry", "none"]), usual: "`at-expiry`", "`at-expiry`: the registration ends with the document")
    case .copied:
      Declaration(
        .boolean, usual: "`false`",
        "the document was copied from another device: its key is not the one that the issuer signed")
    }
  }
}
