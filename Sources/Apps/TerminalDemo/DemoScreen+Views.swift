import Inspection
import InteractiveWorlds
import Messaging
import Telling
import Vocabulary

/// Views of the world's state that are not part of the world.
extension DemoScreen {
  /// Keys for the faults, in order: digits, and capital letters, which have no other meaning. Those of b and q are left out.
  private static let faultKeys = Array("123456789ACDEFGHIJKLMNOPRSTUVWXYZ")

  static func faults(_ state: DemoState) -> DemoScreen {
    var choices = zip(DemoFault.all, faultKeys).map { fault, key in
      let isOn = state.faults.contains(fault)
      let others = state.faults.map(\.name).filter { $0 != fault.name }
      return Choice(
        key: key, label: "\(isOn ? "■" : "□") \(fault.place): \(fault.label)",
        action: .begin(faults: isOn ? others : state.combinesFaults ? others + [fault.name] : [fault.name]))
    }
    choices.append(Choice(key: "0", label: "repair all", action: .begin(faults: [])))
    choices.append(
      Choice(
        key: "+", label: "\(state.combinesFaults ? "■" : "□") combine faults",
        action: .combineFaults(!state.combinesFaults)))
    var lines = [Line("The world starts again with the fault that you choose.", .quiet)]
    if !state.faults.isEmpty {
      lines.append(Line("Broken: \(state.faults.map(\.label).joined(separator: "; "))", .warning))
    }
    return DemoScreen(title: "Faults", lines: lines, choices: choices)
  }

  static func checks(_ state: DemoState) -> DemoScreen {
    let lines = state.checks.map { check in
      switch check.status {
      case .passed: Line("✓ \(check.message)", .quiet)
      case .failed: Line("✗ \(check.message) [\(check.name)]", .bad)
      case .deviates: Line("~ \(check.message) [\(check.name)]", .warning)
      case .notReached: Line("- \(check.message)", .quiet)
      }
    }
    return DemoScreen(title: "Every check of the server", lines: lines, choices: [])
  }

  static func message(_ number: Int, _ state: DemoState) -> DemoScreen {
    for entry in state.entries {
      guard case .message(let message) = entry.event, message.number == number else { continue }
      let readership = Readership(of: message)
      var lines = [
        Line("\(title(of: message.sender, state)) → \(title(of: message.recipient, state))", .heading),
        Line("\(message.kind.rawValue), \(message.bytes.count) bytes, \(message.mediaType)"),
        Line(readership.message(state.names)),
      ]
      if let withheld = readership.withheld { lines.append(Line(withheld, .warning)) }
      lines += Inspector.shown(message.bytes).split(separator: "\n", omittingEmptySubsequences: false).map {
        Line(String($0))
      }
      return DemoScreen(title: "Message \(number)", lines: lines, choices: [])
    }
    return DemoScreen(title: "Message \(number)", lines: [Line("This message does not exist.")], choices: [])
  }

  /// The name of a party without its article.
  private static func title(of party: Party, _ state: DemoState) -> String {
    let noun = state.names.noun(party)
    return noun.hasPrefix("the ") ? String(noun.dropFirst("the ".count)) : noun
  }
}

/// The frames of a page, below it.
extension DemoScreen {
  /// Keys for the buttons of frames, in order: letters that have no other meaning beside a page. Those of b and q are left
  /// out, those of c and d, which decline, and those of presentation in person.
  private static let keys = Array("tgijlwzae")

  /// The frames of a website's page on a device, and the choices of their buttons.
  static func frames(of website: String, on device: String, _ state: DemoState) -> (lines: [Line], choices: [Choice]) {
    var (lines, choices): ([Line], [Choice]) = ([], [])
    for frame in state.world.websites.first(where: { $0.identifier == website })?.page.frames ?? [] {
      guard let page = state.snapshot.view.page(ofFrame: frame.name, in: website, on: device) else { continue }
      let shown = frame.website ?? website
      let origin = state.world.websites.first { $0.identifier == shown }?.origin.serialized
      let address = frame.source == .url ? origin?.withoutScheme : frame.source.rawValue
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
