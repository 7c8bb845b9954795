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
  public struct Request: Sendable, Equatable {
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
    public init(
      origin: String, documents: [Document], useCases: [UseCase], signers: [Signer], reading: String
    ) {
      self.origin = origin
      self.documents = documents
      self.useCases = useCases
      self.signers = signers
      self.reading = reading
    }
  }

  /// A requested document.
  public struct Document: Sendable, Equatable {
    /// `DocType`.
    public var documentType: String
    /// Key identifiers of the accepted issuers in hexadecimal; empty for any issuer.
    public var issuers: [String]

    /// Creates a requested document.
    public init(documentType: String, issuers: [String]) {
      self.documentType = documentType
      self.issuers = issuers
    }
  }

  /// A use case: alternative sets of documents.
  public struct UseCase: Sendable, Equatable {
    /// True if the response must satisfy it.
    public var isMandatory: Bool
    /// Document types of each alternative.
    public var documentSets: [[String]]

    /// Creates a use case.
    public init(isMandatory: Bool, documentSets: [[String]]) {
      self.isMandatory = isMandatory
      self.documentSets = documentSets
    }
  }

  /// A signer of a request.
  public struct Signer: Sendable, Equatable {
    /// Common name of the reader certificate's subject.
    public var name: String
    /// Authorities of the certificates of the chain, leaf first.
    public var authorities: [Authority]

    /// Creates a signer.
    public init(name: String, authorities: [Authority]) {
      self.name = name
      self.authorities = authorities
    }
  }

  /// An authority that issued a certificate.
  public struct Authority: Sendable, Equatable {
    /// Common name.
    public var name: String
    /// Authority key identifier in hexadecimal; nil without one.
    public var keyIdentifier: String?

    /// Creates an authority.
    public init(name: String, keyIdentifier: String?) {
      self.name = name
      self.keyIdentifier = keyIdentifier
    }
  }

  /// A matching registration of an offered app.
  public struct Registration: Sendable, Equatable {
    /// Document identifier.
    public var identifier: String
    /// `DocType`.
    public var documentType: String

    /// Creates a matching registration.
    public init(identifier: String, documentType: String) {
      self.identifier = identifier
      self.documentType = documentType
    }
  }
}

/// An object with one member, named for the event.
extension SelectionEvent: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .asked(let request): json.member("asked") { $0.object { $0.member("request", request) } }
      case .offered(let app, let registrations):
        json.member("offered") { json in
          json.object { json in
            json.member("app", app)
            json.member("registrations", registrations)
          }
        }
      case .hidden(let app, let finding, let remedy):
        json.member("hidden") { json in
          json.object { json in
            json.member("app", app)
            json.member("finding", finding)
            json.member("remedy", remedy)
          }
        }
      }
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    let (name, event) = try json.onlyMember()
    switch name {
    case "asked": self = .asked(request: try event.member("request"))
    case "offered": self = .offered(app: try event.member("app"), registrations: try event.member("registrations"))
    case "hidden":
      self = .hidden(
        app: try event.member("app"), finding: try event.member("finding"), remedy: try event.member("remedy"))
    default: throw event.error("unknown event '\(name)'")
    }
  }
}

extension SelectionEvent.Registration: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("documentType", documentType)
      json.member("identifier", identifier)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    documentType = try json.member("documentType")
    identifier = try json.member("identifier")
  }
}

extension SelectionEvent.Authority: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("keyIdentifier", keyIdentifier)
      json.member("name", name)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    keyIdentifier = try json.optionalMember("keyIdentifier")
    name = try json.member("name")
  }
}

extension SelectionEvent.Signer: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("authorities", authorities)
      json.member("name", name)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    authorities = try json.member("authorities")
    name = try json.member("name")
  }
}

extension SelectionEvent.UseCase: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("documentSets", documentSets)
      json.member("isMandatory", isMandatory)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    documentSets = try json.member("documentSets")
    isMandatory = try json.member("isMandatory")
  }
}

extension SelectionEvent.Document: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("documentType", documentType)
      json.member("issuers", issuers)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    documentType = try json.member("documentType")
    issuers = try json.member("issuers")
  }
}

extension SelectionEvent.Request: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("documents", documents)
      json.member("origin", origin)
      json.member("reading", reading)
      json.member("signers", signers)
      json.member("useCases", useCases)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    documents = try json.member("documents")
    origin = try json.member("origin")
    reading = try json.member("reading")
    signers = try json.member("signers")
    useCases = try json.member("useCases")
  }
}

extension SelectionEvent.UseCase: CustomStringConvertible {
  /// The use case in words: `mandatory: mDL and photo ID, or passport`.
  public var description: String {
    let sets = documentSets.map { $0.joined(separator: " and ") }
    return "\(isMandatory ? "mandatory" : "optional"): \(sets.joined(separator: ", or "))"
  }
}
