import JSON
import OpenID4VP

/// An element of a verified document, read from the JSON of a ``VerificationVerdict``.
package struct VerdictElement: Sendable {
  /// `DocType`, or for an SD-JWT credential its format, a space and `vct`.
  package let documentType: String
  /// `NameSpace`; of an SD-JWT credential `claims`.
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
    elements(of: document, withDeviceSigned: true) { $0 }
  }

  /// What a closure makes of each element of a document of a verdict, in their order. Pages ask for it in every exchange.
  /// - Parameter withDeviceSigned: False for what the issuer signed alone.
  package static func elements<Made>(
    of document: JSONValue, withDeviceSigned: Bool, _ make: (VerdictElement) -> Made
  ) -> [Made] {
    let type = documentType(of: document)
    var made: [Made] = []
    func element(_ nameSpace: String, _ member: JSONValue.Member, isDeviceSigned: Bool) -> Made {
      make(
        VerdictElement(
          documentType: type, nameSpace: nameSpace, identifier: member.name, value: member.value,
          isDeviceSigned: isDeviceSigned))
    }
    if case .object(let claims)? = document.member("claims") {
      made = claims.map { element(CredentialFormat.claimsNameSpace, $0, isDeviceSigned: false) }
    }
    func add(_ value: JSONValue?, isDeviceSigned: Bool, to made: inout [Made]) {
      guard case .object(let spaces)? = value else { return }
      for space in spaces {
        guard case .object(let members) = space.value else { continue }
        made.reserveCapacity(made.count + members.count)
        for place in members.indices {
          made.append(element(space.name, members[place], isDeviceSigned: isDeviceSigned))
        }
      }
    }
    add(document.member("elements"), isDeviceSigned: false, to: &made)
    if withDeviceSigned { add(document.member("deviceSignedElements"), isDeviceSigned: true, to: &made) }
    return made
  }
}
