import CBOR
import COSE
import JSON
import MobileDocument
import Primitives
import SDJWT

/// A credential that a wallet holds, in either format.
package enum HeldCredential: Sendable {
  /// A mobile document.
  case mobileDocument(HeldDocument)
  /// An SD-JWT verifiable credential.
  case sdJWT(HeldSDJWT)

  /// Reads an issued credential: `IssuerSigned`, which is a map in CBOR, or the text of an SD-JWT.
  /// - Parameter holderKey: The key that the credential must be bound to.
  /// - Throws: `DocumentError` or ``SDJWTError``.
  package init(issued: [UInt8], holderKey: COSEKey) throws {
    if Self.isSDJWT(issued) {
      self = .sdJWT(try HeldSDJWT(issued: String(decoding: issued, as: UTF8.self), holderKey: holderKey))
    } else {
      self = .mobileDocument(try HeldDocument(issued: issued, deviceKey: holderKey))
    }
  }

  /// Returns whether an issued credential is an SD-JWT: the first letter of its header's base64url, `e`, is no map in CBOR.
  package static func isSDJWT(_ issued: [UInt8]) -> Bool { issued.first == UInt8(ascii: "e") }

  /// The mobile document; nil for a credential of another format.
  package var mobileDocument: HeldDocument? { if case .mobileDocument(let document) = self { document } else { nil } }

  /// The type as registrations name it: `DocType`, or for an SD-JWT its format, a space and `vct`.
  package var registeredType: String {
    switch self {
    case .mobileDocument(let document): document.documentType
    case .sdJWT(let credential):
      CredentialFormat.registeredType(credential.type, formatName: CredentialFormat.sdJWT.rawValue)
    }
  }

  /// The name of the issuing authority for people.
  package var issuerName: String {
    switch self {
    case .mobileDocument(let document): document.issuerName
    case .sdJWT(let credential): credential.issuerName
    }
  }

  /// The authority key identifiers of the issuer's certificate chain.
  package var issuerKeyIdentifiers: [[UInt8]] {
    switch self {
    case .mobileDocument(let document): document.issuerKeyIdentifiers
    case .sdJWT(let credential): credential.issuerKeyIdentifiers
    }
  }

  /// The beginning of the validity, with the name of its member; nil for a credential that has none.
  package var validFrom: (member: String, moment: DateTime)? {
    switch self {
    case .mobileDocument(let document): ("validFrom", document.validity.validFrom)
    case .sdJWT(let credential): credential.validFrom.map { ("nbf", $0) }
    }
  }

  /// The end of the validity, with the name of its member; nil for a credential that has none.
  package var validUntil: (member: String, moment: DateTime)? {
    switch self {
    case .mobileDocument(let document): ("validUntil", document.validity.validUntil)
    case .sdJWT(let credential): credential.validUntil.map { ("exp", $0) }
    }
  }

  /// The credential as a query sees it.
  package var queried: DCQLCredential {
    switch self {
    case .mobileDocument(let document): DCQLCredential(document)
    case .sdJWT(let credential): DCQLCredential(credential)
    }
  }
}

extension HeldSDJWT {
  /// Returns the credential without some claims, which the holder does not disclose. Those that the issuer made always visible
  /// stay.
  /// - Parameter isKept: A function that returns whether to keep a claim, by the name space of claims and its path.
  package func keeping(_ isKept: (_ nameSpace: String, _ identifier: String) -> Bool) -> HeldSDJWT {
    keeping { place in ClaimsPath(place).map { isKept(CredentialFormat.claimsNameSpace, $0.text) } ?? true }
  }

  /// The paths of claims about the holder that a presentation discloses although nothing selects them: the issuer made them
  /// always visible, or visible with a claim that must be opened for a selected one.
  package func unrequested(besides selected: [SelectedClaim]) -> [String] {
    let opened = disclosures(for: selected)
    func found(_ node: ClaimNode, _ place: [ClaimsPath.Component]) -> [String] {
      node.children.flatMap { child -> [String] in
        let place = place + [child.step]
        guard child.disclosure.map(opened.contains) ?? true, !selected.contains(where: { place.starts(with: $0.place) })
        else { return [] }
        if case .member(let name)? = place.first, SDJWTDraft.isAboutCredential(name) { return [] }
        guard case .value = child.node else { return found(child.node, place) }
        return ClaimsPath(place).map { [$0.text] } ?? []
      }
    }
    return found(claims, [])
  }

  /// The paths of all claims that a presentation of selected ones shows, without those about the credential itself.
  package func shown(selecting selected: [SelectedClaim]) -> [String] {
    claims.shown(opening: disclosures(for: selected)).compactMap { place in
      guard case .member(let name)? = place.first, !SDJWTDraft.isAboutCredential(name) else { return nil }
      return ClaimsPath(place)?.text
    }
  }
}
