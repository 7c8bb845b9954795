import Certificates
import Checks
import FoundationEssentials
import IdentityDocumentServices
import JSON
import MobileDocument
import OpenID4VP
import Primitives
import TranscriptDiagnosis
import X509

/// A call of the sandbox: bytes and an origin, nothing else.
package struct ParseBody: Sendable {
  package var origin: String
  /// The protocol of OpenID4VP; nil for a request for mobile documents.
  package var openID4VP: String?
  /// Raw request data, in the message in base64url.
  package var requestData: [UInt8]

  package init(origin: String, openID4VP: String? = nil, requestData: [UInt8]) {
    self.origin = origin
    self.openID4VP = openID4VP
    self.requestData = requestData
  }

  /// An upper bound of the length as JSON in bytes.
  var longestEncoding: Int {
    // The names of the members with quotation marks; three bytes are four characters; an escaped character has six bytes.
    64 + requestData.count * 4 / 3 + (origin.utf8.count + (openID4VP?.utf8.count ?? 0)) * 6
  }
}

// Each request of a page is written and read here, and a form takes a tenth longer.
extension ParseBody: JSONObjectWritable, JSONReadable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("openID4VP", openID4VP)
    json.member("origin", origin)
    json.member("requestData", base64URL: requestData)
  }

  package init(json: JSONItem) throws(JSONError) {
    origin = try json.member("origin")
    openID4VP = try json.optionalMember("openID4VP")
    requestData = try json.base64URLMember("requestData")
  }
}

/// A refusal of the sandbox.
package struct SandboxRefusalBody: Sendable {
  package var code: String
  package var message: String
  package var evidence: [CheckResult.Evidence]

  /// The refusal, or nil if the parser cannot produce it.
  package var refusal: SandboxRefusal? {
    guard isWithinBounds else { return nil }
    return SandboxFinding(name: code).map { SandboxRefusal($0, message, evidence: evidence) }
  }

  /// Most pieces of evidence: two mistakes with what differs, certificate, origin, and as many again.
  private static let maximumEvidence = 16
  /// The longest text in bytes: a certificate's subject or an origin, every byte of it escaped.
  private static let maximumTextLength = 256 << 10

  private var isWithinBounds: Bool {
    let texts = [message] + evidence.flatMap { [$0.field, $0.expected, $0.found].compactMap(\.self) }
    return evidence.count <= Self.maximumEvidence && texts.allSatisfy { $0.utf8.count <= Self.maximumTextLength }
      && evidence.allSatisfy { $0.field != Explanation.field || $0.found.map(VariantCodes.all.contains) ?? false }
  }
}

extension SandboxRefusalBody {
  package init(_ refusal: SandboxRefusal) {
    code = refusal.name
    message = refusal.message
    evidence = refusal.evidence
  }
}

extension SandboxRefusalBody: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("code", \.code), Member("message", \.message), Member("evidence", \.evidence))
}

/// The partial request as a message from the sandbox to the operating system and from there to an app.
package struct PartialRequestBody: Sendable {
  package struct UseCase: Sendable {
    package var isMandatory: Bool
    package var sets: [[Document]]
  }

  package struct Document: Sendable {
    package var documentType: String
    /// Name spaces and element identifiers, each with the intent to retain.
    package var nameSpaces: [String: [String: Bool]]
    /// Issuer key identifiers, in the message in base64url.
    package var issuers: [Base64URLBytes]
  }

  /// A request in OpenID4VP, whose documents the use cases are.
  package struct Query: Sendable {
    /// The protocol.
    package var `protocol`: String
    /// The query as JSON text with the members that count.
    package var query: String

    /// The protocol and the query, or nil if they are not readable.
    fileprivate var contents: (OpenID4VPProtocol, DCQLQuery)? {
      guard let kind = OpenID4VPProtocol(identifier: `protocol`), let json = try? JSONReader.item(Array(query.utf8)),
        let query = try? DCQLQuery(json: json)
      else { return nil }
      return (kind, query)
    }
  }

  package var useCases: [UseCase]
  /// The request in OpenID4VP; nil for one of mobile documents.
  package var openID4VP: Query?
  /// Certificate chains: DER, in the message in base64url, leaf first.
  package var chains: [[Base64URLBytes]]
  /// The accepted departures.
  package var findings: [String]

  /// Returns the partial request, or nil if a certificate is not readable.
  /// - Parameter memory: The certificates that the reading party knows.
  package func request(_ memory: inout CertificateMemory) -> ISO18013MobileDocumentRequest? {
    var authentications: [ISO18013MobileDocumentRequest.RequestAuthentication] = []
    for chain in chains {
      guard let certificates = try? memory.read(chain.map(\.bytes)) else { return nil }
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
                  issuerKeyIdentifiers: document.issuers.map { Data($0.bytes) })
              })
          },
          isMandatory: useCase.isMandatory)
      },
      requestAuthentications: authentications)
  }

  /// Returns the request in OpenID4VP with the readers of the same message, or nil for one of mobile documents.
  package func openID4VPRequest(signedBy readers: ISO18013MobileDocumentRequest) -> OpenID4VPRequest? {
    openID4VP?.contents.map { kind, query in
      OpenID4VPRequest(exchangeProtocol: kind, query: query, requestAuthentications: readers.requestAuthentications)
    }
  }
}

