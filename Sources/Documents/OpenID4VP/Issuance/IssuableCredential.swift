import CBOR
import COSE
import JSON
import MobileDocument
import SDJWT

/// A document as issuers describe it, in the format of its type.
package enum IssuableCredential: Sendable {
  /// A mobile document.
  case mobileDocument(DocumentDraft)
  /// An SD-JWT verifiable credential.
  case sdJWT(SDJWTDraft)

  /// Creates the draft of a format from that of any document.
  /// - Parameter draft: A document of a type as registrations name it, with the elements of an SD-JWT in the name space
  ///   `claims`. An SD-JWT refers to its first status list; it has no form for an identifier list.
  /// - Throws: ``SDJWTError`` for a value without a form in JSON.
  package init(_ draft: DocumentDraft) throws(SDJWTError) {
    let (format, type) = CredentialFormat.ofRegisteredType(draft.documentType)
    switch format {
    case .mdoc:
      var named = draft
      named.documentType = type
      self = .mobileDocument(named)
    case .sdJWT:
      if let other = draft.nameSpaces.first(where: { !$0.name.isExactly(CredentialFormat.claimsNameSpace) }) {
        throw SDJWTError(.payload, "claims are in '\(CredentialFormat.claimsNameSpace)' alone, found '\(other.name)'")
      }
      var credential = try SDJWTDraft(
        type: type, elements: draft.nameSpaces.flatMap(\.elements), holderKey: draft.deviceKey,
        validity: draft.validity)
      credential.status = draft.status?.references.first { if case .index = $0.entry { true } else { false } }
      self = .sdJWT(credential)
    }
  }
}

extension SDJWTDraft {
  /// The decoy digests in each object of a credential that a document's description makes.
  private static let usualDecoys = 2

  /// Creates the draft of a credential whose claims are described as the elements of a document are, in the name space
  /// `claims`. The holder can leave out each claim, and each member and element of a claim's value.
  /// - Throws: ``SDJWTError`` for a value without a form in JSON.
  package init(
    type: String, elements: [DocumentDraft.Element], holderKey: COSEKey,
    validity: MobileSecurityObject.Validity
  ) throws(SDJWTError) {
    var members: [JSONValue.Member] = []
    var disclosable: [ClaimsPath] = []
    for element in elements {
      guard let value = element.value.json() else {
        throw SDJWTError(.payload, "the claim '\(element.identifier)' has no form in JSON")
      }
      members.append(.init(name: element.identifier, value: value))
      let name = ClaimsPath.Component.member(element.identifier)
      let below: [ClaimsPath.Component] =
        switch value {
        case .object(let inner): inner.map { .member($0.name) }
        case .array: [.all]
        default: []
        }
      disclosable += ([[name]] + below.map { [name, $0] }).compactMap { ClaimsPath($0) }
    }
    self.init(type: type, holderKey: holderKey, claims: .object(members), disclosable: disclosable)
    issuedAt = validity.signed
    validFrom = validity.validFrom
    validUntil = validity.validUntil
    decoys = Self.usualDecoys
  }
}
