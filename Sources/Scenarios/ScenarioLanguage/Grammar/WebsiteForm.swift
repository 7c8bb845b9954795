import Certificates
import Checks
import DigitalCredentials
import LocatedYAML
import MobileDocument
import OpenID4VP
import OwnServers
import Primitives
import Recordings
import RelyingParty
import StatusLists
import Vocabulary
import WebPresentment

extension Form where Value == [WorldDescription.Website] {
  static let websites = Form.parts(
    "website", \.identifier, "websites", { .unnamed($0) },
    [
      Key(
        "origin", required: \.origin, .origin,
        "`https://host` or `http://host`, with a port if needed; a default port and one slash at the end are dropped"),
      Key("brand", required: \.brand, .brand, "the brand in its reader certificates and on its pages"),
      Key(
        "signs-for", \.signsFor, .list(.name(.readerAuthority)),
        "the reader authorities that certify it; it signs each request once for each"),
      Key(
        "certified-domain", \.certifiedDomain, .text, usual: "the host of its origin",
        "the domain name in its reader certificates, `*.example.com` for a wildcard; a name of another website "
          + "models a stolen key"),
      Key(
        "accepts-issuers", \.acceptsIssuers, .list(.name(.issuer)),
        "the issuing authorities whose roots its server trusts"),
      Key(
        "root-source", \.rootSource, .oneOf(RootSource.self, "source"),
        "the place where its server gets these roots, which it compares with fingerprints: `authority`, which is asked; "
          + "`address`, `https://NAME.example/root.cer`"),
      Key(
        "accepts-list", \.acceptsList, .name(.listOperator), usual: "none",
        "the list operator on whose signed [list](model.md#roots) its server trusts every authority, besides those of "
          + "`accepts-issuers`"),
      asked,
      useCases,
      Key(
        "request-version", \.requestVersion, .requestVersion,
        "the version of its requests, in quotes; `\"1.0\"` carries the signature for the first of `signs-for` only, "
          + "and no use cases"),
      Key(
        "session-lifetime", \.sessionSeconds,
        Form<Duration>.duration.mapped({ Int64($0.components.seconds) }, { .seconds($0) }),
        "the time in which a session takes a response, in whole seconds, from the page's fetch of the request"),
      Key(
        "asks-in", \.asksIn, .list(.oneOf(DigitalCredentialPresentationProtocol.self, "protocol")),
        "the [protocols](openid4vp.md) in which its page asks in one call, in the page's order"),
      Key(
        "encrypted-answers", \.encryptsAnswers, .boolean,
        "its requests in OpenID4VP ask for encrypted answers, in mode `dc_api.jwt` and not `dc_api`; answers for mobile "
          + "documents are always encrypted"),
      Key(
        "protocol", \.protocolIdentifier, .text,
        "the protocol identifier that its calls give to the request for mobile documents"),
      namedIssuers,
      Key(
        "replays-requests-of", \.replaysRequestsOf, .name(.website), usual: "none",
        "its page fetches requests from that website's server and passes them off as its own"),
      Key(
        "policy", \.policy, .oneOf(VerificationPolicy.self, "policy"),
        "with `strict`, [deviations](checks.md#outcomes) refuse a response too; with `lenient`, "
          + "[tolerances](checks.md#tolerances) do not refuse it"),
      Key(
        "production", \.isInProduction, .boolean,
        "its server refuses documents of [test programmes](model.md#test-programmes)"),
      Key(
        "frame-origins", \.surroundings.frameOrigins, .list(.serializedOrigin),
        "origins of frames in its page, which a wallet may confuse with the page's own"),
      Key(
        "top-level-origins", \.surroundings.topLevelOrigins, .list(.serializedOrigin),
        "origins of pages around its page, which a wallet may confuse with the page's own"),
      Key(
        "revocation", \.revocation, .revocation, "the policy about the revocation status of documents"),
      Key(
        "readiness", \.readiness, .readiness, usual: "ready, without a number",
        "its readiness for the requirements of reader authorities"),
      Key(
        "checkout", \.checkout, .checkout, usual: "a page with the button alone",
        "the checkout around the button: items before the identity step, the order after it"),
      Key(
        "largest-scan", \.largestScan, .integer(in: 1...IdentityScan.maximumLength),
        "the maximum size in bytes of a picture that its fallback form takes"),
      Key(
        "script", \.script, .oneOf(WorldDescription.Website.PageScript.self, "place for a script"),
        "`external`: the script runs outside the world, for example in a real browser; the person can tap anything on "
          + "its page, and its messages are [`page`](#page) steps"),
      Key("page", \.page, .pageDocument, usual: "a page without headers and frames", "the document of its page"),
      Key(
        "server", \.server, .ownServer, usual: "a server in the world",
        "its verifier server, which is [outside the world](test-your-server.md#in-a-world): the calls `begin` and `submit` "
          + "and what its answers look like, as in the file of a target, and the place of the `elements` that it shows"),
      Key(
        "recording", \.recording, .recording, usual: "none: the server is called",
        "a file beside this one with the answers of that server, which `run --record` wrote"),
    ],
    check: { website, node, _ in
      guard website.server != nil else {
        if node["asks"] == nil { throw node.missing("asks") }
        if let recording = node["recording"] {
          throw SourceProblem(
            .unreadableValue, "a recording is of a 'server' outside the world", at: recording.position)
        }
        return try checkProtocols(of: website, at: node)
      }
      for key in node.keys where !ofOwnServers.contains(key) {
        throw SourceProblem(
          .unreadableValue, "a website with a 'server' outside the world has no '\(key)'",
          at: node[key]?.position ?? node.position, hint: "its server decides that itself")
      }
    })

