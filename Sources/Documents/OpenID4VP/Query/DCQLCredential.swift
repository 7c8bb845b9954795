import CBOR
import JSON
import MobileDocument
import Primitives
import SDJWT

/// A credential as a query sees it: one that a wallet holds, or one that a verifier has verified.
package struct DCQLCredential: Sendable {
  /// The claims by format.
  package enum Content: Sendable {
    /// The type and the claims of an SD-JWT.
    case sdJWT(type: String, claims: ClaimNode)
    /// The type and the elements of an mdoc.
    case mdoc(type: String, elements: [Element])
  }

  /// An element of an mdoc.
  package struct Element: Sendable {
    package let nameSpace: String
    package let identifier: String
    package let value: CBORValue

    package init(nameSpace: String, identifier: String, value: CBORValue) {
      self.nameSpace = nameSpace
      self.identifier = identifier
      self.value = value
    }
  }

  package let content: Content
  /// True if the credential is bound to a key of the holder. Mobile documents always are.
  package let isHolderBound: Bool
  /// The authority key identifiers of the certificates in the issuer's chain.
  package let issuerKeyIdentifiers: [[UInt8]]

  package init(_ content: Content, isHolderBound: Bool, issuerKeyIdentifiers: [[UInt8]]) {
    self.content = content
    self.isHolderBound = isHolderBound
    self.issuerKeyIdentifiers = issuerKeyIdentifiers
  }

  /// A credential that a wallet holds.
  package init(_ held: HeldSDJWT) {
    self.init(
      .sdJWT(type: held.type, claims: held.claims), isHolderBound: held.isHolderBound,
      issuerKeyIdentifiers: held.issuerKeyIdentifiers)
  }

  /// A document that a wallet holds.
  package init(_ held: HeldDocument) {
    let elements = held.nameSpaces.flatMap { space in
      space.items.map {
        Element(nameSpace: space.name, identifier: $0.value.elementIdentifier, value: $0.value.elementValue)
      }
    }
    self.init(
      .mdoc(type: held.documentType, elements: elements), isHolderBound: true,
      issuerKeyIdentifiers: held.issuerKeyIdentifiers)
  }

  /// A credential that a verifier has verified.
  package init(_ verified: VerifiedSDJWT) {
    self.init(
      .sdJWT(type: verified.type, claims: verified.claims), isHolderBound: verified.isHolderBound,
      issuerKeyIdentifiers: verified.issuerKeyIdentifiers)
  }

  /// A document that a verifier has verified.
  package init(_ verified: VerifiedDocument) {
    self.init(
      .mdoc(
        type: verified.documentType,
        elements: verified.elements.map {
          Element(nameSpace: $0.nameSpace, identifier: $0.identifier, value: $0.value)
        }), isHolderBound: true, issuerKeyIdentifiers: verified.issuerKeyIdentifiers)
  }

  /// The format.
  package var format: CredentialFormat {
    switch content {
    case .sdJWT: .sdJWT
    case .mdoc: .mdoc
    }
  }

  /// The type.
  package var type: String {
    switch content {
    case .sdJWT(let type, _), .mdoc(let type, _): type
    }
  }
}

extension CBORValue {
  /// The value as JSON (RFC 8949, 6.1). Texts, numbers, booleans, arrays and maps keep their form; bytes become base64url. Of
  /// a tagged value the content counts, so that a date is a text.
  /// - Parameter substitute: What takes the place of a value that JSON has no form for: undefined, another simple value, a
  ///   float that is infinite or NaN, or a map with another key than a text.
  /// - Returns: Nil if the value, or one in it, has neither a form nor a substitute.
  package func json(orElse substitute: (CBORValue) -> JSONValue? = { _ in nil }) -> JSONValue? {
    switch self {
    case .unsigned(let number): return .number(String(number))
    case .negative(let argument): return .number(CBORValue.decimal(ofNegative: argument))
    case .float(let number) where number.isFinite: return .number("\(number)")
    case .bytes(let bytes): return .string(Base64URL.encode(bytes))
    case .text(let text): return .string(text)
    case .boolean(let value): return .boolean(value)
    case .null: return .null
    case .tagged(_, let content): return content.json(orElse: substitute)
    case .array(let elements):
      var values: [JSONValue] = []
      values.reserveCapacity(elements.count)
      for element in elements {
        guard let value = element.json(orElse: substitute) else { return nil }
        values.append(value)
      }
      return .array(values)
    case .map(let entries):
      var members: [JSONValue.Member] = []
      members.reserveCapacity(entries.count)
      for entry in entries {
        guard case .text(let name) = entry.key else { return substitute(self) }
        guard let value = entry.value.json(orElse: substitute) else { return nil }
        members.append(.init(name: name, value: value))
      }
      return .object(members)
    case .float, .simple, .undefined: return substitute(self)
    }
  }
}
