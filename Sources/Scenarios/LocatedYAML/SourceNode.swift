import Primitives

/// A value of a file with its position: text, a list, or a mapping.
///
/// Trees come from `SourceNode.parse`, nest no deeper than `SourceLimits.depth`, and are walked by recursion.
public struct SourceNode: Hashable, Sendable {
  /// The position of the value: the scalar, the brackets of a list or mapping written in one line, else its first token.
  public let position: SourcePosition
  /// The value.
  public let content: Content

  /// The kinds of values.
  public enum Content: Hashable, Sendable {
    /// Text, a number, true, false or nothing.
    case scalar(SourceScalar)
    /// A list.
    case sequence([SourceNode])
    /// Keys and values in the order in which they were written. No key comes twice.
    case mapping([Entry])
  }

  /// A key of a mapping and its value.
  public struct Entry: Hashable, Sendable {
    /// The key, as text whatever it looks like: `on`, `21` and `true` are text here.
    public let key: Located<String>
    /// The value.
    public let value: SourceNode

    /// A key and its value.
    public init(key: Located<String>, value: SourceNode) {
      self.key = key
      self.value = value
    }
  }

  /// A value at a place.
  public init(_ content: Content, at position: SourcePosition) {
    self.content = content
    self.position = position
  }
}

extension SourceNode {
  /// The value of a key of this mapping; nil for an unknown key or another kind of value.
  public subscript(key: String) -> SourceNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key.value == key }?.value
  }

  /// The keys of a mapping, in order; empty for any other value.
  public var keys: [String] {
    guard case .mapping(let entries) = content else { return [] }
    return entries.map(\.key.value)
  }

  /// True for a mapping without an entry.
  public var isEmptyMapping: Bool { if case .mapping(let entries) = content { entries.isEmpty } else { false } }

  /// The scalar that this value is, if it is one.
  public var scalar: SourceScalar? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar
  }

  /// True for a scalar that means nothing: `null`, `~`, or a key with nothing after it.
  public var isNull: Bool { scalar?.value == .null }

  /// The value as a phrase for a message: "a list", "the text 'Kelly'", "nothing".
  public var phrase: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .scalar(let scalar): scalar.phrase
    }
  }
}

/// A scalar as it was written, and what YAML 1.2's core schema makes of it.
public struct SourceScalar: Hashable, Sendable {
  /// The style of a scalar.
  public enum Style: Hashable, Sendable {
    /// Bare. Only a bare scalar can be anything else than text.
    case plain
    /// In single or double quotes.
    case quoted
    /// As a block after `|` or `>`.
    case block
  }

  /// The meaning of a scalar.
  public enum Value: Hashable, Sendable {
    /// Nothing: `null`, `~` or no text at all.
    case null
    /// `true` or `false`. `yes`, `no`, `on` and `off` are text.
    case boolean(Bool)
    /// A whole number, decimal, `0x…` or `0o…`.
    case integer(Int)
    /// A whole number that does not fit in 64 bits, or a number with a fraction or an exponent.
    case number(Double)
    /// Any other.
    case text(String)
  }

  /// The text, with quotes, escapes and line folding undone.
  public let text: String
  /// The style in the file.
  public let style: Style

  /// A scalar of this text.
  public init(_ text: String, style: Style = .plain) {
    self.text = text
    self.style = style
  }

  /// The meaning.
  public var value: Value { style == .plain ? CoreSchema.value(of: text) : .text(text) }

  /// The value as a phrase for a message: "the text 'Kelly'", "the number 42", "nothing".
  public var phrase: String {
    switch value {
    case .null: "nothing"
    case .boolean(let value): "\(value)"
    case .integer, .number: "the number \(SourceText.quote(text).dropFirst().dropLast())"
    case .text: "the text \(SourceText.quote(text))"
    }
  }
}

