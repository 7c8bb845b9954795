import COSE
import Crypto
import Foundation
import JOSE
import JSON
import Primitives
import TestSupport

/// A value in a file of the vectors for OpenID4VP, with its spelling. Printed as its identifier.
package struct KnownItem: Sendable, CustomStringConvertible {
  package let json: JSONItem
  /// The `id` of the object, or its place.
  package let identifier: String

  package init(_ json: JSONItem, at place: String) {
    self.json = json
    identifier = (try? json.optionalMember("id") as String?) ?? place
  }

  package var description: String { identifier }

  /// Reads a whole file.
  package static func file(_ name: String) throws -> KnownItem {
    let bytes = try Data(contentsOf: Vectors.openID4VPFolder.appendingPathComponent(name))
    return KnownItem(try JSONReader.item(Array(bytes)), at: name)
  }

  /// Returns the entries of a list in a file, for the arguments of a test; none if the vectors are missing.
  /// - Parameter path: The names of members from the top to the list.
  package static func entries(of name: String, _ path: String...) -> [KnownItem] {
    guard Vectors.openID4VPAreHere, var item = try? file(name) else { return [] }
    for member in path {
      guard let next = try? item.item(member) else { return [] }
      item = next
    }
    return (try? item.list()) ?? []
  }

  /// Returns the entry of a list in a file with an identifier.
  package static func entry(_ identifier: String, of name: String, _ list: String) throws -> KnownItem {
    guard let entry = entries(of: name, list).first(where: { $0.identifier == identifier }) else {
      throw MissingMember(description: "\(name) has no entry \(identifier)")
    }
    return entry
  }

  package func item(_ name: String) throws -> KnownItem {
    KnownItem(try json.item(name), at: "\(identifier).\(name)")
  }

  package func optional(_ name: String) throws -> KnownItem? {
    try json.optionalItem(name).map { KnownItem($0, at: "\(identifier).\(name)") }
  }

  package func text(_ name: String) throws -> String { try json.member(name) }

  /// Returns the bytes of a hexadecimal member.
  package func hex(_ name: String) throws -> [UInt8] {
    guard let bytes = Hex.decode(try text(name)) else {
      throw MissingMember(description: "\(identifier).\(name) is not hexadecimal")
    }
    return bytes
  }

  package func list() throws -> [KnownItem] {
    try json.elements().enumerated().map { KnownItem($1, at: "\(identifier)[\($0)]") }
  }

  package func list(_ name: String) throws -> [KnownItem] { try item(name).list() }

  /// The value in the order and spelling of the file.
  package var value: JSONValue { JSONValue(json) }

  /// The public part of a JWK, which may have a private one.
  package func publicJWK() throws -> JWK {
    guard case .object(let members) = value else { throw MissingMember(description: "\(identifier) is not an object") }
    let known = JSONValue.object(members.filter { $0.name != "d" })
    return try JWK(json: JSONReader.item(known.bytes))
  }

  /// The private key of a JWK on P-256, for key agreement.
  package func agreementKey() throws -> P256.KeyAgreement.PrivateKey {
    try P256.KeyAgreement.PrivateKey(rawRepresentation: json.base64URLMember("d"))
  }

  /// The private key of a JWK on P-256, for signatures.
  package func signingKey() throws -> P256.Signing.PrivateKey {
    try P256.Signing.PrivateKey(rawRepresentation: json.base64URLMember("d"))
  }
}

/// Returns whether two JSON values are equal: members in any order, texts exactly, numbers by their spelling.
package func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool { left.sorted == right.sorted }

extension JSONValue {
  /// The value with the members of every object in the order of their names.
  package var sorted: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.map { Member(name: $0.name, value: $0.value.sorted) }
          .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    case .array(let elements): .array(elements.map(\.sorted))
    default: self
    }
  }
}
