import LocatedYAML
import Primitives

/// A condition on cases: texts, joined by `and`, `or`, `not` and parentheses. Words that follow each other are one text; a
/// text in quotes may contain anything.
public indirect enum CaseExpression: Sendable, Equatable {
  /// A text that the case must have.
  case text(String)
  /// The opposite.
  case not(CaseExpression)
  /// Both.
  case and(CaseExpression, CaseExpression)
  /// At least one.
  case or(CaseExpression, CaseExpression)

  /// The deepest nesting of parentheses and `not`, so that no text exhausts the stack.
  static let maximumDepth = 64

  /// Reads an expression.
  /// - Throws: ``CaseExpressionError`` if it is not one.
  public init(_ text: String) throws(CaseExpressionError) {
    var parser = try CaseExpressionParser(text)
    self = try parser.expression(depth: 0)
    try parser.end()
  }

  /// True if the expression holds, given which texts a case has.
  public func holds(_ has: (String) -> Bool) -> Bool {
    switch self {
    case .text(let text): has(text)
    case .not(let other): !other.holds(has)
    case .and(let first, let second): first.holds(has) && second.holds(has)
    case .or(let first, let second): first.holds(has) || second.holds(has)
    }
  }
}

extension CaseExpression: CustomStringConvertible {
  /// The expression with its texts in quotes.
  public var description: String {
    switch self {
    case .text(let text): SourceText.quote(text)
    case .not(let other): "not \(other)"
    case .and(let first, let second): "(\(first) and \(second))"
    case .or(let first, let second): "(\(first) or \(second))"
    }
  }
}

/// The reason why a text is not an expression.
public typealias CaseExpressionError = CodedFailure<CaseExpressionErrorCode>

/// The kinds of reasons.
public enum CaseExpressionErrorCode: String, Sendable {
  /// A quotation mark or a parenthesis has no partner.
  case unclosed = "expression.unclosed"
  /// A text or a parenthesis is missing.
  case incomplete = "expression.incomplete"
  /// Something follows the end.
  case trailing = "expression.trailing"
  /// Parentheses nest deeper than ``CaseExpression/maximumDepth``.
  case tooDeep = "expression.too-deep"
}

/// Reads an expression from left to right: `or` binds less than `and`, `and` less than `not`.
private struct CaseExpressionParser {
  private enum Token: Equatable {
    case text(String)
    case word(String)
    case open
    case close
  }

  private var tokens: [Token] = []
  private var position = 0

  init(_ text: String) throws(CaseExpressionError) {
    var rest = Substring(text)
    while let character = rest.first {
      switch character {
      case " ", "\t", "\n": rest.removeFirst()
      case "(", ")":
        tokens.append(character == "(" ? .open : .close)
        rest.removeFirst()
      case "\"", "'":
        rest.removeFirst()
        guard let end = rest.firstIndex(of: character) else {
          throw CaseExpressionError(.unclosed, "the text after \(character) has no end")
        }
        tokens.append(.text(String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      default:
        let word = rest.prefix { !" \t\n()".contains($0) }
        tokens.append(.word(String(word)))
        rest = rest[word.endIndex...]
      }
    }
  }

  /// Takes the next token if it is the given one.
  private mutating func takes(_ token: Token) -> Bool {
    guard position < tokens.count, tokens[position] == token else { return false }
    position += 1
    return true
  }

  mutating func expression(depth: Int) throws(CaseExpressionError) -> CaseExpression {
    var left = try conjunction(depth: depth)
    while takes(.word("or")) { left = .or(left, try conjunction(depth: depth)) }
    return left
  }

  private mutating func conjunction(depth: Int) throws(CaseExpressionError) -> CaseExpression {
    var left = try negation(depth: depth)
    while takes(.word("and")) { left = .and(left, try negation(depth: depth)) }
    return left
  }

  private mutating func negation(depth: Int) throws(CaseExpressionError) -> CaseExpression {
    guard depth < CaseExpression.maximumDepth else {
      throw CaseExpressionError(.tooDeep, "parentheses nest deeper than \(CaseExpression.maximumDepth)")
    }
    if takes(.word("not")) { return .not(try negation(depth: depth + 1)) }
    if takes(.open) {
      let inner = try expression(depth: depth + 1)
      guard takes(.close) else { throw CaseExpressionError(.unclosed, "a parenthesis is not closed") }
      return inner
    }
    return .text(try text())
  }

  /// The words and quoted texts up to the next operator or parenthesis, with single spaces.
  private mutating func text() throws(CaseExpressionError) -> String {
    var parts: [String] = []
    while position < tokens.count {
      switch tokens[position] {
      case .text(let text): parts.append(text)
      case .word(let word) where !["and", "or", "not"].contains(word): parts.append(word)
      case .word, .open, .close:
        guard !parts.isEmpty else { throw missing(before: tokens[position]) }
        return parts.joined(separator: " ")
      }
      position += 1
    }
    guard !parts.isEmpty else { throw CaseExpressionError(.incomplete, "a text is missing at the end") }
    return parts.joined(separator: " ")
  }

  private func missing(before token: Token) -> CaseExpressionError {
    let name =
      switch token {
      case .text(let text), .word(let text): text
      case .open: "("
      case .close: ")"
      }
    return CaseExpressionError(.incomplete, "a text is missing before '\(name)'")
  }

  func end() throws(CaseExpressionError) {
    guard position < tokens.count else { return }
    throw CaseExpressionError(.trailing, "after the expression, 'and' or 'or' is missing")
  }
}
