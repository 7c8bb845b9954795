import Ecosystem
import Inspection
import InteractiveWorlds
import Messaging

/// Views of the world's state that are not part of the world.
extension DemoScreen {
  /// Keys for the faults, in order, without q, which goes back.
  private static let faultKeys = Array("123456789abcdefghijklmnoprstuvwxyz")

  static func faults(_ state: DemoState) -> DemoScreen {
    var choices = zip(DemoFault.all, faultKeys).map { fault, key in
      let isOn = state.faults.contains(fault)
      let others = state.faults.map(\.name).filter { $0 != fault.name }
      return Choice(
        key: key, label: "\(isOn ? "■" : "□") \(fault.place): \(fault.label)",
        action: .begin(faults: isOn ? others : others + [fault.name]))
    }
    choices.append(Choice(key: "0", label: "No faults", action: .begin(faults: [])))
    choices.append(Choice(key: "q", label: "back", action: .look(.plain)))
    return DemoScreen(
      title: "Faults", lines: [Line("The world starts again with the faults that you choose.", .quiet)],
      choices: choices)
  }

  static func checks(_ state: DemoState) -> DemoScreen {
    let lines = state.checks.map { check in
      switch check.status {
      case .passed: Line("✓ \(check.message)", .quiet)
      case .failed: Line("✗ \(check.message) [\(check.name)]", .bad)
      case .deviates: Line("~ \(check.message) [\(check.name)]")
      case .notReached: Line("- \(check.message)", .quiet)
      }
    }
    return DemoScreen(
      title: "Every check of the server", lines: lines,
      choices: [Choice(key: "b", label: "back", action: .look(.plain))])
  }

  static func message(_ number: Int, _ state: DemoState) -> DemoScreen {
    let back = [Choice(key: "b", label: "back", action: .look(.plain))]
    for entry in state.entries {
      guard case .message(let message) = entry.event, message.number == number else { continue }
      let readership = Readership(of: message)
      var lines = [
        Line("\(message.sender.title) → \(message.recipient.title)", .heading),
        Line("\(message.kind.rawValue), \(message.bytes.count) bytes, \(message.mediaType)"), Line(readership.message),
      ]
      if let withheld = readership.withheld { lines.append(Line(withheld, .bad)) }
      lines += Inspector.shown(message.bytes).split(separator: "\n", omittingEmptySubsequences: false).map {
        Line(String($0), .quiet)
      }
      return DemoScreen(title: "Message \(number)", lines: lines, choices: back)
    }
    return DemoScreen(title: "Message \(number)", lines: [Line("This message does not exist.")], choices: back)
  }
}