  /// Checks that what the website asks can be asked in each of its protocols.
  private static func checkProtocols(of website: WorldDescription.Website, at node: SourceNode) throws {
    let draft = DeviceRequestDraft(version: website.requestVersion, documents: website.asks, useCases: website.useCases)
    guard website.asksIn.contains(.mobileDocument), draft.ofMobileDocuments == nil else { return }
    throw SourceProblem(
      .unreadableValue, "a request for mobile documents cannot ask for what 'asks' says",
      at: node["asks"]?.position ?? node.position,
      hint: "let 'asks-in' name protocols of OpenID4VP alone, or give each of the 'use-cases' a set of mobile documents"
    )
  }

  /// The keys of a website whose server is outside the world.
  private static let ofOwnServers = [
    "origin", "brand", "server", "recording", "frame-origins", "top-level-origins", "page",
  ]

  /// A server outside the world asks itself.
  private static var asked: Key<WorldDescription.Website> {
    let form = Form<[ItemsRequest]>.asks
    return Key(
      type: KeyType(
        name: "asks", type: form.type, usual: "required, except for a `server` outside the world",
        isAlwaysWritten: true,
        meaning:
          "the requested elements: document type, name space, identifier, then `retain` or `show`; any identifiers"),
      read: { node, website, context in website.asks = try form.read(node, context) ?? [] },
      write: { $0.server == nil ? form.write($0.asks) : nil })
  }

  /// Use cases name the requested document types.
  private static let useCases = Key<WorldDescription.Website>(
    type: KeyType(
      name: "use-cases", type: .list(Form<DeviceRequestInfo.UseCase>.useCase(of: []).type),
      usual: "one that needs all documents", meaning: "use cases of the request"),
    read: { node, website, context in
      let form = Form<DeviceRequestInfo.UseCase>.useCase(of: website.asks.map(\.documentType))
      website.useCases = try Form<[DeviceRequestInfo.UseCase]>.list(form).read(node, context) ?? []
    },
    write: { website in
      let form = Form<DeviceRequestInfo.UseCase>.useCase(of: website.asks.map(\.documentType))
      return Form<[DeviceRequestInfo.UseCase]>.list(form).write(website.useCases)
    })

