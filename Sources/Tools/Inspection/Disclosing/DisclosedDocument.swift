import CBOR
import COSE
import JOSE
import JSON
import Messaging
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT

/// A document in an answer: its elements that left the phone, and those that stayed there. The verifier gets a digest of each
/// withheld element that the issuer signed, and nothing else of it.
public struct DisclosedDocument: Sendable, Equatable {
  /// An element in the response.
  public struct Disclosed: Sendable, Equatable {
    /// `NameSpace`.
    public let nameSpace: String
    /// `elementIdentifier`.
    public let identifier: String
    /// The value in readable form.
    public let value: String
    /// True for an element that the device signed itself.
    public let isDeviceSigned: Bool
  }

  /// A digest that the issuer signed whose element is not in the answer.
  public struct Withheld: Sendable, Equatable {
    /// `NameSpace`; `claims` of an SD-JWT.
    public let nameSpace: String
    /// `digestID`; nil in an SD-JWT, whose digests have no numbers.
    public let digestID: UInt64?
    /// The digest.
    public let digest: [UInt8]
    /// The identifier of the element on the phone; nil for a digest without an element, or of an unknown document.
    public let identifier: String?
  }

  /// `docType`, or the format of an SD-JWT, a space and its `vct`.
  public let documentType: String
  /// The digest algorithm; nil if it cannot be read.
  public let digestAlgorithm: String?
  /// The disclosed elements, in the order of the response.
  public let disclosed: [Disclosed]
  /// The withheld elements, in the order of the document on the phone; digests without a known element follow.
  public let withheld: [Withheld]
  /// True if the document on the phone is known. The verifier does not know it.
  public let isHeldKnown: Bool
}

extension DisclosedDocument {
  /// Compares each document of an answer with the document on the phone.
  ///
  /// - Parameters:
  ///   - response: The encoded `DeviceResponse`, or the JSON with the `vp_token` of an answer in OpenID4VP.
  ///   - issued: Documents as issuing authorities sent them to apps, each an encoded `IssuerSigned` or an SD-JWT.
  /// - Returns: A disclosure for each document; empty for a response that cannot be read.
  public static func all(in response: [UInt8], issued: some Sequence<[UInt8]>) -> [DisclosedDocument] {
    if let presentations = presentations(in: response) {
      let credentials = issued.compactMap { try? UnverifiedSDJWT(compact: String(decoding: $0, as: UTF8.self)) }
      return presentations.flatMap { text -> [DisclosedDocument] in
        guard let sent = try? UnverifiedSDJWT(compact: text) else {
          return Base64URL.decode(text).map { all(in: $0, issued: issued) } ?? []
        }
        let held = credentials.last { $0.issuerJWT.compact.isExactly(sent.issuerJWT.compact) }
        return DisclosedDocument(of: sent, from: held).map { [$0] } ?? []
      }
    }
    guard let read = try? UnverifiedDeviceResponse(response) else { return [] }
    let held = issued.compactMap { bytes in
      (try? CBORReader.read(bytes, leniency: .received)).flatMap { try? UnverifiedIssuerSigned($0) }
    }
    return read.documents.map { document in
      // The wallet passes the issuer's signature on unchanged.
      DisclosedDocument(of: document, from: held.last { $0.issuerAuthBytes == document.issuerSigned.issuerAuthBytes })
    }
  }

  /// The presentations of an answer in OpenID4VP; nil for another answer.
  private static func presentations(in response: [UInt8]) -> [String]? {
    guard response.first == UInt8(ascii: "{"), let answer = try? JSONReader.read(response),
      case .object(let queries)? = answer.member("vp_token")
    else { return nil }
    return queries.flatMap { query -> [String] in
      if case .array(let elements) = query.value { elements.compactMap(\.text) } else { [query.value.text ?? ""] }
    }
  }

  /// Compares a presented SD-JWT with the credential on the phone; nil if it cannot be read.
  private init?(of sent: UnverifiedSDJWT, from held: UnverifiedSDJWT?) {
    guard let payload = try? JSONReader.item(sent.issuerJWT.unverifiedPayload),
      let claims = try? DisclosedClaims(payload, disclosures: sent.disclosures)
    else { return nil }
    documentType = CredentialFormat.registeredType(
      (try? payload.member("vct")) ?? "", formatName: CredentialFormat.sdJWT.rawValue)
    isHeldKnown = held != nil
    digestAlgorithm = claims.hash.rawValue
    let own = CredentialFormat.claimsNameSpace
    disclosed = claims.root.disclosed.map {
      Disclosed(nameSpace: own, identifier: $0.path, value: Self.words(of: $0.node.value), isDeviceSigned: false)
    }
    let shown = Set(sent.disclosures.map { claims.hash.digest(of: $0.text) })
    let whole = held.flatMap { try? DisclosedClaims(payload, disclosures: $0.disclosures) }
    let digests = held?.disclosures.map { claims.hash.digest(of: $0.text) } ?? []
    let kept = whole?.root.paths { !shown.contains(digests[$0]) } ?? []
    let hidden = kept.map { ($0.path, digest: digests[$0.number]) }
    let named = Set(hidden.map(\.digest)).union(shown)
    let unnamed = (JSONValue(payload).digests + sent.disclosures.flatMap { JSONValue($0.value).digests })
      .filter { !named.contains($0) }
    withheld =
      hidden.map {
        Withheld(nameSpace: own, digestID: nil, digest: Base64URL.decode($0.digest) ?? [], identifier: $0.0)
      }
      + unnamed.map {
        Withheld(nameSpace: own, digestID: nil, digest: Base64URL.decode($0) ?? [], identifier: nil)
      }
  }

