/// A wallet of one's own: the program that speaks for it.
public struct WalletTarget: Sendable {
  /// The name in reports.
  public var name: String
  /// The program and its arguments.
  public var program: [String]
  /// The folder in which it runs: that of the file that names it.
  public var folder: String
  /// The bounds of each message.
  public var limits = Limits()

  /// Creates a target with the usual bounds.
  public init(name: String, program: [String], folder: String) {
    self.name = name
    self.program = program
    self.folder = folder
  }

  /// The bounds of each message.
  public struct Limits: Sendable {
    /// The longest time of an answer.
    public var timeout = Duration.seconds(10)
    /// The longest answer, in bytes.
    public var answer = 1 << 20

    /// Creates the usual bounds.
    public init() {}
  }
}
