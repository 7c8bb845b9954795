import JSON
import OpenID4VP

/// An element of a verified document, read from the JSON of a ``VerificationVerdict``.
package struct VerdictElement: Sendable {
  /// `DocType`, or for an SD-JWT credential its format, a space and `vct`.
  package let documentType: String
  /// `NameSpace`; of a credential that is no mobile document `claims`.
  package let nameSpace: String
  /// `DataElementIdentifier`, or the path of a claim.
  package let identifier: String
  package let value: JSONValue
  /// True if the device signed the element and not the issuer.
  package let isDeviceSigned: Bool

  /// The type of a document of a verdict; empty for one without.
  package static func documentType(of document: JSONValue) -> String {
    if let type = document.member("vct")?.text {
      return CredentialFormat.registeredType(type, formatName: CredentialFormat.sdJWT.rawValue)
    }
    return document.member("docType")?.text ?? ""
  }

  /// The elements of a document of a verdict, in their order.
  package static func elements(of document: JSONValue) -> [VerdictElement] {
    let type = documentType(of: document)
    func elements(_ value: JSONValue?, in nameSpace: String, isDeviceSigned: Bool) -> [VerdictElement] {
      guard case .object(let members)? = value else { return [] }
      return members.map {
        VerdictElement(
          documentType: type, nameSpace: nameSpace, identifier: $0.name, value: $0.value,
          isDeviceSigned: isDeviceSigned)
      }
    }
    let claims = elements(document.member("claims"), in: CredentialFormat.claimsNameSpace, isDeviceSigned: false)
    return claims
      + [("elements", false), ("deviceSignedElements", true)].flatMap { member, isDeviceSigned in
        guard case .object(let spaces)? = document.member(member) else { return [VerdictElement]() }
        return spaces.flatMap { elements($0.value, in: $0.name, isDeviceSigned: isDeviceSigned) }
      }
  }
}
