// swift-tools-version: 6.2
import PackageDescription

/// True if warnings are errors: in the gate only, so that a newer compiler's warnings do not break other builds.
let warningsAreErrors = Context.environment["PRESENTMENT_WARNINGS_ARE_ERRORS"] != nil

/// True if the build is instrumented for libFuzzer and optimized, as by `make fuzz` in a build folder of its own.
let isFuzzed = Context.environment["PRESENTMENT_FUZZ"] != nil

/// Settings of each target. Nonisolated async functions stay on their caller's executor: a world's schedule depends
/// on it.
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
  + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
  + (isFuzzed ? [.unsafeFlags(["-O", "-sanitize=fuzzer,address"])] : [])

/// Settings of the test targets: never optimized, because optimizing the expanded macros of one target of tests takes
/// longer than optimizing what it tests.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Targets that read untrusted bytes and call nothing unsafe: the compiler checks that they do not.
let strict: Set = [
  "Primitives", "JSON", "CBOR", "COSE", "JOSE", "QRCode", "Checks", "DigitalCredentials", "HybridTransport",
  "NearbyDevices", "Proximity", "LocatedYAML", "CrossCheck", "BrowserChecklist",
]

/// True if this package is not a dependency of another one: SwiftPM refuses unsafe flags in dependencies.
let isRoot = !Context.packageDirectory.contains("/checkouts/")

/// Small targets in which worlds spend most of their time, and a search in the messages of all scenarios: optimized in
/// every build. All cases take two thirds of the time with it, and compiling these targets takes a few seconds more.
let hot: Set = ["Primitives", "JSON", "CBOR", "COSE", "SimulationKernel", "Messaging", "Invariants", "WireSearch"]

/// Targets that are programs and products.
let programs = ["presentment", "presentment-serve", "presentment-sandbox", "presentment-faulty-sandbox"]

/// Targets that are libraries for other packages, with the targets whose types their interfaces have.
let libraries: KeyValuePairs = [
  "MobileDocument": [], "WebPresentment": [], "DigitalCredentials": [], "IdentityDocumentServices": [],
  "DevicePlatform": [], "HybridTransport": [],
  // Provider apps of one's own in worlds, and the programs that run them.
  "ProviderStyles": ["IdentityDocumentServices", "Vocabulary"], "PresentmentCommand": [], "PresentmentServer": [],
  "RelyingParty": [
    "Primitives", "CBOR", "COSE", "JOSE", "Checks", "Certificates", "StatusLists", "TrustLists", "MobileDocument",
    "OpenID4VP", "TranscriptDiagnosis", "WebPresentment",
  ],
]

/// Folders that are copied beside a target's program.
let copied = [
  "TraceViews": "Web", "DemoServer": "Web", "CBORTests": "Vectors", "WebPresentmentTests": "Vectors",
  "HybridTransportTests": "Vectors", "SimulationKernelTests": "Vectors",
]

/// What lies in a target's folder and is neither source nor resource.
let excluded = ["PresentmentCommand": "Bench/neighbours.py", "TerminalDemoTests": "Screens"]

/// Names of targets, each with the highest of the targets and products that it imports.
typealias Imports = KeyValuePairs<String, [Target.Dependency]>

/// Declares the targets of a folder.
func targets(in folder: String, _ imports: Imports) -> [Target] {
  imports.map { name, dependencies in
    let path = "\(folder)/\(name)"
    let exclude = excluded[name].map { [$0] } ?? []
    let resources: [Resource] = copied[name].map { [.copy($0)] } ?? []
    if name.hasSuffix("Tests") {
      return .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: testSettings)
    }
    let own =
      (name == "DocumentFixtures" ? testSettings : settings) + (strict.contains(name) ? [.strictMemorySafety()] : [])
      + (hot.contains(name) && isRoot ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
    return programs.contains(name) || name.hasSuffix("Tool")
      ? .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: own)
      : .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources, swiftSettings: own)
  }
}

/// Functions whose calls are counted by `WorkCounter`: its linker puts a counting function of the target CWorkCounters in
/// front of each.
let countedFunctions = [
  "CCryptoBoringSSLShims_ECDSA_do_verify", "CCryptoBoringSSLShims_ECDSA_do_sign",
  "CCryptoBoringSSL_EC_KEY_set_private_key", "CCryptoBoringSSL_ECDH_compute_key",
  "CCryptoBoringSSL_EC_KEY_set_public_key_affine_coordinates", "CCryptoBoringSSL_EC_POINT_oct2point",
  "CCryptoBoringSSL_EC_POINT_set_compressed_coordinates_GFp", "CCryptoBoringSSL_EC_POINT_get_affine_coordinates_GFp",
  "CCryptoBoringSSL_SHA256_Final",
  "$s9SwiftASN10B0O11ParseResultV5parse_8encodingAEs10ArraySliceVys5UInt8VG_AC13EncodingRulesOtKFZ",
  "$s4X50911CertificateV9SignatureV18signatureAlgorithm0D5BytesAeC0cE0V_9SwiftASN10H9BitStringVtKcfC",
  "sqlite3_open_v2", "sqlite3_prepare_v2", "sqlite3_prepare_v3", "sqlite3_step",
  "$s20FoundationEssentials11JSONEncoderCACycfC", "$s20FoundationEssentials11JSONDecoderCACycfC",
]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// A product of swift-nio.
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