extension PartialRequestBody {
  package init(_ partial: PartialRequest) {
    useCases = partial.request.presentmentRequests.map { useCase in
      UseCase(
        isMandatory: useCase.isMandatory,
        sets: useCase.documentRequestSets.map { set in
          set.requests.map { request in
            Document(
              documentType: request.documentType,
              nameSpaces: request.namespaces.mapValues { $0.mapValues(\.isRetaining) },
              issuers: request.issuerKeyIdentifiers.map { Base64URLBytes([UInt8]($0)) })
          }
        })
    }
    openID4VP = partial.openID4VP.map {
      Query(protocol: $0.exchangeProtocol.rawValue, query: String(decoding: $0.queryText, as: UTF8.self))
    }
    chains = partial.chains.map { $0.map(Base64URLBytes.init) }
    findings = partial.findings.map { "\($0.subject.map { $0 + ": " } ?? "")\($0.message)" }
  }
}

extension PartialRequestBody: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("useCases", \.useCases), Member(optional: "openID4VP", \.openID4VP), Member("chains", \.chains),
    Member("findings", \.findings))
}

extension PartialRequestBody.Query: JSONObject {
  package static let json = JSONForm<Self>(Self.init, Member("protocol", \.protocol), Member("query", \.query))
}

extension PartialRequestBody.UseCase: JSONObject {
  package static let json = JSONForm<Self>(Self.init, Member("isMandatory", \.isMandatory), Member("sets", \.sets))
}

extension PartialRequestBody.Document: JSONObjectWritable, JSONReadable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("documentType", documentType)
    json.member("issuers", issuers)
    json.member("nameSpaces") { json in
      Self.write(nameSpaces, to: &json) { elements, json in Self.write(elements, to: &json) { $0.write(to: &$1) } }
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    documentType = try json.member("documentType")
    issuers = try json.member("issuers")
    nameSpaces = try Self.read(json.item("nameSpaces")) { item throws(JSONError) in
      try Self.read(item) { item throws(JSONError) in try item.boolean() }
    }
  }

  // The dictionaries of the module JSON have values of any type, and are written and read several times as slowly.

  private static func write<Value>(
    _ members: [String: Value], to json: inout JSONWriter, _ writeValue: (Value, inout JSONWriter) -> Void
  ) {
    json.object { json in
      for (name, value) in members.sorted(by: { $0.key.precedes($1.key) }) {
        json.member(name) { writeValue(value, &$0) }
      }
    }
  }

  private static func read<Value>(
    _ json: JSONItem, _ readValue: (JSONItem) throws(JSONError) -> Value
  ) throws(JSONError) -> [String: Value] {
    var members: [String: Value] = [:]
    for (name, item) in try json.members() {
      guard members.updateValue(try readValue(item), forKey: name) == nil else {
        throw item.error("the member has the name of another in other characters", .repeatedName)
      }
    }
    return members
  }
}

