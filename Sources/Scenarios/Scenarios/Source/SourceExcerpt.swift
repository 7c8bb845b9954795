/// Shows a line of a file with a caret under a token: the one look of every problem and of every failed expectation.
///
/// ```
/// scenarios/two-apps.yaml:14:16  device signature does not verify            [device.signature/invalid]
///    14 |   - website: { verified: { given_name: Kelly } }
///       |                ^^^^^^^^ refused by the verifier server
///       | because: the site trusts this issuer and this device
///    message 9 of 11  Wallet -> OS  EncryptedResponse, 1702 bytes
/// ```
public enum SourceExcerpt {
  /// The excerpt, without a line end after the last line.
  ///
  /// - Parameters:
  ///   - position: the token under which the carets stand.
  ///   - headline: what is wrong, in a sentence without its full stop.
  ///   - code: the stable code, shown in brackets.
  ///   - caretNote: a few words after the carets.
  ///   - because: why it was expected, shown below the carets.
  ///   - notes: lines of evidence. Their own leading spaces set them in further.
  public static func render(
    position: SourcePosition, headline: String, code: String? = nil, caretNote: String? = nil, because: String? = nil,
    notes: [String] = []
  ) -> String {
    let number = String(position.line)
    let gutterWidth = max(5, number.count + 2)
    let gutter = padding(gutterWidth) + " |"
    let line = ExcerptLine(position)
    var lines = [heading(place: position.description, headline: headline, code: code)]
    lines.append(trimmed(padding(gutterWidth - number.count) + number + " | " + line.text))
    lines.append(gutter + " " + line.carets + (caretNote.map { " " + SourceText.visible($0) } ?? ""))
    if let because { lines.append(gutter + " because: " + SourceText.visible(trimmed(folded(because)))) }
    lines += notes.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .map { trimmed("   " + SourceText.visible(String($0))) }
    return lines.joined(separator: "\n")
  }

  /// The first line: place, sentence, and the code in a column of its own where it fits.
  static func heading(place: String, headline: String, code: String?) -> String {
    let text = SourceText.visible(place) + "  " + SourceText.visible(headline)
    guard let code else { return text }
    return text + padding(max(2, codeColumn - SourceText.width(text))) + "[" + SourceText.visible(code) + "]"
  }

  private static let codeColumn = 75

  private static func padding(_ cells: Int) -> String { String(repeating: " ", count: max(0, cells)) }

  private static func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