/// The targets of `Sources` by room. ARCHITECTURE.md describes the rooms.
let rooms: KeyValuePairs<String, Imports> = [
  "Formats": [
    "Primitives": [],
    "JSON": ["Primitives"],
    "CBOR": ["Primitives"],
    "COSE": ["CBOR", crypto],
    "JOSE": ["COSE", "JSON"],
    "QRCode": ["Primitives"],
  ],
  "Trust": [
    "Checks": ["COSE", "JSON"],
    "Certificates": ["Checks", x509, asn1],
    "StatusLists": ["Certificates", "JOSE"],
    "TrustLists": ["Certificates"],
  ],
  "Documents": [
    "MobileDocument": ["StatusLists"],
    "SDJWT": ["StatusLists"],
    "OpenID4VP": ["MobileDocument", "SDJWT"],
    "WebPresentment": ["MobileDocument"],
    "TranscriptDiagnosis": ["WebPresentment"],
  ],
  "Roles": [
    "DigitalCredentials": ["Checks"],
    "HybridTransport": ["DigitalCredentials", cryptoExtras],
    "IdentityDocumentServices": ["OpenID4VP", "Proximity", "TranscriptDiagnosis"],
    "Proximity": ["MobileDocument"],
    "PassKit": ["MobileDocument"],
    "DevicePlatform": ["DigitalCredentials", "IdentityDocumentServices", "PassKit"],
    "NearbyDevices": ["DigitalCredentials"],
    "ReaderOnboarding": ["Certificates"],
    "RelyingParty": ["OpenID4VP", "TranscriptDiagnosis"],
    "OwnServers": ["DigitalCredentials"],
    "OwnWallets": ["MobileDocument"],
    "Recordings": ["OwnServers", "OwnWallets"],
    "ExchangeFiles": ["DigitalCredentials", "IdentityDocumentServices", "RelyingParty", "TrustLists"],
  ],
  "Simulation": [
    "SimulationKernel": ["COSE"],
    "Messaging": ["Checks", "SimulationKernel"],
    "Vocabulary": [
      "DevicePlatform", "HybridTransport", "Messaging", "NearbyDevices", "ReaderOnboarding", "Recordings",
      "RelyingParty",
    ],
    "Telling": ["Vocabulary"],
    "CSQLite": [], "CWorkerProcess": [],
    "Storage": [
      "CSQLite", "DevicePlatform", "RelyingParty", "SimulationKernel", "TrustLists",
      .product(name: "GRDB", package: "GRDB.swift"),
    ],
    // The code of provider apps in worlds, for apps of other packages, too.
    "ProviderStyles": ["Vocabulary"],
    "Devices": ["CWorkerProcess", "ProviderStyles", "SampleProvider", "Storage"],
    "DeviceToDevice": ["Vocabulary"],
    "Websites": ["ExchangeFiles", "Storage", "Vocabulary"],
    "Authorities": ["Storage", "Vocabulary"],
    "Ecosystem": ["Authorities", "Devices", "DeviceToDevice", "Websites"],
    "Faults": ["Ecosystem"],
    "Invariants": ["Vocabulary"],
  ],
  "Scenarios": [
    "LocatedYAML": ["Primitives", .product(name: "Yams", package: "Yams")],
    "ScenarioLanguage": ["Faults", "Invariants", "LocatedYAML", "Telling"],
    "ScenarioFiles": ["ScenarioLanguage"], "ScenarioRunner": ["ScenarioLanguage"],
    "ScenarioSearch": ["ScenarioFiles", "ScenarioRunner"],
  ],
  "Tools": [
    "Inspection": ["Telling"],
    "CrossCheck": ["COpenSSL", "MobileDocument"],
    "CSignals": [], "Reports": ["CSignals", "ScenarioSearch"],
    "BatchRuns": ["Reports"],
    "BrowserChecklist": ["DevicePlatform"],
    "MeasuredWork": ["Ecosystem"],
    "TraceViews": ["Inspection", "QRCode", "ScenarioRunner"],
  ],
  "Apps": [
    "InteractiveWorlds": ["ScenarioFiles", "ScenarioRunner"],
    // What suites of cases share: verdicts, known mistakes, reports.
    "CaseSuites": ["Reports"],
    // Judges servers of others: calls them as a page does, and lets worlds' phones answer.
    "VerifierSuite": ["CaseSuites", "CommandSupport", "InteractiveWorlds"],
    // Judges wallets of others: makes requests, and opens their answers.
    "WalletSuite": ["CaseSuites", "CommandSupport"],
    // Signal handlers in C: a handler may not run Swift code.
    "CTerminal": [],
    "TerminalDemo": ["CTerminal", "Inspection", "InteractiveWorlds", "QRCode"],
    // What the stage shows, as JSON.
    "StageViews": ["InteractiveWorlds", "TraceViews"],
    "DemoServer": [
      "CHeap", "Reports", "StageViews", .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "Mustache", package: "swift-mustache"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "Logging", package: "swift-log"), .product(name: "HTTPTypes", package: "swift-http-types"),
      nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"), nio("NIOWebSocket"),
    ],
    "CHeap": [],
    // Signal handlers in C, too.
    "CCrashNotice": [],
    // What the command and its web server share.
    "CommandSupport": ["CHeap", "Devices", "ExchangeFiles", argumentParser],
    "PresentmentCommand": [
      "BatchRuns", "BrowserChecklist", "CCrashNotice", "CrossCheck", "MeasuredWork", "TerminalDemo",
      "TraceViews", "VerifierSuite", "WalletSuite",
    ],
    // A program of its own, so that the command is built without Hummingbird, NIO and what they bring.
    "PresentmentServer": ["CommandSupport", "DemoServer", "MeasuredWork"],
    "presentment": ["PresentmentCommand"],
    "presentment-serve": ["PresentmentServer"],
    // Only the sandbox programs link it: it replaces the allocator of the program.
    "CConfinement": [],
    "SandboxProgram": ["CConfinement", "DevicePlatform"],
    "presentment-sandbox": ["SandboxProgram"],
    // Worlds with a sandbox fault start it in place of presentment-sandbox.
    "presentment-faulty-sandbox": ["SandboxProgram"],
  ],
]