/// The limits of a partial request from a sandbox. A compromised sandbox can send any bytes.
extension PartialRequestBody {
  /// The most findings for each signature: more than a signature has deviations.
  private static let maximumFindingsOfSignature = 8

  /// Indicates whether the parser can produce the body: it is within every limit of a request, and its certificates are
  /// readable. The counts are checked first, so that reading the rest costs no more than for a real body.
  package var isReadable: Bool {
    isWithinBounds && chains.allSatisfy { (try? CertificateChain.read($0.map(\.bytes))) != nil }
      && (openID4VP == nil || hasDocumentsOfQuery)
  }

  /// Indicates whether the use cases are those of the query.
  private var hasDocumentsOfQuery: Bool {
    guard let openID4VP, openID4VP.query.utf8.count <= OpenID4VPLimits.requestBytes, let contents = openID4VP.contents,
      let documents = try? OpenID4VPRequest(
        exchangeProtocol: contents.0, query: contents.1, requestAuthentications: []
      ).documents()
    else { return false }
    var unsigned = self
    unsigned.chains = []
    var memory = CertificateMemory()
    return unsigned.request(&memory) == documents
  }

  private var isWithinBounds: Bool {
    let sets = useCases.flatMap(\.sets)
    guard !useCases.isEmpty, useCases.count <= RequestLimit.useCases.maximum,
      useCases.allSatisfy({ (1...RequestLimit.documentSets.maximum).contains($0.sets.count) }),
      sets.allSatisfy({ !$0.isEmpty }),
      sets.reduce(0, { $0 + $1.count }) <= RequestLimit.documentSetMembers.maximum,
      chains.count <= RequestLimit.readerSignatures.maximum,
      findings.count <= RequestLimit.readerSignatures.maximum * Self.maximumFindingsOfSignature
    else { return false }
    return sets.joined().allSatisfy { $0.isWithinBounds(isOfQuery: openID4VP != nil) }
      && chains.allSatisfy(Self.isChainWithinBounds)
  }

  private static func isChainWithinBounds(_ chain: [Base64URLBytes]) -> Bool {
    (1...RequestLimit.chainLength.maximum).contains(chain.count)
      && chain.allSatisfy { $0.bytes.count <= RequestLimit.certificate.maximum }
  }

  /// An upper bound of the encoded length in bytes, known before anything is written.
  static func length(of partial: PartialRequest) -> Int {
    let request = partial.request
    // Quotation marks, separators and the names of members around each part.
    let overhead = 64
    func length(_ text: String) -> Int {
      // A control character takes six bytes, and what is escaped with a backslash two.
      text.utf8.reduce(overhead) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5c || $1 == 0x7f ? 6 : 1) }
    }
    var total = overhead
    // The query is a text in JSON: a quotation mark takes two bytes.
    total += (partial.openID4VP?.queryText.count ?? 0) * 2
    for set in request.presentmentRequests.flatMap(\.documentRequestSets) {
      for document in set.requests {
        total += length(document.documentType)
        total += document.issuerKeyIdentifiers.reduce(0) { $0 + $1.count * 4 / 3 + overhead }
        for (nameSpace, elements) in document.namespaces {
          total += elements.keys.reduce(length(nameSpace)) { $0 + length($1) }
        }
      }
    }
    return total
  }
}

extension PartialRequestBody.Document {
  /// - Parameter isOfQuery: True for a document of a query, which may ask for no claim.
  fileprivate func isWithinBounds(isOfQuery: Bool) -> Bool {
    func isName(_ text: String) -> Bool { text.utf8.count <= RequestLimit.name.maximum }
    return isName(documentType) && ((isOfQuery ? 0 : 1)...RequestLimit.nameSpaces.maximum).contains(nameSpaces.count)
      && nameSpaces.allSatisfy { nameSpace, elements in
        isName(nameSpace) && (1...RequestLimit.elements.maximum).contains(elements.count)
          && elements.keys.allSatisfy(isName)
      }
      && issuers.count <= RequestLimit.issuers.maximum
      && issuers.allSatisfy { $0.bytes.count <= RequestLimit.issuer.maximum }
  }
}
