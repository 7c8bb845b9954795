// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target: nonisolated async functions stay on their caller's executor, which a world's schedule
/// depends on.
let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
  name: "presentment",
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "CBOR", swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "COSE",
      dependencies: ["CBOR", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "MobileDocument",
      dependencies: [
        "COSE", .product(name: "X509", package: "swift-certificates"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ],
      swiftSettings: settings),
    .target(
      name: "WebPresentment", dependencies: ["MobileDocument", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: settings),
    .target(
      name: "IdentityDocumentServices",
      dependencies: ["WebPresentment", .product(name: "X509", package: "swift-certificates")],
      swiftSettings: settings),
    .target(
      name: "Simulation", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: settings),
    .target(name: "DigitalCredentials", swiftSettings: settings),
    .target(
      name: "Ecosystem",
      dependencies: [
        "CBOR", "COSE", "MobileDocument", "WebPresentment", "DigitalCredentials", "IdentityDocumentServices",
        "Simulation",
        .product(name: "X509", package: "swift-certificates"), .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "Scenarios", dependencies: ["Ecosystem", .product(name: "Yams", package: "Yams")], swiftSettings: settings),
    .target(name: "Reports", dependencies: ["Scenarios"], swiftSettings: settings),
    .executableTarget(
      name: "presentment",
      dependencies: ["Reports", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
