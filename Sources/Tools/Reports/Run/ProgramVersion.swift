/// The version of the program, which `presentment --version` prints and reports name.
public enum ProgramVersion {
  /// The version, by the rules of Semantic Versioning. Before 1.0.0, a new minor version may change files and options.
  public static let text = "0.1.0"
}
