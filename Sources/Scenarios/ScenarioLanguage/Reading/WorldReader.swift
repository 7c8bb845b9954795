import Certificates
import Checks
import DigitalCredentials
import Ecosystem
import Foundation
import IdentityDocumentServices
import LocatedYAML
import MobileDocument
import WebPresentment

/// Reads the description of a world. Names that refer to other parts are checked here, so that a misspelled one is
/// reported at its position.
struct WorldReader {
  let problems: ProblemCollector

  private enum Retention: String, CaseIterable { case retain, show }

  func read(_ root: SourceNode) -> WorldDescription? {
    guard let fields = MappingReader<WorldKey>(root, problems) else { return nil }
    var world = WorldDescription()
    let websiteNames = fields[.websites]?.keys ?? []
    fields.optional(.authorities) { readAuthorities($0, websites: websiteNames, into: &world) }
    let issuers = world.issuers.map(\.identifier)
    let readers = world.readerAuthorities.map(\.identifier)
    world.websites =
      fields.optional(.websites) { node in
        node.eachEntry(problems) { name, value in
          readWebsite(name, value, issuers: issuers, readers: readers, websites: websiteNames)
        }
      } ?? []
    for (position, website) in world.websites.enumerated()
    where world.websites[..<position].contains(where: { $0.origin == website.origin }) {
      problems.report(
        SourceProblem(
          .duplicateKey, "two websites have the origin \(website.origin.serialized)",
          at: fields[.websites]?[website.identifier]?.position ?? root.position))
    }
    world.devices =
      fields.optional(.devices) { node in
        node.eachEntry(problems) { name, value in readDevice(name, value, issuers: issuers, readers: readers) }
      } ?? []
    world.storage = fields.optional(.storage, default: .memory) { try readStorage($0) }
    return world
  }

  /// `temporary`, or a folder next to the file that names it.
  private func readStorage(_ node: SourceNode) throws -> WorldDescription.Storage {
    let text = try node.string()
    if text == "temporary" { return .temporary }
    guard !text.isEmpty else {
      throw SourceProblem(.unreadableValue, "expected the name of a folder", at: node.position)
    }
    let folder = URL(fileURLWithPath: node.position.file.path).deletingLastPathComponent()
    return .folder(URL(fileURLWithPath: text, relativeTo: folder).standardizedFileURL.path)
  }

  private func readAuthorities(_ node: SourceNode, websites: [String], into world: inout WorldDescription) {
    guard let fields = MappingReader<AuthoritiesKey>(node, problems) else { return }
    world.issuers =
      fields.optional(.issuers) { node in
        node.eachEntry(problems) { name, value in
          try requireHostName(name)
          guard let fields = MappingReader<IssuerKey>(value, problems) else { return nil }
          var issuer = WorldDescription.Issuer(
            identifier: name.value, name: fields.optional(.name, default: name.value) { try $0.string() },
            country: fields.optional(.country, default: "US") { try readCode($0, type: .countryCode) },
            state: fields.optional(.state) { try $0.string() })
          issuer.publishesStatus = fields.optional(.publishesStatus) {
            try $0.oneOf(PublishedStatus.self, "kind of list")
          }
          return issuer
        }
      } ?? []
    world.readerAuthorities =
      fields.optional(.readers) { node in
        if case .sequence = node.content {
          return node.each(problems) { item in
            let name = try item.string()
            try requireHostName(Located(name, at: item.position))
            return WorldDescription.ReaderAuthority(identifier: name, name: name)
          }
        }
        return node.eachEntry(problems) { name, value in
          try requireHostName(name)
          guard let fields = MappingReader<ReaderKey>(value, problems) else { return nil }
          return WorldDescription.ReaderAuthority(
            identifier: name.value, name: fields.optional(.name, default: name.value) { try $0.string() },
            certificateDays: fields.optional(.certificateDays, default: 400) { try $0.integer(in: 1...1187) },
            refuses: fields.optional(.refuses, default: []) { $0.each(problems) { try $0.oneOf(websites, "website") } },
            hasIntermediate: fields.optional(.intermediate, default: false) { try $0.boolean() })
        }
      } ?? []
  }

  /// The name of an authority becomes a host name in its certificates.
  private func requireHostName(_ name: Located<String>) throws {
    let isHostName = name.value.utf8.allSatisfy { byte in
      UInt8(ascii: "a") <= byte && byte <= UInt8(ascii: "z") || UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9")
        || byte == UInt8(ascii: "-")
    }
    guard isHostName, (1...63).contains(name.value.utf8.count) else {
      throw SourceProblem(
        .unreadableValue, "an authority's name has lower-case letters, digits and hyphens", at: name.position,
        hint: "use 'name' for the displayed name")
    }
  }

