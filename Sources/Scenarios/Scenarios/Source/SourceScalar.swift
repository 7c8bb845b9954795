/// A scalar as it was written, and what YAML 1.2's core schema makes of it.
public struct SourceScalar: Hashable, Sendable {
  /// How a scalar was written.
  public enum Style: Hashable, Sendable {
    /// Bare. Only a bare scalar can be anything else than text.
    case plain
    /// In single or double quotes.
    case quoted
    /// As a block after `|` or `>`.
    case block
  }

  /// What a scalar means.
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
  /// How it was written.
  public let style: Style

  /// A scalar of this text.
  public init(_ text: String, style: Style = .plain) {
    self.text = text
    self.style = style
  }

  /// What it means.
  public var value: Value { style == .plain ? CoreSchema.value(of: text) : .text(text) }

  /// What this is, as a phrase for a sentence: "the text 'Kelly'", "the number 42", "nothing".
  public var phrase: String {
    switch value {
    case .null: "nothing"
    case .boolean(let value): "\(value)"
    case .integer, .number: "the number \(SourceText.quote(text).dropFirst().dropLast())"
    case .text: "the text \(SourceText.quote(text))"
    }
  }
}
