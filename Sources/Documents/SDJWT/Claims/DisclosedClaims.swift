import JSON
import Primitives

/// The claims of an SD-JWT with what its disclosures disclose (RFC 9901, 7.1). Every rule about digests is checked.
package struct DisclosedClaims: Sendable {
  /// The claims, an object.
  package let root: ClaimNode
  /// The hash algorithm of digests and of `sd_hash`.
  package let hash: SDJWTHash

  /// Reads the claims of a payload.
  /// - Throws: ``SDJWTError``, with the place of the claim.
  package init(_ payload: JSONItem, disclosures: [Disclosure]) throws(SDJWTError) {
    let hash = try Self.hash(payload)
    var reading = Reading(hash: hash, disclosures: disclosures)
    try reading.index()
    root = try reading.object(payload, at: [], depth: 0)
    try reading.requireAllReferenced()
    self.hash = hash
  }

  private static func hash(_ payload: JSONItem) throws(SDJWTError) -> SDJWTHash {
    do throws(JSONError) {
      // A member with null is not one that is left out.
      guard let item = try payload.members().first(where: { $0.name.isExactly(algorithmName) })?.item else {
        return .sha256
      }
      let name = try item.text()
      guard let hash = SDJWTHash(rawValue: name) else {
        throw item.error("unknown hash algorithm '\(TerminalSafe.text(String(name.prefix(32))))'")
      }
      return hash
    } catch {
      throw SDJWTError(.hashAlgorithm, "'_sd_alg': \(error.message)")
    }
  }

  static let digestsName = "_sd"
  static let elementName = "..."
  static let algorithmName = "_sd_alg"

  /// Returns whether a claim name has a meaning of its own.
  static func isReserved(_ name: String) -> Bool { name.isExactly(digestsName) || name.isExactly(elementName) }
}

/// The reading of one payload.
private struct Reading {
  let hash: SDJWTHash
  let disclosures: [Disclosure]
  /// The number of the disclosure of each digest.
  var numbers: [String: Int] = [:]
  var seen: Set<String> = []
  var referenced: Set<Int> = []

  // Digests are ASCII where they match a disclosure, so that comparing texts as Swift does is exact.

  mutating func index() throws(SDJWTError) {
    for (number, disclosure) in disclosures.enumerated() {
      guard numbers.updateValue(number, forKey: hash.digest(of: disclosure.text)) == nil else {
        throw SDJWTError(.digestTwice, "a disclosure is there twice", at: "disclosure \(number)")
      }
    }
  }

  func requireAllReferenced() throws(SDJWTError) {
    guard let number = disclosures.indices.first(where: { !referenced.contains($0) }) else { return }
    throw SDJWTError(
      .unreferenced, "the digest of a disclosure occurs nowhere among the claims", at: "disclosure \(number)")
  }

  /// Returns the number of the disclosure with a digest, which may occur once; nil if it was not disclosed.
  private mutating func disclosure(_ digest: String, at place: [String]) throws(SDJWTError) -> Int? {
    guard seen.insert(digest).inserted else {
      throw SDJWTError(.digestTwice, "a digest occurs twice", at: Self.text(place))
    }
    guard seen.count <= SDJWTLimits.digests else {
      throw SDJWTError(.tooLarge, "the claims have more than \(SDJWTLimits.digests) digests")
    }
    guard let number = numbers[digest] else { return nil }
    referenced.insert(number)
    return number
  }

  private mutating func node(_ item: JSONItem, at place: [String], depth: Int) throws(SDJWTError) -> ClaimNode {
    guard depth <= SDJWTLimits.depth else {
      throw SDJWTError(.tooLarge, "claims are nested deeper than \(SDJWTLimits.depth) levels", at: Self.text(place))
    }
    switch item.kind {
    case .object: return try object(item, at: place, depth: depth)
    case .array: return try array(item, at: place, depth: depth)
    default: return .value(JSONValue(item))
    }
  }

