import JSON
import Primitives

/// A claim with what is below it, and the disclosures that it came from.
package indirect enum ClaimNode: Sendable {
  /// A text, a number, a truth value or null.
  case value(JSONValue)
  /// An array. It is complete unless the sender left out elements, which moves the indices of the others.
  case array([Child], isComplete: Bool)
  /// An object.
  case object([Child])

  /// A member or an element.
  package struct Child: Sendable {
    /// The name of a member; empty for an element.
    package let name: String
    package let node: ClaimNode
    /// The number of the disclosure that disclosed it; nil if it is always visible.
    package let disclosure: Int?
  }

  /// Makes a node of a value without disclosures.
  package init(_ value: JSONValue) {
    switch value {
    case .array(let elements):
      self = .array(
        elements.map { Child(name: "", node: ClaimNode($0), disclosure: nil) }, isComplete: true)
    case .object(let members):
      self = .object(members.map { Child(name: $0.name, node: ClaimNode($0.value), disclosure: nil) })
    default: self = .value(value)
    }
  }

  /// The processed value (RFC 9901, 7.1): without digests, and with what was disclosed.
  package var value: JSONValue {
    switch self {
    case .value(let value): value
    case .array(let children, _): .array(children.map(\.node.value))
    case .object(let children): .object(children.map { .init(name: $0.name, value: $0.node.value) })
    }
  }

  /// The members or elements.
  package var children: [Child] {
    switch self {
    case .value: []
    case .array(let children, _), .object(let children): children
    }
  }

  /// Returns the member of an object.
  package func member(_ name: String) -> Child? {
    guard case .object(let children) = self else { return nil }
    return children.first { $0.name.isExactly(name) }
  }

  /// The numbers of all disclosures below.
  package var disclosuresBelow: [Int] {
    children.flatMap { child in (child.disclosure.map { [$0] } ?? []) + child.node.disclosuresBelow }
  }
}
