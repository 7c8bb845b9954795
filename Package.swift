// swift-tools-version: 6.2
import PackageDescription

/// Whether a warning is an error: for the gate, so that a later compiler's new warning stops nobody else.
let warningsAreErrors = Context.environment["PRESENTMENT_WARNINGS_ARE_ERRORS"] != nil

/// Whether everything is built to be fuzzed: `make fuzz` does, in a folder of its own.
let isFuzzed = Context.environment["PRESENTMENT_FUZZ"] != nil
/// What makes code tell libFuzzer which of its edges an input reaches, at a speed at which that is of use.
let fuzzingFlags = ["-O", "-sanitize=fuzzer,address"]

/// Settings of every target. Nonisolated async functions stay on their caller's executor, which a world's schedule
/// depends on.
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
  + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
  + (isFuzzed ? [.unsafeFlags(fuzzingFlags)] : [])

/// Targets that read bytes of strangers and call nothing unsafe.
let strictSettings = settings + [.strictMemorySafety()]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")

let package = Package(
  name: "presentment",
  products: [
    .executable(name: "presentment", targets: ["presentment"]),
    .executable(name: "presentment-sandbox", targets: ["presentment-sandbox"]),
    .library(name: "MobileDocument", targets: ["MobileDocument"]),
    .library(name: "WebPresentment", targets: ["WebPresentment"]),
    .library(name: "DigitalCredentials", targets: ["DigitalCredentials"]),
    .library(name: "IdentityDocumentServices", targets: ["IdentityDocumentServices"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
  ],
  targets: [
    .target(name: "CBOR", swiftSettings: strictSettings),
    .target(name: "COSE", dependencies: ["CBOR", crypto], swiftSettings: strictSettings),
    .target(name: "MobileDocument", dependencies: ["CBOR", "COSE", crypto, x509, asn1], swiftSettings: settings),
    .target(name: "WebPresentment", dependencies: ["CBOR", "COSE", "MobileDocument", crypto], swiftSettings: settings),
    .target(name: "DigitalCredentials", swiftSettings: strictSettings),
    .target(
      name: "IdentityDocumentServices", dependencies: ["COSE", "MobileDocument", "WebPresentment", crypto, x509],
      swiftSettings: settings),
    .target(
      name: "Exchanges",
      dependencies: [
        "CBOR", "COSE", "MobileDocument", "WebPresentment", "DigitalCredentials", "IdentityDocumentServices", crypto,
        x509,
      ],
      swiftSettings: settings),
    // Two targets, because the first replaces the allocator of whatever it is linked into.
    .target(name: "CConfinement"),
    .target(name: "CWorkerProcess"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // Another implementation, to compare with: the command and tests import it, and nothing that they check does.
    .target(
      name: "SecondOpinion", dependencies: ["COpenSSL", "COSE", "MobileDocument"], swiftSettings: strictSettings),
    .executableTarget(
      name: "presentment-sandbox", dependencies: ["CConfinement", "IdentityDocumentServices"],
      swiftSettings: settings),
    .target(name: "Simulation", dependencies: [crypto], swiftSettings: settings),
    .target(
      name: "Flaws", dependencies: ["CBOR", "COSE", "MobileDocument", "WebPresentment", crypto, x509],
      swiftSettings: settings),
    .target(
      name: "Ecosystem",
      dependencies: [
        "CBOR", "COSE", "MobileDocument", "WebPresentment", "DigitalCredentials", "IdentityDocumentServices", "Flaws",
        "CWorkerProcess", "Simulation", crypto, x509, .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "Scenarios",
      dependencies: [
        "CBOR", "COSE", "DigitalCredentials", "Ecosystem", "Exchanges", "Flaws", "IdentityDocumentServices",
        "MobileDocument", "Simulation", "WebPresentment", .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .target(
      name: "Reports",
      dependencies: ["Ecosystem", "IdentityDocumentServices", "MobileDocument", "Scenarios", "Simulation"],
      swiftSettings: settings),
    .target(
      name: "Live",
      dependencies: ["DigitalCredentials", "Ecosystem", "Exchanges", "MobileDocument", "Scenarios", "Simulation"],
      swiftSettings: settings),
    // What a terminal needs when a signal comes: a handler may do little, and nothing of Swift.
    .target(name: "CTerminal"),
    .target(
      name: "TerminalDemo",
      dependencies: ["CTerminal", "Ecosystem", "Inspection", "Live", "MobileDocument", "Scenarios", "Simulation"],
      swiftSettings: settings),
    .target(
      name: "DemoServer",
      dependencies: [
        "CBOR", "DigitalCredentials", "Ecosystem", "Exchanges", "Inspection", "Live", "MobileDocument", "Scenarios",
        "Simulation",
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"), .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      resources: [.copy("Web")], swiftSettings: settings),
    .target(
      name: "Inspection",
      dependencies: ["CBOR", "COSE", "MobileDocument", "WebPresentment", "Simulation", crypto, x509, asn1],
      swiftSettings: settings),
    .executableTarget(
      name: "presentment",
      dependencies: [
        "DemoServer", "Inspection", "Live", "Reports", "Scenarios", "TerminalDemo", "Ecosystem", "Exchanges",
        "SecondOpinion", "DigitalCredentials", "IdentityDocumentServices", "CBOR", "COSE", "MobileDocument",
        "Simulation", "WebPresentment", crypto, x509,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Bench/neighbours.py"],
      swiftSettings: settings),

    .target(
      name: "SampleProvider", dependencies: ["IdentityDocumentServices", crypto], path: "docs/SampleProvider",
      swiftSettings: settings),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "SecondOpinionTrait", dependencies: ["SecondOpinion", "COSE", "MobileDocument"],
      path: "Tests/SecondOpinionTrait", swiftSettings: settings),
    .target(
      name: "OutsideParsers",
      dependencies: [
        "CBOR", "COSE", "MobileDocument", "WebPresentment", "DigitalCredentials", "IdentityDocumentServices",
        "Inspection", "Exchanges", "Ecosystem", "Simulation", "TestSupport", crypto, x509,
      ],
      path: "Tests/OutsideParsers", swiftSettings: settings),
    .testTarget(
      name: "MalformedInputTests",
      dependencies: [
        "OutsideParsers", "CBOR", "COSE", "MobileDocument", "WebPresentment", "TestSupport", crypto, x509,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CBORTests", dependencies: ["CBOR", "TestSupport"], resources: [.copy("Vectors")], swiftSettings: settings),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", crypto], resources: [.copy("Vectors")],
      swiftSettings: settings),
    .testTarget(
      name: "WebPresentmentTests",
      dependencies: [
        "WebPresentment", "CBOR", "COSE", "MobileDocument", "SecondOpinionTrait", "TestSupport", crypto, x509,
      ],
      resources: [.copy("Vectors")], swiftSettings: settings),
    .testTarget(
      name: "COSETests", dependencies: ["COSE", "CBOR", "SecondOpinionTrait", "TestSupport", crypto],
      swiftSettings: settings),
    .testTarget(
      name: "MobileDocumentTests",
      dependencies: ["MobileDocument", "COSE", "CBOR", "SecondOpinionTrait", "TestSupport", crypto, x509, asn1],
      swiftSettings: settings),
    .testTarget(
      name: "IdentityDocumentServicesTests",
      dependencies: [
        "IdentityDocumentServices", "CBOR", "COSE", "MobileDocument", "WebPresentment", "SecondOpinionTrait",
        "TestSupport", crypto, x509,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SampleProviderTests",
      dependencies: [
        "SampleProvider", "IdentityDocumentServices", "CBOR", "COSE", "MobileDocument", "WebPresentment",
        "SecondOpinionTrait", "TestSupport", crypto, x509,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "InspectionTests",
      dependencies: [
        "Inspection", "CBOR", "COSE", "MobileDocument", "WebPresentment", "SecondOpinionTrait", "TestSupport", crypto,
        x509,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "KnownAnswerTests",
      dependencies: [
        "CBOR", "COSE", "MobileDocument", "WebPresentment", "DigitalCredentials", "IdentityDocumentServices",
        "Inspection", "SecondOpinionTrait", "TestSupport", crypto, x509, asn1,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ExchangesTests",
      dependencies: [
        "Exchanges", "DigitalCredentials", "CBOR", "COSE", "MobileDocument", "WebPresentment",
        "IdentityDocumentServices", "SecondOpinionTrait", "TestSupport", crypto, x509,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FlawsTests",
      dependencies: ["Flaws", "CBOR", "COSE", "MobileDocument", "WebPresentment", "SecondOpinionTrait", crypto, x509],
      swiftSettings: settings),
    .testTarget(
      name: "DigitalCredentialsTests", dependencies: ["DigitalCredentials", "TestSupport"], swiftSettings: settings),
    .executableTarget(
      name: "RegistrationChurn", dependencies: ["Ecosystem", "IdentityDocumentServices", "TestSupport"],
      path: "Tests/RegistrationChurn", swiftSettings: settings),
    .testTarget(
      name: "EcosystemTests",
      dependencies: [
        "Ecosystem", "IdentityDocumentServices", "MobileDocument", "RegistrationChurn", "SecondOpinionTrait",
        "Simulation", "TestSupport", crypto, x509,
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    // The tests run the product presentment-sandbox, which is built with them and stands beside them. They must not be
    // linked with it: it has an allocator of its own.
    .testTarget(
      name: "ScenariosTests",
      dependencies: [
        "Scenarios", "Reports", "CBOR", "CWorkerProcess", "DigitalCredentials", "Ecosystem", "Flaws",
        "IdentityDocumentServices", "MobileDocument", "SecondOpinionTrait", "Simulation", "WebPresentment", crypto,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DemoServerTests",
      dependencies: [
        "DemoServer", "Exchanges", "Live", "Scenarios", "TestSupport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalDemoTests", dependencies: ["TerminalDemo", "Live", "Scenarios", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LiveTests",
      dependencies: ["Live", "DigitalCredentials", "Ecosystem", "Scenarios", "Simulation"],
      swiftSettings: settings),
    .testTarget(
      name: "SecondOpinionTests",
      dependencies: [
        "SecondOpinion", "Scenarios", "Reports", "CBOR", "COSE", "Ecosystem", "MobileDocument", "Simulation",
        "TestSupport", crypto, x509,
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

if isFuzzed {
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
    .executableTarget(
      name: "Fuzzer", dependencies: ["CFuzzer", "OutsideParsers"], path: "Tests/Fuzzing/Fuzzer",
      swiftSettings: settings, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ]
}
