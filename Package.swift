// swift-tools-version: 6.2
import PackageDescription

/// True if warnings are errors: in the gate only, so that a newer compiler's warnings do not break other builds.
let warningsAreErrors = Context.environment["PRESENTMENT_WARNINGS_ARE_ERRORS"] != nil

/// True if the build is instrumented for libFuzzer, as by `make fuzz` in a build folder of its own.
let isFuzzed = Context.environment["PRESENTMENT_FUZZ"] != nil
/// Instrumentation flags for libFuzzer: coverage, optimized.
let fuzzingFlags = ["-O", "-sanitize=fuzzer,address"]

/// Settings of every target. Nonisolated async functions stay on their caller's executor: a world's schedule depends
/// on it.
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
  + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
  + (isFuzzed ? [.unsafeFlags(fuzzingFlags)] : [])

/// Settings of the test targets: never optimized, because optimizing the expanded macros of one target of tests takes
/// longer than optimizing what it tests.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Settings of the targets that read untrusted bytes and call nothing unsafe.
let strictSettings = settings + [.strictMemorySafety()]

/// True if this package is not a dependency of another one: SwiftPM refuses unsafe flags in dependencies.
let isRoot = !Context.packageDirectory.contains("/checkouts/")

/// Settings of the small targets in which worlds spend most of their time: optimized in every build. All cases take two
/// thirds of the time with it, and compiling these targets takes a few seconds more.
let hotSettings: [SwiftSetting] = isRoot ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []

/// A target in one of the rooms of `Sources`. ARCHITECTURE.md describes the rooms and their imports.
func room(
  _ room: String, _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
  settings: [SwiftSetting] = settings
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)", resources: resources,
    swiftSettings: settings)
}

/// A target in `Tests/Support` that tests share.
func support(_ name: String, _ dependencies: Target.Dependency..., settings: [SwiftSetting] = settings) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: settings)
}

/// A target of tests.
func tests(
  _ name: String, _ dependencies: Target.Dependency..., resources: [Resource] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: testSettings)
}

/// Functions whose calls are counted by `WorkCounter`: its linker puts a counting function of the target CWorkCounters in
/// front of each.
let countedFunctions = [
  "CCryptoBoringSSLShims_ECDSA_do_verify", "CCryptoBoringSSLShims_ECDSA_do_sign",
  "CCryptoBoringSSL_EC_KEY_set_private_key", "CCryptoBoringSSL_ECDH_compute_key",
  "CCryptoBoringSSL_EC_KEY_set_public_key_affine_coordinates", "CCryptoBoringSSL_EC_POINT_oct2point",
  "CCryptoBoringSSL_EC_POINT_set_compressed_coordinates_GFp", "CCryptoBoringSSL_EC_POINT_get_affine_coordinates_GFp",
  "CCryptoBoringSSL_SHA256_Final", "$s9SwiftASN13DERO5parseyAA0B4NodeVs10ArraySliceVys5UInt8VGKFZTf4nd_n",
  "$s9SwiftASN13DERO8sequence_10identifier_xAA0B4NodeV_AA0B10IdentifierVxAA0bF10CollectionV8IteratorVzKXEtKlFZ4X50911Ce"
    + "rtificateV_Tt3gq509$s4X50911k19V10derEncoded14withg3AC9a7ASN10H4f22V_AF0hF0VtKcfcAcF0hI10h2V8I8VzKXEfU_Tf1nnnc_n",
  "sqlite3_open_v2", "sqlite3_prepare_v2", "sqlite3_prepare_v3", "sqlite3_step",
  "$s20FoundationEssentials11JSONEncoderCACycfc", "$s20FoundationEssentials11JSONEncoderCACycfC",
  "$s20FoundationEssentials11JSONDecoderCACycfc", "$s20FoundationEssentials11JSONDecoderCACycfC",
]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")

