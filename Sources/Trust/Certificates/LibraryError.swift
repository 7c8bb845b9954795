/// What errors of the libraries say to a person: neither which type they are nor where in the library's source they began.
enum LibraryError {
  /// The reason in an error whose description is `Type.code: reason Module/File.swift:1`; the description of any other.
  static func words(for error: any Error) -> String {
    var words = "\(error)".split(separator: " ", omittingEmptySubsequences: false)
    guard words.count > 1, let first = words.first, first.hasSuffix(":"), first.contains("Error.") else {
      return "\(error)"
    }
    if let last = words.last, last.contains(".swift:") { words.removeLast() }
    let reason = words.dropFirst().joined(separator: " ")
    // A code alone says what is wrong too: `truncatedASN1Field`.
    return reason.isEmpty ? String(first.dropLast().split(separator: ".").last ?? first) : reason
  }
}