/// The meaning of a plain scalar in YAML 1.2's core schema (YAML 1.2.2, section 10.3.2).
enum CoreSchema {
  static func value(of text: String) -> SourceScalar.Value {
    // Most scalars are words, and their first byte tells that they are nothing else.
    guard let first = text.utf8.first else { return .null }
    return switch Unicode.Scalar(first) {
    case "~", "n", "N", "t", "T", "f", "F": word(text)
    case "0"..."9", "+", "-", ".": number(text) ?? .text(text)
    default: .text(text)
    }
  }

  private static func word(_ text: String) -> SourceScalar.Value {
    switch text {
    case "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE": .boolean(true)
    case "false", "False", "FALSE": .boolean(false)
    default: .text(text)
    }
  }

  private static func number(_ text: String) -> SourceScalar.Value? {
    if text.hasPrefix("0x") { return based(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0o") { return based(text.dropFirst(2), radix: 8) }
    return decimal(text)
  }

  private static func based(_ digits: Substring, radix: Int) -> SourceScalar.Value? {
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? radix) < radix }) else { return nil }
    if let value = Int(digits, radix: radix) { return .integer(value) }
    return .number(digits.reduce(0.0) { $0 * Double(radix) + Double($1.hexDigitValue ?? 0) })
  }

  private static func decimal(_ text: String) -> SourceScalar.Value? {
    let unsigned = text.first == "+" || text.first == "-" ? text.dropFirst() : text[...]
    switch unsigned {
    case ".inf", ".Inf", ".INF": return .number(text.first == "-" ? -.infinity : .infinity)
    case ".nan", ".NaN", ".NAN": return unsigned.count == text.count ? .number(.nan) : nil
    default: break
    }
    var rest = unsigned.utf8[...]
    let whole = takeDigits(&rest)
    if whole > 0, rest.isEmpty { return Int(text).map { .integer($0) } ?? Double(text).map { .number($0) } }
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
    }
    guard whole + fraction > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard takeDigits(&rest) > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    return Double(text).map { .number($0) }
  }

  private static func takeDigits(_ rest: inout Substring.UTF8View) -> Int {
    let digits = rest.prefix(while: \.isDigit).count
    rest.removeFirst(digits)
    return digits
  }
}

extension SourceNode {
  /// This value with changes applied: mappings are merged key by key, and anything else is replaced by the change.
  ///
  /// A change written `null` or `~` takes its key away; a key with nothing after it does not, as that is more likely a
  /// slip. Every part keeps the position it came from. Kept keys keep their order; new ones follow in that of the
  /// changes.
  public func merging(_ changes: SourceNode) -> SourceNode {
    guard case .mapping(let changed) = changes.content else { return changes }
    guard case .mapping(let kept) = content else {
      return SourceNode(.mapping([]), at: changes.position).merging(changes)
    }
    let index = Dictionary(kept.enumerated().map { ($1.key.value, $0) }) { first, _ in first }
    var merged: [Entry?] = kept
    for change in changed {
      guard let place = index[change.key.value] else {
        if !change.value.isRemoval { merged.append(change.withoutNulls) }
        continue
      }
      merged[place] = change.value.isRemoval ? nil : kept[place].merging(change)
    }
    return SourceNode(.mapping(merged.compactMap(\.self)), at: position)
  }

  /// The mapping without some of its keys.
  public func without(_ keys: String...) -> SourceNode {
    guard case .mapping(let entries) = content else { return self }
    return SourceNode(.mapping(entries.filter { !keys.contains($0.key.value) }), at: position)
  }

  /// True for a change that takes its key away: a written `null` or `~`.
  public var isRemoval: Bool { isNull && scalar?.text.isEmpty == false }
}

extension SourceNode.Entry {
  /// The entry as if its mapping had been empty before: nothing is left of the keys it takes away.
  fileprivate var withoutNulls: Self {
    guard case .mapping = value.content else { return self }
    return Self(key: key, value: SourceNode(.mapping([]), at: value.position).merging(value))
  }

  fileprivate func merging(_ change: Self) -> Self {
    guard case .mapping = value.content, case .mapping = change.value.content else { return change.withoutNulls }
    return Self(key: key, value: value.merging(change.value))
  }
}
