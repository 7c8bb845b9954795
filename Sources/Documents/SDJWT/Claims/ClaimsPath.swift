import JSON
import Primitives

/// A claims path pointer: the way from the top of a credential to claims (OpenID4VP, 7; SD-JWT VC, 4.6.1).
public struct ClaimsPath: Sendable, Equatable, CustomStringConvertible {
  /// One part of a path.
  public enum Component: Sendable, Equatable {
    /// A string: the member with this name.
    case member(String)
    /// Null: all elements.
    case all
    /// A non-negative integer: the element at this index.
    case index(Int)

    /// Compares names exactly.
    public static func == (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.member(let left), .member(let right)): left.isExactly(right)
      case (.all, .all): true
      case (.index(let left), .index(let right)): left == right
      default: false
      }
    }
  }

  /// The parts, at least one.
  public let components: [Component]

  /// The most parts of a path: deeper claims are not read.
  public static let maximumLength = SDJWTLimits.depth
  /// The most claims that one path selects. Several nulls multiply.
  public static let maximumSelected = 1 << 12

  /// Creates a path; nil without a part.
  public init?(_ components: [Component]) {
    guard !components.isEmpty, components.count <= Self.maximumLength else { return nil }
    self.components = components
  }

  /// Reads the ``text`` of a path, which may be written as JSON; nil for one without a name at its beginning, or with brackets
  /// around anything but an index.
  package init?(text: String) {
    if text.hasPrefix("[") {
      guard let json = try? JSONReader.item(Array(text.utf8)), let path = try? ClaimsPath(json: json) else {
        return nil
      }
      self = path
      return
    }
    var read: [Component] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = pieces.first, !name.isEmpty, !name.contains("]") else { return nil }
      read.append(.member(String(name)))
      for piece in pieces.dropFirst() {
        guard piece.last == "]" else { return nil }
        let digits = piece.dropLast()
        if digits.isEmpty {
          read.append(.all)
        } else if digits.utf8.allSatisfy(\.isDigit), let index = Int(digits) {
          read.append(.index(index))
        } else {
          return nil
        }
      }
    }
    self.init(read)
  }

  /// The path for people: names with dots between them, and in brackets an index, or nothing for all elements. With a name
  /// that would read as another path it is compact JSON.
  package var text: String {
    let isAmbiguous = components.contains { component in
      guard case .member(let name) = component else { return false }
      return name.isEmpty || name.contains { ".[]".contains($0) }
    }
    guard !isAmbiguous else { return String(decoding: json.bytes, as: UTF8.self) }
    var text = ""
    for component in components {
      switch component {
      case .member(let name): text += (text.isEmpty ? "" : ".") + name
      case .index(let index): text += "[\(index)]"
      case .all: text += "[]"
      }
    }
    return text
  }

  /// Reads a path.
  /// - Throws: `JSONError` for an empty path or another kind of part.
  package init(json: JSONItem) throws(JSONError) {
    var read: [Component] = []
    for item in try json.elements() {
      switch item.kind {
      case .string: read.append(.member(try item.text()))
      case .null: read.append(.all)
      case .number:
        let spelling = try item.spelling()
        // A fraction, an exponent or a sign makes another token, even of an equal number.
        guard spelling.utf8.allSatisfy(\.isDigit), let index = Int(spelling) else {
          throw item.error("expected a non-negative integer, found \(TerminalSafe.text(String(spelling.prefix(32))))")
        }
        read.append(.index(index))
      default: throw item.error("expected a string, null or a non-negative integer, found \(item.kind.text)")
      }
    }
    guard let path = ClaimsPath(read) else {
      throw json.error("a path has 1 to \(Self.maximumLength) parts, found \(read.count)")
    }
    self = path
  }

  /// The path as JSON.
  package var json: JSONValue {
    .array(
      components.map { component in
        switch component {
        case .member(let name): .string(name)
        case .all: .null
        case .index(let index): .number(String(index))
        }
      })
  }

  /// Returns whether the path leads to the claims of another one, or to what is in them.
  package func isBelow(_ other: ClaimsPath) -> Bool {
    components.count >= other.components.count
      && zip(components, other.components).allSatisfy { own, above in
        if case .index = own, above == .all { true } else { own == above }
      }
  }

  /// The path as compact JSON.
  public var description: String { TerminalSafe.text(String(decoding: json.bytes, as: UTF8.self)) }
}

/// A claim that a path selects.
package struct SelectedClaim: Sendable {
  /// The way to the claim, without nulls.
  package let place: [ClaimsPath.Component]
  package let node: ClaimNode
  /// The numbers of the disclosures on the way.
  package let disclosures: [Int]
  /// True if an index on the way may have had another element.
  var isOneOfSeveral = false
}

extension ClaimNode {
  /// The meaning of an index.
  package enum Indexing: Sendable {
    /// The element at this place: the holder has all elements.
    case exact
    /// Any element that is left, where the holder left out others: the receiver cannot tell which index it had.
    case asPresented
  }

  /// Selects the claims of a path (OpenID4VP, 7.1). An element without the next part drops out silently; one of another
  /// kind than the part needs ends the whole selection, unless the path's index may have had another element.
  /// - Throws: ``SDJWTError`` with code `sd-jwt-format.path` if no claim is left, or for another kind.
  package func select(_ path: ClaimsPath, _ indexing: Indexing = .exact) throws(SDJWTError) -> [SelectedClaim] {
    var selected = [SelectedClaim(place: [], node: self, disclosures: [])]
    for (number, component) in path.components.enumerated() {
      var next: [SelectedClaim] = []
      for claim in selected {
        do { next += try claim.node.children(component, of: claim, number: number, indexing) } catch {
          guard claim.isOneOfSeveral else { throw error }
        }
      }
      guard next.count <= ClaimsPath.maximumSelected else {
        throw SDJWTError(.path, "the path \(path) selects more than \(ClaimsPath.maximumSelected) claims")
      }
      selected = next
    }
    guard !selected.isEmpty else { throw SDJWTError(.path, "the path \(path) selects nothing") }
    return selected
  }

  private func children(
    _ component: ClaimsPath.Component, of claim: SelectedClaim, number: Int, _ indexing: Indexing
  ) throws(SDJWTError) -> [SelectedClaim] {
    func selected(_ child: Child, isOneOfSeveral: Bool = false) -> SelectedClaim {
      SelectedClaim(
        place: claim.place + [child.step], node: child.node,
        disclosures: claim.disclosures + (child.disclosure.map { [$0] } ?? []),
        isOneOfSeveral: claim.isOneOfSeveral || isOneOfSeveral)
    }
    switch (component, self) {
    case (.member(let name), .object): return member(name).map { [selected($0)] } ?? []
    case (.member, _): throw mismatch("a string needs an object", number)
    case (.all, .array(let children, _)): return children.map { selected($0) }
    case (.all, _): throw mismatch("null needs an array", number)
    case (.index, .array(let children, isComplete: false)) where indexing == .asPresented:
      return children.map { selected($0, isOneOfSeveral: true) }
    case (.index, .array(let children, _)): return children.filter { $0.step == component }.map { selected($0) }
    case (.index, _): throw mismatch("an integer needs an array", number)
    }
  }

  private func mismatch(_ message: String, _ number: Int) -> SDJWTError {
    SDJWTError(.path, "part \(number) of the path: \(message), found \(value.kind)")
  }
}
