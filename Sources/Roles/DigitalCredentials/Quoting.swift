/// A text that someone else chose, in quotation marks and cut to a length that a message can bear.
func quoted(_ text: String) -> String {
  let shown = text.unicodeScalars.prefix(CredentialLimits.quotedCharacters)
    .map { $0.properties.generalCategory == .control ? "\u{fffd}" : String($0) }
    .joined()
  let isCut = text.unicodeScalars.count > CredentialLimits.quotedCharacters
  return "\"\(shown)\(isCut ? "…" : "")\""
}