  /// All accepted issuers, none, or some of them.
  private static let namedIssuers = Key<WorldDescription.Website>(
    type: KeyType(
      name: "names-issuers", type: .either([.boolean, .list(.name(.issuer))]), usual: "`false`",
      meaning:
        "the accepted issuers whose key identifiers its requests name, so that only their documents are offered; "
        + "`true` for all"),
    read: { node, website, context in
      guard case .sequence = node.content else {
        return website.namesIssuers = try node.boolean() ? website.acceptsIssuers : []
      }
      let accepted = website.acceptsIssuers
      website.namesIssuers = node.each(context.problems) { try $0.oneOf(accepted, "accepted issuing authority") } ?? []
    }, write: { .list($0.namesIssuers.map(YAMLValue.text)) })
}

extension WorldDescription.Website {
  /// A website whose required keys have not been read.
  fileprivate static func unnamed(_ name: String) -> Self {
    Self(identifier: name, origin: .opaque(), brand: BrandIdentity(name: "", icon: ""))
  }
}

extension Form where Value == VerifierTarget {
  /// The server of a website, in the words of a target file.
  fileprivate static let ownServer = Form(
    type: .other("mapping"),
    read: { node, context in TargetReader(environment: nil, problems: context.problems).server(node) },
    write: TargetReader.written)
}

extension Form where Value == WorldDescription.NamedRecording {
  /// The recorded answers of a server or a wallet outside the world.
  static let recording = Form(
    type: .text,
    read: { node, _ in
      let named = try NamedBytes(node)
      do {
        return WorldDescription.NamedRecording(file: named.file, recording: try Recording(json: named.bytes))
      } catch let error as RecordingError {
        throw SourceProblem(
          .unreadableValue, "\(SourceText.quote(named.file.name)): \(error.message)", at: node.position)
      }
    }, write: { .text($0.file.name) })
}

extension Form where Value == Origin {
  static let origin = Form(
    type: .text,
    read: { node, _ in
      let text = try node.string()
      do {
        return try Origin(serialized: text)
      } catch {
        throw SourceProblem(.unreadableValue, "\(error)", at: node.position)
      }
    }, write: { .text($0.serialized) })
}

extension Form where Value == String {
  /// An origin in its serialized form.
  fileprivate static let serializedOrigin = Form(
    type: .text, read: { node, context in try Form<Origin>.origin.read(node, context)?.serialized },
    write: YAMLValue.text)
}

extension Form where Value == WorldDescription.Website.Readiness {
  static let readiness = Form.mapping(
    "readiness", { WorldDescription.Website.Readiness() },
    [
      Key("accepts-terms", \.acceptsTerms, .boolean, "its operator accepts an authority's terms when it applies"),
      Key("serves-token", \.servesToken, .boolean, "its server serves the token of an authority"),
      Key(
        "registration-number", \.registrationNumber, .text, usual: "none", "its number in the regulator's register"),
      Key(
        "renews-certificates", \.renewsCertificates, .boolean,
        "its server renews a reader certificate when a third of the certificate's validity is left"),
    ])
}

extension Form where Value == WorldDescription.Website.Checkout {
  private static let item = Form<WorldDescription.Website.Checkout.Item>.mapping(
    "items", { WorldDescription.Website.Checkout.Item(name: "") },
    [
      Key("name", required: \.name, .text, "the name, which is also the label of its button"),
      Key("detail", \.detail, .text, usual: "none", "a line about it"),
      Key("price", \.price, .text, usual: "none", "the price with its unit"),
    ])

