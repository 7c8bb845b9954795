extension SourceProblem {
  /// A stable name of a kind of problem: a family, a dot, and the kind, as in `source.not-found`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// A code. Layers above the reading of files add their own, in families of their own.
    public init(_ text: String) {
      self.text = text
    }

    /// What stands before the first dot.
    public var family: String { String(text.prefix { $0 != "." }) }

    /// The name.
    public var description: String { text }
  }
}

extension SourceProblem.Code {
  /// No file has this path.
  public static let notFound = Self("source.not-found")
  /// The path names a folder, a device, a pipe or a socket.
  public static let notAFile = Self("source.not-a-file")
  /// The file is there and the system does not let it be read.
  public static let notReadable = Self("source.not-readable")
  /// The file is larger than `SourceLimits.bytes`.
  public static let tooLarge = Self("source.too-large")
  /// The file holds nothing, or nothing but blank lines and comments.
  public static let empty = Self("source.empty")
  /// The bytes are not UTF-8.
  public static let notUTF8 = Self("source.not-utf8")
  /// A character stands in the file that YAML allows only as an escape.
  public static let controlCharacter = Self("source.control-character")
  /// The text is not YAML.
  public static let notYAML = Self("source.not-yaml")
  /// A line begins with `%`.
  public static let directive = Self("source.directive")
  /// The file holds a second document.
  public static let severalDocuments = Self("source.several-documents")
  /// Lists and mappings nest deeper than `SourceLimits.depth`.
  public static let tooDeep = Self("source.too-deep")
  /// The file has more than `SourceLimits.nodes` nodes.
  public static let tooManyNodes = Self("source.too-many-nodes")
  /// Written out, aliases go past `SourceLimits.nodes`, `SourceLimits.bytes` or `SourceLimits.depth`.
  public static let aliasExpansion = Self("source.alias-expansion")
  /// An alias names no anchor written before it.
  public static let unknownAlias = Self("source.unknown-alias")
  /// A value carries a tag.
  public static let tag = Self("source.tag")
  /// A mapping has the same key twice.
  public static let duplicateKey = Self("source.duplicate-key")
  /// A mapping has the merge key `<<`.
  public static let mergeKey = Self("source.merge-key")
  /// A key is a list, a mapping, an alias, or nothing.
  public static let keyNotText = Self("source.key-not-text")
  /// A value is of another kind than the one that belongs there.
  public static let wrongType = Self("source.wrong-type")
  /// A number or a duration is outside its range.
  public static let outOfRange = Self("source.out-of-range")
  /// A date is not written as RFC 3339 in UTC, or is not in the calendar.
  public static let badDate = Self("source.bad-date")
  /// A duration is not a whole number and a unit.
  public static let badDuration = Self("source.bad-duration")
  /// A value is none of the names that belong there.
  public static let unknownName = Self("source.unknown-name")
  /// A mapping has a key that does not belong there.
  public static let unknownKey = Self("source.unknown-key")
  /// A mapping lacks a key that it must have.
  public static let missingKey = Self("source.missing-key")
  /// A mapping that must have exactly one key has none or several.
  public static let notOneKey = Self("source.not-one-key")

  /// A value was refused for a reason of its reader's own.
  public static let unreadableValue = Self("source.unreadable-value")

  /// Every code of the family `source`, in the order in which reading a file can meet them.
  public static let source: [Self] = [
    notFound, notAFile, notReadable, tooLarge, empty, notUTF8, controlCharacter, notYAML, directive, severalDocuments,
    tooDeep, tooManyNodes, aliasExpansion, unknownAlias, tag, duplicateKey, mergeKey, keyNotText, wrongType, outOfRange,
    badDate, badDuration, unknownName, unknownKey, missingKey, notOneKey,
    unreadableValue,
  ]
}