  private static func words(of value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .number(let number): number
    case .boolean(let flag): flag ? "true" : "false"
    case .null: "null"
    case .array(let elements): elements.map(words).joined(separator: ", ")
    case .object(let members): "{\(members.map { "\($0.name): \(words(of: $0.value))" }.joined(separator: ", "))}"
    }
  }

  private init(of document: UnverifiedDocument, from held: UnverifiedIssuerSigned?) {
    documentType = document.documentType
    isHeldKnown = held != nil
    let sent = document.issuerSigned
    disclosed =
      sent.nameSpaces.flatMap { space in
        space.items.map { item in
          Disclosed(
            nameSpace: space.name, identifier: item.value.elementIdentifier,
            value: DisplayValue.text(of: item.value.elementValue), isDeviceSigned: false)
        }
      }
      + (document.deviceSigned?.elements ?? []).map { element in
        Disclosed(
          nameSpace: element.nameSpace, identifier: element.identifier,
          value: DisplayValue.text(of: element.value), isDeviceSigned: true)
      }
    let object = Self.securityObject(of: sent)
    digestAlgorithm = object?.digestAlgorithmName
    withheld = (object?.valueDigests ?? []).flatMap { space, digests in
      let shown = Set(Self.items(sent, in: space).map(\.digestID))
      let names = Self.items(held, in: space)
      let rank = Dictionary(names.enumerated().map { ($0.element.digestID, $0.offset) }) { first, _ in first }
      return digests.entries.filter { !shown.contains($0.identifier) }
        .sorted { (rank[$0.identifier] ?? .max, $0.identifier) < (rank[$1.identifier] ?? .max, $1.identifier) }
        .map { entry in
          Withheld(
            nameSpace: space, digestID: entry.identifier, digest: Array(entry.digest),
            identifier: rank[entry.identifier].map { names[$0].elementIdentifier })
        }
    }
  }

  private static func items(_ signed: UnverifiedIssuerSigned?, in space: String) -> [IssuerSignedItem] {
    signed?.nameSpaces.filter { $0.name == space }.flatMap { $0.items.map(\.value) } ?? []
  }

  private static func securityObject(of signed: UnverifiedIssuerSigned) -> MobileSecurityObject? {
    guard let item = try? CBORReader.read(signed.issuerAuthBytes, leniency: .received),
      let payload = try? COSESign1(item).unverifiedPayload
    else { return nil }
    return try? MobileSecurityObject(payload: payload)
  }
}

extension ClaimNode {
  /// The disclosed claims by their paths: of an object or array with parts that were disclosed one by one, those parts.
  fileprivate var disclosed: [(path: String, node: ClaimNode)] {
    children.enumerated().flatMap { index, child -> [(path: String, node: ClaimNode)] in
      let name = child.pathName(at: index)
      let below = child.node.disclosed.map { (path: Self.path(name, $0.path), node: $0.node) }
      return below.isEmpty && child.disclosure != nil ? [(name, child.node)] : below
    }
  }

  /// The paths and the numbers of the topmost disclosures that meet a condition.
  fileprivate func paths(where isWanted: (Int) -> Bool) -> [(path: String, number: Int)] {
    children.enumerated().flatMap { index, child -> [(path: String, number: Int)] in
      let name = child.pathName(at: index)
      if let number = child.disclosure, isWanted(number) { return [(name, number)] }
      return child.node.paths(where: isWanted).map { (path: Self.path(name, $0.path), number: $0.number) }
    }
  }

  private static func path(_ name: String, _ below: String) -> String {
    below.hasPrefix("[") ? name + below : "\(name).\(below)"
  }
}

extension ClaimNode.Child {
  /// The name of a member, or the index of an element.
  fileprivate func pathName(at index: Int) -> String { name.isEmpty ? "[\(index)]" : name }
}

extension JSONValue {
  /// The digests in this value: the elements of `_sd`, and what takes the place of elements of arrays.
  fileprivate var digests: [String] {
    switch self {
    case .array(let elements): elements.flatMap(\.digests)
    case .object(let members):
      members.flatMap { member -> [String] in
        switch (member.name, member.value) {
        case ("_sd", .array(let digests)): digests.compactMap(\.text)
        case ("...", .string(let digest)): [digest]
        default: member.value.digests
        }
      }
    default: []
    }
  }
}