  static let checkout = Form.mapping(
    "checkout", { WorldDescription.Website.Checkout() },
    [
      Key(
        "items", \.items,
        Form<[WorldDescription.Website.Checkout.Item]>.list(item).checked { items, node, _ in
          let names = items.map(\.name)
          if names.isEmpty || names.uniqued() != names {
            throw SourceProblem(.unreadableValue, "a checkout has items with different names", at: node.position)
          }
        }, usual: "one called `Your order`",
        "the items; with several, the person selects one by its button before the identity step"),
      Key("reason", \.reason, .text, "the page's reason for the identity step"),
      Key("success", \.success, .text, "the greeting of a person who is verified"),
      Key("ready", \.ready, .text, "the next thing to happen after the order"),
    ])
}

private struct BrandKeys: Sendable {
  var name = ""
  var icon = ""
  var hasLogotype = false
  var logotype: Logotype?
}

extension Form where Value == BrandIdentity {
  static let brand = Form<BrandKeys>.mapping(
    "brand", { BrandKeys() },
    [
      Key("name", required: \.name, .text, "the name that people read"),
      Key("icon", \.icon, .text, "the icon's file name"),
      Key(
        "logotype", \.hasLogotype, .boolean, usual: "`false`",
        "`true`: the icon's file, PNG or SVG beside this file, is the picture in the certificates (RFC 9399), on sheet and "
          + "page"),
    ]
  ).completed { brand, node, _ in
    guard brand.hasLogotype else { return }
    guard let file = try NamedBytes(node, "icon") else { throw node.missing("icon") }
    do throws(LogotypeError) {
      brand.logotype = try Logotype(file.bytes)
    } catch {
      throw SourceProblem(
        .unreadableValue, "\(SourceText.quote(file.file.name)): \(error.message)", at: file.position,
        hint: error.evidence)
    }
  }.mapped(
    { BrandIdentity(name: $0.name, icon: $0.icon, logotype: $0.logotype) },
    { BrandKeys(name: $0.name, icon: $0.icon, hasLogotype: $0.logotype != nil, logotype: $0.logotype) })
}

extension Form where Value == [ItemsRequest] {
  static let asks = Form<[Named<[Named<[Named<Bool>]>]>]>.named(
    "document type", .named("name space", .named("element", .flag("retain", "show", "retention")))
  ).mapped(
    { types in
      types.map { type in
        ItemsRequest(
          documentType: type.name,
          nameSpaces: type.value.map { space in
            ItemsRequest.NameSpace(
              space.name, space.value.map { ItemsRequest.Element($0.name, intentToRetain: $0.value) })
          })
      }
    },
    { requests in
      requests.map { request in
        Named(
          request.documentType,
          request.nameSpaces.map { space in
            Named(space.name, space.elements.map { Named($0.identifier, $0.intentToRetain) })
          })
      }
    })
}

private struct UseCaseKeys: Sendable {
  var isMandatory = true
  var sets: [[String]] = []
}

extension Form where Value == DeviceRequestInfo.UseCase {
  /// A use case over requested document types.
  fileprivate static func useCase(of types: [String]) -> Form {
    let type = Form<String>(
      type: .text, read: { node, _ in try node.oneOf(types, "document type") }, write: YAMLValue.text)
    return Form<UseCaseKeys>.mapping(
      "use-cases", { UseCaseKeys() },
      [
        Key("mandatory", \.isMandatory, .boolean, "the use case must be satisfied"),
        Key("sets", required: \.sets, .list(.list(type)), "sets of requested document types"),
      ]
    ).mapped(
      { keys in
        DeviceRequestInfo.UseCase(
          isMandatory: keys.isMandatory,
          documentSets: keys.sets.map { $0.compactMap { name in types.firstIndex(of: name) } })
      },
      { useCase in
        UseCaseKeys(isMandatory: useCase.isMandatory, sets: useCase.documentSets.map { $0.map { types[$0] } })
      })
  }
}

extension Form where Value == DeviceRequestDraft.Version {
  static let requestVersion = Form<Bool>.flag(
    Value.first.rawValue, Value.second.rawValue, "request version"
  ).mapped({ $0 ? Value.first : Value.second }, { $0 == Value.first })
}