  mutating func object(_ item: JSONItem, at place: [String], depth: Int) throws(SDJWTError) -> ClaimNode {
    var children: [ClaimNode.Child] = []
    var names: Set<ExactText> = []
    var digests: [String] = []
    for (name, value) in JSONMembers.of(item) {
      if name.isExactly(DisclosedClaims.digestsName) {
        digests = try Self.digests(value, at: place)
      } else if name.isExactly(DisclosedClaims.algorithmName) {
        guard depth == 0 else {
          throw SDJWTError(.hashAlgorithm, "'_sd_alg' is allowed at the top only", at: Self.text(place))
        }
      } else if name.isExactly(DisclosedClaims.elementName) {
        throw SDJWTError(.digestForm, "'...' is allowed as the only member of an element only", at: Self.text(place))
      } else {
        names.insert(ExactText(name))
        let node = try node(value, at: place + [name], depth: depth + 1)
        children.append(.init(step: .member(name), node: node, disclosure: nil))
      }
    }
    for digest in digests {
      guard let number = try disclosure(digest, at: place) else { continue }
      guard let name = disclosures[number].name else {
        throw SDJWTError(.place, "a disclosure without a name is in '_sd' of an object", at: Self.text(place))
      }
      guard !DisclosedClaims.isReserved(name) else {
        throw SDJWTError(.claimName, "the claim name '\(name)' is reserved", at: Self.text(place))
      }
      guard names.insert(ExactText(name)).inserted else {
        throw SDJWTError(.claimName, "the object has a disclosed claim twice", at: Self.text(place + [name]))
      }
      let node = try node(disclosures[number].value, at: place + [name], depth: depth + 1)
      children.append(.init(step: .member(name), node: node, disclosure: number))
    }
    return .object(children)
  }

  private mutating func array(_ item: JSONItem, at place: [String], depth: Int) throws(SDJWTError) -> ClaimNode {
    var children: [ClaimNode.Child] = []
    var isComplete = true
    for (index, element) in JSONElements.of(item).enumerated() {
      let place = place + ["[\(index)]"]
      guard let digest = try Self.elementDigest(element, at: place) else {
        let node = try node(element, at: place, depth: depth + 1)
        children.append(.init(step: .index(children.count), node: node, disclosure: nil))
        continue
      }
      guard let number = try disclosure(digest, at: place) else {
        isComplete = false
        continue
      }
      guard disclosures[number].name == nil else {
        throw SDJWTError(.place, "a disclosure with a name is in an array", at: Self.text(place))
      }
      let node = try node(disclosures[number].value, at: place, depth: depth + 1)
      children.append(.init(step: .index(children.count), node: node, disclosure: number))
    }
    return .array(children, isComplete: isComplete)
  }

  /// Returns the digest of an element that is a placeholder; nil for another element.
  private static func elementDigest(_ element: JSONItem, at place: [String]) throws(SDJWTError) -> String? {
    guard element.kind == .object else { return nil }
    let members = Array(JSONMembers.of(element))
    guard let found = members.first(where: { $0.name.isExactly(DisclosedClaims.elementName) }) else { return nil }
    guard members.count == 1, let digest = try? found.item.text() else {
      throw SDJWTError(.digestForm, "'...' is not the only member, or not a string", at: text(place))
    }
    return digest
  }

  private static func digests(_ item: JSONItem, at place: [String]) throws(SDJWTError) -> [String] {
    guard let digests = try? [String](json: item) else {
      throw SDJWTError(.digestForm, "'_sd' is not an array of strings", at: text(place))
    }
    return digests
  }

  private static func text(_ place: [String]) -> String? {
    place.isEmpty ? nil : TerminalSafe.text(String(place.joined(separator: ".").prefix(200)))
  }
}

extension JSONMembers {
  /// The members of an item that is known to be an object; none otherwise.
  fileprivate static func of(_ item: JSONItem) -> [(name: String, item: JSONItem)] {
    (try? item.members()).map { Array($0) } ?? []
  }
}

extension JSONElements {
  /// The elements of an item that is known to be an array; none otherwise.
  fileprivate static func of(_ item: JSONItem) -> [JSONItem] { (try? item.elements()).map { Array($0) } ?? [] }
}
