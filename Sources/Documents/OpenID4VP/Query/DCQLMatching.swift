import JSON
import Primitives
import SDJWT

/// The claims of one credential that answer a credential query.
package struct DCQLMatch: Sendable {
  /// The claims that are asked for, in the order of the query.
  package let claims: [ClaimsQuery]
  /// The claims of an SD-JWT that the paths select; empty for an mdoc.
  package let selected: [SelectedClaim]
  /// The elements of an mdoc; empty for an SD-JWT.
  package let elements: [DCQLCredential.Element]
}

/// The reason for which a credential does not answer a credential query, the first in the order of the query's members.
package enum DCQLMismatch: Error, Sendable, Equatable {
  /// The credential has another format.
  case format
  /// The credential has a type that is not asked for.
  case type
  /// The credential is not bound to a key of the holder.
  case holderBinding
  /// The credential's issuer belongs to no accepted authority.
  case authority
  /// The credential lacks a claim, or has another value than the accepted ones.
  case claim(String)
  /// The query asks for no element of an mdoc, which always discloses some.
  case noElements

  /// A human-readable description of the reason.
  package var message: String {
    switch self {
    case .format: "the credential has another format than the requested one"
    case .type: "the credential is of another type than the requested ones"
    case .holderBinding: "the credential is not bound to a key of the holder"
    case .authority: "the credential's issuer belongs to none of the accepted authorities"
    case .claim(let path): "the credential lacks the claim \(path), or has another value than the accepted ones"
    case .noElements: "the request names no element of the document"
    }
  }
}

extension CredentialQuery {
  /// Returns the claims of a credential that answer the query: of several sets of claims those of the first one that the
  /// credential can answer (OpenID4VP, 6.4.1).
  ///
  /// - Parameters:
  ///   - indexing: The meaning of an index: exact for a wallet, which has every element.
  ///   - acceptsNoElements: Whether an mdoc may answer a query without claims: a verifier accepts it, a wallet does not.
  /// - Throws: ``DCQLMismatch``.
  package func match(
    _ credential: DCQLCredential, _ indexing: ClaimNode.Indexing = .exact, acceptsNoElements: Bool = false
  ) throws(DCQLMismatch) -> DCQLMatch {
    guard format == credential.format else { throw .format }
    if let types, !types.contains(where: { $0.isExactly(credential.type) }) { throw .type }
    guard !requiresHolderBinding || credential.isHolderBound else { throw .holderBinding }
    if let trustedAuthorities, !trustedAuthorities.contains(where: { $0.matches(credential) }) { throw .authority }
    if claims == nil, case .mdoc = credential.content, !acceptsNoElements { throw .noElements }
    var first: DCQLMismatch?
    for claims in alternatives {
      do {
        return try Self.claims(claims, of: credential, indexing)
      } catch {
        first = first ?? error
      }
    }
    throw first ?? .noElements
  }

  private static func claims(
    _ claims: [ClaimsQuery], of credential: DCQLCredential, _ indexing: ClaimNode.Indexing
  ) throws(DCQLMismatch) -> DCQLMatch {
    var selected: [SelectedClaim] = []
    var elements: [DCQLCredential.Element] = []
    for claim in claims {
      switch credential.content {
      case .sdJWT(_, let root):
        let found = (try? root.select(claim.path, indexing)) ?? []
        let accepted = found.filter { claim.accepts($0.node.value) }
        guard !accepted.isEmpty else { throw .claim(claim.path.description) }
        // Paths may select one claim twice, as an index and all elements do.
        selected += accepted.filter { claim in !selected.contains { $0.place == claim.place } }
      case .mdoc(_, let held):
        guard let element = held.first(where: { claim.names($0) }), claim.accepts(element.value.json()) else {
          throw .claim(claim.path.description)
        }
        elements.append(element)
      }
    }
    return DCQLMatch(claims: claims, selected: selected, elements: elements)
  }

  /// Returns the claims of a verified credential that the query does not ask for: beside accepted values, and of several
  /// sets of claims beside the one that explains most of them (OpenID4VP, 6.3 and 6.4.1). Claims that the issuer made always
  /// visible are never such.
  package func surplus(in credential: DCQLCredential) -> [String] {
    alternatives.compactMap { claims in
      (try? Self.claims(claims, of: credential, .asPresented)).map { Self.surplus(in: credential, besides: $0) }
    }.min { $0.count < $1.count } ?? []
  }

  private static func surplus(in credential: DCQLCredential, besides match: DCQLMatch) -> [String] {
    switch credential.content {
    case .mdoc(_, let held):
      return held.filter { element in !match.claims.contains { $0.names(element) } }
        .map { "\($0.nameSpace) \($0.identifier)" }
    case .sdJWT(_, let root):
      return root.disclosed(besides: Set(match.selected.flatMap { $0.disclosures + $0.node.disclosuresBelow }))
    }
  }
}

extension ClaimNode {
  /// Returns the names of disclosed claims whose disclosures are not among some.
  fileprivate func disclosed(besides needed: Set<Int>, at place: [ClaimsPath.Component] = []) -> [String] {
    children.flatMap { child -> [String] in
      let place = place + [child.step]
      let isSurplus = child.disclosure.map { !needed.contains($0) } ?? false
      let names = isSurplus ? ClaimsPath(place).map { [$0.text] } ?? [] : []
      return names + child.node.disclosed(besides: needed, at: place)
    }
  }
}

extension ClaimsQuery {
  /// Returns whether a value is accepted. Type and value must agree (OpenID4VP, 6.4.1).
  func accepts(_ claim: JSONValue?) -> Bool {
    guard let values else { return true }
    guard let value = claim.flatMap(Value.init) else { return false }
    return values.contains(value)
  }

  /// Returns whether the path is the one of an element of an mdoc (OpenID4VP, 7.2).
  func names(_ element: DCQLCredential.Element) -> Bool {
    path.components == [.member(element.nameSpace), .member(element.identifier)]
  }
}

extension TrustedAuthority {
  /// Returns whether the issuer of a credential belongs to the authority. Padded or otherwise encoded identifiers match
  /// nothing.
  func matches(_ credential: DCQLCredential) -> Bool {
    guard type.isExactly(Self.keyIdentifierType) else { return false }
    return values.contains { value in Base64URL.decode(value).map(credential.issuerKeyIdentifiers.contains) ?? false }
  }
}
