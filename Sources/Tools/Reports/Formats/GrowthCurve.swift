import Foundation

/// Measures whose names differ in one number, as a drawing: the number on the axis, the value as the height.
package struct GrowthCurve {
  /// The name with `n` for the number that differs.
  package let name: String
  /// The number, the value, and the value of an older report, by the number.
  package let points: [(size: Double, value: Double, before: Double?)]

  /// The least number of points that show a growth.
  private static let leastPoints = 3

  /// The curves of measures: for each name, and each of its numbers, the measures that have the others in common.
  package static func all(_ measures: [(name: String, value: Double, before: Double?)]) -> [GrowthCurve] {
    var keys: [String] = []
    var found: [String: [(name: String, point: (size: Double, value: Double, before: Double?))]] = [:]
    for measure in measures where measure.value > 0 {
      for family in families(of: measure.name) {
        if found[family.key] == nil { keys.append(family.key) }
        found[family.key, default: []].append((family.name, (family.size, measure.value, measure.before)))
      }
    }
    return keys.compactMap { key in
      let members = (found[key] ?? []).sorted { $0.point.size < $1.point.size }
      guard members.count >= leastPoints, let last = members.last else { return nil }
      return GrowthCurve(name: last.name, points: members.map(\.point))
    }
  }

  /// The names that a name becomes with `n` for one of its numbers, each with the number, and with a key in which "1 app" and
  /// "2 apps" are the same.
  static func families(of name: String) -> [(key: String, name: String, size: Double)] {
    let words = name.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return words.indices.compactMap { place in
      guard let size = Double(words[place].replacing(",", with: "")), size > 0 else { return nil }
      var rest = words
      rest[place] = "n"
      let name = rest.joined(separator: " ")
      if place + 1 < rest.count { rest[place + 1].replace(/s(?=,?$)/, with: "") }
      return (rest.joined(separator: " "), name, size)
    }
  }

  // MARK: Drawing

  /// The drawings of curves, as HTML.
  package static func drawings(of curves: [GrowthCurve]) -> String {
    "<div class=\"curves\">\n\(curves.map(\.drawing).joined(separator: "\n"))\n</div>"
  }

  /// The size of a drawing, and its margin, in its own units.
  private static let (width, height, margin) = (320.0, 180.0, 28.0)

  /// The curve with the older one below it.
  private var drawing: String {
    let most = points.flatMap { [$0.value, $0.before ?? 0] }.max() ?? 1
    let (first, last) = (points[0].size, points[points.count - 1].size)
    func place(_ size: Double, _ value: Double) -> (x: String, y: String) {
      // A size twice as large is as far away wherever it is.
      let share = (log(size) - log(first)) / max(log(last) - log(first), 1e-9)
      let x = Self.margin + (Self.width - 2 * Self.margin) * share
      let y = Self.height - Self.margin - (Self.height - 2 * Self.margin) * value / most
      return (ReportText.decimal(x), ReportText.decimal(y))
    }
    func line(_ name: String, _ places: [(x: String, y: String)]) -> String {
      places.count < 2
        ? "" : "<polyline class=\"\(name)\" points=\"\(places.map { "\($0.x),\($0.y)" }.joined(separator: " "))\"/>"
    }
    let words = points.map { "\(ReportText.decimal($0.size)): \(ReportText.decimal($0.value))" }
    let now = points.map { place($0.size, $0.value) }
    let dots = zip(now, words).map { place, words in
      "<circle cx=\"\(place.x)\" cy=\"\(place.y)\" r=\"3.5\"><title>\(words)</title></circle>"
    }
    let (left, right) = (Int(Self.margin), Int(Self.width - Self.margin))
    return """
      <figure>
      <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" aria-label="\(words.joined(separator: ", "))">
      <path class="axis" d="M\(left) \(Int(Self.height - Self.margin))H\(right)"/>
      \(line("before", points.compactMap { point in point.before.map { place(point.size, $0) } }))
      \(line("now", now))
      \(dots.joined())
      <text x="\(left)" y="\(Int(Self.height) - 8)">\(ReportText.decimal(first))</text>
      <text class="end" x="\(right)" y="\(Int(Self.height) - 8)">\(ReportText.decimal(last))</text>
      <text x="\(left)" y="16">\(ReportText.decimal(most))</text>
      </svg>
      <figcaption>\(ReportText.markupLine(name))</figcaption>
      </figure>
      """
  }

  /// The styles of drawings.
  package static let style = """
    .curves { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem; }
    figure { margin: 0; }
    figcaption { color: var(--quiet); font-size: 0.875rem; }
    .curves svg { display: block; width: 100%; height: auto; background: var(--code); border-radius: 6px; }
    .curves polyline { fill: none; stroke: var(--link); stroke-width: 2; }
    .curves .before { stroke: var(--quiet); stroke-dasharray: 4 4; }
    .curves circle { fill: var(--link); }
    .curves .axis { stroke: var(--line); }
    .curves text { fill: var(--text); font-size: 11px; }
    .curves .end { text-anchor: end; }
    """
}
