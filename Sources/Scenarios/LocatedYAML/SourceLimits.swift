/// The limits of a scenario file. A file is written by a person: what goes past these is a mistake or an attack.
public enum SourceLimits {
  /// The most bytes a file may hold, and the most bytes its aliases may expand to: 1 MiB, a hundred times the longest
  /// scenario anyone would want to read.
  public static let bytes = 1 << 20

  /// The maximum nesting of lists and mappings: 64. Trees are walked by recursion, and a thread's stack must hold the
  /// deepest.
  public static let depth = 64

  /// The most nodes of a file: 50 000, every use of an alias counted in full. A tree shares what an alias
  /// repeats, but a walk over it pays for each use, so nine lines of aliases could otherwise cost hours.
  public static let nodes = 50_000

  /// The most problems kept of one file: 100. People fix the first before they read more.
  public static let problems = 100

  /// The most problems kept of all files of a run: 1000, so that a folder with a mistake in each file shows them all.
  public static let problemsOfRun = 1_000

  /// The widest excerpt of a line, in terminal cells: 100, so that the caret stays below its token on common screens.
  public static let excerptCells = 100

  /// The most characters of a file's text repeated inside a message: 48, so that a message stays one line.
  public static let quotedCharacters = 48

  /// The most scalars shown of one character: 8. A base letter can carry thousands of combining marks.
  public static let scalarsOfCharacter = 8

  /// The most names listed when nothing near was found: 12. A longer list does not help.
  public static let listedNames = 12

  /// The most uses listed of a problem in a file that others share: 4. More do not help to fix it.
  public static let listedUses = 4

  /// The longest name compared with known ones, in Unicode scalars: 64. Comparing costs the product of both lengths.
  public static let comparedScalars = 64

  /// The longest duration: 100 years of 365.25 days, past any validity period and far from overflowing a clock.
  public static let duration = Duration.seconds(36_525 * 86_400)
}
