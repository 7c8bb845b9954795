import Checks
import JSON

/// The selection of apps for a request.
public enum SelectionEvent: Sendable, Equatable {
  /// The selection begins with the content of the partial request.
  case asked(request: Request)
  /// An app is offered to the person.
  case offered(app: String, registrations: [Registration])
  /// An app is not offered. The result names the condition that does not hold; the remedy makes the app appear.
  case hidden(app: String, finding: CheckResult, remedy: String)

  /// The conditions of a request for the apps.
  public struct Request: Sendable, Equatable, JSONObject, JSONTyped {
    /// Origin of the website.
    public var origin: String
    /// Requested documents, each once.
    public var documents: [Document]
    /// Use cases, in the order of the request.
    public var useCases: [UseCase]
    /// Signers of the request, with the certificates of their chains.
    public var signers: [Signer]
    /// Comparison of authority key identifiers with chains: `root` or `any-in-chain`.
    public var reading: String

    /// Creates the conditions of a request.
    public init(origin: String, documents: [Document], useCases: [UseCase], signers: [Signer], reading: String) {
      self.origin = origin
      self.documents = documents
      self.useCases = useCases
      self.signers = signers
      self.reading = reading
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("origin", \.origin, "origin of the website"),
      Member("documents", \.documents, "requested documents"), Member("useCases", \.useCases, "use cases"),
      Member("signers", \.signers, "signers of the request"),
      Member("reading", \.reading, "comparison of authorities with chains", type: .words(["root", "any-in-chain"])))
  }

  /// A requested document.
  public struct Document: Sendable, Equatable, JSONObject, JSONTyped {
    /// `DocType`.
    public var documentType: String
    /// Key identifiers of the accepted issuers in hexadecimal; empty for any issuer.
    public var issuers: [String]

    /// Creates a requested document.
    public init(documentType: String, issuers: [String]) {
      self.documentType = documentType
      self.issuers = issuers
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("documentType", \.documentType, "`DocType`"),
      Member("issuers", \.issuers, "key identifiers of accepted issuers; empty for any issuer"))
  }

  /// A use case: alternative sets of documents.
  public struct UseCase: Sendable, Equatable, JSONObject, JSONTyped {
    /// True if the response must satisfy it.
    public var isMandatory: Bool
    /// Document types of each alternative.
    public var documentSets: [[String]]

    /// Creates a use case.
    public init(isMandatory: Bool, documentSets: [[String]]) {
      self.isMandatory = isMandatory
      self.documentSets = documentSets
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("isMandatory", \.isMandatory, "true if the response must satisfy it"),
      Member("documentSets", \.documentSets, "document types of each alternative"))
  }

  /// A signer of a request.
  public struct Signer: Sendable, Equatable, JSONObject, JSONTyped {
    /// Common name of the reader certificate's subject.
    public var name: String
    /// Authorities of the certificates of the chain, leaf first.
    public var authorities: [Authority]

    /// Creates a signer.
    public init(name: String, authorities: [Authority]) {
      self.name = name
      self.authorities = authorities
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("name", \.name, "common name of the reader certificate"),
      Member("authorities", \.authorities, "authorities of the chain, leaf first"))
  }

  /// An authority that issued a certificate.
  public struct Authority: Sendable, Equatable, JSONObject, JSONTyped {
    /// Common name.
    public var name: String
    /// Authority key identifier in hexadecimal; nil without one.
    public var keyIdentifier: String?

    /// Creates an authority.
    public init(name: String, keyIdentifier: String?) {
      self.name = name
      self.keyIdentifier = keyIdentifier
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("name", \.name, "common name"),
      Member(optional: "keyIdentifier", \.keyIdentifier, "authority key identifier in hexadecimal"))
  }

  /// A matching registration of an offered app.
  public struct Registration: Sendable, Equatable, JSONObject, JSONTyped {
    /// Document identifier.
    public var identifier: String
    /// `DocType`.
    public var documentType: String

    /// Creates a matching registration.
    public init(identifier: String, documentType: String) {
      self.identifier = identifier
      self.documentType = documentType
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("identifier", \.identifier, "document identifier"),
      Member("documentType", \.documentType, "`DocType`"))
  }
}

extension SelectionEvent: JSONChoice {
  package static let json = [
    JSONAlternative<Self>(
      "asked", "the selection begins",
      JSONForm<Request>({ $0 }, Member("request", \.self, "conditions of the request")), { .asked(request: $0) },
      { if case .asked(let request) = $0 { request } else { nil } }),
    JSONAlternative<Self>(
      "offered", "an app is offered",
      JSONForm<(app: String, registrations: [Registration])>(
        { ($0, $1) }, Member("app", \.app, "name of the app"),
        Member("registrations", \.registrations, "matching registrations")),
      { .offered(app: $0.app, registrations: $0.registrations) },
      { if case .offered(let app, let registrations) = $0 { (app, registrations) } else { nil } }),
    JSONAlternative<Self>(
      "hidden", "an app is not offered",
      JSONForm<(app: String, finding: CheckResult, remedy: String)>(
        { ($0, $1, $2) }, Member("app", \.app, "name of the app"),
        Member("finding", \.finding, "the condition that does not hold"),
        Member("remedy", \.remedy, "the change that makes the app appear")),
      { .hidden(app: $0.app, finding: $0.finding, remedy: $0.remedy) },
      { if case .hidden(let app, let finding, let remedy) = $0 { (app, finding, remedy) } else { nil } }),
  ]
}

extension SelectionEvent.UseCase: CustomStringConvertible {
  /// The use case in words: `mandatory: mDL and photo ID, or passport`.
  public var description: String {
    let sets = documentSets.map { $0.joined(separator: " and ") }
    return "\(isMandatory ? "mandatory" : "optional"): \(sets.joined(separator: ", or "))"
  }
}
