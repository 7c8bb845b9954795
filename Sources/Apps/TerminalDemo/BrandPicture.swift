/// Brand icons drawn in characters.
enum BrandPicture {
  /// The picture for an icon's file name, or a plain one for other icons.
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