/// What tests share.
let supports: Imports = [
  "TestSupport": ["Primitives", crypto],
  "TestTraits": ["TestSupport"],
  "CrossCheckTrait": ["CrossCheck"],
  "UntrustedParsers": ["BatchRuns", "DemoServer", "TestSupport", nio("NIOEmbedded")],
  "OpenID4VPVectors": ["JOSE", "TestSupport"],
  "WireSearch": ["Primitives"],
  "RandomPages": ["BrowserChecklist"],
  "ShippedScenarios": ["CrossCheck", "ScenarioFiles", "ScenarioRunner"],
  "DocumentFixtures": ["MobileDocument", "TestSupport"],
  "RegistrationStressTool": ["Storage", "TestSupport"],
]

let tests: Imports = [
  "PrimitivesTests": ["TestSupport"],
  "JSONTests": ["JSON"],
  "CBORTests": ["CBOR", "TestSupport"],
  "COSETests": ["CrossCheckTrait", "TestTraits"],
  "SDJWTTests": ["CrossCheckTrait", "DocumentFixtures", "OpenID4VPVectors", "SDJWT", "TestTraits"],
  "OpenID4VPTests": ["CrossCheckTrait", "DocumentFixtures", "OpenID4VP", "OpenID4VPVectors", "TestTraits"],
  "JOSETests": ["CrossCheckTrait", "OpenID4VPVectors", "TestTraits"],
  "QRCodeTests": ["QRCode", "TestTraits"],
  "CertificatesTests": ["CrossCheckTrait", "DocumentFixtures", "ReaderOnboarding", "TestTraits"],
  "StatusListsTests": ["CrossCheckTrait", "DocumentFixtures", "TestTraits"],
  "TrustListsTests": ["CrossCheckTrait", "DocumentFixtures", "TrustLists"],
  "MobileDocumentTests": ["CrossCheckTrait", "DocumentFixtures", "TestTraits"],
  "WebPresentmentTests": ["CrossCheckTrait", "TestTraits", "TranscriptDiagnosis"],
  "DigitalCredentialsTests": ["DigitalCredentials", "TestSupport"],
  "HybridTransportTests": ["HybridTransport", "TestTraits"],
  "ProximityTests": ["DocumentFixtures", "Proximity", "QRCode", "TestTraits"],
  "NearbyDevicesTests": ["NearbyDevices", "TestSupport"],
  "IdentityDocumentServicesTests": [
    "CrossCheckTrait", "DevicePlatform", "DocumentFixtures", "OpenID4VPVectors", "TestTraits",
  ],
  "RelyingPartyTests": ["CrossCheckTrait", "DocumentFixtures", "OpenID4VPVectors", "RelyingParty", "TestTraits"],
  "KnownAnswerTests": ["CrossCheckTrait", "Inspection", "TestTraits"],
  "MalformedInputTests": ["TestTraits", "UntrustedParsers"],
  "SimulationKernelTests": ["SimulationKernel"],
  "MessagingTests": ["Messaging"],
  "EcosystemTests": ["CrossCheckTrait", "Ecosystem", "RegistrationStressTool"],
  "FaultsTests": ["CrossCheckTrait", "ShippedScenarios", "TestSupport"],
  "LocatedYAMLTests": ["LocatedYAML"],
  "ScenarioLanguageTests": ["ScenarioFiles", "TestSupport"],
  // The tests run the product presentment-sandbox, which is built next to them. They must not be linked with it: it has
  // an allocator of its own.
  "ScenarioRunnerTests": ["BatchRuns", "CrossCheckTrait", "ShippedScenarios", "TestSupport", "WireSearch"],
  "ScenarioSearchTests": ["CCrashNotice", "Reports"],
  "SampleProviderTests": ["CommandSupport", "CrossCheckTrait", "ScenarioFiles", "ScenarioRunner", "TestSupport"],
  "InspectionTests": ["CrossCheckTrait", "Inspection", "OpenID4VPVectors", "TestTraits"],
  "ExchangeFilesTests": ["CommandSupport", "CrossCheckTrait", "OpenID4VPVectors", "TestTraits"],
  "CrossCheckTests": ["BatchRuns", "ShippedScenarios", "TestTraits"],
  "ReportsTests": ["Reports", "TestTraits"],
  "BrowserChecklistTests": ["RandomPages"],
  "TraceViewsTests": ["ScenarioFiles", "TestTraits", "TraceViews"],
  "InteractiveWorldsTests": ["DemoServer", "ShippedScenarios"],
  "TerminalDemoTests": ["TerminalDemo", "TestTraits"],
  "VerifierSuiteTests": ["TestTraits", "VerifierSuite"],
  "WalletSuiteTests": ["DocumentFixtures", "TestTraits", "WalletSuite"],
  "DemoServerTests": ["DemoServer", "TestTraits", nio("NIOEmbedded")],
  "WorkBudgetTests": ["TestSupport"],
  "DocumentationTests": ["TestSupport"],
]

