import DevicePlatform
import DigitalCredentials
import Ecosystem
import IdentityDocumentServices
import LocatedYAML

/// Reads devices and the apps on them.
extension WorldReader {
  private enum Support: String, CaseIterable { case supported, unsupported }
  /// The person's decision about an app before the world begins, in the words of scenarios.
  private enum AppStatus: String, CaseIterable {
    case authorized
    case notAuthorized = "not-authorized"
    case notDetermined = "not-determined"

    var status: IdentityDocumentProviderRegistrationStore.Status {
      switch self {
      case .authorized: .authorized
      case .notAuthorized: .notAuthorized
      case .notDetermined: .notDetermined
      }
    }
  }

  func readDevice(
    _ name: Located<String>, _ node: SourceNode, issuers: [String], readers: [String]
  ) -> WorldDescription.Device? {
    guard let fields = MappingReader<DeviceKey>(node, problems) else { return nil }
    let profile = fields.optional(.browser, default: BrowserProfile.spec2026) { node in
      BrowserProfile.named(try node.oneOf(BrowserProfile.all.map(\.name), "browser profile"))
    }
    let reading = fields.optional(.authorityKeyIdentifiers, default: Selection.AuthorityReading.root) {
      try $0.oneOf(Selection.AuthorityReading.self, "reading")
    }
    let sandbox = fields.optional(.sandbox, default: WorldDescription.SandboxPlace.inProcess) {
      try $0.oneOf(WorldDescription.SandboxPlace.self, "place")
    }
    let apps = fields.optional(.apps) { node in
      node.eachEntry(problems) { name, value in readApp(name, value, issuers: issuers, readers: readers) }
    }
    return WorldDescription.Device(
      identifier: name.value, browserProfile: profile, authorityReading: reading, sandbox: sandbox,
      supportsDocumentProviders: fields.optional(.documentProviders, default: Support.supported) {
        try $0.oneOf(Support.self, "support")
      } == .supported,
      apps: apps ?? [])
  }

  private func readApp(
    _ name: Located<String>, _ node: SourceNode, issuers: [String], readers: [String]
  ) -> WorldDescription.App? {
    guard let fields = MappingReader<AppKey>(node, problems) else { return nil }
    let usual: WorldDescription.App.Style = name.value == "Wallet" ? .wallet : .custom
    var app = WorldDescription.App(
      name: name.value,
      style: fields.optional(.style, default: usual) { try $0.oneOf(WorldDescription.App.Style.self, "look") })
    app.trustsReaders =
      fields.optional(.trustsReaders) { $0.each(problems) { try $0.oneOf(readers, "reader authority") } } ?? []
    app.authorityKey = fields.optional(.authorityKey, default: .root) {
      try $0.oneOf(WorldDescription.App.AuthorityKey.self, "naming")
    }
    app.entitlement = fields.optional(.entitlement) { $0.each(problems) { try $0.string() } }
    app.nextEntitlement = fields.optional(.nextVersion) { node in
      guard let fields = MappingReader<NextVersionKey>(node, problems) else { return nil }
      return fields.required(.entitlement) { $0.each(problems) { try $0.string() } }
    }
    app.status =
      fields.optional(.status, default: AppStatus.authorized) {
        try $0.oneOf(AppStatus.self, "status")
      }.status
    app.isInstalled = fields.optional(.installed, default: true) { try $0.boolean() }
    var seen: Set<String> = []
    app.documents =
      fields.optional(.documents) { node in
        node.each(problems) { item in
          let document = DocumentReader(problems: problems, issuers: issuers).read(item)
          if let document, !seen.insert(document.identifier).inserted {
            problems.report(
              SourceProblem(
                .duplicateKey, "two documents are called \(SourceText.quote(document.identifier))", at: item.position,
                hint: "give each an id"))
          }
          return document
        }
      } ?? []
    return app
  }
}
