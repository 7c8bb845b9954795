/// Brand icons drawn in characters.
enum BrandPicture {
  /// The picture for the file name of an icon; a plain one for icons that nobody drew.
  static func lines(icon: String) -> [DemoScreen.Line] {
    let name = icon.split(separator: ".").first.map(String.init) ?? icon
    return (pictures[name] ?? pictures["site"] ?? []).map { DemoScreen.Line($0, .picture) }
  }

  /// The picture for the name of a brand: of the icon that its name speaks of.
  static func lines(named name: String) -> [DemoScreen.Line] {
    let word = name.lowercased()
    return lines(icon: word.contains("space") ? "spaceship" : word.contains("hotel") ? "hotel" : "site")
  }

  private static let pictures = [
    "spaceship": ["    ╱╲    ", "   ╱◯ ╲   ", "  ╱│  │╲  ", "   └▼▼┘   "],
    "hotel": ["  ┌────┐  ", "  │▫▫▫▫│  ", "  │▫▫▫▫│  ", " ─┴─▯▯─┴─ "],
    "site": ["  ╭────╮  ", "  │ ·· │  ", "  ╰────╯  "],
  ]
}