let package = Package(
  name: "presentment",
  products: programs.map { .executable(name: $0, targets: [$0]) }
    + libraries.map { name, others in .library(name: name, targets: [name] + others) },
  // Exact, because Package.resolved is not committed; CONTRIBUTING.md has the reason.
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: rooms.flatMap { room, imports in targets(in: "Sources/\(room)", imports) }
    + targets(in: "Tests/Support", supports) + targets(in: "Tests", tests) + [
      .systemLibrary(
        name: "COpenSSL", path: "Sources/Tools/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
      .target(
        name: "SampleProvider", dependencies: ["IdentityDocumentServices", "ProviderStyles", crypto],
        path: "docs/SampleProvider",
        packageAccess: false, swiftSettings: settings),
      .target(
        name: "MembersCard", dependencies: ["IdentityDocumentServices", "ProviderStyles"],
        path: "docs/examples/provider-app/Sources/MembersCard", packageAccess: false, swiftSettings: settings),
      .executableTarget(
        name: "presentment-with-card", dependencies: ["MembersCard", "PresentmentCommand"],
        path: "docs/examples/provider-app/Sources/presentment-with-card", packageAccess: false,
        swiftSettings: settings),
      .executableTarget(
        name: "presentment-with-card-serve", dependencies: ["MembersCard", "PresentmentServer"],
        path: "docs/examples/provider-app/Sources/presentment-with-card-serve", packageAccess: false,
        swiftSettings: settings),
      .executableTarget(
        name: "RelyingPartyServer",
        dependencies: [
          "RelyingParty", "TrustLists", .product(name: "GRDB", package: "GRDB.swift"),
          .product(name: "Hummingbird", package: "hummingbird"),
          .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
          .product(name: "Logging", package: "swift-log"), .product(name: "Metrics", package: "swift-metrics"),
        ], path: "docs/examples/relying-party-server/Sources", packageAccess: false,
        swiftSettings: warningsAreErrors ? [.treatAllWarnings(as: .error)] : []),
      .target(name: "CWorkCounters", path: "Tests/Support/CWorkCounters"),
      .executableTarget(
        name: "WorkCounter", dependencies: ["CWorkCounters", "MeasuredWork"], path: "Tests/Support/WorkCounter",
        swiftSettings: settings,
        linkerSettings: [.unsafeFlags(countedFunctions.flatMap { ["-Xlinker", "--wrap=\($0)"] })]),
    ],
  swiftLanguageModes: [.v6]
)

if isFuzzed {
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
    .executableTarget(
      name: "Fuzzer", dependencies: ["CFuzzer", "UntrustedParsers"], path: "Tests/Fuzzing/Fuzzer",
      swiftSettings: settings, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ]
}
