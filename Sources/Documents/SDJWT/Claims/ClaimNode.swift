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
    /// The part of a path that leads here: the name of a member, or the index of an element, which stays when the holder
    /// withholds others.
    package let step: ClaimsPath.Component
    package let node: ClaimNode
    /// The number of the disclosure that disclosed it; nil if it is always visible.
    package let disclosure: Int?

    /// The name of a member; empty for an element.
    package var name: String { if case .member(let name) = step { name } else { "" } }
  }

  /// Creates a node of a value without disclosures.
  package init(_ value: JSONValue) {
    switch value {
    case .array(let elements):
      self = .array(
        elements.enumerated().map { Child(step: .index($0), node: ClaimNode($1), disclosure: nil) }, isComplete: true)
    case .object(let members):
      self = .object(members.map { Child(step: .member($0.name), node: ClaimNode($0.value), disclosure: nil) })
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

  /// Returns the node without some of what its disclosures disclose. Claims that are always visible stay.
  /// - Parameters:
  ///   - isKept: A function that returns whether to keep the claim at a place.
  ///   - place: The place of the node.
  package func keeping(_ isKept: ([ClaimsPath.Component]) -> Bool, at place: [ClaimsPath.Component] = []) -> ClaimNode {
    func kept(_ children: [Child]) -> [Child] {
      children.compactMap { child in
        let place = place + [child.step]
        guard child.disclosure == nil || isKept(place) else { return nil }
        return Child(step: child.step, node: child.node.keeping(isKept, at: place), disclosure: child.disclosure)
      }
    }
    switch self {
    case .value: return self
    case .array(let children, let isComplete):
      let left = kept(children)
      return .array(left, isComplete: isComplete && left.count == children.count)
    case .object(let children): return .object(kept(children))
    }
  }

  /// The places of all claims that a presentation shows: those that are always visible, and those of some disclosures.
  /// - Parameter opened: The numbers of the disclosures in the presentation.
  package func shown(opening opened: Set<Int>, at place: [ClaimsPath.Component] = []) -> [[ClaimsPath.Component]] {
    children.flatMap { child -> [[ClaimsPath.Component]] in
      guard child.disclosure.map(opened.contains) ?? true else { return [] }
      let place = place + [child.step]
      return [place] + child.node.shown(opening: opened, at: place)
    }
  }
}
