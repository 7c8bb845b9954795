import Foundation
import IdentityDocumentServices
import MobileDocument
import WebPresentment
import X509

/// What the operating system gives the sandbox: bytes and an origin, nothing else.
struct ParseBody: Codable, Sendable {
  var origin: String
  /// Raw request data in base64url.
  var requestData: String
}

/// A refusal of the sandbox.
struct SandboxRefusalBody: Codable, Sendable {
  var code: String
  var sentence: String
  var evidence: [EvidenceBody]

  init(_ refusal: SandboxRefusal) {
    code = refusal.check.rawValue
    sentence = refusal.sentence
    evidence = refusal.evidence.map(EvidenceBody.init)
  }

  var refusal: SandboxRefusal? {
    SandboxCheck(rawValue: code).map { SandboxRefusal($0, sentence, evidence: evidence.map(\.evidence)) }
  }
}

/// Evidence of a check.
struct EvidenceBody: Codable, Sendable {
  var field: String
  var expected: String?
  var found: String?

  init(_ evidence: CheckResult.Evidence) {
    field = evidence.field
    expected = evidence.expected
    found = evidence.found
  }

  var evidence: CheckResult.Evidence { CheckResult.Evidence(field, expected: expected, found: found) }
}

/// The partial request as it travels from the sandbox to the operating system and on to an app.
struct PartialRequestBody: Codable, Sendable {
  struct UseCase: Codable, Sendable {
    var isMandatory: Bool
    var sets: [[Document]]
  }

  struct Document: Codable, Sendable {
    var documentType: String
    /// Name spaces and identifiers with whether they will be retained.
    var nameSpaces: [String: [String: Bool]]
    /// Issuer key identifiers in base64url.
    var issuers: [String]
  }

  var useCases: [UseCase]
  /// Certificate chains: DER in base64url, leaf first.
  var chains: [[String]]
  /// What the sandbox let pass.
  var findings: [String]

  init(_ partial: PartialRequest) {
    useCases = partial.request.presentmentRequests.map { useCase in
      UseCase(
        isMandatory: useCase.isMandatory,
        sets: useCase.documentRequestSets.map { set in
          set.requests.map { request in
            Document(
              documentType: request.documentType,
              nameSpaces: request.namespaces.mapValues { $0.mapValues(\.isRetaining) },
              issuers: request.issuerKeyIdentifiers.map { Base64URL.encode($0) })
          }
        })
    }
    chains = partial.request.requestAuthentications.map { authentication in
      authentication.authenticationCertificateChain.map { Base64URL.encode((try? $0.derEncoded()) ?? []) }
    }
    findings = partial.findings.map { "\($0.subject.map { $0 + ": " } ?? "")\($0.sentence)" }
  }

  /// The partial request; nil when a certificate in it cannot be read.
  var request: ISO18013MobileDocumentRequest? {
    var authentications: [ISO18013MobileDocumentRequest.RequestAuthentication] = []
    for chain in chains {
      var certificates: [Certificate] = []
      for text in chain {
        guard let der = Base64URL.decode(text), let certificate = try? Certificate(derEncoded: der) else { return nil }
        certificates.append(certificate)
      }
      authentications.append(
        ISO18013MobileDocumentRequest.RequestAuthentication(authenticationCertificateChain: certificates))
    }
    return ISO18013MobileDocumentRequest(
      presentmentRequests: useCases.map { useCase in
        ISO18013MobileDocumentRequest.PresentmentRequest(
          documentRequestSets: useCase.sets.map { set in
            ISO18013MobileDocumentRequest.DocumentRequestSet(
              requests: set.map { document in
                ISO18013MobileDocumentRequest.DocumentRequest(
                  documentType: document.documentType,
                  namespaces: document.nameSpaces.mapValues { elements in
                    elements.mapValues { ISO18013MobileDocumentRequest.ElementInfo(isRetaining: $0) }
                  },
                  issuerKeyIdentifiers: document.issuers.compactMap { Base64URL.decode($0).map { Data($0) } })
              })
          },
          isMandatory: useCase.isMandatory)
      },
      requestAuthentications: authentications)
  }
}

/// What the operating system gives an app to start with.
struct AuthorizeBody: Codable, Sendable {
  var origin: String
  var partialRequest: PartialRequestBody
}

/// The raw request for an app, after the person acted.
struct RawRequestBody: Codable, Sendable {
  /// UTF-8 JSON in base64url.
  var requestData: String
}

/// Why an app gave up.
struct AbandonBody: Codable, Sendable {
  var reason: String
}

/// Removal of a registration.
struct RemoveRegistrationBody: Codable, Sendable {
  var documentIdentifier: String
}

/// The prompt that asks the person, once, whether an app may provide documents.
public struct PromptScreen: Codable, Sendable, Equatable {
  /// Name of the app.
  public var app: String
  /// What is asked.
  public var question: String
  /// Labels of the answers.
  public var buttons: [String]

  /// Label of the answer that allows the app.
  public static let allow = "Allow"
  /// Label of the answer that does not.
  public static let doNotAllow = "Don't Allow"

  init(app: String) {
    self.app = app
    question = "\(app) would like to provide identity documents to websites."
    buttons = [Self.doNotAllow, Self.allow]
  }
}

/// What the selector shows to the person.
public struct SelectorScreen: Codable, Sendable, Equatable {
  /// An app that may answer.
  public struct Offered: Codable, Sendable, Equatable {
    /// Name of the app.
    public var app: String
    /// Document types that it may answer with.
    public var documents: [String]
  }

  /// An app that may not answer; a real selector does not show it, ours says why on demand.
  public struct Hidden: Codable, Sendable, Equatable {
    /// Name of the app.
    public var app: String
    /// Code of the first condition that did not hold.
    public var code: String
    /// What was found.
    public var sentence: String
    /// What would make the app appear.
    public var remedy: String
  }

  /// Origin of the website.
  public var origin: String
  /// Apps to choose from.
  public var offered: [Offered]
  /// Apps that cannot be chosen.
  public var hidden: [Hidden]
}

extension SelectorScreen {
  init(_ selection: Selection, origin: String) {
    self.origin = origin
    offered = selection.offered.map { offer in
      Offered(app: offer.app, documents: offer.registrations.map(\.mobileDocumentType).uniqued())
    }
    hidden = selection.hidden.map {
      Hidden(app: $0.app, code: $0.reason.rawValue, sentence: $0.sentence, remedy: $0.remedy)
    }
  }
}