let package = Package(
  name: "presentment",
  products: [
    .executable(name: "presentment", targets: ["presentment"]),
    .executable(name: "presentment-serve", targets: ["presentment-serve"]),
    .executable(name: "presentment-sandbox", targets: ["presentment-sandbox"]),
    .executable(name: "presentment-faulty-sandbox", targets: ["presentment-faulty-sandbox"]),
    .library(name: "MobileDocument", targets: ["MobileDocument"]),
    .library(name: "WebPresentment", targets: ["WebPresentment"]),
    .library(name: "DigitalCredentials", targets: ["DigitalCredentials"]),
    .library(name: "IdentityDocumentServices", targets: ["IdentityDocumentServices"]),
    .library(name: "DevicePlatform", targets: ["DevicePlatform"]),
    .library(name: "HybridTransport", targets: ["HybridTransport"]),
    // With the modules whose types its interface has.
    .library(
      name: "RelyingParty",
      targets: [
        "RelyingParty", "Primitives", "Checks", "Certificates", "StatusLists", "MobileDocument", "WebPresentment",
      ]),
  ],
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
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    // Formats: bytes and values of the standards.
    room("Formats", "Primitives", settings: strictSettings + hotSettings),
    room("Formats", "JSON", ["Primitives"], settings: strictSettings + hotSettings),
    room("Formats", "CBOR", ["Primitives"], settings: strictSettings + hotSettings),
    room("Formats", "COSE", ["Primitives", "CBOR", crypto], settings: strictSettings + hotSettings),
    room("Formats", "QRCode", ["Primitives"], settings: strictSettings),

    // Trust: named checks, certificates and their paths, revocation status.
    room("Trust", "Checks", ["COSE", "JSON", "Primitives"], settings: strictSettings),
    room("Trust", "Certificates", ["COSE", "Checks", "JSON", "Primitives", crypto, x509, asn1]),
    room("Trust", "StatusLists", ["Primitives", "CBOR", "COSE", "Checks", "Certificates", x509]),
    room("Trust", "TrustLists", ["Primitives", "CBOR", "COSE", "Checks", "Certificates", x509]),

    // Documents: requests for documents, responses, and their verification.
    room(
      "Documents", "MobileDocument",
      ["Primitives", "CBOR", "COSE", "Checks", "Certificates", "StatusLists", crypto, x509]),
    room("Documents", "WebPresentment", ["JSON", "Primitives", "CBOR", "COSE", "Checks", "MobileDocument", crypto]),

    // Roles: what each party decides, as pure machines.
    room("Roles", "DigitalCredentials", ["Checks", "JSON", "Primitives"], settings: strictSettings),
    room(
      "Roles", "HybridTransport", ["CBOR", "Checks", "DigitalCredentials", "JSON", "Primitives", crypto, cryptoExtras],
      settings: strictSettings),
    room(
      "Roles", "IdentityDocumentServices",
      ["COSE", "Certificates", "Checks", "JSON", "MobileDocument", "Primitives", "WebPresentment", crypto, x509]),
    room(
      "Roles", "Proximity", ["CBOR", "COSE", "Checks", "MobileDocument", "Primitives", crypto], settings: strictSettings
    ),
    room("Roles", "PassKit", ["JSON", "MobileDocument", "Primitives"]),
    room(
      "Roles", "DevicePlatform",
      [
        "Certificates", "Checks", "DigitalCredentials", "IdentityDocumentServices", "JSON", "MobileDocument", "PassKit",
        "Primitives", "WebPresentment", x509,
      ]),
    room(
      "Roles", "NearbyDevices", ["CBOR", "Checks", "DigitalCredentials", "Primitives", crypto],
      settings: strictSettings),
    room(
      "Roles", "RelyingParty",
      [
        "CBOR", "Certificates", "Checks", "JSON", "MobileDocument", "Primitives", "StatusLists", "WebPresentment",
        crypto,
      ]),

    // Simulation: the world.
    room("Simulation", "SimulationKernel", ["COSE", "Primitives", crypto], settings: settings + hotSettings),
    room(
      "Simulation", "Messaging", ["Checks", "JSON", "SimulationKernel"], settings: settings + hotSettings),
    room(
      "Simulation", "Vocabulary",
      [
        "CBOR", "COSE", "Certificates", "Checks", "DevicePlatform", "DigitalCredentials", "HybridTransport",
        "IdentityDocumentServices", "JSON", "Messaging", "MobileDocument", "NearbyDevices", "PassKit", "Primitives",
        "RelyingParty", "SimulationKernel", "StatusLists", "WebPresentment", crypto,
      ]),
    room(
      "Simulation", "Telling",
      [
        "Certificates", "Checks", "DevicePlatform", "JSON", "Messaging", "MobileDocument", "Primitives", "Vocabulary",
      ]),
    room("Simulation", "CSQLite"),
    room(
      "Simulation", "Storage",
      [
        "CBOR", "COSE", "CSQLite", "Certificates", "Checks", "DevicePlatform", "IdentityDocumentServices", "JSON",
        "MobileDocument", "Primitives", "RelyingParty", "SimulationKernel", "TrustLists", crypto, x509,
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    room("Simulation", "CWorkerProcess"),
    room(
      "Simulation", "Devices",
      [
        "COSE", "CWorkerProcess", "Certificates", "Checks", "DevicePlatform", "DigitalCredentials", "HybridTransport",
        "IdentityDocumentServices", "JSON", "Messaging", "MobileDocument", "NearbyDevices", "PassKit", "Primitives",
        "SimulationKernel", "Storage", "Vocabulary", "WebPresentment", crypto, x509,
      ]),
    room(
      "Simulation", "Websites",
      [
        "CBOR", "COSE", "Certificates", "Checks", "DigitalCredentials", "JSON", "Messaging", "MobileDocument",
        "Primitives",
        "RelyingParty", "SimulationKernel", "StatusLists", "Storage", "TrustLists", "Vocabulary", "WebPresentment",
        crypto, x509,
      ]),
    room(
      "Simulation", "Authorities",
      [
        "CBOR", "COSE", "Certificates", "Checks", "JSON", "Messaging", "MobileDocument", "Primitives",
        "SimulationKernel", "StatusLists", "Storage", "TrustLists", "Vocabulary", "WebPresentment", x509,
      ]),
    room(
      "Simulation", "Ecosystem",
      [
        "Authorities", "Certificates", "Devices", "DigitalCredentials", "IdentityDocumentServices", "Messaging",
        "MobileDocument", "Primitives", "SimulationKernel", "Storage", "Vocabulary", "Websites",
      ]),

    room(
      "Simulation", "Faults",
      [
        "Authorities", "CBOR", "COSE", "Certificates", "Checks", "DevicePlatform", "Devices", "DigitalCredentials",
        "Ecosystem", "HybridTransport", "IdentityDocumentServices", "JSON", "Messaging", "MobileDocument",
        "NearbyDevices", "Primitives", "RelyingParty", "SimulationKernel", "StatusLists", "Storage", "TrustLists",
        "Vocabulary", "WebPresentment", "Websites", crypto, x509,
      ]),

    room(
      "Simulation", "Invariants",
      ["CBOR", "COSE", "Checks", "Vocabulary", "JSON", "Messaging", "MobileDocument", "Primitives", "RelyingParty"],
      settings: settings + hotSettings),

    // Scenarios: files, their language, running and judging.
    room(
      "Scenarios", "LocatedYAML", ["Primitives", .product(name: "Yams", package: "Yams")], settings: strictSettings),
    room(
      "Scenarios", "ScenarioLanguage",
      [
        "CBOR", "COSE", "Certificates", "Checks", "DevicePlatform", "Devices", "DigitalCredentials", "Faults",
        "HybridTransport", "IdentityDocumentServices", "Invariants", "JSON", "LocatedYAML", "Messaging",
        "MobileDocument", "NearbyDevices", "PassKit", "Primitives", "RelyingParty", "StatusLists", "Storage", "Telling",
        "TrustLists", "Vocabulary", "WebPresentment",
      ]),
    room(
      "Scenarios", "ScenarioRunner",
      [
        "COSE", "Checks", "Devices", "DigitalCredentials", "Ecosystem", "Faults", "Invariants", "LocatedYAML",
        "Messaging", "MobileDocument", "Primitives", "RelyingParty", "ScenarioLanguage", "SimulationKernel", "Storage",
        "Vocabulary", "WebPresentment",
      ]),
    room(
      "Scenarios", "ScenarioSearch",
      [
        "CBOR", "DevicePlatform", "Faults", "Invariants", "JSON", "LocatedYAML", "Messaging", "Primitives",
        "ScenarioLanguage", "ScenarioRunner", "SimulationKernel", "Vocabulary",
      ]),

    // Tools: views and offline work.
    room(
      "Tools", "ExchangeFiles",
      [
        "CBOR", "COSE", "Certificates", "Checks", "DigitalCredentials", "IdentityDocumentServices", "JSON",
        "MobileDocument", "Primitives", "RelyingParty", "StatusLists", "TrustLists", "WebPresentment", crypto, x509,
      ]),
    room(
      "Tools", "Inspection",
      [
        "CBOR", "COSE", "Certificates", "Checks", "HybridTransport", "JSON", "Messaging", "MobileDocument",
        "Primitives", "StatusLists", "Telling", "WebPresentment", crypto, x509, asn1,
      ]),
    .systemLibrary(
      name: "COpenSSL", path: "Sources/Tools/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    room(
      "Tools", "CrossCheck", ["Primitives", "Checks", "COpenSSL", "COSE", "MobileDocument"], settings: strictSettings),
    room(
      "Tools", "Reports",
      [
        "Certificates", "Checks", "DevicePlatform", "JSON", "LocatedYAML", "Messaging", "MobileDocument", "Primitives",
        "ScenarioLanguage", "ScenarioRunner", "ScenarioSearch", "SimulationKernel", "Telling", "Vocabulary", crypto,
      ]),

    room(
      "Tools", "BatchRuns",
      ["Checks", "LocatedYAML", "Primitives", "Reports", "ScenarioLanguage", "ScenarioRunner"]),

    room(
      "Tools", "BrowserChecklist", ["CBOR", "DevicePlatform", "DigitalCredentials", "JSON", "Primitives"],
      settings: strictSettings),

    room(
      "Tools", "MeasuredWork",
      [
        "CBOR", "COSE", "Certificates", "DevicePlatform", "DigitalCredentials", "Ecosystem", "IdentityDocumentServices",
        "JSON", "MobileDocument", "Primitives", "SimulationKernel", "Vocabulary", "WebPresentment", crypto, x509,
      ]),

    room(
      "Tools", "TraceViews",
      [
        "Checks", "Inspection", "JSON", "Messaging", "MobileDocument", "Primitives", "QRCode", "ScenarioRunner",
        "Telling", "Vocabulary", crypto,
      ],
      resources: [.copy("Web")]),

    // Apps: what people start.
    room(
      "Apps", "InteractiveWorlds",
      [
        "Certificates", "DigitalCredentials", "Telling", "Vocabulary", "ExchangeFiles", "Faults", "JSON", "LocatedYAML",
        "Messaging", "MobileDocument", "Primitives", "ScenarioLanguage", "ScenarioRunner", "SimulationKernel",
      ]),
    // Signal handlers in C: a handler may not run Swift code.
    room("Apps", "CTerminal"),
    room(
      "Apps", "TerminalDemo",
      [
        "CTerminal", "Checks", "DevicePlatform", "Telling", "Vocabulary", "Inspection", "InteractiveWorlds", "JSON",
        "LocatedYAML",
        "Messaging", "MobileDocument", "Primitives", "QRCode", "ScenarioLanguage", "ScenarioRunner",
      ]),
    room(
      "Apps", "DemoServer",
      [
        "CBOR", "CHeap", "Checks", "DigitalCredentials", "Ecosystem", "ExchangeFiles", "Faults", "InteractiveWorlds",
        "JSON", "LocatedYAML", "Messaging", "MobileDocument", "Primitives", "QRCode", "RelyingParty",
        "ScenarioLanguage", "ScenarioRunner", "Telling", "TraceViews", "Vocabulary",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"), .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      resources: [.copy("Web")]),
    // Signal handlers in C, too.
    room("Apps", "CCrashNotice"),
    room("Apps", "CHeap"),
    // What the command and its web server share.
    room(
      "Apps", "CommandSupport",
      [
        "DigitalCredentials", "Vocabulary", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "presentment",
      dependencies: [
        "BatchRuns", "BrowserChecklist", "CCrashNotice", "CHeap", "CommandSupport", "MeasuredWork",
        "DevicePlatform", "Primitives", "Checks", "Certificates", "Faults", "Inspection",
        "Devices", "Ecosystem", "Storage", "Telling", "Vocabulary", "InteractiveWorlds", "LocatedYAML", "Reports",
        "ScenarioLanguage",
        "ScenarioRunner",
        "ScenarioSearch", "TerminalDemo", "TraceViews",
        "ExchangeFiles", "CrossCheck", "DigitalCredentials", "HybridTransport", "IdentityDocumentServices",
        "COSE",
        "MobileDocument", "Messaging", "QRCode", "SimulationKernel", "WebPresentment", crypto, x509,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Apps/presentment", exclude: ["Bench/neighbours.py"], swiftSettings: settings),
    // A program of its own, so that the command is built without Hummingbird, NIO and what they bring.
    .executableTarget(
      name: "presentment-serve",
      dependencies: [
        "CommandSupport", "DemoServer", "ExchangeFiles", "InteractiveWorlds", "MeasuredWork", crypto,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Sources/Apps/presentment-serve", swiftSettings: settings),
    // Only the sandbox programs link it: it replaces the allocator of the program.
    room("Apps", "CConfinement"),
    room("Apps", "SandboxProgram", ["CConfinement", "DevicePlatform"]),
    .executableTarget(
      name: "presentment-sandbox", dependencies: ["SandboxProgram"], path: "Sources/Apps/presentment-sandbox",
      swiftSettings: settings),
    // Worlds with a sandbox fault start it in place of presentment-sandbox.
    .executableTarget(
      name: "presentment-faulty-sandbox", dependencies: ["SandboxProgram", "DevicePlatform"],
      path: "Sources/Apps/presentment-faulty-sandbox", swiftSettings: settings),

    // Tests and what they share. A target names the highest of what it imports, which bring the rest.
    .target(
      name: "SampleProvider", dependencies: ["IdentityDocumentServices", crypto], path: "docs/SampleProvider",
      swiftSettings: settings),
    support("TestSupport", "Primitives"),
    support("TestTraits", "TestSupport"),
    support("CrossCheckTrait", "CrossCheck"),
    support("UntrustedParsers", "Ecosystem", "ExchangeFiles", "Inspection", "Proximity", "TestSupport"),
    // Optimized: it reads the messages of all scenarios.
    support("WireSearch", "Primitives", settings: settings + hotSettings),
    support("RandomPages", "BrowserChecklist"),
    support("ShippedScenarios", "CrossCheck", "ScenarioRunner"),
    support("DocumentFixtures", "MobileDocument", "TestSupport", settings: testSettings),
    .executableTarget(
      name: "RegistrationStressTool", dependencies: ["Storage", "TestSupport"],
      path: "Tests/Support/RegistrationStressTool", swiftSettings: settings),
    .target(name: "CWorkCounters", path: "Tests/Support/CWorkCounters"),
    .executableTarget(
      name: "WorkCounter", dependencies: ["CWorkCounters", "MeasuredWork"], path: "Tests/Support/WorkCounter",
      swiftSettings: settings,
      linkerSettings: [.unsafeFlags(countedFunctions.flatMap { ["-Xlinker", "--wrap=\($0)"] })]),

    tests("PrimitivesTests", "TestSupport"),
    tests("JSONTests", "JSON"),
    tests("CBORTests", "CBOR", "TestSupport", resources: [.copy("Vectors")]),
    tests("COSETests", "CrossCheckTrait", "TestTraits"),
    tests("QRCodeTests", "QRCode", "TestTraits"),
    tests("CertificatesTests", "CrossCheckTrait", "DocumentFixtures", "TestTraits"),
    tests("StatusListsTests", "CrossCheckTrait", "DocumentFixtures", "TestTraits"),
    tests("TrustListsTests", "CrossCheckTrait", "DocumentFixtures", "TrustLists"),
    tests("MobileDocumentTests", "CrossCheckTrait", "DocumentFixtures", "TestTraits"),
    tests("WebPresentmentTests", "CrossCheckTrait", "TestTraits", "WebPresentment", resources: [.copy("Vectors")]),
    tests("DigitalCredentialsTests", "DigitalCredentials", "TestSupport"),
    tests("HybridTransportTests", "HybridTransport", "TestTraits", resources: [.copy("Vectors")]),
    tests("ProximityTests", "DocumentFixtures", "Proximity", "QRCode", "TestTraits"),
    tests("NearbyDevicesTests", "NearbyDevices", "TestSupport"),
    tests("IdentityDocumentServicesTests", "CrossCheckTrait", "DevicePlatform", "DocumentFixtures"),
    tests("RelyingPartyTests", "CrossCheckTrait", "DocumentFixtures", "RelyingParty", "TestTraits"),
    tests("KnownAnswerTests", "CrossCheckTrait", "DevicePlatform", "Inspection", "RelyingParty", "TestTraits"),
    tests("MalformedInputTests", "TestTraits", "UntrustedParsers"),
    tests("SimulationKernelTests", "SimulationKernel", resources: [.copy("Vectors")]),
    tests("MessagingTests", "Messaging"),
    tests(
      "EcosystemTests", "CrossCheckTrait", "Ecosystem", "RegistrationStressTool",
      .product(name: "GRDB", package: "GRDB.swift")),
    tests("FaultsTests", "CrossCheckTrait", "Faults"),
    tests("LocatedYAMLTests", "LocatedYAML"),
    tests("ScenarioLanguageTests", "ScenarioLanguage"),
    // The tests run the product presentment-sandbox, which is built next to them. They must not be linked with it: it has
    // an allocator of its own.
    tests("ScenarioRunnerTests", "BatchRuns", "CrossCheckTrait", "ShippedScenarios", "TestSupport", "WireSearch"),
    tests("ScenarioSearchTests", "CCrashNotice", "Reports"),
    tests("SampleProviderTests", "CrossCheckTrait", "SampleProvider", "ScenarioRunner", "TestSupport"),
    tests("InspectionTests", "CrossCheckTrait", "Inspection", "TestTraits"),
    tests("ExchangeFilesTests", "CrossCheckTrait", "ExchangeFiles", "TestTraits"),
    tests("CrossCheckTests", "BatchRuns", "ShippedScenarios", "TestTraits"),
    tests("ReportsTests", "Reports", "TestTraits"),
    tests("BrowserChecklistTests", "RandomPages"),
    tests("TraceViewsTests", "TestTraits", "TraceViews"),
    tests("InteractiveWorldsTests", "InteractiveWorlds", "ShippedScenarios"),
    tests("TerminalDemoTests", "TerminalDemo", "TestTraits", exclude: ["Screens"]),
    tests("DemoServerTests", "DemoServer", "TestTraits", .product(name: "NIOEmbedded", package: "swift-nio")),
    tests("WorkBudgetTests", "TestSupport"),
    tests("DocumentationTests", "TestSupport"),
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
