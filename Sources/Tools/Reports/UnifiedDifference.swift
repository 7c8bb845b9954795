import LocatedYAML

/// The difference of two texts of a file, in the unified format that `patch` reads.
public struct UnifiedDifference: Sendable, Equatable {
  /// A line of the difference, without its sign.
  enum Line: Sendable, Equatable {
    case same(String)
    case removed(String)
    case added(String)

    var isSame: Bool { if case .same = self { true } else { false } }
  }

  /// A part of the file with changed lines and some lines around them.
  struct Part: Sendable, Equatable {
    /// The lines of the part in each text; the first line counts from 1.
    let old: Range<Int>
    let new: Range<Int>
    var lines: [Line]
  }

  /// The path of the file.
  public let path: String
  let parts: [Part]

  /// The number of unchanged lines before and after each change, as usual.
  private static let context = 3

  /// Compares two texts of a file line by line.
  public init(of old: SourceFile, to new: SourceFile) {
    path = old.path
    let lines = Self.lines(of: Self.lines(of: old), Self.lines(of: new))
    let changed = lines.indices.filter { !lines[$0].isSame }
    var ranges: [Range<Int>] = []
    for place in changed {
      let around = max(0, place - Self.context)..<min(lines.count, place + Self.context + 1)
      if let last = ranges.last, last.upperBound >= around.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<around.upperBound
      } else {
        ranges.append(around)
      }
    }
    var parts: [Part] = []
    var (oldLine, newLine, place) = (1, 1, 0)
    /// The lines of each text in some lines of the difference.
    func counts(_ range: Range<Int>) -> (old: Int, new: Int) {
      lines[range].reduce(into: (0, 0)) { counts, line in
        if case .added = line {} else { counts.0 += 1 }
        if case .removed = line {} else { counts.1 += 1 }
      }
    }
    for range in ranges {
      let before = counts(place..<range.lowerBound)
      (oldLine, newLine) = (oldLine + before.old, newLine + before.new)
      let inside = counts(range)
      parts.append(
        Part(
          old: oldLine..<oldLine + inside.old, new: newLine..<newLine + inside.new, lines: Array(lines[range])))
      (oldLine, newLine, place) = (oldLine + inside.old, newLine + inside.new, range.upperBound)
    }
    self.parts = parts
  }

  /// The lines of a file. The text after the last line end is a line unless it is empty.
  private static func lines(of file: SourceFile) -> [String] {
    let lines = (1...file.lineCount).map(file.line)
    return lines.last == "" ? Array(lines.dropLast()) : lines
  }

  private static func lines(of old: [String], _ new: [String]) -> [Line] {
    let difference = new.difference(from: old)
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (oldPlace, newPlace) = (0, 0)
    while oldPlace < old.count || newPlace < new.count {
      if removed.contains(oldPlace) {
        lines.append(.removed(old[oldPlace]))
        oldPlace += 1
      } else if added.contains(newPlace) {
        lines.append(.added(new[newPlace]))
        newPlace += 1
      } else {
        lines.append(.same(old[oldPlace]))
        (oldPlace, newPlace) = (oldPlace + 1, newPlace + 1)
      }
    }
    return lines
  }
}

extension TextReport {
  /// A difference as text, without a line end after the last line.
  public func text(of difference: UnifiedDifference) -> String {
    let path = SourceText.visible(difference.path)
    var lines = [colored("--- \(path)", .bold), colored("+++ \(path)", .bold)]
    for part in difference.parts {
      lines.append(colored("@@ -\(Self.text(of: part.old)) +\(Self.text(of: part.new)) @@", .cyan))
      for line in part.lines {
        switch line {
        case .same(let text): lines.append(" " + SourceText.visible(text))
        case .removed(let text): lines.append(colored("-" + SourceText.visible(text), .red))
        case .added(let text): lines.append(colored("+" + SourceText.visible(text), .green))
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Lines as the format counts them: an empty range begins after the line before it.
  private static func text(of lines: Range<Int>) -> String {
    lines.count == 1
      ? "\(lines.lowerBound)" : "\(lines.isEmpty ? lines.lowerBound - 1 : lines.lowerBound),\(lines.count)"
  }
}
