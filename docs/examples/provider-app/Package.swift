// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "provider-app",
  dependencies: [
    // On another machine: .package(url: "https://…/presentment", revision: "…")
    .package(name: "presentment", path: "../../..")
  ],
  targets: [
    // The app's extension, and its place in a world.
    .target(name: "MembersCard", dependencies: [.product(name: "ProviderStyles", package: "presentment")]),
    // The programs presentment and presentment-serve, with the app among those that a world can name.
    .executableTarget(
      name: "presentment-with-card",
      dependencies: ["MembersCard", .product(name: "PresentmentCommand", package: "presentment")]),
    .executableTarget(
      name: "presentment-with-card-serve",
      dependencies: ["MembersCard", .product(name: "PresentmentServer", package: "presentment")]),
  ]
)
