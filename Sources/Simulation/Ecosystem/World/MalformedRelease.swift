/// Something wrong with what the operating system gives an app.
public enum MalformedRelease: String, Sendable, CaseIterable {
  /// No origin goes with the partial request.
  case withoutOrigin = "without-origin"
  /// The raw request is no JSON.
  case unreadable
  /// A bit of the first reader signature is flipped after the sandbox has checked it.
  case otherSignature = "other-signature"

  /// What is wrong, in words.
  var sentence: String {
    switch self {
    case .withoutOrigin: "the app gets no origin"
    case .unreadable: "the app gets a raw request that nobody can read"
    case .otherSignature: "a bit of a reader signature is flipped before the app gets it"
    }
  }
}