  private func readCode(_ node: SourceNode, type: DataElementType) throws -> String {
    let text = try node.string()
    if let problem = type.problem(with: .text(text)) {
      throw SourceProblem(.unreadableValue, "\(SourceText.quote(text)) \(problem)", at: node.position)
    }
    return text
  }

  private func readWebsite(
    _ name: Located<String>, _ node: SourceNode, issuers: [String], readers: [String], websites: [String]
  ) -> WorldDescription.Website? {
    guard let fields = MappingReader<WebsiteKey>(node, problems) else { return nil }
    let origin = fields.required(.origin) { try readOrigin($0) }
    let brand = fields.required(.brand) { node -> BrandIdentity? in
      guard let fields = MappingReader<BrandKey>(node, problems),
        let name = fields.required(.name, { try $0.string() })
      else { return nil }
      return BrandIdentity(name: name, icon: fields.optional(.icon, default: "") { try $0.string() })
    }
    guard let origin, let brand else { return nil }
    var website = WorldDescription.Website(identifier: name.value, origin: origin, brand: brand)
    website.signsFor =
      fields.optional(.signsFor) { $0.each(problems) { try $0.oneOf(readers, "reader authority") } } ?? []
    website.acceptsIssuers =
      fields.optional(.acceptsIssuers) { $0.each(problems) { try $0.oneOf(issuers, "issuing authority") } } ?? []
    website.asks = fields.required(.asks) { $0.eachEntry(problems) { try readRequest($0, $1) } } ?? []
    website.useCases =
      fields.optional(.useCases) { node in
        node.each(problems) { try readUseCase($0, documentTypes: website.asks.map(\.documentType)) }
      } ?? []
    website.requestVersion =
      fields.optional(.requestVersion) { node in
        let text = try node.oneOf(["1.0", "1.1"], "request version")
        return DeviceRequestDraft.Version(rawValue: text)
      } ?? .second
    website.sessionSeconds =
      fields.optional(.sessionLifetime) { Int64(try $0.duration().components.seconds) }
      ?? WorldDescription.Website.defaultSessionSeconds
    if let text = fields.optional(.protocol, { try $0.string() }) { website.protocolIdentifier = text }
    website.namesIssuers =
      fields.optional(.namesIssuers) { node in
        guard case .sequence = node.content else { return try node.boolean() ? website.acceptsIssuers : [] }
        return node.each(problems) { try $0.oneOf(website.acceptsIssuers, "accepted issuing authority") }
      } ?? []
    website.replaysRequestsOf = fields.optional(.replaysRequestsOf) { try $0.oneOf(websites, "website") }
    website.policy = fields.optional(.policy, default: VerificationPolicy.standard) {
      try $0.oneOf(VerificationPolicy.self, "policy")
    }
    func origins(_ key: WebsiteKey) -> [String] {
      fields.optional(key) { node in node.each(problems) { try readOrigin($0).serialized } } ?? []
    }
    website.surroundings = TranscriptInputs.Surroundings(
      frameOrigins: origins(.frameOrigins), topLevelOrigins: origins(.topLevelOrigins))
    website.script = fields.optional(.script, default: .own) {
      try $0.oneOf(WorldDescription.Website.PageScript.self, "place for a script")
    }
    website.revocation = fields.optional(.revocation, default: .standard) { try readRevocation($0) }
    return website
  }

  private func readOrigin(_ node: SourceNode) throws -> Origin {
    let text = try node.string()
    do {
      return try Origin(serialized: text)
    } catch {
      throw SourceProblem(.unreadableValue, "\(error)", at: node.position)
    }
  }

  private func readRequest(_ type: Located<String>, _ node: SourceNode) throws -> ItemsRequest? {
    let nameSpaces = node.eachEntry(problems) { name, value -> ItemsRequest.NameSpace? in
      let elements = value.eachEntry(problems) { identifier, retention in
        ItemsRequest.Element(
          identifier.value, intentToRetain: try retention.oneOf(Retention.self, "retention") == .retain)
      }
      return elements.map { ItemsRequest.NameSpace(name.value, $0) }
    }
    return nameSpaces.map { ItemsRequest(documentType: type.value, nameSpaces: $0) }
  }

  private func readUseCase(_ node: SourceNode, documentTypes: [String]) throws -> DeviceRequestInfo.UseCase? {
    guard let fields = MappingReader<UseCaseKey>(node, problems) else { return nil }
    let isMandatory = fields.optional(.mandatory, default: true) { try $0.boolean() }
    let sets = fields.required(.sets) { node in
      node.each(problems) { set in
        set.each(problems) { member -> Int? in
          documentTypes.firstIndex(of: try member.oneOf(documentTypes, "document type"))
        }
      }
    }
    return sets.map { DeviceRequestInfo.UseCase(isMandatory: isMandatory, documentSets: $0) }
  }
}