extension Form where Value == RevocationPolicy {
  private static let policies: [(name: String, value: Value)] = [
    ("standard", .standard), ("strict", .strict), ("none", .none),
  ]

  private static let treatments = Form<[Named<Bool>]>.named("finding", .flag("refuse", "accept", "treatment")) {
    name, _ in
    guard RevocationPolicy.Finding(rawValue: name.value) == nil else { return }
    throw SourceProblem.unknownKey(name, known: RevocationPolicy.Finding.allCases.map(\.rawValue))
  }

  /// A policy by its name, or the treatment of each finding; missing ones are as in the standard policy.
  static let revocation = Form(
    type: .either([.words(policies.map(\.name)), treatments.type]),
    read: { node, context in
      if node.scalar != nil {
        let name = try node.oneOf(policies.map(\.name), "policy")
        return policies.first { $0.name == name }?.value
      }
      return try treatments.read(node, context)?.reduce(into: .standard) { policy, treatment in
        guard let finding = RevocationPolicy.Finding(rawValue: treatment.name) else { return }
        if treatment.value { policy.refuses.insert(finding) } else { policy.refuses.remove(finding) }
      }
    },
    write: { policy in
      if let named = policies.first(where: { $0.value == policy }) { return .text(named.name) }
      return treatments.write(RevocationPolicy.Finding.allCases.map { Named($0.rawValue, policy.refuses.contains($0)) })
    })
}

extension Form where Value == WorldDescription.Website.Page {
  static let pageDocument = Form.mapping(
    "website page", { WorldDescription.Website.Page() },
    [
      Key(
        "permissions-policy", \.permissionsPolicy, .text, usual: "none",
        "the `Permissions-Policy` header, for example `digital-credentials-get=(self)`"),
      Key(
        "sandbox", \.sandbox, .text, usual: "none",
        "the tokens of the directive `sandbox` in the `Content-Security-Policy` header"),
      Key("kept", \.isKept, .boolean, "the browser keeps the page in its back/forward cache when the person leaves it"),
      Key("frames", \.frames, .frames, usual: "none", "the frames of the page, by their names"),
    ])
}

extension Form where Value == [WorldDescription.Website.Frame] {
  fileprivate static let frames = Form.parts(
    "frame", \.name, "frames", { WorldDescription.Website.Frame(name: $0) },
    [
      Key(
        "website", \.website, .name(.website), usual: "the website of the page itself",
        "the website whose page is in the frame; its script calls with the requests of its own server"),
      Key(
        "source", \.source, .oneOf(WorldDescription.Website.Frame.Source.self, "source"),
        "the kind of URL that the document comes from: the address of the website, or `srcdoc`, `blob` and `data` of the "
          + "document around the frame"),
      Key("allow", \.allow, .text, usual: "none", "the attribute `allow`, for example `digital-credentials-get`"),
      Key(
        "sandbox", \.sandbox, .text, usual: "none",
        "the attribute `sandbox`, for example `allow-scripts allow-same-origin`"),
      Key("in", \.container, .text, usual: "the page itself", "the frame around this one, which comes before it"),
    ]
  ).checked { frames, node, _ in
    for (place, frame) in frames.enumerated() {
      guard let container = frame.container, !frames.prefix(place).contains(where: { $0.name == container }) else {
        continue
      }
      throw SourceProblem(
        .unknownName, "no frame \(SourceText.quote(container)) comes before \(frame.name)",
        at: node[frame.name]?["in"]?.position ?? node.position)
    }
    if frames.count > WorldDescription.Website.Page.maximumFrames {
      throw SourceProblem(
        .outOfRange, "a page has at most \(WorldDescription.Website.Page.maximumFrames) frames, not \(frames.count)",
        at: node.position)
    }
  }
}
