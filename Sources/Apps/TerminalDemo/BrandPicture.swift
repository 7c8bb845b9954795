/// Brand icons drawn in characters.
enum BrandPicture {
  /// The picture for the file name of an icon; a plain one for icons that nobody drew.
  static func lines(icon: String) -> [DemoScreen.Line] {
    let name = icon.split(separator: ".").first.map(String.init) ?? icon
    return (pictures[name] ?? pictures["site"] ?? []).map { DemoScreen.Line($0, .picture) }
  }

  private static let pictures = [
    "spaceship": ["    ╱╲    ", "   ╱◯ ╲   ", "  ╱│  │╲  ", "   └▼▼┘   "],
    "hotel": ["  ┌────┐  ", "  │▫▫▫▫│  ", "  │▫▫▫▫│  ", " ─┴─▯▯─┴─ "],
    "site": ["  ╭────╮  ", "  │ ·· │  ", "  ╰────╯  "],
  ]
}
