import Telling

/// The frames of a page, below it.
extension DemoScreen {
  /// Keys for the buttons of frames, in order: letters that have no other meaning beside a page. Those of b and q are left
  /// out, and those of c and d, which decline.
  private static let keys = Array("tyghijlwxzaes")

  /// The frames of a website's page on a device, and the choices of their buttons.
  static func frames(
    of website: String, on device: String, _ state: DemoState
  ) -> (lines: [Line], choices: [Choice]) {
    var (lines, choices): ([Line], [Choice]) = ([], [])
    for frame in state.world.websites.first(where: { $0.identifier == website })?.page.frames ?? [] {
      guard let page = state.snapshot.view.page(ofFrame: frame.name, in: website, on: device) else { continue }
      let shown = frame.website ?? website
      let origin = state.world.websites.first { $0.identifier == shown }?.origin.serialized
      let address = frame.source == .url ? origin.map(WorldNames.host) : frame.source.rawValue
      let place = frame.container.map { " in \($0)" } ?? ""
      lines += [
        Line(""), Line(["▣ Frame \(frame.name)\(place)", address].compactMap(\.self).joined(separator: " · "), .quiet),
      ]
      lines += content(of: page, from: shown, state).map { Line("  \($0.text)", $0.tone) }
      for button in page.buttons {
        let key = Self.keys.indices.contains(choices.count) ? Self.keys[choices.count] : "?"
        choices.append(
          Choice(
            key: key, label: "\(button) in the frame \(frame.name)",
            action: act(.tap(button, frame: frame.name), device, state)))
      }
    }
    return (lines, choices)
  }
}
