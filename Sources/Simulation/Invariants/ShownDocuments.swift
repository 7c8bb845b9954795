import CBOR
import COSE
import JSON
import Messaging
import MobileDocument
import OpenID4VP
import Primitives
import RelyingParty
import SDJWT
import Vocabulary

/// The documents that an app holds, by what issuing authorities sent to it, to compare with what its view showed.
///
/// A verifier server's result does not name the app's document. Its values do: those of each verified document must be the
/// values of one that the view showed as given, in a copy that an authority sent for that document.
struct ShownDocuments {
  /// An element as verifier servers, requests and views name it.
  typealias Name = ComparedElementName

  /// An element that an issuing authority sent.
  struct IssuedElement {
    let name: Name
    let value: JSONValue

    /// Reads the elements of a document, or the claims of a credential at every path; nil for one that cannot be read.
    static func elements(of issued: [UInt8], documentType: String) -> [IssuedElement]? {
      if HeldCredential.isSDJWT(issued) { return claims(of: issued, documentType: documentType) }
      guard let item = try? CBORReader.read(issued, leniency: .received),
        let signed = try? UnverifiedIssuerSigned(item)
      else { return nil }
      return signed.nameSpaces.flatMap { space in
        space.items.map { item in
          IssuedElement(
            name: Name(documentType: documentType, nameSpace: space.name, identifier: item.value.elementIdentifier),
            value: JSONValue(item.value.elementValue))
        }
      }
    }

    private static func claims(of issued: [UInt8], documentType: String) -> [IssuedElement]? {
      guard let received = try? UnverifiedSDJWT(compact: String(decoding: issued, as: UTF8.self)),
        let payload = try? JSONReader.item(received.issuerJWT.unverifiedPayload),
        let root = try? DisclosedClaims(payload, disclosures: received.disclosures).root
      else { return nil }
      func elements(_ node: ClaimNode, at place: [ClaimsPath.Component]) -> [IssuedElement] {
        let own = ClaimsPath(place).map { path in
          IssuedElement(
            name: Name(documentType: documentType, nameSpace: CredentialFormat.claimsNameSpace, identifier: path.text),
            value: node.value)
        }
        let below = node.children.flatMap { elements($0.node, at: place + [$0.step]) }
        return (own.map { [$0] } ?? []) + below
      }
      return elements(root, at: [])
    }
  }

  /// A document of a verifier server's result, without the elements that the device signed.
  struct Verified {
    let documentType: String
    let elements: [(name: Name, value: JSONValue)]
  }

  /// A copy of a document that an issuing authority sent.
  struct Copy {
    /// The authority.
    let authority: Party
    /// The app's identifier of the document.
    let document: String
    let documentType: String
    let values: [Name: [JSONValue]]
    private let issued: [UInt8]
    private let deviceKey: String

    /// The name of the issuing authority as views show it; nil for a document that an app cannot hold.
    var issuerName: String? {
      guard let bytes = Base64URL.decode(deviceKey), let key = try? COSEKey(reading: bytes) else { return nil }
      // No party of the world makes this verification, so a cross-check of the run leaves it out.
      return VerificationWitness.$current.withValue(nil) {
        try? HeldCredential(issued: issued, holderKey: key).issuerName
      }
    }

    /// Reads a copy; nil for one that cannot be read, with which the app cannot answer either.
    init?(ordered order: Message, _ answer: Message) {
      guard let order = order.body(ProvisioningOrder.self),
        let elements = IssuedElement.elements(of: answer.bytes, documentType: order.documentType)
      else { return nil }
      authority = answer.sender
      document = order.record.split(separator: "/").last.map(String.init) ?? order.record
      documentType = order.documentType
      values = Dictionary(grouping: elements, by: \.name).mapValues { $0.map(\.value) }
      issued = answer.bytes
      deviceKey = order.deviceKey
    }
  }

  /// A difference between a verified document and the view.
  struct Difference {
    let reason: InvariantCheck.Reason
    let detail: String
  }

  /// The view in which the person agreed.
  let view: AuthorizationScreen
  /// The copies that the app got.
  let copies: [Copy]

  /// Returns the differences between the verified documents and the view. A view in words of the app's own names no document.
  func differences(from verified: [Verified]) -> [Difference] {
    guard !view.documents.isEmpty else { return [] }
    return verified.compactMap(difference)
  }

  private func difference(of verified: Verified) -> Difference? {
    let type = verified.documentType
    let shown = view.chosen.filter { $0.documentType == type }
    let equal = copies.filter { copy in
      copy.documentType == type && verified.elements.allSatisfy { (copy.values[$0.name] ?? []).contains($0.value) }
    }
    // Values that no authority sent are a violation of their own.
    guard !equal.isEmpty else { return nil }
    let same = equal.filter { copy in shown.contains { $0.identifier == copy.document } }
    guard !same.isEmpty else {
      let names = shown.isEmpty ? "none of \(type)" : shown.map(\.identifier).joined(separator: ", ")
      return Difference(reason: .document, detail: "The view showed \(names); the values are of \(equal[0].document).")
    }
    // A copy with a fault can name its authority in another way than the one in the view does.
    let issuers = shown.map(\.issuer)
    let named = copies.filter { copy in
      shown.contains { $0.identifier == copy.document } && copy.issuerName.map(issuers.contains) ?? true
    }
    guard !same.contains(where: { copy in named.contains { $0.authority == copy.authority } }) else { return nil }
    return Difference(
      reason: .issuer,
      detail: "The view showed \(issuers.joined(separator: ", ")); the document is of \(same[0].authority.title).")
  }
}

/// An element that is named by its document type, its name space and its identifier.
protocol NamedElement {
  var documentType: String { get }
  var nameSpace: String { get }
  var identifier: String { get }
}

extension NamedElement {
  /// The name by which elements are compared.
  var name: ShownDocuments.Name {
    ShownDocuments.Name(documentType: documentType, nameSpace: nameSpace, identifier: identifier)
  }
}

extension VerdictElement: NamedElement {}
extension PageScreen.Element: NamedElement {}
extension AuthorizationScreen.Element: NamedElement {}

extension ItemsRequest {
  /// The names of the requested elements.
  var names: [ShownDocuments.Name] {
    nameSpaces.flatMap { space in
      space.elements.map { .init(documentType: documentType, nameSpace: space.name, identifier: $0.identifier) }
    }
  }
}
