import Checks

/// The selection of apps for a request.
public enum SelectionEvent: Sendable, Equatable, Codable {
  /// The selection begins with the content of the partial request.
  case asked(request: Request)
  /// An app is offered to the person.
  case offered(app: String, registrations: [Registration])
  /// An app is not offered. The result names the condition that does not hold; the remedy makes the app appear.
  case hidden(app: String, finding: CheckResult, remedy: String)

  /// The conditions of a request for the apps.
  public struct Request: Sendable, Equatable, Codable {
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
  public struct Document: Sendable, Equatable, Codable {
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
  public struct UseCase: Sendable, Equatable, Codable {
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
  public struct Signer: Sendable, Equatable, Codable {
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
  public struct Authority: Sendable, Equatable, Codable {
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
  public struct Registration: Sendable, Equatable, Codable {
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

extension SelectionEvent.UseCase: CustomStringConvertible {
  /// The use case in words: `mandatory: mDL and photo ID, or passport`.
  public var description: String {
    let sets = documentSets.map { $0.joined(separator: " and ") }
    return "\(isMandatory ? "mandatory" : "optional"): \(sets.joined(separator: ", or "))"
  }
}
